"""Fine alignment of whole faces: Gauss-Newton of the drawn white on the seen white."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.cores import shared_out
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
FEWEST_FITTED = 8
"""Cards fitted by one thread."""


@dataclass(frozen=True, eq=False)
class _Steep:
    """Steep places of one template row: `index` (S,) on the grid, `places_mm` (S, 2) on the card,
    the white `drawn` (S,) there, and its `slope` (3, S) by a shift of the card along x, along y
    (white per mm) and by a turn (white per radian).
    """

    index: Ints
    places_mm: Map32
    drawn: Map32
    slope: Map32


@dataclass(frozen=True, eq=False)
class _Held:
    """What N cards are held by, K places each: places (N, K, 2) on the card in mm, the white
    drawn there (N, K), its slopes (N, 3, K) and the places' weights (N, K), 0 where a card
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
    drawings = [_steep(templates, int(row)) for row in rows]

    def fit(part: slice) -> None:
        cards = range(*part.indices(len(poses)))
        chosen = {i: _choose(drawings[i], weights[i]) for i in cards}
        able = np.array([i for i in cards if len(chosen[i])], dtype=np.int64)
        if len(able):
            held = _hold([(drawings[i], chosen[i], weights[i]) for i in able])
            out[able], misfit[able] = _fit(evidence, poses[able], held, passes)

    shared_out(fit, len(poses), FEWEST_FITTED)
    return out, misfit


def _choose(steep: _Steep, weight: Map32) -> Ints:
    """Which of a row's steep places show, evenly thinned; none where they are too few."""
    shown = np.flatnonzero(np.take(weight, steep.index))
    if len(shown) < FEWEST_PLACES:
        return np.empty(0, np.int64)
    if len(shown) <= MOST_PLACES:
        return shown
    return shown[np.arange(MOST_PLACES) * len(shown) // MOST_PLACES]


def _hold(cards: list[tuple[_Steep, Ints, Map32]]) -> _Held:
    """Cards' steep places, which of them are chosen, and the weights of all places."""
    size = (len(cards), max(len(places) for _, places, _ in cards))
    places_mm, slope = np.zeros((*size, 2), np.float32), np.zeros((size[0], 3, size[1]), np.float32)
    drawn, weight = np.zeros(size, np.float32), np.zeros(size, np.float32)
    for i, (steep, places, weights) in enumerate(cards):
        count = len(places)
        np.take(steep.places_mm, places, axis=0, out=places_mm[i, :count])
        np.take(steep.slope, places, axis=1, out=slope[i, :, :count])
        np.take(steep.drawn, places, out=drawn[i, :count])
        np.take(weights, np.take(steep.index, places), out=weight[i, :count])
    return _Held(places_mm, drawn, slope, weight)


def _fit(
    evidence: Evidence, poses: FloatArray, held: _Held, passes: int
) -> tuple[FloatArray, FloatArray]:
    raster = evidence.raster
    places_px = held.places_mm * np.float32(raster.density)
    left = np.zeros_like(held.drawn)
    for _ in range(passes):
        middle_px = np.column_stack([raster.to_raster(poses[:, :2]), poses[:, 2]])
        seen = look_up(evidence.white, place_each(middle_px, places_px))
        np.multiply(seen, np.float32(1 / 255), out=left)
        left -= held.drawn
        robust = np.square(left * np.float32(1 / ROBUST))
        robust += 1
        np.divide(held.weight, robust, out=robust)
        weighed = held.slope * robust[:, None]
        normal = weighed @ held.slope.transpose(0, 2, 1) + HOLD
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
    drawn = templates.white[row]
    image = drawn.reshape(templates.shape_hw).astype(np.float64)
    slope_y, slope_x = (slope.ravel() for slope in np.gradient(image, 1 / TEMPLATE_DENSITY))
    index = np.flatnonzero((np.hypot(slope_x, slope_y) > STEEP) & ~templates.badge)
    x, y = templates.grid_mm[index].T
    gx, gy = slope_x[index], slope_y[index]
    # A turn by a small angle moves the place (x, y) by (-y, x).
    slope = np.stack([gx, gy, -gx * y + gy * x]).astype(np.float32)
    return _Steep(index, templates.grid_mm[index].astype(np.float32), drawn[index], slope)
