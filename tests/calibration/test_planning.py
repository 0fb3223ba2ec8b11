from __future__ import annotations

import pytest

from calibration.table.plan_drawing import plan_drawing
from calibration.table.planning import CameraKind, camera_by_id, known_cameras, plan_rig, shows_all

FIELDS_DEG = {"pi-2": (62.2, 48.8), "pi-3-wide": (102.0, 67.0)}


def test_every_camera_has_its_source() -> None:
    assert len(known_cameras()) >= 10
    assert all(camera.source for camera in known_cameras())


@pytest.mark.parametrize("camera", known_cameras(), ids=lambda camera: str(camera.id))
def test_planned_height_shows_the_markers(camera: CameraKind) -> None:
    plan = plan_rig(camera, (830, 520))
    assert shows_all(plan)
    assert not shows_all(plan_rig(camera, (830, 520), plan.height_mm * 0.98))


def test_pixels_per_mm_as_the_shared_rig_has_them() -> None:
    # 830 x 520 mm from 880 mm by a camera of 2157 px focal length gives 2.45 px/mm.
    plan = plan_rig(camera_by_id("pi-2"), (830, 520), 880.0)
    focal = 3280 / 2 / 0.6032  # tan(31.1 degrees)
    assert plan.px_per_mm == pytest.approx(focal / 880, rel=0.01)
    assert plan.covered_mm[0] == pytest.approx(2 * 880 * 0.6032, rel=0.01)


def test_small_cameras_over_large_tables_are_told_apart() -> None:
    assert plan_rig(camera_by_id("pi-3"), (830, 520)).dots == "sure"
    assert plan_rig(camera_by_id("usb-c270"), (1330, 1000)).dots == "no"
    high = plan_rig(camera_by_id("pi-hq-16mm"), (1330, 1000))
    assert any(warning.code == "plan-above-ceiling" for warning in high.warnings())


def test_drawing_and_bad_lengths() -> None:
    assert plan_drawing(plan_rig(camera_by_id("pi-3"), (830, 520))).count("<rect") > 5
    with pytest.raises(ValueError, match="above zero"):
        plan_rig(camera_by_id("pi-3"), (0, 520))
