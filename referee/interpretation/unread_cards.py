"""Known cards that a reading did not know again, and took for something else.

Few cards in poor light: a coloured card is taken for the starting card, and the starting card, for
which no name is left, for a thing that lies over the cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from referee.interpretation.lying_since import CARD_OVER, things
from referee.known_table import KnownTable
from vision.reading import Doubt, Reading
from vision.together.matching import Matching

SAME_SHARE = 0.75
"""Of what two outlines cover together both cover so much where they are one card's; a hand or a cup
of the size and the place of a card's visible part is not known."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A reading without what known cards explain, and the matching without the cards that do."""

    reading: Reading
    found: Matching


def explained(table: KnownTable, reading: Reading, found: Matching) -> Explained:
    """Things told over the cards that have the outline of a known card that the
    reading lacks are that card, in its place. Where that is the starting card, what was read as
    the starting card is another, of which the reading says nothing.
    """
    doubts, unread = list[Doubt](), set[int]()
    parts = list(_not_read_px(table, found, reading)) if things(reading) else []
    for doubt in reading.doubts:
        card = _card_of(doubt, parts) if doubt.reason.code == CARD_OVER else None
        if card is None:
            doubts.append(doubt)
        else:
            unread.add(card)
    start = table.deck.starting_face.id
    no_start = any(table.card(one).name[1] == start for one in unread)
    strays = {card.id for card in reading.cards if no_start and card.face == start}
    found = replace(
        found,
        pairs={card: read for card, read in found.pairs.items() if read not in strays},
        missing=tuple(one for one in found.missing if one not in unread),
        new=tuple(one for one in found.new if one not in strays),
    )
    return Explained(replace(reading, doubts=tuple(doubts)), found)


def _card_of(doubt: Doubt, parts: Iterable[tuple[int, BaseGeometry]]) -> int | None:
    """The known card, missed by the reading, which a told thing is; None if none. `parts`: what of
    each none that was read covers.
    """
    if len(doubt.outline_px) < 3:
        return None
    thing = Polygon(doubt.outline_px).convex_hull
    for card_id, part in parts:
        if any(_is_one(thing, shape) for shape in (part, part.convex_hull)):
            return card_id
    return None


def _is_one(thing: BaseGeometry, part: BaseGeometry) -> bool:
    both = thing.intersection(part).area
    return bool(both >= SAME_SHARE * thing.union(part).area)


def _not_read_px(
    table: KnownTable, found: Matching, reading: Reading
) -> Iterator[tuple[int, BaseGeometry]]:
    """Of each known card that the reading lacks, what none that it has covers, in its pixels."""
    corners = np.array(table.deck.card.corners_mm)
    outlines = {card.id: card.outline_px for card in reading.cards}
    if not outlines:
        return
    mm = np.concatenate([found.poses[one].to_table(corners) for one in outlines])
    to_px, _ = cv2.findHomography(mm, np.concatenate([np.array(px) for px in outlines.values()]))
    if to_px is None:
        return
    read = unary_union([Polygon(px) for px in outlines.values()])
    for card_id in found.missing:
        lies = table.card(card_id).pose.to_table(corners)
        own = Polygon(cv2.perspectiveTransform(lies[None], to_px)[0])
        yield card_id, own.difference(read)
