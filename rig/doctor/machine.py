"""The machine: its clock, its disk, and what is kept on it."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

from rig.doctor.finding import Finding
from rig.store.checkup import NAMED, unknown_photos
from rig.store.database import open_to_look
from rig.store.layout import DATABASE, LOST, PICTURES
from vision.reason import Reason

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
LATEST = datetime(2100, 1, 1, tzinfo=UTC)
_ASK_S = 5.0


def check_clock() -> Finding:
    """Look at this machine's clock."""
    return judge_clock(datetime.fromtimestamp(time.time(), UTC), is_synchronised())


def judge_clock(now: datetime, synchronised: bool | None) -> Finding:
    """Judge a time, and whether the network set it (None: not known)."""
    facts: dict[str, float | int | str | bool] = {"now": now.isoformat(timespec="seconds")}
    if synchronised is not None:
        facts["synchronised"] = synchronised
    when = f"{now:%Y-%m-%d %H:%M}"
    if not EARLIEST <= now < LATEST:
        found, advice = Reason("clock-impossible", {"now": when}), Reason("clock-connect")
        return Finding("clock", "bad", found, advice, facts)
    if synchronised is None:
        found, advice = Reason("clock-unknown", {"now": when}), Reason("clock-compare")
        return Finding("clock", "unknown", found, advice, facts)
    if not synchronised:
        found, advice = Reason("clock-not-set", {"now": when}), Reason("clock-let-set")
        return Finding("clock", "look", found, advice, facts)
    return Finding("clock", "good", Reason("clock-set", {"now": when}), None, facts)


def is_synchronised() -> bool | None:
    """Whether the system's clock was set by the network; None where systemd does not say."""
    command = ["timedatectl", "show", "--property=NTPSynchronized", "--value"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_ASK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {"yes": True, "no": False}.get(done.stdout.strip())


LEAST_MB = 500
ENOUGH_MB = 2000
FRAME_MB = 6
"""A 12-megapixel JPEG of a table, rounded up."""


def check_disk(folder: Path) -> Finding:
    """Look at the disk that holds a folder, or would hold it."""
    at = folder
    while not at.exists() and at != at.parent:
        at = at.parent
    if not os.access(at, os.W_OK | os.X_OK) or not at.is_dir():
        found = Reason("disk-not-writable", {"path": str(folder)})
        return Finding("disk", "bad", found, Reason("disk-give-right", {"path": str(at)}))
    try:
        free_mb = shutil.disk_usage(at).free // 1_000_000
    except OSError as error:
        found = Reason("disk-unreadable", {"path": str(at), "error": str(error.strerror)})
        return Finding("disk", "bad", found, Reason("disk-check"))
    return judge_room(free_mb)


def judge_room(free_mb: int) -> Finding:
    """Judge free room in megabytes."""
    frames = free_mb // FRAME_MB
    facts: dict[str, float | int | str | bool] = {"free_mb": free_mb, "frames": frames}
    found = Reason("disk-room", {"free_gb": free_mb / 1000, "frames": frames})
    advice = Reason("disk-delete")
    if free_mb < LEAST_MB:
        return Finding("disk", "bad", found, advice, facts)
    if free_mb < ENOUGH_MB:
        return Finding("disk", "look", found, advice, facts)
    return Finding("disk", "good", found, None, facts)


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
