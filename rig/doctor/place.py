"""Does the table still lie where the camera has always seen it?"""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

from calibration.table_watch import AGREEING_FRAMES, LEARNING_FRAMES
from rig.cameras.camera import Camera
from rig.doctor.finding import Finding
from rig.watcher.table_guard import TableGuard, TableMoved
from rig.watcher.table_place import forget_place, load_place

_LOOKS = LEARNING_FRAMES + AGREEING_FRAMES
_WAIT_S = 1.0


def check_place(camera: Camera, folder: Path, accept: bool = False) -> Finding:
    """Compare a few previews with the place that the data folder keeps.

    accept: the table stays as it lies now, and that is kept.
    """
    facts = camera.facts()
    if facts is None or not facts.lively:
        found = "This camera's pictures are not of one table that stays in its place."
        return Finding("place", "good", found)
    guard = TableGuard(folder, trial_s=0.0 if accept else float("inf"))
    if accept:
        guard.accept()
    elif guard.since() is None:
        found = "The table's place is not kept yet; the rig learns it while it serves."
        return Finding("place", "good", found)
    seen_s = 0.0
    until_s = time.monotonic() + _LOOKS * _WAIT_S
    for _ in range(_LOOKS):
        preview = camera.next_preview(seen_s, max(0.0, until_s - time.monotonic()))
        if preview is not None:
            seen_s = preview.taken_s
            guard.look(preview.grey)
    if accept and guard.since() is not None and load_place(folder) is None:
        advice = f"Give this user the right to write to {folder}, or name another with --data."
        return Finding("place", "bad", f"The table's place cannot be kept in {folder}.", advice)
    return judge_place(guard.since(), guard.moved(), accept)


def forget_unseen(folder: Path) -> Finding:
    """Without a camera of its own: have whoever has it, the service, learn the place anew."""
    try:
        forget_place(folder)
    except OSError as error:
        advice = f"Give this user the right to write to {folder}, or name another with --data."
        found = f"The table's place cannot be forgotten ({error.strerror})."
        return Finding("place", "bad", found, advice)
    advice = "A rig that is serving learns it anew within a minute, once its table is still."
    return Finding("place", "look", "The table's old place is forgotten.", advice)


def judge_place(since: datetime | None, moved: TableMoved | None, accepted: bool) -> Finding:
    """Judge a move, or that there is none. since: when the place was learnt, None if it is not."""
    if since is None:
        advice = "At least two markers must be seen: print them (tacta print), light them."
        return Finding("place", "look", "The table's place could not be learnt.", advice)
    if moved is None:
        when = f"{since.astimezone():%Y-%m-%d %H:%M}"
        found = "This is now the table's place." if accepted else f"Nothing has moved since {when}."
        return Finding("place", "good", found)
    found, _, advice = moved.sentence.partition(": ")
    return Finding(
        "place", "look", f"{found}.", f"{advice[:1].upper()}{advice[1:]}",
        {"moved_mm": round(moved.by_mm, 2), "turned_deg": round(moved.by_deg, 2)},
    )  # fmt: skip
