"""Calibration boards: a ChArUco board or a plain chessboard, and the points on it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reason import Reason

FloatArray = NDArray[np.float64]
BoardKind = Literal["charuco", "chessboard"]

DICTIONARIES = tuple(
    f"{cells}X{cells}_{count}" for cells in (4, 5, 6, 7) for count in (50, 100, 250, 1000)
)
_TEXT = re.compile(
    r"(?P<columns>\d+)x(?P<rows>\d+):(?P<square>[\d.]+)"
    r"(?:/(?P<marker>[\d.]+):(?P<dictionary>[\dx]+_\d+)(?P<legacy>:old)?)?",
    re.IGNORECASE,
)


class BoardFault(ValueError):
    """What was asked for is no board; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Board:
    """A board of `columns` x `rows` squares. A chessboard has no markers and no dictionary.

    legacy: drawn as OpenCV did before 4.6, with a marker in the top left square of a ChArUco
    board that has an even number of rows.
    """

    columns: int
    rows: int
    square_mm: float
    marker_mm: float | None = None
    dictionary: str | None = None
    legacy: bool = False

    def __post_init__(self) -> None:
        if min(self.columns, self.rows) < 3 or max(self.columns, self.rows) > 60:
            raise BoardFault(Reason("board-sides", {"columns": self.columns, "rows": self.rows}))
        if self.square_mm <= 0:
            raise BoardFault(Reason("board-squares", {"square_mm": self.square_mm}))
        if (self.marker_mm is None) != (self.dictionary is None):
            raise BoardFault(Reason("board-half-markers"))
        if self.marker_mm is not None and not 0 < self.marker_mm < self.square_mm:
            raise BoardFault(Reason("board-markers", {"marker_mm": self.marker_mm}))
        if self.dictionary is not None and self.dictionary not in DICTIONARIES:
            raise BoardFault(Reason("board-dictionary", {"dictionary": self.dictionary}))
        if self.legacy and (self.dictionary is None or self.rows % 2):
            raise BoardFault(Reason("board-not-old"))

    @property
    def kind(self) -> BoardKind:
        """What it is."""
        return "chessboard" if self.marker_mm is None else "charuco"

    @property
    def inner_wh(self) -> tuple[int, int]:
        """How many inner corners there are along and down."""
        return self.columns - 1, self.rows - 1

    def corners_mm(self) -> FloatArray:
        """Inner corners (N, 2), row by row; the board's middle is (0, 0)."""
        across, down = self.inner_wh
        grid = np.stack(np.meshgrid(np.arange(1, across + 1), np.arange(1, down + 1)), axis=-1)
        places = grid.reshape(-1, 2) - np.array([self.columns, self.rows]) / 2
        return np.asarray(places * self.square_mm, dtype=np.float64)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of all squares together."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    def __str__(self) -> str:
        """The board as `parse_board` reads it."""
        text = f"{self.columns}x{self.rows}:{self.square_mm:g}"
        if self.marker_mm is None:
            return text
        return f"{text}/{self.marker_mm:g}:{self.dictionary}{':old' if self.legacy else ''}"


PRINTED_BOARD = Board(8, 11, 22.0, 16.0, "5X5_100")
"""The board of `tacta print`. Not the table markers' dictionary, so neither is taken for the
other."""


def parse_board(text: str) -> Board:
    """Read "8x11:22/16:5X5_100" (ChArUco) or "10x7:25" (chessboard): squares, mm, dictionary.

    ":old" at the end is the older ChArUco pattern. BoardFault says what is expected.
    """
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        raise BoardFault(Reason("board-no-words", {"text": repr(text)}))
    marker = match["marker"]
    return Board(
        int(match["columns"]),
        int(match["rows"]),
        float(match["square"]),
        None if marker is None else float(marker),
        None if marker is None else match["dictionary"].upper(),
        bool(match["legacy"]),
    )


def marker_dictionary(name: str) -> cv2.aruco.Dictionary:
    """OpenCV's predefined dictionary by the short name used here, such as "5X5_100"."""
    return cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, f"DICT_{name}")))


def charuco_board(board: Board) -> cv2.aruco.CharucoBoard:
    """OpenCV's value for a ChArUco board, lengths in mm. ValueError for a chessboard."""
    if board.marker_mm is None or board.dictionary is None:
        raise ValueError(f"{board} has no markers")
    drawn = cv2.aruco.CharucoBoard(
        (board.columns, board.rows),
        board.square_mm,
        board.marker_mm,
        marker_dictionary(board.dictionary),
    )
    drawn.setLegacyPattern(board.legacy)
    return drawn
