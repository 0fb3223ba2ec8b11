"""The simulated camera: projection there and back, and a place from which all is seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.simulator.cameras import CORNERS, GLASSES, camera_at


@pytest.mark.parametrize("name", GLASSES)
@pytest.mark.parametrize("tilt", [0.0, 20.0, 35.0])
def test_all_that_is_wanted_is_in_the_picture_and_fills_it(name: str, tilt: float) -> None:
    px = camera_at(GLASSES[name], tilt).to_px(CORNERS)
    assert (px >= 0).all()
    assert (px <= [2000, 1500]).all()
    assert np.ptp(px[:, 0]) > 1100 or np.ptp(px[:, 1]) > 1100


@pytest.mark.parametrize("name", GLASSES)
def test_there_and_back(name: str) -> None:
    camera = camera_at(GLASSES[name], 25.0)
    points = np.random.default_rng(0).uniform([0, 0], [700, 500], (50, 2))
    for height in (0.0, 5.0):
        back = camera.to_table(camera.to_px(points, height), height)
        assert np.abs(back - points).max() < 1e-3


def test_projection_agrees_with_opencv() -> None:
    camera = camera_at(GLASSES["wide"], 25.0)
    points = np.array([[10.0, 20.0, -3.0], [650.0, 400.0, 0.0]])
    rotation, _ = cv2.Rodrigues(camera.rotation)
    lens = camera.lens
    px, _ = cv2.projectPoints(points, rotation, camera.translation_mm, lens.matrix, lens.distortion)
    assert np.allclose(camera.to_px(points[:, :2], -points[:, 2]), px.reshape(-1, 2), atol=1e-6)


def test_higher_things_are_nearer_and_look_larger() -> None:
    camera = camera_at(GLASSES["plain"], 0.0)
    low = camera.to_px(CORNERS, 0.0)
    high = camera.to_px(CORNERS, 50.0)
    assert np.ptp(high[:, 0]) > np.ptp(low[:, 0])
    assert camera.position_mm[2] < 0


def test_the_picture_is_not_mirrored() -> None:
    px = camera_at(GLASSES["plain"], 10.0).to_px(CORNERS)
    right, down = px[1] - px[0], px[3] - px[0]
    assert right[0] * down[1] - right[1] * down[0] > 0


def test_scale() -> None:
    camera = camera_at(GLASSES["plain"], 0.0)
    middle = np.array([[350.0, 250.0]])
    expected = camera.lens.matrix[0, 0] / abs(camera.position_mm[2])
    assert camera.scale_px_per_mm(middle)[0] == pytest.approx(expected, rel=1e-3)
