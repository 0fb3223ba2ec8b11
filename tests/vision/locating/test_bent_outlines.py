from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.locating.drawn_quads import nearest_gap
from vision.locating.bent_outlines import bent_quad
from vision.locating.quads import quads_in

FloatArray = NDArray[np.float64]
CARD = [(80, 60), (190, 80), (160, 240), (50, 220)]


def bowed(corners: FloatArray, bow_px: float) -> NDArray[np.int32]:
    """A polygon whose sides all bend outwards by so much in their middles, as in a wide lens."""
    share = np.linspace(0, 1, 40, endpoint=False)[:, None]
    out = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        normal = np.array([end[1] - start[1], start[0] - end[0]]) / np.linalg.norm(end - start)
        out.append(start + share * (end - start) + 4 * share * (1 - share) * bow_px * normal)
    return np.asarray(np.rint(np.concatenate(out)), np.int32)


@pytest.mark.parametrize("bow_px", [0.0, 2.0, 4.0])
def test_corners_of_a_frame_that_a_lens_bends(bow_px: float) -> None:
    image = np.zeros((300, 300, 3), np.uint8)
    true = np.array(CARD, np.float64)
    cv2.polylines(image, [bowed(true, bow_px)], True, (230, 230, 230), 3, cv2.LINE_AA)
    found = quads_in(image, bent=True)
    assert len(found) == 1
    # The outline runs on the line's outer edge.
    assert nearest_gap(found[0], true[None]) < 4.0
    assert len(quads_in(image)) == (bow_px < 2)


def drawn(lines: list[list[tuple[int, int]]]) -> NDArray[np.int32]:
    """The outer outline of closed polygons and lines drawn 3 pixels wide."""
    image = np.zeros((300, 300), np.uint8)
    for points in lines:
        cv2.polylines(image, [np.array(points, np.int32)], len(points) > 2, 255, 3)
    outlines, _ = cv2.findContours(image, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(outlines, key=len), np.int32)


@pytest.mark.parametrize("beyond", [[], [[(185, 130), (230, 150)]], [[(60, 170), (20, 150)]]])
def test_what_is_attached_to_a_side_is_left_out(beyond: list[list[tuple[int, int]]]) -> None:
    found = bent_quad(drawn([CARD, *beyond]))
    assert found is not None
    assert nearest_gap(found, np.array([CARD], np.float64)) < 4.0


@pytest.mark.parametrize(
    "points",
    [
        pytest.param([(80, 60), (190, 80), (60, 220)], id="triangle"),
        pytest.param([(20, 60), (280, 60), (280, 90), (20, 90)], id="far too long"),
        pytest.param([(80, 60), (190, 80), (120, 140), (160, 240), (50, 220)], id="notched"),
    ],
)
def test_other_shapes_are_no_cards(points: list[tuple[int, int]]) -> None:
    assert bent_quad(drawn([points])) is None
