"""Cards that lie almost exactly under another: a strip of their band is all that shows of them.

They are told where a colour's ink runs along a card as that of a card under it must. They are no
cards that can be read, for nothing tells their face: each is a doubt about the card over it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from geometry.deck import CardSize
from vision.arrays import FloatArray, Ints
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.strip_fit import (
    MOST_OFF_MM,
    EdgeLooks,
    Peeking,
    StripWidths,
    Surroundings,
    deeply_shaded,
    edge_looks,
    peeking_out,
    strips_likely,
    surroundings,
)
from vision.drawing.bend import FLAT, NEARER
from vision.finding.line_looks import white_levels
from vision.reconstruct import Reconstruction

MOST_ASKED, LEAST_LIKELY = 5, 5.0
"""Cards beside which a strip of one of the colours is likeliest, and by how much at the least."""
LEAST_STEADY = 0.95
"""Of the places where a strip should be, so many show it."""
PLAINLY_LIKER, UNCLEAR_EXPLAINED, LEAST_LEFT = 2.0, 0.8, 0.05
"""Where an ink leaves half as much unexplained in its strip as the next one it is plainly that; in
a shadow all dark inks are much the same, and more must be explained. No ink explains all."""
OWN_CURL = 1 / 3
"""Of what a curl shifts an end by: so far beyond its place the card's own band may be seen."""
PLAINLY_NO_SHADOW = 4.0
"""Squared sigmas: a shadow at a card's edge explains strips of it better, or as well but for 3;
of piles' and of single cards' strips it left 8 to 340 more. A box of print that runs on explained
one strip better by 1; of single cards' strips it left 19 to 240 more."""
ROUGH_WIDTHS = StripWidths()


@dataclass(frozen=True, slots=True)
class Least:
    """What a strip has to come to that is no chance."""

    explained: float
    gain: float
    area_mm2: float
    liker: float

    def holds(self, seen: Peeking) -> bool:
        """Whether this one does; what would be moved farther still is no card's strip."""
        return (
            _within_reach(seen)
            and seen.explained >= self.explained
            and seen.steady >= LEAST_STEADY
            and seen.gain >= self.gain
            and seen.area_mm2 >= self.area_mm2
        )


ANYWHERE = Least(0.62, 22.0, 22.0, PLAINLY_LIKER)
"""True ones explain 0.66 to 0.94 of what is in their strip, nearly all along, on 30 mm² and more;
shadows on print and cloth explain up to 0.7 here and there, chance less than 0.5 and 10 in all."""
IF_ALONE = Least(0.68, 15.0, 15.0, 1.6)
ALONE_LIKELY, ALONE_SHARE = 15.0, 0.25
"""Where a strip is likely beside one card, and beside no other even a quarter as likely, less is
enough: what makes strips where none are makes more than one."""


@dataclass(frozen=True, eq=False)
class PeekingCard:
    """A card under another, `upper`: its colour, whether that is plain, and what is seen of it."""

    upper: int
    colour: int
    plain: bool
    seen: Peeking


def peeking_card(
    strips: Strips, colours: Ints, covering: Collection[int] = ()
) -> PeekingCard | None:
    """The card of one of the `colours` (C,) that most plainly peeks out under another, but under
    none of those `covering` one already; None where none does.
    """
    inks = strips.inks
    likely = np.zeros(len(strips.poses))
    for colour in colours[np.isin(colours, inks.colours)]:
        here = inks.inks[inks.colours == colour] * inks.white[:, None]
        likely = np.maximum(likely, strips_likely(strips.around, strips.looks, here, ROUGH_WIDTHS))
    asked = np.argsort(-likely, kind="stable")[:MOST_ASKED]
    best: PeekingCard | None = None
    for card in asked[likely[asked] > LEAST_LIKELY].tolist():
        if card in covering:
            continue
        others = float(np.delete(likely, card).max(initial=0.0))
        alone = likely[card] >= ALONE_LIKELY and others <= ALONE_SHARE * likely[card]
        least = IF_ALONE if alone else ANYWHERE
        found = _under(card, strips, colours, least)
        if found is None or (best is not None and found.seen.gain <= best.seen.gain):
            continue
        own = found.colour == int(strips.colour[card])
        if not (own and own_end(found.seen, strips.poses[card], strips.card)):
            best = found
    return best


def is_deep_shadow(strips: Strips, card: int, seen: Peeking) -> bool:
    """Whether what seems to peek out under a card may be its shadow, be it as dark as a hard lamp
    throws it.
    """
    shade = deeply_shaded(strips.around, card, strips.looks)
    return shade < seen.misfit + PLAINLY_NO_SHADOW


def strips_round(scene: DoubtContext) -> Strips:
    """What is seen round all cards over the table."""
    table = scene.table
    around = surroundings(scene.evidence, scene.edges, scene.top)
    white = white_levels(scene.evidence, table.named, table.templates)
    inks = _Inks.of(around, table, white)
    poses, colour = table.named.poses, table.naming.colour
    return Strips(around, edge_looks(around), inks, poses, colour, scene.deck.card)


@dataclass(frozen=True, eq=False)
class _Inks:
    """How the bands of `colours` (C,) look beside white of level 1: `inks` (C, 3); and the levels
    of `white` (N,) on each card.
    """

    colours: Ints
    inks: FloatArray
    white: FloatArray

    @staticmethod
    def of(around: Surroundings, table: Reconstruction, white: FloatArray) -> _Inks:
        """The inks of all colours in play, by the cards whose bands are seen beside the table."""
        rows, colour = table.named.rows, table.naming.colour
        seen = around.bare.any(axis=1)
        band = np.full((len(rows), 3), np.nan)
        for card in np.flatnonzero(seen):
            band[card] = np.median(around.band[card, around.bare[card]], axis=0)
        played = seen & (rows < table.templates.start_row)
        colours = np.unique(colour[played])
        share = band / np.maximum(white, 1.0)[:, None]
        inks = np.array([np.median(share[played & (colour == c)], axis=0) for c in colours])
        return _Inks(colours, inks.reshape(-1, 3), white)


@dataclass(frozen=True, eq=False)
class Strips:
    """What is seen beside all cards' edges, how those look, all colours' inks, and the cards: their
    poses (N, 3 or 9), colours (N,) and size.
    """

    around: Surroundings
    looks: EdgeLooks
    inks: _Inks
    poses: FloatArray
    colour: Ints
    card: CardSize


def own_end(seen: Peeking, pose: FloatArray, card: CardSize) -> bool:
    """Whether a strip of a card's own colour, at a pose (3 or 9,), may be its own band.

    Where an end or a side that stands up is seen, is known to a third of what that shifts it by.
    """
    half = np.array([card.width_mm, card.height_mm]) / 2
    shift = np.square(half) @ pose[FLAT:NEARER].reshape(-1, 2) if len(pose) > FLAT else np.zeros(2)
    wide = float(np.hypot(*seen.move_mm)) + abs(seen.turn) * float(half[1])
    return wide <= OWN_CURL * float(np.hypot(*shift))


def _under(card: int, strips: Strips, colours: Ints, least: Least) -> PeekingCard | None:
    """The card of one of the colours (C,) that peeks out under this one, if one plainly does."""
    inks = strips.inks
    found: list[tuple[int, Peeking]] = []
    for colour, ink in zip(inks.colours.tolist(), inks.inks, strict=True):
        here = ink * inks.white[card]
        seen = peeking_out(strips.around, card, here, strips.looks)
        if seen is not None:
            found.append((colour, seen))
    found.sort(key=lambda one: one[1].misfit)
    mine = [one for one in found if one[0] in colours]
    if not mine:
        return None
    colour, seen = mine[0]
    if not least.holds(seen):
        return None
    # What would be moved farther than it is sought is no card's strip, and no rival.
    others = [other for name, other in found if name != colour and _within_reach(other)]
    left = max(1 - seen.explained, LEAST_LEFT)
    next_left = min((1 - other.explained for other in others), default=1.0)
    plain = next_left >= PLAINLY_LIKER * left
    unclear = seen.explained < UNCLEAR_EXPLAINED and next_left < least.liker * left
    if not plain and (unclear or next_left < left):
        return None
    return PeekingCard(card, colour, plain, seen)


def _within_reach(seen: Peeking) -> bool:
    """What would be moved farther still is no card's strip."""
    return float(np.abs(seen.move_mm).max()) < MOST_OFF_MM - 0.1
