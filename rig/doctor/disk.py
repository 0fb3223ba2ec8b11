"""Is there room for pictures, and may they be written?"""

import os
import shutil
from pathlib import Path

from rig.doctor.finding import Finding
from vision.reason import Reason

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
