"""Places where two cards lie over one another, found on either card's own grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.bend import FLAT, complex_bends, is_bent, own_places, seen_shift
from vision.drawing.coverage import COVER_DENSITY, Coverage
from vision.drawing.templates import TEMPLATE_DENSITY, Templates

Complexes = NDArray[np.complex128]
"""Places on a table or a card, x + iy: moved several times as fast as by their columns."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """How the cards would look where they lie: per card its template row, pose and ink.

    `poses` (N, 3) lie as the card lies (turned the right way), `rows` (N,)
    are template rows, `ink` (N, 3) the ink less its own grey, BGR levels, and `haze`
    (N, 3), or (3,) for all, what tints black and ink alike.
    """

    poses: FloatArray
    rows: Ints
    ink: FloatArray
    haze: FloatArray = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Places under exactly two bodies, M in all, each as seen from one of the two cards.

    `own` and `other` (M,) are cards, `index` (M,) places on the own card's
    grid, `pair` (M,) is the lower card's index times the number of cards plus
    the higher one's, `stands_for` (M,) how many places each speaks for.
    """

    own: Ints
    other: Ints
    index: Ints
    pair: Ints
    stands_for: Ints

    def take(self, keep: Bools | slice) -> Overlaps:
        """Some of the places."""
        some = keep if isinstance(keep, slice) else np.flatnonzero(keep)
        return Overlaps(
            self.own[some], self.other[some], self.index[some], self.pair[some],
            self.stands_for[some],
        )  # fmt: skip


def shared_places(
    drawing: Drawing, coverage: Coverage, near: Coverage | None, thinning: Mapping[int, int],
    templates: Templates,
) -> Overlaps:  # fmt: skip
    """Places under exactly two bodies; of wide overlaps a few are enough, small ones keep all.

    They are looked at from the two cards in turn, like a chessboard's fields: each card's
    grid fits its own drawing a little better than the other's. `near` are the bodies grown by so
    much as a third must be away; `thinning` says from how many places on one in how many is enough,
    both of a map of the usual density.
    """
    fine = round((COVER_DENSITY / coverage.density) ** 2)
    every = max(1, thinning.get(0, 1) // fine)
    under = coverage.under_two(near, every)
    count = len(drawing.rows)
    pair = under.low * count + under.high
    places = fine * every * np.bincount(pair, minlength=1)
    stands_for = np.full(len(places), fine, np.uint8)
    for least, number in thinning.items():
        stands_for[places >= least] = number
    kept = fine * under.one_in.astype(np.int64) >= np.take(stands_for, pair)
    under, pair = under.take(kept), np.compress(kept, pair).astype(np.int64)
    row, column = under.row_column
    first = ((row ^ column) & 1) == 0
    own, other = np.where(first, (under.low, under.high), (under.high, under.low)).astype(np.int64)
    away = under.at_mm - np.take(_middles(drawing), own)
    index, usable = on_card(drawing, own, away, templates)
    usable &= ~np.take(templates.marks, index)
    # Either card's grid would have as many places again.
    speak_for = 2 * np.take(stands_for, pair).astype(np.int64)
    return Overlaps(own, other, index, pair, speak_for).take(usable)


def _middles(drawing: Drawing) -> Complexes:
    """Where the cards' (N,) middles lie."""
    return np.asarray(drawing.poses[:, 0] + 1j * drawing.poses[:, 1])


def other_places(drawing: Drawing, shared: Overlaps, templates: Templates) -> tuple[Ints, Bools]:
    """The other card's nearest grid place at each shared place, and whether it has one."""
    grid = np.ascontiguousarray(templates.grid_mm).view(np.complex128)[:, 0]
    middles, local = _middles(drawing), np.take(grid, shared.index)
    away = local * np.take(np.exp(1j * drawing.poses[:, 2]), shared.own)
    _add_shifts(away, drawing, shared.own, local)
    gaps = middles[:, None] - middles[None]
    away += np.take(gaps, shared.own * len(middles) + shared.other)
    return on_card(drawing, shared.other, away, templates)


def on_card(
    drawing: Drawing, card: Ints, away: Complexes, templates: Templates
) -> tuple[Ints, Bools]:
    """The place of a card's (M,) grid nearest to a place on the table, `away` (M,), x + iy, mm
    from the card's middle, and whether it lies on the grid.
    """
    back = np.exp(-1j * drawing.poses[:, 2])
    local = away * np.take(back, card)
    if is_bent(drawing.poses):
        some = _on_bent(drawing, card)
        bends = complex_bends(drawing.poses) * back[:, None]
        local[some] = own_places(local[some], np.take(bends, np.take(card, some), axis=0))
    rows, columns = templates.shape_hw
    column = np.rint(local.real * TEMPLATE_DENSITY + (columns - 1) / 2).astype(np.int64)
    row = np.rint(local.imag * TEMPLATE_DENSITY + (rows - 1) / 2).astype(np.int64)
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
    index = np.clip(row, 0, rows - 1) * columns + np.clip(column, 0, columns - 1)
    return index, inside


def _add_shifts(away: Complexes, drawing: Drawing, card: Ints, local: Complexes) -> None:
    """Add to places `away` (M,) by how much the bends of cards move their own places `local` (M,),
    both x + iy, table mm.
    """
    if not is_bent(drawing.poses):
        return
    some = _on_bent(drawing, card)
    cards, own = np.take(card, some), np.take(local, some)
    turned = own * np.take(np.exp(1j * drawing.poses[:, 2]), cards)
    away[some] += seen_shift(own, turned, np.take(complex_bends(drawing.poses), cards, axis=0))


def _on_bent(drawing: Drawing, card: Ints) -> Ints:
    """Which places, by their card (M,), lie on one that is bent."""
    return np.flatnonzero(np.take(drawing.poses[:, FLAT:].any(axis=1), card))
