"""A chessboard whose size is found: what only looks like a further column is none of it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.board import Board
from calibration.lens.board_grid import regular_part
from calibration.lens.board_search import found_chessboard
from calibration.lens.board_view import BoardView, chessboard_size
from calibration.lens.lens_fit import rough_rms_px
from calibration.lens.lens_session import calibrate_lens
from tests.calibration.board_simulator import (
    BoardConditions,
    board_surface,
    draw_poses,
    lens_of,
    true_corners,
)

WOODEN = Board(8, 8, 25.0)
TAKEN_FOR = Board(9, 8, 25.0)
FISHEYE = (0.05, -0.01, 0.002, 0.0)
LENSES = {
    "plain": lens_of((800, 600), 0.9, (-0.2, 0.06, 0.0, 0.0, 0.0), False),
    "fisheye": lens_of((800, 600), 0.5, FISHEYE, True),
}


def views(off_squares: float) -> list[BoardView]:
    """Corners of the board taken for a wider one, whose last column lies so far off its place."""
    rng, lens = np.random.default_rng(4), LENSES["plain"]
    poses = draw_poses(rng, lens, TAKEN_FOR, 8)
    made = []
    for number, pose in enumerate(poses):
        view = true_corners(rng, lens, TAKEN_FOR, pose, BoardConditions(), 0.05, str(number))
        places = TAKEN_FOR.corners_mm()
        last = places[:, 0] == places[:, 0].max()
        places[last, 0] += off_squares * TAKEN_FOR.square_mm
        camera = board_surface(TAKEN_FOR, places, (0, 0, 0)) @ pose.rotation.T + pose.translation_mm
        px = lens.to_px(camera[:, :2] / camera[:, 2:]) + rng.normal(0, 0.05, places.shape)
        made.append(replace(view, corners_px=px, corners_mm=TAKEN_FOR.corners_mm()))
    return made


@pytest.mark.slow
def test_the_fit_corrects_a_size_that_was_found() -> None:
    found = calibrate_lens(views(0.3), TAKEN_FOR)
    assert found.quality is not None
    assert found.board is not None
    assert (found.board.columns, found.board.rows) == (8, 8)
    assert found.quality.held_out_rms_px < 0.15
    assert rough_rms_px(views(0.3)) > 1.0


@pytest.mark.thorough
@pytest.mark.slow
def test_a_size_that_the_fit_agrees_with_stays() -> None:
    assert calibrate_lens(views(0.0), TAKEN_FOR).board is None


def framed(off_squares: float, turned: bool) -> NDArray[np.uint8]:
    """A board of 8 x 8 in a frame that looks like a further column, wider by `off_squares`."""
    side = 60
    widths = [side] * 7 + [round(side * (1 + off_squares)), side]
    tiles = [
        np.full((side, width), 40 if (row + column) % 2 else 220, np.uint8)
        for row in range(8)
        for column, width in enumerate(widths)
    ]
    rows = [np.hstack(tiles[9 * row : 9 * row + 9]) for row in range(8)]
    board = cv2.copyMakeBorder(np.vstack(rows), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=240)
    height, width = board.shape
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = np.array([[90, 60], [700, 30], [760, 560], [40, 520]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, seen)
    picture = cv2.warpPerspective(board, matrix, (800, 600), borderValue=(120,))
    soft = cv2.GaussianBlur(picture, (0, 0), 0.7)
    return np.asarray(cv2.rotate(soft, cv2.ROTATE_90_CLOCKWISE) if turned else soft, np.uint8)


@pytest.mark.parametrize("turned", [False, True])
def test_a_frame_is_no_column(turned: bool) -> None:
    size = chessboard_size(framed(0.2, turned))
    assert size == (8, 8)
    straight = chessboard_size(framed(0.0, turned))
    assert straight is not None
    assert sorted(straight) == [8, 9]
    found = found_chessboard([framed(0.2, turned)])
    assert found is not None
    assert (found.columns, found.rows) == (8, 8)


@pytest.mark.parametrize("name", LENSES)
def test_a_true_column_is_kept_through_any_lens(name: str) -> None:
    rng, lens = np.random.default_rng(3), LENSES[name]
    whole = 0
    for pose in draw_poses(rng, lens, TAKEN_FOR, 100):
        view = true_corners(rng, lens, TAKEN_FOR, pose, BoardConditions(), 0.2, name)
        if len(view.corners_px) == 56:
            whole += 1
            assert regular_part(view.corners_px.reshape(7, 8, 2)) == (slice(0, 7), slice(0, 8))
    assert whole > 5


def test_every_outer_line_is_looked_at() -> None:
    grid = np.stack(np.meshgrid(np.arange(7.0), np.arange(6.0)), axis=-1) * 30 + 100
    assert regular_part(grid) == (slice(0, 6), slice(0, 7))
    for part, place in (
        ((slice(1, 6), slice(0, 7)), np.s_[0]),
        ((slice(0, 5), slice(0, 7)), np.s_[-1]),
        ((slice(0, 6), slice(1, 7)), np.s_[:, 0]),
        ((slice(0, 6), slice(0, 6)), np.s_[:, -1]),
    ):
        moved = grid.copy()
        moved[place] += (8.0, 8.0)
        assert regular_part(moved) == part
