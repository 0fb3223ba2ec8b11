"""All checks of `tacta doctor`, one after the other."""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.cameras.camera import Camera
from rig.cameras.trouble import CameraTrouble
from rig.doctor.camera import check_camera, check_place, forget_unseen
from rig.doctor.finding import Finding
from rig.doctor.machine import check_clock, check_disk, check_kept
from rig.doctor.picture import check_light, check_table
from rig.photo.decoding import decode_photo
from rig.trouble import PhotoTrouble
from rig.wording.kept_reasons import reason_of
from vision.reason import Reason

CHECKS = ("camera", "disk", "kept", "clock", "place", "table", "light")
START_S = 20.0
_STILL_S = 30.0
_LOOK_S = 0.1


def examine(
    camera: Camera, kind: str, data: Path, start_s: float = START_S, accept_table: bool = False
) -> Iterator[Finding]:
    """Run every check; each finding comes as soon as it is known.

    kind: the camera's, as in CameraChoice. data: the folder of the store.
    start_s: how long the camera may take to start. accept_table: the table stays as it lies.
    """
    wait_for_picture(camera, start_s)
    facts = camera.facts()
    seen = check_camera(camera.state(), kind, facts.still_wh if facts else None)
    yield seen
    yield check_disk(data)
    yield check_kept(data)
    yield check_clock()
    picture = None
    if seen.status != "bad":
        yield check_place(camera, data, accept_table)
        picture = take_picture(camera)
    if isinstance(picture, np.ndarray):
        yield check_table(picture)
        yield check_light(picture)
        return
    why = Reason("camera-no-picture") if picture is None else reason_of(str(picture))
    if seen.status == "bad":
        yield forget_unseen(data) if accept_table else _unknown("place", why)
    yield _unknown("table", why)
    yield _unknown("light", why)


def _unknown(check: str, why: Reason) -> Finding:
    return Finding(check, "unknown", why, Reason("camera-first"))


def wait_for_picture(camera: Camera, limit_s: float) -> None:
    """Return when the camera has shown something, or is lost, or the time is up."""
    until_s = time.monotonic() + limit_s
    while time.monotonic() < until_s:
        if camera.state().condition in ("fresh", "lost"):
            return
        time.sleep(_LOOK_S)


def take_picture(camera: Camera) -> NDArray[np.uint8] | CameraTrouble | PhotoTrouble:
    """One still, decoded (H, W, 3) uint8, or why there is none."""
    try:
        return decode_photo(camera.still(_STILL_S).data, "the picture")
    except (CameraTrouble, PhotoTrouble) as trouble:
        return trouble
