"""Whether corners lie on a regular grid: a frame round a chessboard can look like more squares."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

LARGEST_STEP = 0.15
"""Of an outer line of corners from where the others have it, in squares; a fisheye: 0.08."""
LEAST_CORNERS = 4
"""In a column and in a row: of fewer nothing is told."""


def regular_part(grid_px: FloatArray) -> tuple[slice, slice]:
    """Rows and columns of a grid of corners (R, C, 2), px, that are a chessboard's.

    Outer lines that lie elsewhere than the others tell are left out, the worst first.
    """
    rows, columns = slice(0, grid_px.shape[0]), slice(0, grid_px.shape[1])
    while True:
        found = [
            (step, part)
            for part in _without_an_edge(rows, columns)
            if (step := _step(grid_px, (rows, columns), part)) > LARGEST_STEP
        ]
        if not found:
            return rows, columns
        rows, columns = max(found, key=lambda one: one[0])[1]


def best_part(grid_px: FloatArray, rows: int, columns: int) -> tuple[slice, slice]:
    """So many rows and columns of a grid of corners (R, C, 2), px: those that are most regular."""
    parts = [
        (slice(top, top + rows), slice(left, left + columns))
        for top in range(grid_px.shape[0] - rows + 1)
        for left in range(grid_px.shape[1] - columns + 1)
    ]
    return min(parts, key=lambda part: _unevenness(grid_px[part]))


def _without_an_edge(rows: slice, columns: slice) -> list[tuple[slice, slice]]:
    parts = []
    if rows.stop - rows.start > LEAST_CORNERS:
        parts += [(slice(rows.start + 1, rows.stop), columns)]
        parts += [(slice(rows.start, rows.stop - 1), columns)]
    if columns.stop - columns.start > LEAST_CORNERS:
        parts += [(rows, slice(columns.start + 1, columns.stop))]
        parts += [(rows, slice(columns.start, columns.stop - 1))]
    return parts


def _places(part: tuple[slice, slice]) -> FloatArray:
    """The corners' places (N, 2) in squares: column and row."""
    y, x = np.mgrid[part[0], part[1]]
    return np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float64)


def _step(grid_px: FloatArray, whole: tuple[slice, slice], part: tuple[slice, slice]) -> float:
    """How far the line of `whole` that is not in `part` lies from its place, median, in squares."""
    inner = {tuple(place) for place in _places(part)}
    line = np.array([place for place in _places(whole) if tuple(place) not in inner])
    known, places = grid_px[part].reshape(-1, 2), _places(part)
    matrix, _ = cv2.findHomography(known, places)
    if matrix is None:
        return 0.0
    bent = _flat(known, matrix) - places
    solved, *_ = np.linalg.lstsq(_terms(places, places), bent, rcond=None)
    seen = grid_px[line[:, 1].astype(int), line[:, 0].astype(int)]
    expected = line + _terms(line, places) @ solved
    return float(np.median(np.linalg.norm(_flat(seen, matrix) - expected, axis=1)))


def _unevenness(part_px: FloatArray) -> float:
    places = _places((slice(0, part_px.shape[0]), slice(0, part_px.shape[1])))
    known = part_px.reshape(-1, 2)
    matrix, _ = cv2.findHomography(known, places)
    if matrix is None:
        return float("inf")
    return float(np.sqrt(np.mean((_flat(known, matrix) - places) ** 2)))


def _flat(px: FloatArray, matrix: NDArray[np.float64]) -> FloatArray:
    points = px.reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(points, matrix), np.float64).reshape(-1, 2)


def _terms(places: FloatArray, known: FloatArray) -> FloatArray:
    """What a lens does to a plane, as far as the third order tells (N, 10)."""
    u, v = ((places - known.mean(axis=0)) / np.ptp(known, axis=0).max()).T
    order = 3
    return np.stack([u**i * v**j for i in range(order + 1) for j in range(order + 1 - i)], axis=1)
