"""Which of two overlapping cards lies on top: whose drawing explains the overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.coverage import Coverage
from vision.faces import Patches
from vision.pose_fit import place, turns
from vision.templates import TEMPLATE_DENSITY, Templates

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairEvidence:
    """For pairs of cards (K, 2), lower index first: `lead` (K,) is how much better the first
    explains the overlap than the second (positive: the first lies on top), as a mean over the
    places in which their drawings differ, from about -1 to 1; `places` (K,) how many those
    are, on the templates' grid."""

    pairs: Ints
    lead: FloatArray
    places: Ints


@dataclass(frozen=True, eq=False)
class Drawing:
    """How the cards would look where they lie: per card its template row, pose and ink.

    `poses` (N, 3) lie as the card lies (turned the right way), `rows` (N,)
    are template rows, `ink` (N, 3) the ink less its own grey, BGR levels.
    """

    poses: FloatArray
    rows: Ints
    ink: FloatArray


def compare_pairs(
    drawing: Drawing, patches: Patches, coverage: Coverage, templates: Templates
) -> PairEvidence:
    """Weigh both orders of every pair on the places where just these two bodies lie.

    `patches` are cut out at the drawing's poses.
    """
    card, place_index = _shared_places(drawing, coverage, templates, patches)
    if len(card[0]) == 0:
        return PairEvidence(np.empty((0, 2), np.int64), np.empty(0), np.empty(0, np.int64))
    own, other = card
    own_white = templates.white[drawing.rows[own], place_index]
    own_ink = templates.ink[drawing.rows[own], place_index]
    spot = place_one(drawing.poses[own], templates.grid_mm[place_index])
    other_index, inside = _other_places(drawing, other, spot, templates)
    other_white = np.where(inside, templates.white[drawing.rows[other], other_index], 0)
    other_ink = np.where(inside, templates.ink[drawing.rows[other], other_index], 0)
    white = patches.white[own, place_index]
    away = patches.colour[own, place_index].astype(np.float64)
    away -= away.mean(axis=1, keepdims=True)
    scale = np.maximum(
        np.linalg.norm(drawing.ink[own], axis=1), np.linalg.norm(drawing.ink[other], axis=1)
    )
    scale = np.maximum(scale, 8.0)[:, None]
    own_tint = own_ink[:, None] * drawing.ink[own]
    other_tint = other_ink[:, None] * drawing.ink[other]
    own_off = (white - own_white) ** 2 + (((away - own_tint) / scale) ** 2).sum(axis=1)
    other_off = (white - other_white) ** 2 + (((away - other_tint) / scale) ** 2).sum(axis=1)
    differ = np.abs(own_white - other_white) + np.linalg.norm((own_tint - other_tint) / scale, axis=1)
    gain = np.clip(other_off, 0, 1.5) - np.clip(own_off, 0, 1.5)
    return _sum_pairs(own, other, gain, differ, patches.weight[own, place_index])


def place_one(poses: FloatArray, card_mm: FloatArray) -> FloatArray:
    """One card point each (M, 2) at one pose each (M, 3), to table mm (M, 2)."""
    return np.asarray(np.einsum("mij,mj->mi", turns(poses[:, 2]), card_mm) + poses[:, :2])


def _shared_places(
    drawing: Drawing, coverage: Coverage, templates: Templates, patches: Patches
) -> tuple[tuple[Ints, Ints], Ints]:
    """Grid places under exactly two bodies, as seen from each of the two cards."""
    table = place(drawing.poses, templates.grid_mm)
    count, index_sum = coverage.at(table)
    usable = (count == 2) & (patches.weight > 0.5) & ~(templates.badge | templates.symbol)
    own, place_index = np.nonzero(usable)
    other = index_sum[own, place_index] - 1 - own - 1
    fine = (other >= 0) & (other < len(drawing.rows)) & (other != own)
    return (own[fine], other[fine].astype(np.int64)), place_index[fine]


def _other_places(
    drawing: Drawing, other: Ints, spot: FloatArray, templates: Templates
) -> tuple[Ints, NDArray[np.bool_]]:
    """The other card's nearest grid place under each table spot, and whether it has one."""
    local = np.einsum(
        "mji,mj->mi", turns(drawing.poses[other, 2]), spot - drawing.poses[other, :2]
    )
    rows, columns = templates.shape_hw
    column = np.rint(local[:, 0] * TEMPLATE_DENSITY + (columns - 1) / 2).astype(np.int64)
    row = np.rint(local[:, 1] * TEMPLATE_DENSITY + (rows - 1) / 2).astype(np.int64)
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
    index = np.clip(row, 0, rows - 1) * columns + np.clip(column, 0, columns - 1)
    return index, inside


def _sum_pairs(
    own: Ints, other: Ints, gain: FloatArray, differ: FloatArray, weight: NDArray[np.float32]
) -> PairEvidence:
    first, second = np.minimum(own, other), np.maximum(own, other)
    signed = np.where(own == first, gain, -gain)
    telling = (differ > 0.4) * weight
    keys = first * 100_000 + second
    unique, inverse = np.unique(keys, return_inverse=True)
    total = np.bincount(inverse, weights=telling)
    lead = np.bincount(inverse, weights=telling * signed) / np.maximum(total, 1e-9)
    pairs = np.stack([unique // 100_000, unique % 100_000], axis=1)
    return PairEvidence(pairs.astype(np.int64), lead, np.rint(total).astype(np.int64))


def bottom_up(count: int, above: dict[tuple[int, int], float]) -> tuple[list[int], list[tuple[int, int]]]:
    """Order cards from below to the top by pairs (upper, lower) with strengths.

    Where the pairs run in a circle the weakest is dropped until none does;
    returns the order and the pairs dropped.
    """
    edges = dict(above)
    dropped: list[tuple[int, int]] = []
    while True:
        order, stuck = _sorted_by(count, edges)
        if not stuck:
            return order, dropped
        ring = [(pair, s) for pair, s in edges.items() if pair[0] in stuck and pair[1] in stuck]
        weakest = min(ring, key=lambda item: item[1])[0]
        dropped.append(weakest)
        del edges[weakest]


def _sorted_by(
    count: int, edges: dict[tuple[int, int], float]
) -> tuple[list[int], set[int]]:
    under: dict[int, set[int]] = {i: set() for i in range(count)}
    for upper, lower in edges:
        under[upper].add(lower)
    order: list[int] = []
    waiting = set(range(count))
    while waiting:
        free = sorted(i for i in waiting if not (under[i] & waiting))
        if not free:
            return order, waiting
        order.extend(free)
        waiting -= set(free)
    return order, set()
