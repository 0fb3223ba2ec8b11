from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.locating.plane_views import (
    CARD,
    POSES,
    SIZE_WH,
    FloatArray,
    camera,
    outline,
    rectangle,
)
from vision.lens import FocalLength, Lens
from vision.locating.markers import SQUARE_MM, Marker
from vision.locating.plane import view_from_photo, view_from_quads
from vision.locating.quads import Quads
from vision.view import TableView


def quads_of(view: TableView, *outlines: FloatArray, noise_px: float = 0.1) -> Quads:
    """Outlines as seen, each beginning at another corner."""
    random = np.random.default_rng(5)
    corners = [np.roll(view.to_px(mm), k, axis=0) for k, mm in enumerate(outlines)]
    return Quads(np.array(corners) + random.normal(0, noise_px, (len(corners), 4, 2)))


def check(found: TableView, true: TableView) -> None:
    """Tilt, its direction, and distances between places that the camera sees."""
    assert found.tilt_deg == pytest.approx(true.tilt_deg, abs=0.5)
    normal = abs(float(found.rotation[:, 2] @ true.rotation[:, 2]))
    assert np.rad2deg(np.arccos(min(1.0, normal))) < 0.5
    places = np.array([pose[:2] for pose in POSES])
    measured = found.to_mm(true.to_px(places))
    gaps = [np.linalg.norm(p[:, None] - p[None], axis=2) for p in (measured, places)]
    far = gaps[1] > 1
    np.testing.assert_allclose(gaps[0][far], gaps[1][far], rtol=5e-3)


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (12.0, 70.0), (30.0, 200.0)])
def test_plane_and_scale_with_a_known_lens(tilt: tuple[float, float]) -> None:
    true = camera(*tilt)
    found = view_from_quads(quads_of(true, *map(outline, POSES[:4])), true.lens, SIZE_WH, CARD)
    assert found is not None
    check(found[0], true)
    assert len(found[1]) == 4


@pytest.mark.parametrize("tilt", [(18.0, 70.0), (30.0, 200.0)])
@pytest.mark.parametrize("k1", [0.0, -0.12])
def test_plane_scale_and_lens_from_the_cards_alone(tilt: tuple[float, float], k1: float) -> None:
    true = camera(*tilt, k1)
    found = view_from_quads(quads_of(true, *map(outline, POSES)), None, SIZE_WH, CARD)
    assert found is not None
    check(found[0], true)
    assert found[0].lens.matrix[0, 0] == pytest.approx(1250, rel=0.04)


def test_where_cards_tell_little_of_the_lens_the_photo_s_word_counts() -> None:
    """From straight above any focal length fits, with the distance to go with it."""
    true = camera(2.0, 70.0)
    quads = quads_of(true, *map(outline, POSES[:3]), noise_px=0.3)
    off = []
    for told in (None, FocalLength(1250.0)):
        found = view_from_quads(quads, told, SIZE_WH, CARD)
        assert found is not None
        off.append(abs(float(found[0].lens.matrix[0, 0]) - 1250))
    assert off[1] < 0.01 * 1250 < off[0]


def test_cards_outweigh_the_word_of_a_photo_that_was_cropped() -> None:
    true = camera(30.0, 200.0)
    quads = quads_of(true, *map(outline, POSES))
    found = view_from_quads(quads, FocalLength(900.0), SIZE_WH, CARD)
    assert found is not None
    check(found[0], true)
    assert found[0].lens.matrix[0, 0] == pytest.approx(1250, rel=0.06)


@pytest.mark.parametrize("lens_known", [True, False])
def test_a_rectangle_of_another_size_is_left_out(lens_known: bool) -> None:
    true = camera(20.0, 120.0)
    stranger = rectangle(75.0, 75.0, (90.0, 10.0, 20.0))
    quads = quads_of(true, *map(outline, POSES), stranger)
    found = view_from_quads(quads, true.lens if lens_known else None, SIZE_WH, CARD)
    assert found is not None
    check(found[0], true)
    np.testing.assert_array_equal(found[1].corners_px, quads.corners_px[:-1])


def test_the_line_s_outer_edge_is_meant() -> None:
    """Taken for the line's middle, everything would come out 1.5 % too small."""
    true = camera(0.0, 0.0)
    inner = [rectangle(CARD.frame_width_mm, CARD.frame_height_mm, pose) for pose in POSES]
    found = view_from_quads(quads_of(true, *inner, noise_px=0.0), true.lens, SIZE_WH, CARD)
    assert found is not None
    distance = float(found[0].translation_mm[2])
    assert distance / 560 == pytest.approx(1 + CARD.line_mm / CARD.frame_width_mm, abs=6e-3)


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("lens", [None, camera(0.0, 0.0).lens], ids=["no lens", "lens"])
def test_fewer_than_two_cards_fix_nothing(count: int, lens: Lens | None) -> None:
    outlines = [outline(pose) for pose in POSES[:count]]
    corners = np.array([camera(0, 0).to_px(mm) for mm in outlines]).reshape(-1, 4, 2)
    assert view_from_quads(Quads(corners), lens, SIZE_WH, CARD) is None


def test_outlines_that_do_not_agree_fix_nothing() -> None:
    true = camera(10.0, 0.0)
    strangers = [
        rectangle(40.0, 60.0, POSES[0]), rectangle(110.0, 140.0, POSES[4])
    ]  # fmt: skip
    assert view_from_quads(quads_of(true, *strangers), true.lens, SIZE_WH, CARD) is None


def photo_of_frames(view: TableView, *frames_mm: FloatArray) -> NDArray[np.uint8]:
    """A photograph of frames' white lines on black."""
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), 30, np.uint8)
    for frame in frames_mm:
        corners = np.round(view.to_px(frame) * 16).astype(np.int32)
        cv2.polylines(image, [corners], True, (230, 230, 230), 2, cv2.LINE_AA, shift=4)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


def test_outlines_round_pale_bands_find_their_lines_by_the_few_that_show_them() -> None:
    """In a lamp's haze an outline runs round the band, 3 mm out: too far for a line's search."""
    true = camera(30.0, 200.0)
    poses = (*POSES, (-60.0, 40.0, 80.0), (70.0, -20.0, 10.0))
    frames = [rectangle(CARD.frame_width_mm, CARD.frame_height_mm, pose) for pose in poses]
    pale = [rectangle(CARD.frame_width_mm + 6, CARD.frame_height_mm + 6, p) for p in poses[3:]]
    quads = quads_of(true, *map(outline, poses[:3]), *pale)
    found = view_from_photo(photo_of_frames(true, *frames), quads, (), None, CARD)
    assert found is not None
    assert found[1].on_lines
    assert len(found[1]) == len(poses)
    check(found[0], true)


def spread_markers(view: TableView, *sizes: float) -> tuple[Marker, ...]:
    """Markers of these shares of their size at the corners of the table."""
    middles = np.array([[-280.0, -200.0], [280.0, -200.0], [280.0, 200.0], [-280.0, 200.0]])
    return tuple(
        Marker(i, view.to_px(SQUARE_MM * size + middle))
        for i, (size, middle) in enumerate(zip(sizes, middles, strict=False))
    )


BLANK = np.full((SIZE_WH[1], SIZE_WH[0], 3), 90, np.uint8)


@pytest.mark.parametrize("lens_known", [True, False])
@pytest.mark.parametrize("k1", [0.0, -0.1])
def test_markers_alone_where_no_card_is_wholly_seen(lens_known: bool, k1: float) -> None:
    """In a picture in which nothing can be sharpened, their corners count as they are."""
    true = camera(30.0, 200.0, k1)
    nothing = Quads(np.empty((0, 4, 2)))
    markers = spread_markers(true, 1, 1, 1, 1)
    found = view_from_photo(BLANK, nothing, markers, true.lens if lens_known else None, CARD)
    assert found is not None
    check(found[0], true)
    assert len(found[1]) == 0


def test_markers_of_any_size_hold_the_lens_but_not_the_scale() -> None:
    true = camera(12.0, 70.0, -0.12)
    quads = quads_of(true, *map(outline, POSES), noise_px=0.3)
    with_them = view_from_photo(BLANK, quads, spread_markers(true, *[0.9] * 4), None, CARD)
    assert with_them is not None
    check(with_them[0], true)


def test_a_marker_of_another_size_is_left_out() -> None:
    true = camera(20.0, 70.0)
    quads = quads_of(true, *map(outline, POSES))
    found = view_from_photo(BLANK, quads, spread_markers(true, 1, 1, 0.8, 1), true.lens, CARD)
    assert found is not None
    check(found[0], true)


def test_one_marker_fixes_nothing() -> None:
    true = camera(20.0, 70.0)
    nothing = Quads(np.empty((0, 4, 2)))
    assert view_from_photo(BLANK, nothing, spread_markers(true, 1), true.lens, CARD) is None
