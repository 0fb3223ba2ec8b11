"""Which of two overlapping cards lies on top: whose drawing explains the overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.coverage import Coverage
from vision.faces import Patches
from vision.templates import TEMPLATE_DENSITY, THINNING, Templates, thinned

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
WIDE_OVERLAP = 800
"""Places (both cards' together) from which on every fourth is enough: 100 mm²."""
LEAST_DIFFERENCE = 0.4
"""Places where the two drawings look more alike than this tell nothing."""
WORST_OFF = 1.5


@dataclass(frozen=True, eq=False)
class PairEvidence:
    """For pairs of cards (K, 2), lower index first: `lead` (K,) is how much better the first
    explains the overlap than the second (positive: the first lies on top), as a mean over the
    places in which their drawings differ, from about -1 to 1; `places` (K,) how many those
    are, on the templates' grid.
    """

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


@dataclass(frozen=True, eq=False)
class _Overlaps:
    """Places under exactly two bodies, each as seen from either card, M in all: `own` and
    `other` (M,) cards, `index` (M,) the place on the own card's grid, `stands_for` (M,) how
    many places it speaks for.
    """

    own: Ints
    other: Ints
    index: Ints
    stands_for: Ints


def compare_pairs(
    drawing: Drawing, patches: Patches, coverage: Coverage, templates: Templates
) -> PairEvidence:
    """Weigh both orders of every pair on the places where just these two bodies lie.

    `patches` are cut out at the drawing's poses.
    """
    count = len(drawing.rows)
    shared = _shared_places(drawing, coverage, templates, patches)
    shared = _thinned_out(shared, count, templates)
    if len(shared.own) == 0:
        return PairEvidence(np.empty((0, 2), np.int64), np.empty(0), np.empty(0, np.int64))
    own, other, index = shared.own, shared.other, shared.index
    own_row, other_row = drawing.rows[own], drawing.rows[other]
    other_index, inside = _other_places(drawing, shared, templates)
    strength = np.linalg.norm(drawing.ink, axis=1)
    scale = np.maximum(np.maximum(strength[own], strength[other]), 8.0)[:, None]
    ink = drawing.ink.astype(np.float32)
    away = patches.colour[own, index].astype(np.float32)
    away -= away.mean(axis=1, keepdims=True)
    own_looks = _looks(
        templates.white[own_row, index], templates.ink[own_row, index, None] * ink[own] / scale
    )
    other_looks = inside[:, None] * _looks(
        templates.white[other_row, other_index],
        templates.ink[other_row, other_index, None] * ink[other] / scale,
    )
    seen = _looks(patches.white[own, index] / np.float32(255), away / scale)
    own_off, other_off = (((seen - looks) ** 2).sum(axis=1) for looks in (own_looks, other_looks))
    apart = own_looks - other_looks
    differ = np.abs(apart[:, 0]) + np.linalg.norm(apart[:, 1:], axis=1)
    telling = (differ > LEAST_DIFFERENCE) * patches.weight[own, index] * shared.stands_for
    gain = np.minimum(other_off, WORST_OFF) - np.minimum(own_off, WORST_OFF)
    return _sum_pairs(shared, count, gain, telling)


def _looks(white: NDArray[Any], tint: NDArray[Any]) -> NDArray[np.float32]:
    """White (M,) and tint (M, 3), in shares of the ink's strength, side by side (M, 4)."""
    return np.concatenate([white[:, None], tint], axis=1, dtype=np.float32)


def _shared_places(
    drawing: Drawing, coverage: Coverage, templates: Templates, patches: Patches
) -> _Overlaps:
    """Grid places under exactly two bodies, as seen from each of the two cards."""
    usable = coverage.counts_on(drawing.poses, templates) == 2
    usable &= patches.weight > 0.5
    usable &= ~(templates.badge | templates.symbol)
    own, index = np.nonzero(usable)
    sums = coverage.sums_on(drawing.poses, templates)
    other = sums[own, index].astype(np.int64) - own - 2
    fine = (other >= 0) & (other < len(drawing.rows)) & (other != own)
    own, other, index = own[fine], other[fine], index[fine]
    return _Overlaps(own, other, index, np.ones_like(own))


def _thinned_out(shared: _Overlaps, count: int, templates: Templates) -> _Overlaps:
    """Of wide overlaps every fourth place is enough; small ones keep all."""
    keys = _pair_keys(shared, count)
    wide = np.bincount(keys)[keys] >= WIDE_OVERLAP
    keep = ~wide | thinned(templates)[shared.index]
    stands_for = np.where(wide, THINNING, 1)
    return _Overlaps(shared.own[keep], shared.other[keep], shared.index[keep], stands_for[keep])


def _other_places(
    drawing: Drawing, shared: _Overlaps, templates: Templates
) -> tuple[Ints, NDArray[np.bool_]]:
    """The other card's nearest grid place at each shared place, and whether it has one."""
    own, other = drawing.poses[shared.own], drawing.poses[shared.other]
    x, y = templates.grid_mm[shared.index].T
    cos, sin = np.cos(own[:, 2] - other[:, 2]), np.sin(own[:, 2] - other[:, 2])
    gap_x, gap_y = (own - other)[:, :2].T
    cos_other, sin_other = np.cos(other[:, 2]), np.sin(other[:, 2])
    local_x = cos * x - sin * y + cos_other * gap_x + sin_other * gap_y
    local_y = sin * x + cos * y - sin_other * gap_x + cos_other * gap_y
    rows, columns = templates.shape_hw
    column = np.rint(local_x * TEMPLATE_DENSITY + (columns - 1) / 2).astype(np.int64)
    row = np.rint(local_y * TEMPLATE_DENSITY + (rows - 1) / 2).astype(np.int64)
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
    index = np.clip(row, 0, rows - 1) * columns + np.clip(column, 0, columns - 1)
    return index, inside


def _pair_keys(shared: _Overlaps, count: int) -> Ints:
    """One number (M,) for each pair of `count` cards, the lower index first."""
    first, second = np.minimum(shared.own, shared.other), np.maximum(shared.own, shared.other)
    return np.asarray(first * count + second)


def _sum_pairs(
    shared: _Overlaps, count: int, gain: NDArray[Any], telling: NDArray[Any]
) -> PairEvidence:
    """Mean gain (K,) of the lower index lying on top, over all that tells, for every pair."""
    keys = _pair_keys(shared, count)
    signed = np.where(shared.own < shared.other, gain, -gain)
    total = np.bincount(keys, weights=telling, minlength=count * count)
    gained = np.bincount(keys, weights=telling * signed, minlength=count * count)
    met = np.flatnonzero(np.bincount(keys, minlength=count * count))
    pairs = np.stack(np.divmod(met, count), axis=1)
    lead = gained[met] / np.maximum(total[met], 1e-9)
    return PairEvidence(pairs, lead, np.rint(total[met]).astype(np.int64))


def bottom_up(
    count: int, above: dict[tuple[int, int], float]
) -> tuple[list[int], list[tuple[int, int]]]:
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


def _sorted_by(count: int, edges: dict[tuple[int, int], float]) -> tuple[list[int], set[int]]:
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
