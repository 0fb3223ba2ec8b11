"""Which card lies over which, for a whole table: pairs weighed, then one order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from geometry.deck import Deck
from geometry.rectangles import cards_upright, gaps_mm, near_pairs
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.cores import Meanwhile
from vision.drawing.coverage import COVER_DENSITY, TopMap, cover, top_map
from vision.drawing.overlap_places import Drawing, shared_places
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates
from vision.evidence import Evidence
from vision.naming.faces import Patches, cut_out
from vision.naming.name_cards import Named
from vision.ordering.edge_witness import DrawnTable, told_by_edges
from vision.ordering.order import (
    FINE,
    LEAST_PLACES,
    ROUGH,
    ROUGH_DENSITY,
    PairEvidence,
    bottom_up,
    compare_at,
    compare_under_others,
)

OVERLAP_MM = 1.0
"""Cards that overlap by less lie beside each other, as the contract's `over` has it."""
MEETING_MM = 1.0
"""Bodies that a gap so wide parts hide nothing of each other, wherever their edges lie exactly."""
EDGE_MM = 0.3
"""Bodies are grown by this much where it is asked what they cover."""
BESIDE_MM = 0.8
"""The same where two cards are looked at beside a third: so near to its edge, which may lie a
little elsewhere, nothing tells of them."""


@dataclass(frozen=True, eq=False)
class Stack:
    """`order` runs from the lowest card to the topmost; `pairs` holds the evidence of who
    lies on whom and `against` the pairs (upper, lower) that had to give way; `patches` are
    the cards cut out where they lie, `top` says which shows at each place, before
    the rules settle anything.
    """

    order: list[int]
    pairs: PairEvidence
    against: list[tuple[int, int]]
    patches: Patches
    top: TopMap


@dataclass(frozen=True, eq=False)
class StackedCards:
    """Cards over one another: what each is, how they lie, and where (N, P) each itself shows, on
    the templates' grid.
    """

    named: Named
    stack: Stack
    visible: Map32


def turned_since(named: Named, before: StackedCards) -> tuple[Bools, Map32]:
    """Which cards (N,) were turned half round since they lay as `before`, and where each shows
    (N, P): what was at one end of a card's grid is at its other end then.
    """
    turned = np.cos(named.poses[:, 2] - before.named.poses[:, 2]) < 0
    if not turned.any():
        return turned, before.visible
    return turned, np.where(turned[:, None], before.visible[:, ::-1], before.visible)


def stack_up(
    evidence: Evidence, named: Named, deck: Deck, templates: Templates, known: Patches | None = None
) -> Stack:
    """Weigh every overlapping pair and sort the cards; `known` are some cut out before."""
    return _stack_up(evidence, named, PrintedDeck(deck, templates), known, False)


def roughly_stacked(
    evidence: Evidence, named: Named, printed: PrintedDeck, known: Patches | None = None
) -> Stack:
    """The same, with an order good enough to look at each card where it shows, and no more."""
    return _stack_up(evidence, named, printed, known, True)


def _stack_up(
    evidence: Evidence, named: Named, printed: PrintedDeck, known: Patches | None, rough: bool
) -> Stack:
    deck, templates = printed.deck, printed.templates
    starts = named.rows >= printed.start_row
    thinning, density = (ROUGH, ROUGH_DENSITY) if rough else (FINE, COVER_DENSITY)
    coverage, near = (
        cover(evidence.raster, named.poses, deck.card, grow_mm, density)
        for grow_mm in (0.0, BESIDE_MM)
    )
    drawing = Drawing(named.poses, named.rows, named.ink, named.haze)
    shared = Meanwhile(partial(shared_places, drawing, coverage, near, thinning, templates))
    patches = cut_out(evidence, named.poses, templates, known)
    deep = _overlapping(named, deck)
    pairs = compare_at(shared.result(), drawing, patches, templates)
    order, against = bottom_up(len(named), _above(pairs, starts))
    silent = _without_evidence(deep, pairs)
    if len(silent) or not (rough or (pairs.clear & ~pairs.mostly_burnt).all()):
        top = top_map(evidence.raster, named.poses, order, deck.card, BESIDE_MM)
        more = compare_under_others(drawing, patches, top, silent, templates)
        told = _merged(pairs, more, silent, len(named))
        if not rough:
            # Of three cards of which no two lie on nobody else alone, a lower one may have passed
            # for what shows: what it seemed to tell is asked once more in the order told since.
            again, _ = bottom_up(len(named), _above(told, starts))
            if len(silent) and again != order:
                top = top_map(evidence.raster, named.poses, again, deck.card, BESIDE_MM)
                more = compare_under_others(drawing, patches, top, silent, templates)
                told = _merged(pairs, more, silent, len(named))
        pairs = told
        if not rough:
            table = DrawnTable(evidence, drawing, coverage, top, deck.card, templates)
            pairs = told_by_edges(pairs, table)
        order, against = bottom_up(len(named), _above(pairs, starts))
    return Stack(order, pairs, against, patches, tops(evidence, named, order, deck))


def _above(pairs: PairEvidence, starts: Bools) -> dict[tuple[int, int], float]:
    """Pairs (upper, lower) with strengths. Where a pair does not tell plainly, one of the cards
    (N,) that start the game lies below: it lay there before the other (S2).
    """
    told = pairs.take(pairs.places >= LEAST_PLACES)
    first, second = (starts[told.pairs[:, k]] & ~told.clear for k in (0, 1))
    on_top = np.where(first | second, second, told.lead > 0)
    above = np.where(on_top[:, None], told.pairs, told.pairs[:, ::-1])
    strength = np.abs(told.lead) * np.sqrt(told.places)
    return {(a, b): s for (a, b), s in zip(above.tolist(), strength.tolist(), strict=True)}


def _overlapping(named: Named, deck: Deck) -> Ints:
    """Pairs (K, 2) of cards that overlap, the earlier first."""
    places = named.poses[:, :3] * [1.0, 1.0, 180 / np.pi]
    cores, _ = cards_upright(deck.card, places)
    reach = float(np.hypot(deck.card.width_mm, deck.card.height_mm))
    first, second = near_pairs(named.poses[:, :2], reach)
    depth = 2 * deck.card.corner_radius_mm - gaps_mm(cores.take(first), cores.take(second))
    deep = depth > OVERLAP_MM
    return np.stack([first[deep], second[deep]], axis=1).astype(np.int64)


def _without_evidence(overlapping: Ints, pairs: PairEvidence) -> Ints:
    """Those of the pairs (K, 2) that overlap of which too little lies on nobody else."""
    told = {tuple(pair) for pair in pairs.pairs[pairs.places >= LEAST_PLACES].tolist()}
    silent = [pair for pair in overlapping.tolist() if tuple(pair) not in told]
    return np.array(silent, np.int64).reshape(-1, 2)


def meeting(poses: FloatArray, others: FloatArray, deck: Deck) -> Bools:
    """Which cards' bodies, at poses (N, 3 or 9), meet any of those at the others (K, 3 or 9), so
    that they may hide something of each other.
    """
    cores, met = (
        cards_upright(deck.card, some[:, :3] * [1.0, 1.0, 180 / np.pi])[0]
        for some in (poses, others)
    )
    own, other = (places.ravel() for places in np.indices((len(poses), len(others))))
    gaps = gaps_mm(cores.take(own), met.take(other)) - 2 * deck.card.corner_radius_mm
    return np.asarray((gaps.reshape(len(poses), len(others)) < MEETING_MM).any(axis=1))


def _merged(pairs: PairEvidence, more: PairEvidence, open_: Ints, count: int) -> PairEvidence:
    """All evidence, one entry a pair; open pairs of which nothing shows say nothing."""
    keys = open_[:, 0] * count + open_[:, 1]
    kept = pairs.take(~np.isin(pairs.pairs[:, 0] * count + pairs.pairs[:, 1], keys))
    silent = open_[~np.isin(keys, more.pairs[:, 0] * count + more.pairs[:, 1])]
    nothing = np.zeros(len(silent), np.int64)
    none = PairEvidence(silent, np.zeros(len(silent)), nothing, nothing)
    return kept.joined(more).joined(none)


def tops(evidence: Evidence, named: Named, order: list[int], deck: Deck) -> TopMap:
    """Which card shows at each place, if they lie in this order."""
    return top_map(evidence.raster, named.poses, order, deck.card, EDGE_MM)
