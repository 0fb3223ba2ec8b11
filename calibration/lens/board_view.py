"""One photograph of a board: its corners, or why the photograph cannot be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.board import Board, charuco_board, marker_dictionary
from calibration.lens.board_grid import regular_part
from calibration.sharpness import contrast, edge_blur_px
from vision.reason import Reason

FloatArray = NDArray[np.float64]
Grey = NDArray[np.uint8]
RefusalKind = Literal[
    "blurred", "empty", "no-board", "wrong-board", "few-corners", "other-size", "outlier",
    "alike",
]  # fmt: skip

LEAST_CORNERS = 12
LEAST_SHARE = 0.2
"""Of a board's corners: fewer say little and are easily wrong."""
LARGEST_BLUR_PX = 4.0
LEAST_CONTRAST = 12.0
CHARUCO_WINDOW, CHESSBOARD_WINDOW = 0.12, 0.3
"""Half a refining window's side, in squares: no marker's edge and no other corner in it."""
LARGEST_MISFIT_SQUARES = 0.25
"""Corners lie this near to a smooth image of the board, in squares; else it is another board."""


@dataclass(frozen=True, eq=False)
class BoardView:
    """Corners found in one photo: `corners_px` (N, 2) and their places `corners_mm` (N, 2)."""

    photo: str
    size_wh: tuple[int, int]
    corners_px: FloatArray
    corners_mm: FloatArray
    blur_px: float


@dataclass(frozen=True, slots=True)
class Refused:
    """A photo that is left out: what kind of photo it is, and what was wrong with it."""

    photo: str
    kind: RefusalKind
    reason: Reason


def find_board(grey: Grey, board: Board, photo: str) -> BoardView | Refused:
    """Find the board in an (H, W) uint8 picture. A `Refused` says what is wrong with the photo."""
    blur = edge_blur_px(grey)
    if blur is None or contrast(grey) < LEAST_CONTRAST:
        return Refused(photo, "empty", Reason("board-empty"))
    numbers, px = _corners(grey, board)
    if len(numbers) == 0:
        return _why_not(grey, board, photo, blur)
    least = max(LEAST_CORNERS, int(LEAST_SHARE * len(board.corners_mm())))
    places = board.corners_mm()[numbers]
    if len(numbers) < least or _on_one_line(places):
        seen = Reason("board-few-corners", {"found": len(numbers), "needed": least})
        return Refused(photo, "few-corners", seen)
    if blur > LARGEST_BLUR_PX:
        return _blurred(photo, blur)
    if _misfit_squares(places, px, board.square_mm) > LARGEST_MISFIT_SQUARES:
        return Refused(photo, "wrong-board", Reason("board-misfit", {"board": str(board)}))
    height, width = grey.shape
    return BoardView(photo, (width, height), px, places, blur)


def _corners(grey: Grey, board: Board) -> tuple[NDArray[np.int64], FloatArray]:
    if board.kind == "charuco":
        return _charuco_corners(grey, board)
    across, down = board.inner_wh
    flags = cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_NORMALIZE_IMAGE
    found, corners = cv2.findChessboardCornersSB(
        grey, (across, down), flags=flags | cv2.CALIB_CB_ACCURACY
    )
    if not found:  # enlarged, the picture may hide what it shows as it is
        found, corners = cv2.findChessboardCornersSB(grey, (across, down), flags=flags)
    if not found:
        return np.empty(0, np.int64), np.empty((0, 2))
    px = _refined(grey, np.asarray(corners, np.float32).reshape(-1, 1, 2), CHESSBOARD_WINDOW)
    return np.arange(across * down), px.astype(np.float64).reshape(-1, 2)


def _charuco_corners(grey: Grey, board: Board) -> tuple[NDArray[np.int64], FloatArray]:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # A corner beside one marker alone is as good, and those at the picture's edge are such.
    alone = cv2.aruco.CharucoParameters()
    alone.minMarkers = 1
    detector = cv2.aruco.CharucoDetector(charuco_board(board), alone, settings)
    corners, ids, _, _ = detector.detectBoard(grey)
    if ids is None or len(ids) == 0:
        return np.empty(0, np.int64), np.empty((0, 2))
    px = np.asarray(corners, np.float32).reshape(-1, 1, 2)
    px = _refined(grey, px, CHARUCO_WINDOW)
    return np.asarray(ids, np.int64).ravel(), px.astype(np.float64).reshape(-1, 2)


def _refined(grey: Grey, corners: NDArray[np.float32], share: float) -> NDArray[np.float32]:
    """Saddle points to a fraction of a pixel, in a window that holds no other corner."""
    flat = corners.reshape(-1, 2)
    if len(flat) < 2:
        return corners
    apart = np.linalg.norm(flat[:, None] - flat[None], axis=2)
    nearest = float(np.percentile(apart[apart > 0].reshape(len(flat), -1).min(axis=1), 10))
    window = int(np.clip(nearest * share, 2, 10))
    criteria = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 50, 0.003)
    return np.asarray(
        cv2.cornerSubPix(grey, corners.copy(), (window, window), (-1, -1), criteria), np.float32
    )


def _why_not(grey: Grey, board: Board, photo: str, blur: float) -> Refused:
    if blur > LARGEST_BLUR_PX:
        return _blurred(photo, blur)
    if own_markers(grey, board) >= 2:
        return Refused(photo, "few-corners", Reason("board-few-markers"))
    shape = chessboard_size(grey)
    if board.kind == "chessboard" and shape is not None and _fits_into(shape, board):
        return partly_seen(photo, *shape)
    other = other_board(grey, board, shape)
    if other is not None:
        why = Reason("board-wrong", {"seen": other, "board": str(board)})
        return Refused(photo, "wrong-board", why)
    return Refused(photo, "no-board", Reason("board-not-there", {"board": str(board)}))


def _blurred(photo: str, blur: float) -> Refused:
    return Refused(photo, "blurred", Reason("board-blurred", {"blur_px": blur}))


def own_markers(grey: Grey, board: Board) -> int:
    """How many markers of the board itself are seen; 0 for a chessboard."""
    if board.dictionary is None:
        return 0
    _, ids, _ = cv2.aruco.ArucoDetector(marker_dictionary(board.dictionary)).detectMarkers(grey)
    count = board.columns * board.rows // 2
    return 0 if ids is None else int(np.sum(np.asarray(ids).ravel() < count))


def partly_seen(photo: str, columns: int, rows: int) -> Refused:
    """The refusal of a photo in which only so many squares of a chessboard are seen."""
    why = Reason("board-partly-seen", {"columns": columns, "rows": rows})
    return Refused(photo, "few-corners", why)


def sizes(size_wh: tuple[int, int], other_wh: tuple[int, int]) -> dict[str, int]:
    """The facts of two pictures' sizes."""
    return {
        "width": size_wh[0], "height": size_wh[1],
        "other_width": other_wh[0], "other_height": other_wh[1],
    }  # fmt: skip


def _fits_into(shape: tuple[int, int], board: Board) -> bool:
    """Whether so many squares, columns and rows either way, may be a part of the board."""
    return max(shape) <= max(board.columns, board.rows) and min(shape) <= min(
        board.columns, board.rows
    )


def other_board(grey: Grey, board: Board, shape: tuple[int, int] | None) -> Reason | None:
    """What other board is in the picture; None if there is none.

    `shape`: the chessboard that is seen, if any (`chessboard_size`).
    """
    for name in ("4X4_1000", "5X5_1000", "6X6_1000"):
        detector = cv2.aruco.ArucoDetector(marker_dictionary(name))
        _, ids, _ = detector.detectMarkers(grey)
        count = 0 if ids is None else len(ids)
        family = name.split("_")[0]
        if count >= 6 and not (board.dictionary or "").startswith(family):
            return Reason("board-of-markers", {"family": family})
        if count >= 6:
            return Reason("board-of-other-markers")
    if shape is not None:
        return Reason("chessboard-of", {"columns": shape[0], "rows": shape[1]})
    return None


def chessboard_size(grey: Grey) -> tuple[int, int] | None:
    """Columns and rows of squares of the chessboard in a picture, of 5 or more a side.

    Smaller ones are seen in too many things that are none.
    """
    flags = cv2.CALIB_CB_LARGER | cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_NORMALIZE_IMAGE
    found, corners, meta = cv2.findChessboardCornersSBWithMeta(grey, (4, 4), flags)
    if not found or meta is None:
        return None
    rows, columns = np.asarray(meta).shape[:2]
    grid = np.asarray(corners, np.float64).reshape(rows, columns, 2)
    down, across = regular_part(grid)
    return across.stop - across.start + 1, down.stop - down.start + 1


def _on_one_line(places_mm: FloatArray) -> bool:
    spread = np.linalg.svd(places_mm - places_mm.mean(axis=0), compute_uv=False)
    return bool(spread[-1] < 1e-6 or len(set(places_mm[:, 0])) < 2 or len(set(places_mm[:, 1])) < 2)


def _misfit_squares(places_mm: FloatArray, px: FloatArray, square_mm: float) -> float:
    """How far corners lie from the smoothest (cubic) image of the board, median, in squares."""
    middle, reach = places_mm.mean(axis=0), np.abs(places_mm - places_mm.mean(axis=0)).max()
    u, v = ((places_mm - middle) / max(reach, 1e-9)).T
    order = 3 if len(places_mm) >= 20 else 2
    terms = np.stack([u**i * v**j for i in range(order + 1) for j in range(order + 1 - i)], axis=1)
    solved, *_ = np.linalg.lstsq(terms, px, rcond=None)
    off = np.linalg.norm(px - terms @ solved, axis=1)
    area = abs(float(np.linalg.det((solved[[1 + order, 1]] / max(reach, 1e-9)) * square_mm)))
    return float(np.median(off) / max(np.sqrt(area), 1e-6))
