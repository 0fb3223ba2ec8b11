"""What is located in a doubled picture lies at the same place in the picture as it is."""

from __future__ import annotations

import numpy as np

from vision.lens import FocalLength, Lens
from vision.locating.doubled import doubled, halved
from vision.locating.locate import Located
from vision.locating.markers import Marker
from vision.view import TableView

LENS = Lens(
    (800, 600), np.array([[700.0, 0, 390], [0, 700, 310], [0, 0, 1]]), np.array([-0.1, 0, 0, 0])
)


def test_a_spot_of_the_table_shows_where_it_does_in_the_picture() -> None:
    view = TableView(LENS, np.eye(3), np.array([10.0, -20.0, 600.0]))
    marker = Marker(0, np.array([[100.0, 80], [120, 80], [120, 100], [100, 100]]))
    small = halved(Located(view, None, np.array([-100.0, -100, 100, 100]), (marker,)))
    spots = np.array([[0.0, 0.0], [80.0, -40.0]])
    assert small.view.lens.size_wh == (400, 300)
    # The middle of four pixels is the middle of the one that they were.
    assert np.allclose(small.view.to_px(spots) * 2 + 0.5, view.to_px(spots))
    assert np.allclose(small.markers[0].corners_px * 2 + 0.5, marker.corners_px)


def test_nothing_of_a_large_picture_or_a_measured_lens_is_doubled() -> None:
    small = np.zeros((60, 80, 3), np.uint8)
    assert doubled(small, LENS) is None
    assert doubled(np.zeros((3000, 4000, 3), np.uint8), None) is None
    larger = doubled(small, FocalLength(70.0))
    assert larger is not None
    assert larger[0].shape == (120, 160, 3)
    assert larger[1] == FocalLength(140.0)
