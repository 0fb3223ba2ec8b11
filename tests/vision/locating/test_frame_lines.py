from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.locating.drawn_quads import filled, nearest_gap, photo
from tests.vision.locating.fine_photos import fine_photo
from tests.vision.locating.plane_views import CARD, POSES, camera, rectangle
from vision.locating.frame_lines import meetings, ridge_middles, sharpen_frames
from vision.locating.plane import view_from_photo
from vision.locating.quads import find_quads
from vision.view import TableView

FloatArray = NDArray[np.float64]
ACROSS = np.arange(-3.0, 3.01, 0.15)


def frames_px(view: TableView) -> FloatArray:
    """The middles of the cards' lines."""
    return np.array([
        view.to_px(rectangle(CARD.frame_width_mm, CARD.frame_height_mm, pose)) for pose in POSES
    ])  # fmt: skip


@pytest.mark.parametrize("ground", [30, 90, 225])
@pytest.mark.parametrize("tilt_deg", [0.0, 25.0])
def test_the_middle_of_the_line_not_its_outer_edge(tilt_deg: float, ground: int) -> None:
    view = camera(tilt_deg, 60.0)
    image = fine_photo(view, POSES, ground)
    sharp = sharpen_frames(image, view, find_quads(image).corners_px)
    gaps = [nearest_gap(quad, frames_px(view)) for quad in sharp]
    assert len(gaps) == len(POSES)
    assert max(gaps) < 0.25


def test_a_covered_side_is_not_guessed() -> None:
    view = camera(10.0, 60.0)
    image = photo(view, POSES, 30)
    x, y, _ = POSES[0]
    filled(image, view, rectangle(30.0, 120.0, (x, y - 40.0, 100.0)), 60)
    sharp = sharpen_frames(image, view, frames_px(view))
    assert np.isnan(sharp[0]).all()
    assert np.isfinite(sharp[1:]).all()


def test_no_quads_no_corners() -> None:
    view = camera(0.0, 0.0)
    assert sharpen_frames(photo(view, POSES, 30), view, np.empty((0, 4, 2))).shape == (0, 4, 2)


@pytest.mark.parametrize("at_mm", [-0.8, 0.0, 0.63])
def test_a_ridge_between_unlike_neighbours(at_mm: float) -> None:
    """Brighter on one side, as ink is than black: the middle stays where it is."""
    ridge = np.exp(-(((ACROSS - at_mm) / 0.5) ** 2))
    ground = np.where(at_mm < ACROSS, 0.15, 0.02)
    found = ridge_middles((ground + ridge)[None], ACROSS)
    assert found[0] == pytest.approx(at_mm, abs=0.06)


def test_no_ridge_in_a_step_or_on_a_plain() -> None:
    step = np.where(ACROSS > 0.4, 1.0, 0.1)
    flat = np.full_like(ACROSS, 0.4)
    ridge = 0.1 + np.exp(-((ACROSS / 0.5) ** 2))
    found = ridge_middles(np.stack([step, flat, ridge, ridge, ridge]), ACROSS)
    assert np.isnan(found[:2]).all()
    np.testing.assert_allclose(found[2:], 0, atol=0.02)


def test_sides_meet_in_corners() -> None:
    square = np.array([[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]])
    way = np.roll(square, -1, axis=1) - square
    np.testing.assert_allclose(meetings(square + 0.3 * way, square + 0.7 * way), square, atol=1e-9)


@pytest.mark.parametrize("lens_known", [True, False])
def test_the_plane_of_a_picture_to_a_part_in_a_thousand(lens_known: bool) -> None:
    """Outlines alone would make everything one percent too large."""
    view = camera(22.0, 60.0)
    image = fine_photo(view, POSES, 30)
    found = view_from_photo(image, find_quads(image), (), view.lens if lens_known else None, CARD)
    assert found is not None
    assert found[0].tilt_deg == pytest.approx(22, abs=0.2 if lens_known else 0.5)
    places = np.array([pose[:2] for pose in POSES])
    at = found[0].to_mm(view.to_px(places))
    size = np.linalg.norm(at - at.mean(axis=0)) / np.linalg.norm(places - places.mean(axis=0))
    assert size == pytest.approx(1, abs=2e-3)
