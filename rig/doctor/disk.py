"""Is there room for pictures, and may they be written?"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from rig.doctor.finding import Finding

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
        advice = f"Give this user the right to write to {at}, or name another folder with --data."
        return Finding("disk", "bad", f"{folder} may not be written.", advice)
    try:
        free_mb = shutil.disk_usage(at).free // 1_000_000
    except OSError as error:
        return Finding("disk", "bad", f"{at} cannot be read ({error.strerror}).", "Check the disk.")
    return judge_room(free_mb)


def judge_room(free_mb: int) -> Finding:
    """Judge free room in megabytes."""
    frames = free_mb // FRAME_MB
    facts: dict[str, float | int | str | bool] = {"free_mb": free_mb, "frames": frames}
    found = f"{free_mb / 1000:.1f} GB free, room for about {frames} pictures."
    advice = "Delete what is not needed, or use a larger disk; old pictures go first by themselves."
    if free_mb < LEAST_MB:
        return Finding("disk", "bad", found, advice, facts)
    if free_mb < ENOUGH_MB:
        return Finding("disk", "look", found, advice, facts)
    return Finding("disk", "good", found, "", facts)
