"""Whether the camera works, and stands where it stood."""

import time
from datetime import datetime
from pathlib import Path

from calibration.table.table_watch import AGREEING_FRAMES, LEARNING_FRAMES
from rig.cameras.camera import Camera, CameraState
from rig.doctor.finding import Finding
from rig.watcher.table_guard import TableGuard, TableMoved
from rig.watcher.table_place import forget_place, load_place
from rig.wording.kept_reasons import reason_of
from vision.reason import Reason


def check_camera(state: CameraState, kind: str, still_wh: tuple[int, int] | None) -> Finding:
    """Judge a camera's state once it had time to start. kind: as in CameraChoice."""
    facts: dict[str, float | int | str | bool] = {"kind": kind, "reason": state.reason}
    if state.condition != "fresh" or state.age_s is None:
        is_lost = state.condition == "lost" or state.age_s is None
        advice = reason_of(state.advice) if state.advice else None
        return Finding(
            "camera", "bad" if is_lost else "look", reason_of(state.sentence), advice, facts
        )
    if kind in ("table", "game"):
        advice = Reason("camera-connect")
        return Finding("camera", "look", Reason("camera-simulated"), advice, facts)
    if still_wh is None:
        found = Reason("camera-delivers", {"camera": state.camera})
        return Finding("camera", "good", found, None, facts)
    width, height = still_wh
    found = Reason(
        "camera-delivers-size", {"camera": state.camera, "width": width, "height": height}
    )
    facts |= {"width_px": width, "height_px": height}
    return Finding("camera", "good", found, None, facts)


_LOOKS = LEARNING_FRAMES + AGREEING_FRAMES
_WAIT_S = 1.0


def check_place(camera: Camera, folder: Path, accept: bool = False) -> Finding:
    """Compare a few previews with the place that the data folder keeps.

    accept: the table stays as it lies now, and that is kept.
    """
    facts = camera.facts()
    if facts is None or not facts.lively:
        return Finding("place", "good", Reason("place-not-one-table"))
    guard = TableGuard(folder, trial_s=0.0 if accept else float("inf"))
    if accept:
        guard.accept()
    elif guard.since() is None:
        return Finding("place", "good", Reason("place-not-kept-yet"))
    seen_s = 0.0
    until_s = time.monotonic() + _LOOKS * _WAIT_S
    for _ in range(_LOOKS):
        preview = camera.next_preview(seen_s, max(0.0, until_s - time.monotonic()))
        if preview is not None:
            seen_s = preview.taken_s
            guard.look(preview.grey)
    if accept and guard.since() is not None and load_place(folder) is None:
        found = Reason("place-not-kept", {"path": str(folder)})
        return Finding("place", "bad", found, _give_right(folder))
    return judge_place(guard.since(), guard.moved(), accept)


def forget_unseen(folder: Path) -> Finding:
    """Without a camera of its own: have whoever has it, the service, learn the place anew."""
    try:
        forget_place(folder)
    except OSError as error:
        found = Reason("place-not-forgotten", {"error": str(error.strerror)})
        return Finding("place", "bad", found, _give_right(folder))
    return Finding("place", "look", Reason("place-forgotten"), Reason("place-learnt-anew"))


def _give_right(folder: Path) -> Reason:
    return Reason("place-give-right", {"path": str(folder)})


def judge_place(since: datetime | None, moved: TableMoved | None, accepted: bool) -> Finding:
    """Judge a move, or that there is none. since: when the place was learnt, None if it is not."""
    if since is None:
        return Finding("place", "look", Reason("place-not-learnt"), Reason("place-two-markers"))
    if moved is None:
        when = f"{since.astimezone():%Y-%m-%d %H:%M}"
        still = Reason("place-unmoved", {"since": when})
        return Finding("place", "good", Reason("place-accepted") if accepted else still)
    return Finding(
        "place", "look", Reason(f"place-{moved.key}", moved.facts), Reason("place-put-back"),
        {"moved_mm": round(moved.by_mm, 2), "turned_deg": round(moved.by_deg, 2)},
    )  # fmt: skip
