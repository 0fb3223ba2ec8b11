from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.lenses import LENSES, NO_DISTORTION, tilted
from tests.vision.locating.marker_views import AREA_MM, CENTRES_MM, seen
from vision.locating.markers import (
    MARKER_MM,
    SQUARE_MM,
    MarkedTable,
    Marker,
    agreeing_markers,
    find_markers,
    table_from_markers,
    view_from_markers,
)
from vision.view import TableView

FloatArray = NDArray[np.float64]
SPOTS_MM = np.array([[0.0, 0.0], [330.0, 0.0], [330.0, 215.0], [0.0, 215.0], [150.0, 80.0]])


def table_of(view: TableView, ids: tuple[int, ...], noise_px: float = 0.0) -> MarkedTable:
    markers = seen(view, ids, noise_px)
    table = table_from_markers(view_from_markers(markers, view.lens), markers)
    assert table is not None
    return table


@pytest.mark.parametrize("kind", LENSES)
@pytest.mark.parametrize("ids", [(0, 1, 2, 3), (1, 2, 3), (0, 1, 3), (0, 2), (1, 3)])
def test_the_table_frame_and_the_play_area(kind: str, ids: tuple[int, ...]) -> None:
    view = tilted(LENSES[kind])
    table = table_of(view, ids)
    np.testing.assert_allclose(table.view.to_mm(view.to_px(SPOTS_MM)), SPOTS_MM, atol=0.02)
    assert table.play_area_mm == pytest.approx(AREA_MM, abs=0.02)


@pytest.mark.parametrize("ids", [(0, 1), (1, 2), (2, 3), (0, 3)])
def test_two_markers_on_one_side_leave_the_play_area_unknown(ids: tuple[int, ...]) -> None:
    view = tilted(LENSES["plain"])
    table = table_of(view, ids)
    assert table.play_area_mm is None
    # The corner of the play area beside the first of them is where it is.
    near = view.to_px(SPOTS_MM)
    lengths = np.linalg.norm(np.diff(table.view.to_mm(near), axis=0), axis=1)
    np.testing.assert_allclose(
        lengths, np.linalg.norm(np.diff(SPOTS_MM, axis=0), axis=1), rtol=1e-4
    )


def test_the_frame_s_corner_lies_beside_marker_0() -> None:
    view = tilted(LENSES["plain"])
    for ids in ((0, 1), (0, 3)):
        table = table_of(view, ids)
        np.testing.assert_allclose(table.view.to_mm(view.to_px(SPOTS_MM)), SPOTS_MM, atol=0.02)


def test_a_single_marker_gives_a_view_and_no_table() -> None:
    view = tilted(LENSES["plain"])
    markers = seen(view, (2,))
    own = view_from_markers(markers, view.lens)
    assert own.tilt_deg == pytest.approx(25, abs=0.1)
    np.testing.assert_allclose(own.to_mm(markers[0].corners_px), SQUARE_MM, atol=0.01)
    assert table_from_markers(own, markers) is None


def test_no_marker_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no markers"):
        view_from_markers((), NO_DISTORTION)


def test_markers_need_not_lie_squarely() -> None:
    """A marker turned by hand still helps with the plane; the frame follows the centres."""
    view = tilted(LENSES["plain"])
    cos, sin = np.cos(0.12), np.sin(0.12)
    turned = SQUARE_MM @ np.array([[cos, sin], [-sin, cos]]) + np.array(CENTRES_MM[3])
    markers = (*seen(view, (0, 1, 2)), Marker(3, view.to_px(turned)))
    solved = view_from_markers(markers, view.lens)
    assert solved.tilt_deg == pytest.approx(25, abs=0.01)
    table = table_from_markers(solved, markers)
    assert table is not None
    np.testing.assert_allclose(table.view.to_mm(view.to_px(SPOTS_MM)), SPOTS_MM, atol=0.02)


def test_noise_of_corners_is_shared_out() -> None:
    view = tilted(LENSES["plain"])
    table = table_of(view, (0, 1, 2, 3), noise_px=0.3)
    assert table.view.tilt_deg == pytest.approx(25, abs=0.3)
    assert table.play_area_mm == pytest.approx(AREA_MM, rel=4e-3)


def sized(view: TableView, sizes: dict[int, float]) -> tuple[Marker, ...]:
    """Markers where they belong, printed at these shares of their size."""
    return tuple(
        Marker(i, view.to_px(SQUARE_MM * size + np.array(CENTRES_MM[i])))
        for i, size in sizes.items()
    )


def test_one_marker_of_another_size_is_left_out() -> None:
    view = tilted(LENSES["plain"])
    found = agreeing_markers(sized(view, {0: 1, 1: 0.9, 2: 1, 3: 1}), view.lens, 0.35)
    assert found is not None
    assert [marker.id for marker in found[0]] == [0, 2, 3]
    assert found[1].tilt_deg == pytest.approx(25, abs=0.05)


def test_markers_that_agree_all_stay() -> None:
    view = tilted(LENSES["plain"])
    markers = seen(view, (0, 1, 2, 3), noise_px=0.05)
    found = agreeing_markers(markers, view.lens, 0.35)
    assert found is not None
    assert found[0] == markers


def test_two_that_contradict_each_other_leave_none() -> None:
    view = tilted(LENSES["plain"])
    assert agreeing_markers(sized(view, {0: 1, 2: 0.7}), view.lens, 0.35) is None
    assert agreeing_markers(sized(view, {0: 1}), view.lens, 0.35) is None


def test_one_badly_seen_marker_does_not_mislead_the_others() -> None:
    """The first one's corners, some pixels off, are not where the fit begins."""
    view = tilted(LENSES["plain"])
    markers = seen(view, (0, 1, 2, 3))
    off = np.array([[6.0, -2.0], [-5.0, 3.0], [4.0, 5.0], [-3.0, -6.0]])
    bent = (Marker(0, markers[0].corners_px + off), *markers[1:])
    assert view_from_markers(bent, view.lens).tilt_deg == pytest.approx(25, abs=3)


@pytest.mark.parametrize(
    "ids", [(0, 2, 1, 3), (1, 0, 3, 2), (3, 2, 1, 0)], ids=["two swapped", "mirrored", "upturned"]
)
def test_markers_at_the_wrong_corners_give_no_table(ids: tuple[int, ...]) -> None:
    view = tilted(LENSES["plain"])
    places = seen(view, (0, 1, 2, 3))
    markers = tuple(
        Marker(number, place.corners_px) for number, place in zip(ids, places, strict=True)
    )
    assert table_from_markers(view, tuple(sorted(markers, key=lambda one: one.id))) is None


def test_a_marker_in_a_strange_place_gives_no_table() -> None:
    view = tilted(LENSES["plain"])
    markers = seen(view, (0, 1, 2))
    astray = Marker(3, view.to_px(SQUARE_MM + np.array([150.0, 100.0])))
    assert table_from_markers(view, (*markers, astray)) is None
    assert table_from_markers(view, markers) is not None


def drawn(*placed: tuple[int, int, int], side: int = 90) -> NDArray[np.uint8]:
    """A light grey picture with markers (id, left, top) of so many pixels a side."""
    image = np.full((420, 560), 210, np.uint8)
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, left, top in placed:
        image[top : top + side, left : left + side] = cv2.aruco.generateImageMarker(
            family, number, side
        )
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


def test_markers_are_found_to_half_a_pixel() -> None:
    found = find_markers(drawn((2, 400, 300), (0, 40, 30), (1, 400, 40)))
    assert [marker.id for marker in found] == [0, 1, 2]
    # The first pixel's outer edge lies half a pixel before its centre.
    square = np.array([[0, 0], [90, 0], [90, 90], [0, 90]]) + [39.5, 29.5]
    np.testing.assert_allclose(found[0].corners_px, square, atol=0.5)
    assert np.abs((found[0].corners_px - square).mean(axis=0)).max() < 0.25


def test_markers_in_a_large_picture_of_odd_size() -> None:
    """They are sought in a smaller one, and found to a fraction of a pixel of this one."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    image = np.full((2533, 3377), 200, np.uint8)
    image[2201:2401, 3001:3201] = cv2.aruco.generateImageMarker(family, 2, 200)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 1.2), np.uint8)
    (found,) = find_markers(image)
    square = np.array([[3001, 2201], [3201, 2201], [3201, 2401], [3001, 2401]]) - 0.5
    np.testing.assert_allclose(found.corners_px, square, atol=0.6)


def test_small_markers_are_sought_in_a_larger_picture() -> None:
    image = np.full((2400, 3200), 200, np.uint8)
    image[1500:1900, 2000:2400] = drawn((1, 150, 150), side=60)[10:410, 10:410]
    (found,) = find_markers(image)
    assert found.id == 1


def test_an_id_seen_twice_and_other_games_markers_are_left_out() -> None:
    found = find_markers(drawn((3, 40, 30), (3, 400, 300), (1, 400, 40), (7, 40, 300)))
    assert [marker.id for marker in found] == [1]


def test_no_markers_in_a_blank_picture() -> None:
    assert find_markers(drawn()) == ()


def test_the_marker_s_square_is_its_black_one() -> None:
    assert np.ptp(SQUARE_MM, axis=0).tolist() == [MARKER_MM, MARKER_MM]
    assert SQUARE_MM[0].tolist() == [-30, -30]
    assert SQUARE_MM[1].tolist() == [30, -30]
