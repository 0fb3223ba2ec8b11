"""Things told over the cards that lie there since earlier pictures and hide no card.

A printed cloth or a newspaper that touches the cards, a coaster beside them: what does not move and
covers nothing is not the hand that a game waits for.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from vision.reading import Doubt, Reading

Outline = tuple[tuple[float, float], ...]
"""The corners of a thing, pixels (x, y)."""

REMEMBERED = 3
"""For so many pictures. The arm of a player comes back later: two pictures a turn, two players."""
SAME_SHARE = 0.8
"""So much of a thing has to have been told before; outlines differ with the cards they touch."""
TOUCHED = 0.1
"""Of a card's area: what covers less of all cards together touches them and hides nothing."""

CARD_OVER = "something-over-cards"
"""The doubt that says that something lies over the cards."""


def things(reading: Reading | None) -> tuple[Outline, ...]:
    """What a reading told to lie over the cards."""
    doubts = () if reading is None else reading.doubts
    return tuple(tuple(doubt.outline_px) for doubt in doubts if doubt.reason.code == CARD_OVER)


def remembered(
    told: Sequence[tuple[Outline, ...]], reading: Reading | None
) -> tuple[tuple[Outline, ...], ...]:
    """What the last pictures told, one more among them."""
    return (*told, things(reading))[-REMEMBERED:]


def waited_for(reading: Reading, told: Sequence[tuple[Outline, ...]]) -> bool:
    """Whether a reading has something over the cards that has come since the pictures in `told`, or
    that hides a part of a card.
    """
    before = unary_union([_shape(one) for picture in told for one in picture])
    cards = [Polygon(card.outline_px).convex_hull for card in reading.cards]
    return any(
        not _lies_since(doubt, before, cards)
        for doubt in reading.doubts
        if doubt.reason.code == CARD_OVER
    )


def _lies_since(doubt: Doubt, before: BaseGeometry, cards: Sequence[BaseGeometry]) -> bool:
    thing = _shape(doubt.outline_px)
    if thing.area == 0 or not cards:
        return False
    card_px2 = sum(card.area for card in cards) / len(cards)
    hidden = thing.intersection(unary_union(cards)).area
    known = thing.intersection(before).area
    return bool(hidden <= TOUCHED * card_px2 and known >= SAME_SHARE * thing.area)


def _shape(outline_px: Sequence[tuple[float, float]]) -> BaseGeometry:
    """The area within an outline, empty where it has none."""
    return Polygon(outline_px if len(outline_px) > 2 else ()).convex_hull
