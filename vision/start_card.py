"""The starting card: black with white lines and a white band, and no badge to find it by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.coverage import Coverage
from vision.evidence import Evidence, sample
from vision.marks import Marks, small_marks
from vision.pose_fit import place_each, turns
from vision.raster import look_up
from vision.templates import Templates

FloatArray = NDArray[np.float64]
Map32 = NDArray[np.float32]
LEAST_AGREEMENT = 0.5
STEP_DEG = 3.0
MOST_SPOTS = 24
FEW_PLACES = 200
"""On so many places all poses are tried; the `MOST_POSES` best of them on all places."""
MOST_POSES = 48
LEAST_FREE = 0.15
"""Share of the starting card that no known card may cover."""
_NEAR = np.array(
    [
        [x_mm, y_mm, angle]
        for x_mm in (-0.8, 0, 0.8)
        for y_mm in (-0.8, 0, 0.8)
        for angle in np.deg2rad([-1.5, 0, 1.5])
    ]
)


def find_start(
    evidence: Evidence,
    marks: Marks,
    explained_mm: FloatArray,
    coverage: Coverage,
    deck: Deck,
    templates: Templates,
) -> tuple[FloatArray, int, float] | None:
    """Pose (3,), template row and agreement of the starting card, found by its symbol.

    `explained_mm` (K, 2) are small marks that known cards account for. None
    where no mark is surrounded by a starting card's white and black.
    """
    spots = _unexplained(_on_black(evidence, small_marks(marks, deck)), explained_mm)
    spots = spots[coverage.count_at(spots) == 0][:MOST_SPOTS]
    if len(spots) == 0:
        return None
    rows = np.array([2 * len(deck.faces), 2 * len(deck.faces) + 1])
    places = _telling(templates, rows)
    angles = np.deg2rad(np.arange(0, 360, STEP_DEG))
    poses = _around(spots, angles, deck)
    few = places[:: max(1, len(places) // FEW_PLACES)]
    rough = _agreement(evidence, poses, coverage, templates, rows, few).max(axis=1)
    poses = poses[np.argsort(-rough, kind="stable")[:MOST_POSES]]
    score = _agreement(evidence, poses, coverage, templates, rows, places)
    for _ in range(3):
        poses = poses[score.max(axis=1).argmax()] + _NEAR
        score = _agreement(evidence, poses, coverage, templates, rows, places)
    best, side = divmod(int(score.argmax()), len(rows))
    if score[best, side] < LEAST_AGREEMENT:
        return None
    return poses[best], int(rows[side]), float(score[best, side])


def _on_black(evidence: Evidence, marks: Marks) -> FloatArray:
    """Marks (K, 2) with nothing white in a ring round them: a symbol stands alone on black.

    The most compact and clearest come first.
    """
    angles = np.arange(16) * np.pi / 8
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    spots = marks.mass_mm
    outer = spots[:, None, :] + np.concatenate([ring * 3.6, ring * 4.4])[None]
    inner = spots[:, None, :] + ring[None, ::4] * 0.6
    raster = evidence.raster
    round_ = sample(evidence.least, raster.to_raster(outer)).max(axis=1)
    middle = sample(evidence.least, raster.to_raster(inner)).mean(axis=1)
    contrast = middle - round_
    order = np.argsort(-contrast)
    return np.asarray(spots[order[contrast[order] > 10 + 5 * evidence.noise]])


def _unexplained(spots: FloatArray, explained: FloatArray) -> FloatArray:
    if len(explained) == 0 or len(spots) == 0:
        return spots
    gap = np.linalg.norm(spots[:, None] - explained[None], axis=2).min(axis=1)
    return np.asarray(spots[gap > 2.5])


def _around(spots: FloatArray, angles: FloatArray, deck: Deck) -> FloatArray:
    """Poses whose symbol lies on each spot, at each angle."""
    offset = turns(angles) @ np.asarray(deck.symbol_offset_mm)
    middles = spots[:, None, :] - offset[None]
    turn = np.broadcast_to(angles[None, :, None], (*middles.shape[:2], 1))
    return np.concatenate([middles, turn], axis=2).reshape(-1, 3)


def _telling(templates: Templates, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """A few hundred places of the grid: on the band, the lines, and the black beside them."""
    row, column = np.divmod(np.arange(len(templates.grid_mm)), templates.shape_hw[1])
    coarse = (row % 3 == 0) & (column % 3 == 0)
    sure = ((templates.white[rows] > 0.75) | (templates.white[rows] < 0.1)).all(axis=0)
    return np.flatnonzero(coarse & sure)


def _agreement(
    evidence: Evidence,
    poses: FloatArray,
    coverage: Coverage,
    templates: Templates,
    rows: NDArray[np.int64],
    places: NDArray[np.int64],
) -> FloatArray:
    """Correlation (M, R) of white seen and white drawn, where no known card lies."""
    table = place_each(poses, templates.grid_mm[None, places].astype(np.float32))
    free = (coverage.count_at(table) == 0).astype(np.float32)
    white = look_up(evidence.white, evidence.raster.to_raster(table))
    seen = np.asarray(white / np.float32(255), np.float32)
    out = np.stack([_correlation(seen, templates.white[row, places], free) for row in rows], axis=1)
    out[free.mean(axis=1) <= LEAST_FREE] = -1
    return out


def _correlation(seen: Map32, drawn: Map32, weight: Map32) -> FloatArray:
    """Weighted correlation (M,) of rows of `seen` (M, K) with `drawn` (K,)."""
    total = np.maximum(weight.sum(axis=1), 1e-9)
    weighed = seen * weight
    mean_seen = weighed.sum(axis=1) / total
    mean_drawn = weight @ drawn / total
    cov = weighed @ drawn / total - mean_seen * mean_drawn
    spread_seen = np.einsum("mk,mk->m", weighed, seen) / total - mean_seen**2
    spread_drawn = weight @ drawn**2 / total - mean_drawn**2
    spread = np.sqrt(np.maximum(spread_seen, 0) * np.maximum(spread_drawn, 0))
    return np.asarray(cov / np.maximum(spread, 1e-9), np.float64)
