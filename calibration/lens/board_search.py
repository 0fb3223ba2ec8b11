"""Which board is in the photographs: squares across and down, and the markers on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.board import DICTIONARIES, Board, marker_dictionary
from calibration.lens.board_view import chessboard_size

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Grey = NDArray[np.uint8]

UNKNOWN_SQUARE_MM = 25.0
"""How wide a square is does not matter for a lens."""
ENOUGH_PHOTOS = 5
LEAST_MARKERS = 8
MOST_COLUMNS = 30
LARGEST_MISFIT = 0.12
"""Of markers' middles from a board's grid, in squares; lenses bend it by less."""
_FAMILIES = ("4X4", "5X5", "6X6", "7X7")


@dataclass(frozen=True, eq=False)
class _SeenMarkers:
    """Markers of one family in one photo: their numbers (N,) and corners (N, 4, 2), px."""

    family: str
    ids: Ints
    corners_px: FloatArray


@dataclass(frozen=True, slots=True)
class _Grid:
    """Columns of squares, whether the top left square holds a marker, a marker's width as a
    share of a square's, and how far markers lie from their places, in squares.
    """

    columns: int
    legacy: bool
    share: float
    misfit: float


def found_chessboard(greys: Sequence[Grey]) -> Board | None:
    """The chessboard in photos (H, W); None where none is seen.

    Where a board reaches over the picture's edge, a smaller one is seen: it is the largest of
    those that enough photos for a lens show, or of all.
    """
    seen = [size for size in map(chessboard_size, greys) if size is not None]
    sizes = Counter((max(size), min(size)) for size in seen)
    if not sizes:
        return None
    often = [size for size, count in sizes.items() if count >= ENOUGH_PHOTOS]
    columns, rows = max(often or sizes, key=lambda size: size[0] * size[1])
    return Board(columns, rows, UNKNOWN_SQUARE_MM)


def found_charuco(greys: Sequence[Grey]) -> Board | None:
    """The ChArUco board that most photos (H, W) show; None where none is seen well enough.

    Rows of which no marker is seen in any photo are not known, and not needed.
    """
    families = Counter(seen.family for grey in greys if (seen := _best_family(grey)) is not None)
    if not families:
        return None
    family = families.most_common(1)[0][0]
    photos = [s for grey in greys if (s := _markers(grey, family)) is not None]
    grids = [grid for seen in photos if (grid := _grid_of(seen)) is not None]
    if not grids:
        return None
    (columns, legacy), _ = Counter((g.columns, g.legacy) for g in grids).most_common(1)[0]
    share = float(np.median([g.share for g in grids if (g.columns, g.legacy) == (columns, legacy)]))
    highest = max(int(seen.ids.max()) for seen in photos if _on_grid(seen, columns, legacy))
    rows = _row_of(highest, columns, legacy) + 1
    if legacy:
        rows += rows % 2  # the older pattern differs for an even number of rows only
    name = _dictionary(family, highest)
    if rows < 3 or name is None or not 0 < share < 1:
        return None
    width = round(share * UNKNOWN_SQUARE_MM, 2)
    return Board(columns, rows, UNKNOWN_SQUARE_MM, width, name, legacy)


def _best_family(grey: Grey) -> _SeenMarkers | None:
    seen = [found for name in _FAMILIES if (found := _markers(grey, name)) is not None]
    return max(seen, key=lambda one: len(one.ids), default=None)


def _markers(grey: Grey, family: str) -> _SeenMarkers | None:
    """Markers of a family in a photo; None where there are too few to tell a board."""
    detector = cv2.aruco.ArucoDetector(marker_dictionary(f"{family}_1000"))
    corners, ids, _ = detector.detectMarkers(grey)
    if ids is None or len(ids) < LEAST_MARKERS:
        return None
    return _SeenMarkers(
        family, np.asarray(ids, np.int64).ravel(), np.asarray(corners, np.float64).reshape(-1, 4, 2)
    )


def _grid_of(seen: _SeenMarkers) -> _Grid | None:
    """The grid on which the markers' numbers agree with their places."""
    tried = [
        grid
        for columns in range(3, MOST_COLUMNS + 1)
        for legacy in (False, True)
        if (grid := _tried(seen, columns, legacy)) is not None
    ]
    best = min(tried, key=lambda grid: grid.misfit, default=None)
    return best if best is not None and best.misfit < LARGEST_MISFIT else None


def _on_grid(seen: _SeenMarkers, columns: int, legacy: bool) -> bool:
    grid = _tried(seen, columns, legacy)
    return grid is not None and grid.misfit < LARGEST_MISFIT


def _tried(seen: _SeenMarkers, columns: int, legacy: bool) -> _Grid | None:
    places = _places(seen.ids, columns, legacy)
    if np.ptp(places, axis=0).min() < 1:  # all in one row or column: anything fits
        return None
    middles = seen.corners_px.mean(axis=1)
    matrix, _ = cv2.findHomography(middles, places)
    if matrix is None:
        return None
    mapped = cv2.perspectiveTransform(seen.corners_px.reshape(-1, 1, 2), matrix).reshape(-1, 4, 2)
    sides = np.linalg.norm(np.roll(mapped, -1, axis=1) - mapped, axis=2)
    off = np.linalg.norm(mapped.mean(axis=1) - places, axis=1)
    return _Grid(columns, legacy, float(np.median(sides)), float(np.max(off)))


def _places(ids: Ints, columns: int, legacy: bool) -> FloatArray:
    """Where markers lie (N, 2), in squares: numbered row by row on every other square."""
    first, second = _in_rows(columns, legacy)
    pair, rest = np.divmod(ids, first + second)
    lower = rest >= first
    row = 2 * pair + lower
    place = np.where(lower, rest - first, rest)
    starts_at = np.where(lower, int(not legacy), int(legacy))  # of the square beside the marker
    column = 2 * place + 1 - starts_at
    return np.stack([column, row], axis=1).astype(np.float64)


def _in_rows(columns: int, legacy: bool) -> tuple[int, int]:
    """How many markers are in the first row of squares, and in the second."""
    few, many = columns // 2, columns - columns // 2
    return (many, few) if legacy else (few, many)


def _row_of(number: int, columns: int, legacy: bool) -> int:
    return int(_places(np.array([number], np.int64), columns, legacy)[0, 1])


def _dictionary(family: str, highest: int) -> str | None:
    """The smallest dictionary of a family that has the marker: the larger ones begin with it."""
    names = [name for name in DICTIONARIES if name.startswith(family)]
    sizes = sorted((int(name.split("_")[1]), name) for name in names)
    return next((name for size, name in sizes if size > highest), None)
