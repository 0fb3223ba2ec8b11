"""Which card lies over which, for a whole table: pairs weighed, then one order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.coverage import TopMap, cover, top_map
from vision.evidence import Evidence
from vision.faces import Patches, cut_out
from vision.name_cards import Named, top_weight
from vision.order import Drawing, PairEvidence, bottom_up, compare_pairs
from vision.templates import Templates

LEAST_PLACES = 6
"""Template places in which two cards must differ before they say who lies on top."""
EDGE_MM = 0.3
"""Bodies are grown by this much where it is asked what they cover."""


@dataclass(frozen=True, eq=False)
class Stack:
    """`order` runs from the lowest card to the topmost; `pairs` holds the evidence of who
    lies on whom and `against` the pairs (upper, lower) that had to give way; `patches` are
    the cards cut out where they lie.
    """

    order: list[int]
    pairs: PairEvidence
    against: list[tuple[int, int]]
    patches: Patches


def stack_up(evidence: Evidence, named: Named, deck: Deck, templates: Templates) -> Stack:
    """Weigh every overlapping pair and sort the cards."""
    patches = cut_out(evidence, named.poses, templates)
    coverage = cover(evidence.raster, named.poses, deck.card)
    drawing = Drawing(named.poses, named.rows, named.ink)
    pairs = compare_pairs(drawing, patches, coverage, templates)
    above = {
        (int(a), int(b)) if lead > 0 else (int(b), int(a)): abs(float(lead)) * np.sqrt(places)
        for (a, b), lead, places in zip(pairs.pairs, pairs.lead, pairs.places, strict=True)
        if places >= LEAST_PLACES
    }
    order, against = bottom_up(len(named), above)
    return Stack(order, pairs, against, patches)


def tops(evidence: Evidence, named: Named, stack: Stack, deck: Deck) -> TopMap:
    """Which card shows at each place."""
    return top_map(evidence.raster, named.poses, stack.order, deck.card, EDGE_MM)


def showing(
    evidence: Evidence, named: Named, stack: Stack, deck: Deck, templates: Templates
) -> NDArray[np.float32]:
    """1 (N, P) where each card itself shows, on the templates' grid."""
    return top_weight(named.poses, tops(evidence, named, stack, deck), templates)
