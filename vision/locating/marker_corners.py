"""The table markers' corners without the bias that blur puts on them.

Blur makes black squares look smaller or larger, depending on the camera's tone
curve: a detector's corners make a marker of 60 mm up to half a millimetre too
small. But a marker also holds white cells, which grow as the black ones
shrink: from all its edges, those with black on the one side and those with
black on the other, both the marker's place and the bias follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints
from vision.lens import Lens
from vision.locating.edges import (
    LEAST_STEP,
    Light,
    Photo,
    edge_crossings,
    middle_ones,
    profiles_of_many,
    spread_along,
)
from vision.locating.markers import MARKER_MM, SQUARE_MM, Marker, view_from_markers
from vision.medians import SIGMA_OF_MEDIAN
from vision.view import TableView

REACH_MM = 4.0
STEP_MM = 0.2
RIM = 12
PROFILES = (2, 6)
"""Profiles across each edge: a rough look, and then a fine one."""
LARGEST_SHIFT_MM = 1.2
STEP_SHARE, DARKEST_STEP = 0.5, 0.003
"""In a dark picture even paper is little lighter than ink: then half of a marker's usual step is an
edge, and less than so much of full scale none, about what is left of noise."""
LEAST_EDGES = 16


def marker_cells(number: int) -> Bools:
    """Which cells of a table marker are white: (6, 6), the black rim included."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, 6)) > 127


@dataclass(frozen=True, eq=False)
class MarkerFit:
    """Sharpened markers, and by how much edges lie inside the black, in mm: the bias found."""

    markers: tuple[Marker, ...]
    bias_mm: float


@dataclass(frozen=True, eq=False)
class _Edges:
    """Cell edges of one marker: middles (E, 2) in its frame, normals (E, 2) towards white, how
    far the seen edge lies along them (E,), mm.
    """

    middles_mm: FloatArray
    normals: FloatArray
    off_mm: FloatArray


def sharpen_markers(
    light: Light | NDArray[np.uint8],
    lens: Lens,
    markers: tuple[Marker, ...],
    view: TableView | None = None,
) -> MarkerFit:
    """Markers with their corners (4, 2), px, from all the edges of their cells.

    A marker whose edges are not clear keeps the corners it had. `view`: as
    `view_from_markers` has it from these markers, where that is known already.
    """
    bias = 0.0
    view = view or view_from_markers(markers, lens)
    for count in PROFILES:
        photo = Photo(light, view)
        frames = _frames_of(view, markers)
        bias, shifts = _solve(_seen_edges(photo, markers, frames, count))
        markers = _moved(view, markers, frames, shifts)
        if count != PROFILES[-1]:
            view = view_from_markers(markers, lens, view)
    return MarkerFit(markers, bias)


def _frames_of(view: TableView, markers: tuple[Marker, ...]) -> list[FloatArray]:
    """The 2 x 3 matrices that take each marker's own mm to the view's mm: turn, shift, no scale."""
    px = np.concatenate([marker.corners_px for marker in markers])
    frames = []
    for corners in view.to_mm(px).reshape(-1, 4, 2):
        middle = corners.mean(axis=0)
        along = corners[1] + corners[2] - corners[0] - corners[3]
        cos, sin = along / np.linalg.norm(along)
        frames.append(np.array([[cos, -sin, middle[0]], [sin, cos, middle[1]]]))
    return frames


def _placed(frame: FloatArray, points_mm: FloatArray) -> FloatArray:
    return np.asarray(points_mm @ frame[:, :2].T + frame[:, 2])


@cache
def cell_edges(number: int) -> tuple[FloatArray, FloatArray]:
    """Middles (E, 2) and normals (E, 2), towards white, of a table marker's cell edges, mm."""
    cells = np.pad(marker_cells(number), 1, constant_values=True)
    step = MARKER_MM / (len(cells) - 2)
    middles, normals = [], []
    for axis in (0, 1):
        change = np.diff(cells.astype(int), axis=axis)
        for row, column in zip(*np.nonzero(change), strict=True):
            at = np.array([column - 0.5, row - 0.5])  # x, y in cells, the rim's cells at -1
            at[1 - axis] += 0.5
            normal = np.zeros(2)
            normal[1 - axis] = np.sign(change[row, column])
            middles.append((at - (len(cells) - 2) / 2) * step)
            normals.append(normal)
    return np.array(middles), np.array(normals)


def _seen_edges(
    photo: Photo, markers: tuple[Marker, ...], frames: list[FloatArray], count: int
) -> list[_Edges]:
    """Where the cells' edges of each marker are seen: one look at the photo for all of them."""
    across = np.arange(-REACH_MM, REACH_MM + STEP_MM / 2, STEP_MM)
    half = MARKER_MM / 12 * 0.65
    known = [cell_edges(marker.id) for marker in markers]
    starts, ends = [], []
    for (middles, normals), frame in zip(known, frames, strict=True):
        way = np.stack([normals[:, 1], -normals[:, 0]], axis=1) * half
        starts.append(_placed(frame, middles - way))
        ends.append(_placed(frame, middles + way))
    light = profiles_of_many(
        photo, np.concatenate(starts), np.concatenate(ends), across, spread_along(count, 0.0)
    ) @ np.full(3, 1 / 3)
    marker = np.repeat(np.arange(len(known)), [len(middles) for middles, _ in known])
    least = np.repeat(_least_steps(light, marker), count)
    values = light.reshape(-1, len(across))
    crossings = edge_crossings(values, across, RIM, least).reshape(-1, count)
    off = middle_ones(crossings, least=count // 2)
    edges = []
    for (middles, normals), own in zip(
        known, np.split(off, np.cumsum([len(m) for m, _ in known])[:-1]), strict=True
    ):
        seen = np.isfinite(own) & (np.abs(own) < LARGEST_SHIFT_MM)
        edges.append(_Edges(middles[seen], normals[seen], own[seen]))
    return edges


def _least_steps(light: FloatArray, marker: Ints) -> FloatArray:
    """The least step (E,) that is an edge, in light (E, K, A) across edges of markers (E,)."""
    step = (light[..., -RIM:].mean(axis=2) - light[..., :RIM].mean(axis=2)).mean(axis=1)
    usual = np.array([np.median(step[marker == one]) for one in range(marker.max() + 1)])
    return np.asarray(np.clip(STEP_SHARE * usual, DARKEST_STEP, LEAST_STEP)[marker])


def _solve(edges: list[_Edges]) -> tuple[float, list[FloatArray | None]]:
    """The bias all markers share, and each one's shift as a projective change (8,)."""
    usable = [i for i, e in enumerate(edges) if len(e.off_mm) >= LEAST_EDGES]
    shifts: list[FloatArray | None] = [None] * len(edges)
    if not usable:
        return 0.0, shifts
    rows, right = [], []
    for block, i in enumerate(usable):
        part = np.zeros((len(edges[i].off_mm), 8 * len(usable) + 1))
        part[:, 8 * block : 8 * block + 8] = _change_rows(edges[i])
        part[:, -1] = -1.0
        rows.append(part)
        right.append(edges[i].off_mm)
    table, values = np.concatenate(rows), np.concatenate(right)
    weight: FloatArray = np.ones(table.shape[0])
    solved: FloatArray = np.zeros(table.shape[1])
    tiny = 1e-9 * np.eye(table.shape[1])
    for _ in range(5):
        weighted = table * (weight**2)[:, None]
        solved[:] = np.linalg.solve(weighted.T @ table + tiny, weighted.T @ values)
        left = np.abs(values - table @ solved)
        scatter = max(SIGMA_OF_MEDIAN * float(middle_ones(left[None], 1)[0]), 1e-3)
        weight[:] = np.clip(1 - (left / (4.5 * scatter)) ** 2, 0, 1)
    for block, i in enumerate(usable):
        shifts[i] = solved[8 * block : 8 * block + 8]
    return float(solved[-1]), shifts


def _change_rows(edges: _Edges) -> FloatArray:
    """How far points move along their normals for each of the eight numbers of `_change`."""
    x, y = (edges.middles_mm / (MARKER_MM / 2)).T
    along_x, along_y = edges.normals.T
    inwards = x * along_x + y * along_y
    return np.stack(
        [x * along_x, y * along_x, x * along_y, y * along_y, along_x, along_y, x * inwards,
         y * inwards], axis=1,
    )  # fmt: skip


def _change(numbers: FloatArray, points_mm: FloatArray) -> FloatArray:
    """Where a small projective change takes points, less the points: (N, 2) mm."""
    unit = points_mm / (MARKER_MM / 2)
    linear = unit @ numbers[:4].reshape(2, 2).T + numbers[4:6]
    return np.asarray(linear + unit * (unit @ numbers[6:8])[:, None])


def _moved(
    view: TableView, markers: tuple[Marker, ...], frames: list[FloatArray],
    shifts: list[FloatArray | None],
) -> tuple[Marker, ...]:  # fmt: skip
    """The markers where their edges are seen; those without a shift as they were."""
    placed = [
        _placed(frame, SQUARE_MM if shift is None else SQUARE_MM + _change(shift, SQUARE_MM))
        for frame, shift in zip(frames, shifts, strict=True)
    ]
    corners = view.to_px(np.concatenate(placed)).reshape(-1, 4, 2)
    return tuple(
        marker if shift is None else Marker(marker.id, own)
        for marker, own, shift in zip(markers, corners, shifts, strict=True)
    )
