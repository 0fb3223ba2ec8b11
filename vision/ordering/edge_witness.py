"""Who lies on top, by edges: the upper card's runs across the lower one.

Where glare or haze covers an overlap the drawings no longer tell. The edge still does: each card
mirrors a lamp in its own way, so along the upper one's edge the picture steps, however bright both
sides are, and a lamp's own glow has no edge just there. Of a card that lies under the other no edge
shows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.card_edges import straight_edges
from vision.drawing.coverage import Coverage, TopMap
from vision.drawing.overlap_places import Drawing, on_card
from vision.drawing.pose_fit import place, turned_each
from vision.drawing.templates import Templates
from vision.evidence import Evidence, sample
from vision.ordering.order import PairEvidence

SPACING_MM = 0.5
ACROSS_MM = np.array([-2.1, -1.6, -1.1, -0.6, 0.6, 1.1, 1.6, 2.1])
"""Places across an edge, outwards: within the card's own band, and as far beyond. Two each make one
value; the middle two values say what steps, the others what is even."""
NEIGHBOURS = (-2, -1, 0, 1, 2)
"""Along the edge, taken together against noise."""
INSIDE_MM = 1.5
"""So far inside the other card's own edge, at least."""
LEAST_PLAIN = 0.2
"""What the other card draws there varies by less: its lines and dots step as well."""
STEEPER, NOISES, LEAST_NOISE = 3.0, 3.0, 1.0
"""A step is so many times higher than what changes on either side, and so much above the noise:
glare falls off evenly."""
LEAST_STEPS_MM, LEAST_SHARE = 8.0, 0.5
"""Of an upper card's edge that steps, and of what can be seen of it."""
MOST_OTHER_MM, MOST_OTHER_SHARE = 2.0, 0.1
"""Of the other card's edge: more would mean that something else lies there."""


@dataclass(frozen=True, eq=False)
class DrawnTable:
    """The picture and what would be seen in it: all the cards' `bodies`, what they draw, and who
    shows at each place (`top`) by the order known so far.
    """

    evidence: Evidence
    drawing: Drawing
    bodies: Coverage
    top: TopMap
    card: CardSize
    templates: Templates


def told_by_edges(pairs: PairEvidence, table: DrawnTable) -> PairEvidence:
    """The pairs, and for those that are not clear, or mostly burnt, what an edge tells, where one
    does.
    """
    open_ = np.flatnonzero(~pairs.clear | pairs.mostly_burnt)
    if len(open_) == 0:
        return pairs
    first, second = pairs.pairs[open_].T
    own, other = np.concatenate([first, second]), np.concatenate([second, first])
    seen, steps = (length.reshape(2, -1) for length in edges_seen(own, other, table))
    share = steps / np.maximum(seen, SPACING_MM)
    plain = (steps >= LEAST_STEPS_MM) & (share >= LEAST_SHARE)
    none = (steps <= MOST_OTHER_MM) & (share <= MOST_OTHER_SHARE)
    on_top = plain & none[::-1]
    places = np.rint(steps.max(axis=0) / SPACING_MM * len(ACROSS_MM)).astype(np.int64)
    lead = on_top[0].astype(np.float64) - on_top[1]
    told = lead != 0
    return pairs.told_anew(open_[told], lead[told], places[told])


def edges_seen(own: Ints, other: Ints, table: DrawnTable) -> tuple[FloatArray, FloatArray]:
    """How many mm (K,) of the edges of cards `own` (K,) would plainly show if they lay on the cards
    `other` (K,), and along how many of them the picture steps.
    """
    evidence, drawing = table.evidence, table.drawing
    edge, side = straight_edges(table.card, SPACING_MM, SPACING_MM)
    at = place(drawing.poses[own], edge.places_mm)
    outwards = turned_each(drawing.poses[own, 2], edge.normals)
    of, along = np.nonzero(_inside(other[:, None], at, table))
    across = at[of, along, None] + outwards[of, along, None] * ACROSS_MM[:, None]
    telling = _alone(own[of], other[of], across, table)
    telling &= _plain(other[of], across, table)
    of, along, across = of[telling], along[telling], across[telling]
    colour = sample(evidence.raster.image_bgr, evidence.raster.to_raster(across))
    values = np.zeros((*at.shape[:2], len(ACROSS_MM) // 2, 3), np.float32)
    values[of, along] = (colour[:, ::2] + colour[:, 1::2]) / 2
    usable = np.zeros(at.shape[:2], np.bool_)
    # Outside the photograph there is nothing.
    usable[of, along] = colour.max(axis=2).min(axis=1, initial=255.0) > 0
    values, usable = _evened(values, usable, side)
    change = np.linalg.norm(np.diff(values, axis=2), axis=3)
    even = np.maximum(change[..., 0], change[..., 2])
    high = change[..., 1] > STEEPER * even + NOISES * max(evidence.noise, LEAST_NOISE)
    return usable.sum(axis=1) * SPACING_MM, (usable & high).sum(axis=1) * SPACING_MM


def _inside(card_of: Ints, at_mm: FloatArray, table: DrawnTable) -> Bools:
    """Whether places (..., 2) lie well inside the cards (...)."""
    index, on_it = _places_on(card_of, at_mm, table)
    most = np.array([table.card.width_mm, table.card.height_mm]) / 2 - INSIDE_MM
    return np.asarray(on_it & (np.abs(table.templates.grid_mm[index]) < most).all(axis=-1))


def _plain(other: Ints, across: FloatArray, table: DrawnTable) -> Bools:
    """Where (M,) the other card (M,) draws nothing across an edge (M, 8, 2)."""
    templates = table.templates
    index, _ = _places_on(other[:, None], across, table)
    at = table.drawing.rows[other][:, None] * len(templates.grid_mm) + index
    varies = [np.ptp(np.take(drawn, at), axis=1) for drawn in (templates.white, templates.ink)]
    plain = (np.maximum(*varies) < LEAST_PLAIN) & ~np.take(templates.marks, index).any(axis=1)
    return np.asarray(plain & _inside(other[:, None], across, table).all(axis=1))


def _alone(own: Ints, other: Ints, across: FloatArray, table: DrawnTable) -> Bools:
    """Where (M,) one of the two cards shows all across an edge (M, 8, 2), and no third one has its
    own edge there, above them or below.
    """
    shows = table.top.at(across)
    either = (shows == own[:, None] + 1) | (shows == other[:, None] + 1)
    count = table.bodies.count_at(across).astype(np.int64)
    within = ACROSS_MM < 0
    third = count - within
    return np.asarray(either.all(axis=1) & (np.ptp(third, axis=1) == 0))


def _places_on(card_of: Ints, at_mm: FloatArray, table: DrawnTable) -> tuple[Ints, Bools]:
    """Indices (...) on the templates' grid of places (..., 2) as they lie on cards, which broadcast
    to (...), and whether they lie on the grid.
    """
    drawing = table.drawing
    card_of = np.broadcast_to(card_of, at_mm.shape[:-1])
    away = np.ascontiguousarray(at_mm - drawing.poses[card_of, :2]).view(np.complex128)
    index, on_it = on_card(drawing, card_of.ravel(), away.ravel(), table.templates)
    return index.reshape(card_of.shape), on_it.reshape(card_of.shape)


def _evened(values: Map32, usable: Bools, side: Ints) -> tuple[Map32, Bools]:
    """Values (K, E, 4, 3) with those of their neighbours along the same side, and where all of them
    are usable (K, E).
    """
    total, all_usable = np.zeros_like(values), usable.copy()
    for step in NEIGHBOURS:
        total += np.roll(values, step, axis=1)
        all_usable &= np.roll(usable, step, axis=1) & (np.roll(side, step) == side)
    return total / np.float32(len(NEIGHBOURS)), all_usable
