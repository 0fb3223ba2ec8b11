"""Is what the rig has kept still together: files that belong to no frame, and old backups?"""

import contextlib
import sqlite3
from pathlib import Path

from rig.doctor.finding import Finding
from rig.store.checkup import NAMED, unknown_photos
from rig.store.database import open_to_look
from rig.store.layout import DATABASE, LOST, PICTURES
from vision.reason import Reason


def check_kept(folder: Path) -> Finding:
    """Compare files and database without changing either; the rig may be running."""
    try:
        lost = _names(folder / LOST)
        unknown = unknown_photos(set(_names(folder / PICTURES)), _known(folder / DATABASE))
    except (OSError, sqlite3.Error) as error:
        found = Reason("kept-unreadable", {"error": str(error)})
        return Finding("kept", "bad", found, Reason("kept-restore"))
    facts: dict[str, float | int | str | bool] = {"lost": len(lost), "unknown": len(unknown)}
    if unknown:
        found = Reason("kept-unknown", {"count": len(unknown), "names": _listed(unknown)})
        return Finding("kept", "look", found, Reason("kept-set-aside"), facts)
    if lost:
        found = Reason(
            "kept-lost", {"count": len(lost), "folder": str(folder / LOST), "names": _listed(lost)}
        )
        return Finding("kept", "look", found, Reason("kept-look"), facts)
    return Finding("kept", "good", Reason("kept-all-known"), None, facts)


def _listed(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _names(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    return sorted(entry.name for entry in folder.iterdir() if entry.is_file())


def _known(database: Path) -> set[str]:
    if not database.exists():
        return set()
    with contextlib.closing(open_to_look(database)) as connection:
        rows = connection.execute("SELECT sha256, kind FROM frames").fetchall()
    return {f"{sha256}.{kind}" for sha256, kind in rows}
