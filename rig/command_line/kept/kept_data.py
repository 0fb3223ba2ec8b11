"""What a rig has kept, for commands that only look at it: a mistyped folder is not made."""

from pathlib import Path

from rig.store.store import DATABASE, Store
from rig.trouble import SettingTrouble


class NothingKept(SettingTrouble, key="nothing-kept"):
    """A folder without a rig's data."""


def kept_store(folder: Path) -> Store:
    """The store in a folder. NothingKept if there is none, StoreTrouble if it is not usable."""
    check_kept(folder)
    return Store(folder)


def check_kept(folder: Path) -> None:
    """NothingKept if a folder has no rig's data."""
    if not (folder / DATABASE).exists():
        raise NothingKept(folder=folder)
