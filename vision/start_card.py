"""The starting card: black with white lines and a white band, and no badge to find it by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.coverage import Coverage
from vision.evidence import Evidence, sample
from vision.marks import Marks, small_marks
from vision.pose_fit import place, turns
from vision.templates import Templates

FloatArray = NDArray[np.float64]
LEAST_AGREEMENT = 0.5
STEP_DEG = 3.0
MOST_SPOTS = 24


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
    count, _ = coverage.at(spots)
    spots = spots[count == 0][:MOST_SPOTS]
    if len(spots) == 0:
        return None
    rows = np.array([2 * len(deck.faces), 2 * len(deck.faces) + 1])
    places = _telling(templates, rows)
    angles = np.deg2rad(np.arange(0, 360, STEP_DEG))
    poses = _around(spots, angles, deck)
    score = _agreement(evidence, poses, coverage, templates, rows, places)
    for _ in range(3):
        best = np.unravel_index(int(score.argmax()), score.shape)
        start = poses[best[0]]
        spread = np.array([[dx, dy, da] for dx in (-0.8, 0, 0.8) for dy in (-0.8, 0, 0.8) for da in np.deg2rad([-1.5, 0, 1.5])])
        poses = start + spread
        score = _agreement(evidence, poses, coverage, templates, rows, places)
    best = np.unravel_index(int(score.argmax()), score.shape)
    if score[best] < LEAST_AGREEMENT:
        return None
    return poses[best[0]], int(rows[best[1]]), float(score[best])


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
    return spots[gap > 2.5]


def _around(spots: FloatArray, angles: FloatArray, deck: Deck) -> FloatArray:
    """Poses whose symbol lies on each spot, at each angle."""
    offset = turns(angles) @ np.asarray(deck.symbol_offset_mm)
    middles = spots[:, None, :] - offset[None]
    turn = np.broadcast_to(angles[None, :, None], (*middles.shape[:2], 1))
    return np.concatenate([middles, turn], axis=2).reshape(-1, 3)


def _telling(templates: Templates, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """A few hundred places of the grid: on the band, the lines, and the black beside them."""
    grid = templates.grid_mm
    coarse = (np.arange(len(grid)) % 3 == 0) & ((np.arange(len(grid)) // templates.shape_hw[1]) % 3 == 0)
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
    table = place(poses, templates.grid_mm[places])
    count, _ = coverage.at(table)
    free = (count == 0).astype(np.float64)
    seen = sample(evidence.white, evidence.raster.to_raster(table)).astype(np.float64) / 255
    out = np.zeros((len(poses), len(rows)))
    enough = free.sum(axis=1) > 0.15 * len(places)
    for k, row in enumerate(rows):
        drawn = templates.white[row, places][None]
        out[:, k] = _correlation(seen, np.broadcast_to(drawn, seen.shape), free)
    out[~enough] = -1
    return out


def _correlation(a: FloatArray, b: FloatArray, weight: FloatArray) -> FloatArray:
    total = np.maximum(weight.sum(axis=1), 1e-9)
    mean_a = (a * weight).sum(axis=1) / total
    mean_b = (b * weight).sum(axis=1) / total
    da, db = a - mean_a[:, None], b - mean_b[:, None]
    cov = (weight * da * db).sum(axis=1)
    spread = np.sqrt((weight * da**2).sum(axis=1) * (weight * db**2).sum(axis=1))
    return np.asarray(cov / np.maximum(spread, 1e-9))
