"""Which cards a card touches, how deep, and how their shapes lie to each other."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely

from geometry.deck import Deck, Shape
from geometry.fitting import Fit, nearest_fits
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rectangles import (
    Floats,
    Indices,
    Rectangles,
    cards_upright,
    depths_inside_mm,
    near_pairs,
    places_of,
    reaches_inside,
)

FARTHEST_FIT_MM = 15.0
"""Equal shapes whose corners lie farther apart than this were not meant for each other."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A card below, seen from the card above that touches it.

    `depth_mm`: how far the upper card's body reaches past the lower one's white line.
    `fit`: the nearest pair of equal shapes, None where there is none. `overhang_mm`: how far
    what the two frames share reaches past the lower card's shape of that pair, 0 where the
    shapes were not meant for each other.
    """

    card: Card
    depth_mm: float
    fit: Fit | None
    overhang_mm: float

    @property
    def fit_mm(self) -> float:
        """The corner distance of the nearest pair of shapes, infinite where there is none."""
        return math.inf if self.fit is None else self.fit.offset_mm

    @property
    def meant(self) -> bool:
        """Whether the shapes lie so near each other that one was meant to cover the other."""
        return self.fit_mm <= FARTHEST_FIT_MM


def touches(
    layout: Layout, deeper_than_mm: float, of: Collection[int] | None = None
) -> dict[int, list[Touch]]:
    """For every card the cards below whose white line it reaches past by more, lowest first.

    `of`: the ids of the cards that are asked about; all of them by default.
    """
    size = layout.deck.card
    cores, frames = cards_upright(size, places_of([card.pose for card in layout.cards]))
    lower, upper = near_pairs(cores.middles_mm, math.hypot(size.width_mm, size.height_mm))
    if of is not None:
        asked = np.array([card.id in of for card in layout.cards], np.bool_)[upper]
        lower, upper = lower[asked], upper[asked]
    radius = size.corner_radius_mm
    met = reaches_inside(cores.take(upper), radius, frames.take(lower), deeper_than_mm)
    pairs = [(layout.cards[i], layout.cards[j]) for i, j in np.stack([lower, upper], 1)[met]]
    found: dict[int, list[Touch]] = {card.id: [] for card in layout.cards}
    for (_, above), touch in zip(pairs, touches_of(layout.deck, pairs), strict=True):
        found[above.id].append(touch)
    return found


def touches_of(deck: Deck, pairs: Sequence[tuple[Card, Card]]) -> list[Touch]:
    """How the second card of each pair touches the first, below it; 0 deep where it does not."""
    if not pairs:
        return []
    size = deck.card
    lowers, uppers = ([pair[k] for pair in pairs] for k in (0, 1))
    _, frames = cards_upright(size, places_of([card.pose for card in lowers]))
    cores, others = cards_upright(size, places_of([card.pose for card in uppers]))
    depths = depths_inside_mm(cores, size.corner_radius_mm, frames)
    below, above = (
        [(deck.face(card.face), card.pose) for card in cards] for cards in (lowers, uppers)
    )
    fits = nearest_fits(below, above)
    overhangs = _overhangs_mm(deck, lowers, (frames, others), fits)
    return [
        Touch(card, float(depth), fit, overhang)
        for card, depth, fit, overhang in zip(lowers, depths, fits, overhangs, strict=True)
    ]


def _overhangs_mm(
    deck: Deck, lowers: Sequence[Card], frames: tuple[Rectangles, Rectangles],
    fits: list[Fit | None],
) -> list[float]:  # fmt: skip
    """How far what the `frames` of each pair share, the lower cards' and the upper ones', reaches
    past the lower card's shape.
    """
    past = np.zeros(len(fits))
    meant = [k for k, fit in enumerate(fits) if fit and fit.offset_mm <= FARTHEST_FIT_MM]
    if not meant:
        return past.tolist()
    below, above = (np.asarray(shapely.polygons(one.corners_mm()[meant])) for one in frames)
    points, owner = shapely.get_coordinates(shapely.intersection(below, above), return_index=True)
    cards = [lowers[k] for k in meant]
    shapes = [
        deck.face(card.face).shapes[fits[k].shape_on]  # type: ignore[union-attr]
        for card, k in zip(cards, meant, strict=True)
    ]
    np.maximum.at(past, np.array(meant)[owner], _past_sides_mm(points, owner, shapes, cards))
    return past.tolist()


def _past_sides_mm(
    points_mm: Floats, owner: Indices, shapes: list[Shape], cards: list[Card]
) -> Floats:
    """How far points (N, 2) lie past the farthest side of their `owner`'s (N,) shape."""
    matrices = np.stack([card.pose.matrix() for card in cards])[owner]
    card_mm = np.einsum("nd,ndc->nc", points_mm - matrices[:, :, 2], matrices[:, :, :2])
    sides = [_sides(shape) for shape in shapes]
    outwards = np.stack([outward for outward, _ in sides])[owner]
    offsets = np.stack([offset for _, offset in sides])[owner]
    return np.asarray((np.einsum("nd,nsd->ns", card_mm, outwards) - offsets).max(axis=1))


def past_shape_mm(points_mm: Floats, shape: Shape, pose: Pose) -> float:
    """How far the farthest of the points (N, 2) lies past one of the shape's sides.

    Measured square to that side, so a card that slipped by so much is past by as much and no
    more: beyond a sharp corner the plain distance would grow faster than the slip.
    """
    outwards, offsets = _sides(shape)
    past = pose.to_card(points_mm) @ outwards.T - offsets
    return float(past.max(initial=0.0))


@lru_cache(maxsize=1024)
def _sides(shape: Shape) -> tuple[Floats, Floats]:
    """A shape's sides: unit vectors outwards (4, 2) and how far out they lie (4,), card frame.

    A triangle's last side stands twice.
    """
    corners = np.array(shape.outline_mm)
    sides = np.roll(corners, -1, axis=0) - corners
    outwards = np.stack([sides[:, 1], -sides[:, 0]], axis=1)
    outwards /= np.linalg.norm(outwards, axis=1, keepdims=True)
    if (outwards * (corners - corners.mean(axis=0))).sum() < 0:
        outwards = -outwards
    offsets = (outwards * corners).sum(axis=1)
    four = [0, 1, 2, len(corners) - 1]
    return outwards[four], offsets[four]
