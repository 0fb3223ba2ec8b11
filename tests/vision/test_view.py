from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.lenses import LENSES, NO_DISTORTION, tilted
from vision.lens import MANY, LensModel
from vision.view import (
    rotation_from_vector,
    vector_from_rotation,
    view_from_homography,
)

FloatArray = NDArray[np.float64]
SPOTS_MM = np.array([[x, y] for x in (0.0, 170.0, 390.0) for y in (0.0, 120.0, 290.0)])


@pytest.mark.parametrize("kind", LENSES)
@pytest.mark.parametrize("height_mm", [0.0, 0.45, 25.0])
def test_pixels_and_millimetres_are_inverse(kind: str, height_mm: float) -> None:
    view = tilted(LENSES[kind])
    px = view.to_px(SPOTS_MM, height_mm)
    np.testing.assert_allclose(view.to_mm(px, height_mm), SPOTS_MM, atol=1e-3)


@pytest.mark.parametrize("kind", LENSES)
def test_things_on_the_table_have_negative_z(kind: str) -> None:
    """OpenCV's own projection of the points in space, height upwards towards the camera."""
    view = tilted(LENSES[kind])
    space = np.column_stack([SPOTS_MM, np.full(len(SPOTS_MM), -20.0)]).reshape(-1, 1, 3)
    vector = vector_from_rotation(view.rotation)
    model: LensModel = view.lens.model
    project = cv2.fisheye.projectPoints if model == "fisheye" else cv2.projectPoints
    px, _ = project(space, vector, view.translation_mm, view.lens.matrix, view.lens.distortion)
    np.testing.assert_allclose(view.to_px(SPOTS_MM, 20.0), np.reshape(px, (-1, 2)), atol=1e-6)


@pytest.mark.parametrize("kind", LENSES)
def test_many_places_are_seen_where_a_few_of_them_are(kind: str) -> None:
    """Many are worked out without OpenCV."""
    view = tilted(LENSES[kind])
    spots = np.random.default_rng(3).uniform(0, 390, (2 * MANY, 2))
    few = [view.to_px(spots[k : k + 7]) for k in range(0, len(spots), 7)]
    np.testing.assert_allclose(view.to_px(spots), np.concatenate(few), atol=1e-9)


@pytest.mark.parametrize("kind", LENSES)
def test_a_whole_grid_lies_where_its_points_do(kind: str) -> None:
    view = tilted(LENSES[kind])
    px = view.grid_px((-12.0, 7.5), 21.0, (5, 4))
    spots = [[-12.0 + 21.0 * column, 7.5 + 21.0 * row] for row in range(4) for column in range(5)]
    assert px.shape == (4, 5, 2)
    np.testing.assert_allclose(px.reshape(-1, 2), view.to_px(np.array(spots)), atol=1e-3)


def test_a_high_thing_taken_for_a_flat_one_seems_farther_from_the_camera() -> None:
    view = tilted(NO_DISTORTION, 30.0, 0.0)
    foot = -view.rotation.T @ view.translation_mm
    spot = np.array([[200.0, 150.0]])
    seems = view.to_mm(view.to_px(spot, 1.0))[0]
    away = spot[0] - foot[:2]
    assert (seems - spot[0]) @ away / np.hypot(*away) == pytest.approx(np.tan(np.pi / 6), rel=0.02)


def test_the_homography_takes_millimetres_to_rays() -> None:
    view = tilted(LENSES["plain"])
    rays = cv2.perspectiveTransform(SPOTS_MM[None], view.homography(3.0))[0]
    np.testing.assert_allclose(view.lens.to_px(rays), view.to_px(SPOTS_MM, 3.0), atol=1e-9)


@pytest.mark.parametrize("scale", [1.0, 0.003, -40.0])
def test_a_homography_of_any_scale_gives_its_view(scale: float) -> None:
    view = tilted(NO_DISTORTION)
    again = view_from_homography(NO_DISTORTION, view.homography() * scale)
    np.testing.assert_allclose(again.rotation, view.rotation, atol=1e-9)
    np.testing.assert_allclose(again.translation_mm, view.translation_mm, atol=1e-6)
    assert np.linalg.det(again.rotation) == pytest.approx(1)


def test_a_matrix_that_is_no_view_gives_a_rotation_all_the_same() -> None:
    matrix = tilted(NO_DISTORTION).homography() + 0.01 * np.eye(3)
    rotation = view_from_homography(NO_DISTORTION, matrix).rotation
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-12)


def test_scale_of_a_camera_that_looks_straight_down() -> None:
    view = tilted(NO_DISTORTION, 0.0)
    assert view.px_per_mm(np.array([10.0, 20.0])) == pytest.approx(np.sqrt(1300 * 1296) / 550)


@pytest.mark.parametrize("tilt_deg", [0.0, 7.0, 35.0, -20.0])
def test_tilt_is_the_angle_to_the_normal(tilt_deg: float) -> None:
    assert tilted(NO_DISTORTION, tilt_deg).tilt_deg == pytest.approx(abs(tilt_deg), abs=1e-6)


def test_another_frame_sees_the_same_table() -> None:
    view = tilted(LENSES["plain"])
    framed = view.in_frame(np.array([30.0, -12.0]), 90.0)
    # 5 along the new x axis, which points down the old y axis, and 2 along the new y.
    np.testing.assert_allclose(
        framed.to_px(np.array([[0.0, 0.0], [5.0, 2.0]])),
        view.to_px(np.array([[30.0, -12.0], [28.0, -7.0]])),
        atol=1e-6,
    )


def test_rotation_vectors_and_matrices_are_inverse() -> None:
    vector = np.array([0.3, -1.1, 0.7])
    np.testing.assert_allclose(vector_from_rotation(rotation_from_vector(vector)), vector)


@pytest.mark.parametrize("kind", LENSES)
def test_each_point_may_lie_at_its_own_height(kind: str) -> None:
    view = tilted(LENSES[kind])
    heights = np.linspace(0, 9, len(SPOTS_MM))
    px = view.to_px(SPOTS_MM, heights)
    for spot, height, at in zip(SPOTS_MM, heights, px, strict=True):
        assert view.to_px(spot[None], float(height))[0] == pytest.approx(at, abs=1e-9)
        assert view.to_mm(at[None], float(height))[0] == pytest.approx(spot, abs=1e-3)
    assert view.to_mm(px, heights) == pytest.approx(SPOTS_MM, abs=1e-3)
