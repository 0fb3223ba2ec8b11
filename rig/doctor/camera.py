"""Is there a camera, and does it deliver?"""

from __future__ import annotations

from rig.cameras.camera import CameraState
from rig.doctor.finding import Finding


def check_camera(state: CameraState, kind: str, still_wh: tuple[int, int] | None) -> Finding:
    """Judge a camera's state once it had time to start. kind: as in CameraChoice."""
    facts: dict[str, float | int | str | bool] = {"kind": kind, "reason": state.reason}
    if state.condition == "lost" or state.age_s is None:
        return Finding("camera", "bad", state.sentence, state.advice, facts)
    if state.condition != "fresh":
        return Finding("camera", "look", state.sentence, state.advice, facts)
    if kind == "table":
        advice = "Connect a camera, or name one with --camera; see docs/cameras.md."
        return Finding("camera", "look", "No camera: the table is simulated.", advice, facts)
    size = ""
    if still_wh is not None:
        size = f" ({still_wh[0]} x {still_wh[1]} pixels)"
        facts |= {"width_px": still_wh[0], "height_px": still_wh[1]}
    return Finding("camera", "good", f"{state.camera} delivers pictures{size}.", "", facts)
