"""Fine alignment of whole faces: Gauss-Newton of the drawn white on the seen white."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.evidence import Evidence
from vision.pose_fit import place_each
from vision.raster import look_up
from vision.templates import TEMPLATE_DENSITY, Templates

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Map32 = NDArray[np.float32]
STEEP = 0.12
"""Only template places whose white changes by this much per mm say where a card lies."""
FEWEST_PLACES = 60
"""A card that shows fewer steep places keeps its pose: it has too little to hold on to."""
MOST_PLACES = 2400
"""More say no more: they lie closer together than the blur."""
ROBUST = 0.3
"""A place that is off by this much white counts half."""
HOLD = np.diag([1e-3, 1e-3, 1.0])


@dataclass(frozen=True, eq=False)
class _Steep:
    """Steep places of one template row: `index` (S,) on the grid, and the slope there by a
    shift of the card along x, along y (white per mm) and by a turn (white per radian)
    (S, 3).
    """

    index: Ints
    slope: Map32


@dataclass(frozen=True, eq=False)
class _Held:
    """What N cards are held by, K places each: places (N, K, 2) on the card in mm, the white
    drawn there (N, K), its slopes (N, K, 3) and the places' weights (N, K), 0 where a card
    has fewer than K.
    """

    places_mm: Map32
    drawn: Map32
    slope: Map32
    weight: Map32


def align(
    evidence: Evidence,
    poses: FloatArray,
    rows: Ints,
    weights: Map32,
    templates: Templates,
    passes: int = 3,
) -> tuple[FloatArray, FloatArray]:
    """Shift and turn each pose (N, 3) so that its template's white fits the white seen.

    `rows` (N,) are template rows; `weights` (N, P) leave out what is covered.
    Returns the poses and each fit's root mean square misfit (N,). A card with
    too little to hold on to keeps its pose.
    """
    out, misfit = poses.copy(), np.full(len(poses), np.inf)
    chosen = [_choose(_steep(templates, int(row)), weights[i]) for i, row in enumerate(rows)]
    able = np.array([i for i, places in enumerate(chosen) if len(places)], dtype=np.int64)
    if len(able):
        held = _hold([chosen[i] for i in able], rows[able], weights[able], templates)
        out[able], misfit[able] = _fit(evidence, poses[able], held, passes)
    return out, misfit


def _choose(steep: _Steep, weight: Map32) -> Ints:
    """Which of a row's steep places show, evenly thinned; none where they are too few."""
    shown = np.flatnonzero(weight[steep.index] > 0)
    if len(shown) < FEWEST_PLACES:
        return np.empty(0, np.int64)
    if len(shown) <= MOST_PLACES:
        return shown
    return shown[np.arange(MOST_PLACES) * len(shown) // MOST_PLACES]


def _hold(chosen: list[Ints], rows: Ints, weights: Map32, templates: Templates) -> _Held:
    size = (len(chosen), max(len(places) for places in chosen))
    index, slope = np.zeros(size, np.int64), np.zeros((*size, 3), np.float32)
    weight = np.zeros(size, np.float32)
    for i, places in enumerate(chosen):
        steep = _steep(templates, int(rows[i]))
        count = len(places)
        index[i, :count] = steep.index[places]
        slope[i, :count] = steep.slope[places]
        weight[i, :count] = weights[i, index[i, :count]]
    grid = templates.grid_mm.astype(np.float32)
    return _Held(grid[index], templates.white[rows[:, None], index], slope, weight)


def _fit(
    evidence: Evidence, poses: FloatArray, held: _Held, passes: int
) -> tuple[FloatArray, FloatArray]:
    left = np.zeros_like(held.drawn)
    for _ in range(passes):
        at = evidence.raster.to_raster(place_each(poses, held.places_mm))
        seen = look_up(evidence.white, at) / np.float32(255)
        left = np.asarray(seen - held.drawn, np.float32)
        robust = held.weight / (1 + (left / ROBUST) ** 2)
        weighed = (held.slope * robust[..., None]).transpose(0, 2, 1)
        normal = weighed @ held.slope + HOLD
        step = np.linalg.solve(normal, weighed @ left[..., None])[..., 0]
        # The template must move against the slope: the picture is later where it is brighter.
        poses = poses + _turned(-step, poses[:, 2])
    used = held.weight > 0
    squares = np.where(used, left**2, 0).sum(axis=1) / np.maximum(used.sum(axis=1), 1)
    return poses, np.asarray(np.sqrt(squares), np.float64)


def _turned(move: FloatArray, angles: FloatArray) -> FloatArray:
    """Moves (N, 3) in the cards' own frames as moves on the table."""
    cos, sin = np.cos(angles), np.sin(angles)
    x, y, turn = move.T
    return np.stack([cos * x - sin * y, sin * x + cos * y, turn], axis=1)


@lru_cache(maxsize=256)
def _steep(templates: Templates, row: int) -> _Steep:
    image = templates.white[row].reshape(templates.shape_hw).astype(np.float64)
    slope_y, slope_x = (slope.ravel() for slope in np.gradient(image, 1 / TEMPLATE_DENSITY))
    index = np.flatnonzero((np.hypot(slope_x, slope_y) > STEEP) & ~templates.badge)
    x, y = templates.grid_mm[index].T
    gx, gy = slope_x[index], slope_y[index]
    # A turn by a small angle moves the place (x, y) by (-y, x).
    return _Steep(index, np.stack([gx, gy, -gx * y + gy * x], axis=1).astype(np.float32))
