"""Is what the rig has kept still together: files that belong to no frame, and old backups?"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from rig.doctor.finding import Finding
from rig.store.checkup import NAMED, unknown_photos
from rig.store.layout import DATABASE, LOST, PICTURES


def check_kept(folder: Path) -> Finding:
    """Compare files and database without changing either; the rig may be running."""
    try:
        lost = _names(folder / LOST)
        unknown = unknown_photos(set(_names(folder / PICTURES)), _known(folder / DATABASE))
    except (OSError, sqlite3.Error) as error:
        advice = "Check the disk; restore a backup with tacta restore."
        return Finding("kept", "bad", f"What is kept cannot be looked at ({error}).", advice)
    facts: dict[str, float | int | str | bool] = {"lost": len(lost), "unknown": len(unknown)}
    if unknown:
        found = f"{len(unknown)} photos are unknown to the database: {_listed(unknown)}."
        advice = "Restore a backup (tacta restore), or set them aside (tacta lost --set-aside)."
        return Finding("kept", "look", found, advice, facts)
    if lost:
        found = f"{len(lost)} files that belong to no frame lie in {folder / LOST}: "
        advice = "Look at them, then keep or delete them; tacta lost lists them all."
        return Finding("kept", "look", f"{found}{_listed(lost)}.", advice, facts)
    return Finding("kept", "good", "Every photo that is kept belongs to a frame.", "", facts)


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
    with contextlib.closing(sqlite3.connect(database, timeout=10)) as connection:
        connection.execute("PRAGMA query_only = ON")
        rows = connection.execute("SELECT sha256, kind FROM frames").fetchall()
    return {f"{sha256}.{kind}" for sha256, kind in rows}
