"""What of the known cards is in plain sight, and what lies on what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from shapely.geometry import Polygon
from shapely.ops import unary_union

from geometry.pose import Pose
from referee.known_table import KnownTable
from vision.together.matching import Matching

PLAIN_SHARE = 0.3
"""Of a card's area: where as much of it shows, a reading misses it only if something lies over it
or it is gone."""
TOUCH_MM = 1.0
"""Cards whose outlines share less than this depth do not lie on each other."""


def missed_in_sight(table: KnownTable, found: Matching) -> tuple[int, ...]:
    """Known cards that the reading lacks though enough of them would show, under the known cards
    that it has where it has them, and under its new ones.
    """
    corners = table.deck.card.corners_mm
    above = [_outline(found.poses[k], corners) for k in found.new]
    places = {card: found.poses[read] for card, read in found.pairs.items()}
    out = []
    for card_id in found.missing:
        order = [one.id for one in table.cards]
        own = _outline(table.card(card_id).pose, corners)
        over = [
            _outline(places.get(one.id, one.pose), corners)
            for one in table.cards[order.index(card_id) + 1 :]
        ]
        if own.difference(unary_union([*over, *above])).area > PLAIN_SHARE * own.area:
            out.append(card_id)
    return tuple(out)


def is_free(table: KnownTable, card_id: int, but: Collection[int] = ()) -> bool:
    """Whether nothing lies on a card, the cards in `but` aside."""
    place = [one.id for one in table.cards].index(card_id)
    corners = table.deck.card.corners_mm
    own = _outline(table.cards[place].pose, corners).buffer(-TOUCH_MM)
    return not any(
        own.intersects(_outline(one.pose, corners))
        for one in table.cards[place + 1 :]
        if one.id not in but
    )


def can_be_taken(table: KnownTable, cards: Iterable[int]) -> tuple[int, ...]:
    """Those of some cards on which nothing lies but others of them that can be taken, the topmost
    first.
    """
    asked, taken = set(cards), list[int]()
    for one in reversed(table.cards):
        if one.id in asked and is_free(table, one.id, taken):
            taken.append(one.id)
    return tuple(taken)


def shared_mm2(table: KnownTable, pose: Pose, other: Pose) -> float:
    """The area that two cards at these poses share."""
    corners = table.deck.card.corners_mm
    return float(_outline(pose, corners).intersection(_outline(other, corners)).area)


def _outline(pose: Pose, corners_mm: Sequence[tuple[float, float]]) -> Polygon:
    return Polygon(pose.to_table(np.array(corners_mm)))
