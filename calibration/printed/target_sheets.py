"""Sheets for the camera: the four table markers, the lens board, the focus chart."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import LinearRing, Polygon, box, unary_union
from shapely.geometry.base import BaseGeometry

from calibration.lens.board import PRINTED_BOARD, Board, charuco_board, marker_dictionary
from calibration.printed.sheet_page import BLACK, GREY, WHITE, SheetPage
from calibration.printed.sheet_words import words, written
from vision.locating.markers import MARKER_MM

MARKER_PAPER_MM = 84.0
TABLE_DICTIONARY = "4X4_50"
_TOP_MM = 30.0


def draw_markers(page: SheetPage) -> None:
    """One page with the four table markers, each on a piece of 84 mm to cut out."""
    page.begin("markers-title", "markers-how")
    left = page.middle_mm - MARKER_PAPER_MM
    for number in range(4):
        column, row = number in (1, 2), number in (2, 3)
        x, y = left + column * MARKER_PAPER_MM, _TOP_MM + row * MARKER_PAPER_MM
        margin = (MARKER_PAPER_MM - MARKER_MM) / 2
        _cut_lines(page, x, y, MARKER_PAPER_MM)
        draw_marker(page, TABLE_DICTIONARY, number, x + margin, y + margin, MARKER_MM)
        page.text(
            x + 3, y + MARKER_PAPER_MM - 2.5, words(f"marker-{number}", page.language), 7, GREY
        )


def draw_board(page: SheetPage, board: Board = PRINTED_BOARD) -> None:
    """One page with a board; ValueError if it does not fit the paper."""
    page.begin("board-title", "board-how")
    width, height = board.size_mm
    left, top = page.middle_mm - width / 2 + 1.5, 19.0
    if width > page.paper_mm[0] - 24 or top + height > page.paper_mm[1] - 16:
        raise ValueError(f"a board of {width:g} x {height:g} mm does not fit the paper")
    black = set(_black_squares(board))
    side = board.square_mm
    for column, row in sorted(black):
        page.rectangle(left + column * side, top + row * side, side, side)
    if board.dictionary is not None and board.marker_mm is not None:
        drawn = charuco_board(board)
        for corners, number in zip(drawn.getObjPoints(), drawn.getIds(), strict=True):
            x, y = np.asarray(corners)[0][:2]
            draw_marker(
                page, board.dictionary, int(np.ravel(number)[0]), left + float(x), top + float(y),
                board.marker_mm,
            )  # fmt: skip
    page.text(left, top + height + 3.5, f"{board}", 7, GREY)


def _black_squares(board: Board) -> Iterator[tuple[int, int]]:
    """Squares without a marker. On a chessboard the first one is black."""
    taken = set()
    if board.kind == "charuco":
        for corners in charuco_board(board).getObjPoints():
            x, y = np.asarray(corners)[:, :2].mean(axis=0) // board.square_mm
            taken.add((int(x), int(y)))
    for row in range(board.rows):
        for column in range(board.columns):
            if (board.kind == "charuco" and (column, row) not in taken) or (
                board.kind == "chessboard" and (column + row) % 2 == 0
            ):
                yield column, row


def draw_marker(
    page: SheetPage, dictionary: str, number: int, x: float, y: float, side: float
) -> None:
    """A marker as outlines without seams: black square, white islands, black holes in them."""
    cells = marker_cells(dictionary, number)
    step = side / len(cells)
    page.rectangle(x, y, side, side, BLACK)
    white = unary_union(
        [
            box(x + c * step, y + r * step, x + (c + 1) * step, y + (r + 1) * step)
            for r, c in zip(*np.nonzero(cells), strict=True)
        ]
    )
    for island in _islands(white):
        page.outline(_ring(island.exterior), WHITE)
        for hole in island.interiors:
            page.outline(_ring(hole), BLACK)


def marker_cells(dictionary: str, number: int) -> NDArray[np.bool_]:
    """Which cells of a marker are white: (n, n), the black rim included."""
    found = marker_dictionary(dictionary)
    side = found.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(found, number, side)) > 127


def _ring(ring: LinearRing) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in list(ring.coords)[:-1]]


def _islands(shape: BaseGeometry) -> Iterator[Polygon]:
    if isinstance(shape, Polygon):
        yield shape
    else:
        yield from (part for part in getattr(shape, "geoms", ()) if isinstance(part, Polygon))


def _cut_lines(page: SheetPage, x: float, y: float, side: float) -> None:
    page.loop([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], 0.1, GREY)


def draw_focus_chart(page: SheetPage) -> None:
    """One page with stars and lines of known width, and dots of a card's size."""
    page.begin("focus-title", "focus-how")
    middle = page.middle_mm
    for x, y in ((-60, 55), (60, 55), (0, 110), (-60, 165), (60, 165)):
        _star(page, middle + x, y + 10, 44.0)
    for number, width in enumerate((0.25, 0.35, 0.5, 0.7, 0.9, 1.4)):
        _line_group(page, middle - 75 + 26 * number, 205.0, width)
    for number in range(4):
        page.rectangle(middle - 40 + 22 * number, 240, 14, 14, (60, 60, 60))
        page.disc(middle - 33 + 22 * number, 247, 4.2, WHITE)


def _star(page: SheetPage, x: float, y: float, diameter: float, spokes: int = 24) -> None:
    radius = diameter / 2
    for spoke in range(spokes):
        angles = (np.array([0.0, 0.25, 0.5]) + spoke) * 2 * np.pi / spokes
        rim = [(x + radius * float(np.cos(a)), y + radius * float(np.sin(a))) for a in angles]
        page.outline([(x, y), *rim])
    # The ring where spokes are as wide as a card's white line.
    ring = 0.9 * 2 * spokes / np.pi
    page.disc(x, y, ring / 4, GREY)


def _line_group(page: SheetPage, x: float, y: float, width: float) -> None:
    for number in range(5):
        page.rectangle(x + 2 * width * number, y, width, 12)
        page.rectangle(x, y + 15 + 2 * width * number, 12, width)
    page.text(x, y + 33, f"{written(width, page.language)} mm", 6)
