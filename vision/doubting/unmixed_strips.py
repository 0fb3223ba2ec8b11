"""Strips along a card's edge that no mixture of what lies on either side of it explains.

Of a card almost exactly under another a few tenths of a millimetre show: all of such a strip is
blurred with the upper card's band and with the table. Such a mixture, in whatever shadow, has no
hue that neither of the two has; a strip of a third ink has. How far chance and the table's own
pattern lead is measured on the same picture, farther out, where no such strip is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.strips_on_black import (
    ERRORS,
    EVERY,
    FEWEST,
    LIKENESS,
    STRETCH,
    colours_seen,
    in_stretches,
)
from vision.drawing.card_edges import Edges
from vision.drawing.coverage import cover

Hues = NDArray[np.complex128]
Offs = tuple[float, ...]
Number = TypeVar("Number", np.float64, np.complex128)
BAND_MM: Offs = (-2.4, -1.8, -1.2)
STRIP_MM: tuple[Offs, ...] = ((0.3, 0.6), (0.6, 0.9), (0.9, 1.2))
TABLE_MM: tuple[Offs, ...] = ((1.8, 2.1, 2.4), (3.0, 3.6))
"""Beyond the card's edge: where its band is, where a strip may be, and where the table is."""
NO_STRIP_MM: tuple[Offs, ...] = ((1.8, 2.1), (2.1, 2.4))
FARTHER_MM: tuple[Offs, ...] = ((3.0, 3.6), (4.2, 5.0))
"""The same where no narrow strip reaches: what is found there is none."""
STRENGTH, OVER_CHANCE = 0.18, 2.0
"""Of what no mixture explains: its strength as a share of an ink's in play, and by how much it
exceeds what is found beside all other cards where no strip is. Strips of 0.3 to 1 mm came to 0.22
to 0.75 and 2.9 to 11 times as much as chance; on 69 free-for-alls without any none came to 0.18 and
twice as much as chance, checked cloths included."""
OVER_CHANCE_COUNTED = 1.6
"""Where the colours have equally many cards, each must have lost one, and more is asked: the share
times how often it exceeds chance. Two strips that nothing else told came to 2.0 and 2.3; of some
1,100 counted games without any five came to 0.5 to 1.3, beside a box of print, on very dark wood
and by glare, and one to 6.0, in the tail of a lamp's glow."""
LEAST_ERROR, FLATTEST = 0.3, 1e-3
"""Grey levels: a mean is no surer than that; and two hues are nearly one by so much."""
GLANCED = 5
GLANCE_BAND_MM, GLANCE_STRIPS_MM, GLANCE_TABLE_MM = -1.8, (0.45, 0.9), 2.4
GLANCE_PAST_MM, GLANCE_FAR_MM = (2.1,), 3.6
"""At a glance: so many of five neighbouring places; where the band, a strip and the
table are looked at, and where no strip reaches."""
GLANCE_LIKENESS, GLANCE_STRENGTH, GLANCE_OVER_CHANCE, MOST_LOOKED = 0.8, 0.14, 1.0, 4
"""Less than what is asked for in the end, and beside how many cards it is asked."""


def unmixed_strip(scene: DoubtContext, cards: Ints | None = None) -> int | None:
    """The card, of some (K,) or of all, along which most plainly a narrow strip of another ink than
    its own runs over the table, or the starting card; None where there is no such strip.

    Under the starting card lies none: it is laid first.
    """
    everyone = np.arange(len(scene.table.named))
    cards = everyone if cards is None else cards
    cards = cards[cards != _starting_card(scene) - 1]
    if len(scene.inks) < 2 or not len(cards):
        return None
    strength = _unmixed(scene, cards, STRIP_MM, TABLE_MM)
    best = float(strength.max())
    if best < STRENGTH:
        return None
    card = int(cards[strength.argmax()])
    others = everyone[everyone != card]
    chance = _unmixed(scene, others, NO_STRIP_MM, FARTHER_MM, told=False)
    most = chance.max(initial=0.0)
    if scene.equally_many:
        return card if best**2 > OVER_CHANCE_COUNTED * most else None
    return card if best > OVER_CHANCE * most else None


def unmixed_at_a_glance(scene: DoubtContext) -> Ints:
    """The few cards (K,) beside which such a strip may run, and is no chance: a glance at some
    places that saves a closer look at most cards.
    """
    if len(scene.inks) < 2:
        return np.empty(0, np.int64)
    edges, top, start = scene.edges.thinned(EVERY), scene.top, _starting_card(scene)
    beside = top.at(edges.beyond(GLANCE_TABLE_MM))
    asked = (beside == 0) | (beside == start)
    asked[start - 1 : start] = False
    asked[asked] = top.at(edges.beyond(GLANCE_BAND_MM)[asked]) == np.nonzero(asked)[0] + 1
    number = in_stretches(asked.astype(np.float64), STRETCH // EVERY)
    card, stretch = np.nonzero(number >= GLANCED)

    def hues(off_mm: float) -> Hues:
        total = in_stretches(hues_seen(scene, edges, (off_mm,), asked), STRETCH // EVERY)
        return np.asarray(total[card, stretch] / number[card, stretch])

    band, inks = hues(GLANCE_BAND_MM), np.array([[hue_of(ink)] for ink in scene.inks.values()])
    own = _own_colour(scene)[:, card]

    def strongest(strips_mm: Offs, table_mm: float) -> FloatArray:
        table, share = hues(table_mm), np.zeros(own.shape)
        for strip in map(hues, strips_mm):
            left = strip - nearest_mixture(strip, band, table)
            share = np.maximum(share, _shares(left, inks, GLANCE_LIKENESS))
        out = np.zeros(len(asked))
        np.maximum.at(out, card, np.where(own, 0.0, share).max(axis=0))
        return out

    strength = strongest(GLANCE_STRIPS_MM, GLANCE_TABLE_MM)
    likeliest = np.argsort(-strength)[:MOST_LOOKED]
    likeliest = likeliest[strength[likeliest] > GLANCE_STRENGTH]
    if not len(likeliest):
        return likeliest
    chance = np.delete(strongest(GLANCE_PAST_MM, GLANCE_FAR_MM), likeliest[0]).max(initial=0.0)
    return np.asarray(likeliest[strength[likeliest] > GLANCE_OVER_CHANCE * chance])


def _starting_card(scene: DoubtContext) -> int:
    """The starting card's number in the map of who shows; the table's, 0, where there is none."""
    return next((card.id + 1 for card in scene.layout.cards if card.colour not in scene.inks), 0)


def _own_colour(scene: DoubtContext) -> Bools:
    """Which of the inks in play is each card's own, (C, N)."""
    names = np.array([card.colour for card in sorted(scene.layout.cards, key=lambda card: card.id)])
    return np.array([names == name for name in scene.inks])


def hue_of(colours: NDArray[Any]) -> Hues:
    """Colours (..., 3) away from grey, as points of a plane (...): as long as that and turned as
    they are in hue.
    """
    first, second, third = colours[..., 0], colours[..., 1], colours[..., 2]
    across = (2.0 * first - second - third) / np.sqrt(6.0)
    return np.asarray(across + 1j * (second - third) / np.sqrt(2.0))


def hues_seen(scene: DoubtContext, edges: Edges, offs_mm: Offs, asked: Bools) -> Hues:
    """Mean hues (K, E) so far beyond edges, where `asked` (K, E); else 0."""
    at_mm, outwards = edges.at_mm[asked], edges.outwards[asked]
    colours = [colours_seen(scene, at_mm + outwards * off) for off in offs_mm]
    out = np.zeros(asked.shape, np.complex128)
    out[asked] = np.mean([hue_of(colour) for colour in colours], axis=0)
    return out


def _unmixed(
    scene: DoubtContext, cards: Ints, strips_mm: tuple[Offs, ...], tables_mm: tuple[Offs, ...],
    told: bool = True,
) -> FloatArray:  # fmt: skip
    """How strong (K,) the likeliest strip of another ink is beside each of some cards (K,), as a
    share of that ink, where no mixture of the card's band and the table, at any such distance,
    explains it; only what is beyond the errors, if it is to be `told`.
    """
    offs = sorted({off for group in (*strips_mm, *tables_mm) for off in group})
    edges = scene.edges.take(cards)
    asked = _on_table(scene, edges, cards, sorted({*STRIP_MM[0], *offs}))
    band, *seen = (
        hues_seen(scene, edges, offs, asked) for offs in (BAND_MM, *strips_mm, *tables_mm)
    )
    # All strips, each against the table at all distances: (A, 1, K, E) and (B, K, E).
    strips, tables = np.array(seen[: len(strips_mm)])[:, None], np.array(seen[len(strips_mm) :])
    along = _Stretches.along(edges, asked)
    if not len(along.card):
        return np.zeros(len(cards))
    inks = np.array([hue_of(ink) for ink in scene.inks.values()]).reshape(-1, 1, 1, 1)
    strip = along.means(strips)
    share = _shares(strip - nearest_mixture(strip, along.means(band), along.means(tables)), inks)
    if told:
        hue = inks[..., None] / np.maximum(np.abs(inks[..., None]), 1e-6)
        error = along.errors(_along(strips - tables, hue))
        share[share * np.abs(inks) <= ERRORS * np.maximum(error, LEAST_ERROR)] = 0.0
    share *= ~_own_colour(scene)[:, None, None, cards[along.card]]
    # Whatever the distance at which the table is looked at.
    by_side = np.maximum.reduceat(share, along.begins, axis=-1).min(axis=2).max(axis=(0, 1))
    out = np.zeros(len(cards))
    np.maximum.at(out, along.card[along.begins], by_side)
    return out


@dataclass(frozen=True, eq=False)
class _Stretches:
    """Neighbouring places along one side of one of K cards, enough of which are `asked` (K, E): at
    which `card` (S,), the first of which places (S,), and how many are asked. The first (G,) of
    those along each side, `begins`.
    """

    card: Ints
    first: Ints
    number: FloatArray
    begins: Ints

    @staticmethod
    def along(edges: Edges, asked: Bools) -> _Stretches:
        """All of them, card by card and side by side."""
        number = in_stretches(asked.astype(np.float64))
        one_side = edges.side[STRETCH - 1 :] == edges.side[: 1 - STRETCH]
        card, first = np.nonzero((number >= FEWEST) & one_side)
        of_side = 4 * card + edges.side[first]
        begins = np.flatnonzero(np.diff(of_side, prepend=-1))
        return _Stretches(card, first, number[card, first], begins)

    def means(self, values: NDArray[Number]) -> NDArray[Number]:
        """Of values (..., K, E), 0 where not asked, (..., S)."""
        total = in_stretches(values.reshape(-1, values.shape[-1]))
        total = total.reshape(*values.shape[:-1], -1)
        return np.asarray(total[..., self.card, self.first] / self.number)

    def errors(self, values: FloatArray) -> FloatArray:
        """Standard errors of these means (..., S)."""
        varies = self.means(np.square(values)) - np.square(self.means(values))
        return np.asarray(np.sqrt(np.maximum(varies, 0) / self.number))


def nearest_mixture(seen: Hues, first: Hues, second: Hues) -> Hues:
    """What comes nearest to some hues (...) of all that two others, and grey, mix to: the nearest
    point of the triangle between 0 and those two.
    """
    corners = (0.0 * first, first), (0.0 * second, second), (first, second)
    away = np.full(seen.shape, np.inf)
    out = np.zeros_like(seen)
    for start, end in corners:
        step = end - start
        share = _along(seen - start, step) / np.maximum(_along(step, step), 1e-9)
        point = start + share.clip(0, 1) * step
        off = np.abs(seen - point)
        out = np.where(off < away, point, out)
        away = np.minimum(away, off)
    return np.where(_within(seen, first, second), seen, out)


def _within(seen: Hues, first: Hues, second: Hues) -> Bools:
    """Which hues (...) lie within the triangle of 0 and two others; none where those are nearly one
    hue.
    """
    area = _across(first, second)
    flat = np.square(area) <= FLATTEST * _along(first, first) * _along(second, second)
    by = np.where(flat, np.nan, area)
    one, other = _across(seen, second) / by, _across(first, seen) / by
    return np.asarray((one >= 0) & (other >= 0) & (one + other <= 1))


def _along(one: Hues, other: Hues) -> FloatArray:
    """The inner product (...) of hues."""
    return np.asarray(one.real * other.real + one.imag * other.imag)


def _across(one: Hues, other: Hues) -> FloatArray:
    """The area (...) that hues span."""
    return np.asarray(one.real * other.imag - one.imag * other.real)


def _shares(left: Hues, inks: Hues, likeness: float = LIKENESS) -> FloatArray:
    """How strong what is left (...) is, as shares of inks (C, 1...), of which it has the hue, by
    such a likeness; else 0.
    """
    own = np.maximum(np.abs(inks), 1e-6)
    along = _along(left, inks) / own
    return np.where(along > likeness * np.abs(left), along / own, 0.0)


def _on_table(scene: DoubtContext, edges: Edges, cards: Ints, offs: Sequence[float]) -> Bools:
    """Where (K, E) along the edges of some cards (K,), so far beyond them, lies nothing but the
    table, the starting card or the card itself, also beside its neighbours, and no glare; and no
    other card ends, of which a strip as narrow would show if it lay a little off.
    """
    top, evidence = scene.top, scene.evidence
    own = cards[:, None] + 1
    start = _starting_card(scene)
    named, widest = scene.table.named, STRIP_MM[-1][-1]
    players = named.poses[named.rows < scene.table.templates.start_row]
    near = cover(evidence.raster, players, scene.deck.card, widest)
    out = np.asarray(near.count_at(edges.at_mm) <= 1)
    for off in BAND_MM:
        out &= top.at(edges.beyond(off)) == own
    for off in offs:
        here = top.at(edges.beyond(off))
        free = (here == 0) | (here == own) | (here == start)
        # Who shows is known to half a millimetre; a place before or after may be on another side.
        out &= free & np.roll(free, 1, axis=1) & np.roll(free, -1, axis=1)
        out[out] = ~evidence.is_washed(edges.beyond(off)[out])
    return out
