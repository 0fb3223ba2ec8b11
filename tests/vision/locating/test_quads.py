from __future__ import annotations

import numpy as np
import pytest

from tests.vision.locating.drawn_quads import filled, nearest_gap, photo
from tests.vision.locating.plane_views import CARD, POSES, SIZE_WH, camera, outline, rectangle
from vision.locating.plane import view_from_quads
from vision.locating.quads import find_quads, white_mask

GROUNDS = [
    pytest.param(30, id="dark table"),
    pytest.param(60, id="table like the band"),
    pytest.param(90, id="grey table"),
    pytest.param(225, id="white table"),
]


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("tilt_deg", [0.0, 25.0])
def test_corners_of_the_white_line_s_outer_edge(tilt_deg: float, ground: int) -> None:
    """To two pixels: a blurred line looks wider, and it is sought in smaller pictures."""
    view = camera(tilt_deg, 60.0)
    found = find_quads(photo(view, POSES, ground))
    assert len(found) == len(POSES)
    true = np.array([view.to_px(outline(pose)) for pose in POSES])
    gaps = [nearest_gap(quad, true) for quad in found.corners_px]
    assert max(gaps) < 2.6
    # The edges lie outwards of the line's middle: nobody takes one for the other.
    inner = np.array(
        [view.to_px(outline(pose) * 0.98 + np.multiply(pose[:2], 0.02)) for pose in POSES]
    )
    assert all(
        nearest_gap(quad, inner) > gap for quad, gap in zip(found.corners_px, gaps, strict=True)
    )


def test_the_plane_of_a_picture() -> None:
    view = camera(22.0, 60.0)
    found = view_from_quads(find_quads(photo(view, POSES, 30)), view.lens, SIZE_WH, CARD)
    assert found is not None
    assert len(found[1]) == len(POSES)
    assert found[0].tilt_deg == pytest.approx(22, abs=1)
    assert found[0].translation_mm[2] == pytest.approx(560, rel=0.02)


def test_corners_run_clockwise() -> None:
    quads = find_quads(photo(camera(10.0, 0.0), POSES, 30)).corners_px
    assert len(quads) == len(POSES)
    for quad in quads:
        way = np.roll(quad, -1, axis=0) - quad
        ahead = np.roll(way, -1, axis=0)
        assert (way[:, 0] * ahead[:, 1] - way[:, 1] * ahead[:, 0] > 0).all()


def test_covered_cards_and_squares_are_no_outlines() -> None:
    view = camera(5.0, 0.0)
    image = photo(view, POSES[:3], 30)
    across = rectangle(60.0, 25.0, (POSES[0][0], POSES[0][1] - 30.0, 10.0))
    filled(image, view, across, 60)
    square = rectangle(60.0, 60.0, POSES[4])
    filled(image, view, square, 225)
    filled(image, view, square * 0.985 + np.array(POSES[4][:2]) * 0.015, 25)
    found = find_quads(image)
    true = np.array([view.to_px(outline(pose)) for pose in POSES[1:3]])
    assert len(found) == 2
    # So few are sought at every scale, also in smaller pictures.
    assert max(nearest_gap(quad, true) for quad in found.corners_px) < 3.5


@pytest.mark.parametrize("size_hw", [(2, 2), (3, 700), (64, 64), (300, 400)])
@pytest.mark.parametrize("level", [0, 128, 255])
def test_nothing_in_a_blank_picture(size_hw: tuple[int, int], level: int) -> None:
    assert len(find_quads(np.full((*size_hw, 3), level, np.uint8))) == 0


def test_white_is_judged_against_what_lies_near() -> None:
    """The same line on the dark and on the bright side of a picture, and a bright plain."""
    image = np.full((60, 300, 3), 30, np.uint8)
    image[:, 150:] = 140
    image[10:13, 20:120] = 75
    image[10:13, 180:280] = 230
    mask = white_mask(image)
    assert mask[11, 30:110].all()
    assert mask[11, 190:270].all()
    assert not mask[40, 190:270].any()
