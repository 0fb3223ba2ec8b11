"""Is there a camera, and does it deliver?"""

from rig.cameras.camera import CameraState
from rig.doctor.finding import Finding
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
