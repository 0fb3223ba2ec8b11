"""Something over the cards makes both scores unsure: one doubt, in place of those it causes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.over_cards.known_cards import KnownCard
from vision.over_cards.over_cards import OverCards, find_over_cards
from vision.reading import Doubt, SeenTable
from vision.reason import Reason
from vision.view import TableView

OVER_CARDS = "something-over-cards"
BESIDE_MM = 25.0
"""Doubts so near to what lies over the cards come from it."""
COUNTING = frozenset({"cards-too-few", "start-not-seen"})
"""Codes of doubts about cards that are missing somewhere: a thing over the cards may hide them."""
WHOLE_TABLE = frozenset({"table", "verdict"})
"""Kinds of doubts that do not come from what lies over the cards."""


def with_things_over(
    seen: SeenTable, image_bgr: NDArray[np.uint8], view: TableView, deck: Deck
) -> SeenTable:
    """A table as it was seen in a picture (H, W, 3), with a doubt for each thing that lies over its
    cards; doubts at that place are left out, as they say nothing more.
    """
    things = find_over_cards(image_bgr, view, _known(seen), deck)
    if not things:
        return seen
    ids = [card.id for card in seen.layout.cards]
    near_px = BESIDE_MM * seen.scale_px_per_mm
    left = tuple(d for d in seen.doubts if not any(_told(d, t, ids, near_px) for t in things))
    return replace(seen, doubts=(*_doubts(seen, things), *left))


def _known(seen: SeenTable) -> list[KnownCard]:
    """The cards, the lowest first."""
    outlines = {card.id: np.array(card.outline_px) for card in seen.cards}
    return [
        KnownCard(card.face, card.colour, card.pose.mirrored, outlines[card.id])
        for card in seen.layout.cards
    ]


def _doubts(seen: SeenTable, things: Sequence[OverCards]) -> Iterable[Doubt]:
    """Any colour in play may have dots under each thing, up to those of its best card."""
    deck = seen.layout.deck
    most = max(face.value for face in deck.faces)
    start = deck.starting_colour.name
    changes = {card.colour: most for card in seen.layout.cards if card.colour != start}
    changes = changes or {colour.name: most for colour in deck.colours}
    for thing in things:
        outline = tuple((float(x), float(y)) for x, y in thing.outline_px)
        yield Doubt(
            "table", None, thing.middle_px, Reason(OVER_CARDS), changes, changes,
            outline_px=outline,
        )  # fmt: skip


def _told(doubt: Doubt, thing: OverCards, ids: Sequence[int], near_px: float) -> bool:
    """Whether a doubt says no more than that this thing lies there."""
    if doubt.kind in WHOLE_TABLE:
        return False
    if doubt.reason.code in COUNTING:
        return True
    if doubt.card is not None and doubt.card in {ids[index] for index in thing.cards}:
        return True
    outline = np.asarray(thing.outline_px, np.float32).reshape(-1, 1, 2)
    return bool(cv2.pointPolygonTest(outline, doubt.at_px, True) > -near_px)
