"""Every card exists once: two equal ones after a correction mean that one of them is wrong."""

from collections import Counter

from geometry.layout import Card, Layout
from vision.assemble import middle_px
from vision.reading import Doubt, SeenTable
from vision.reason import Reason


def twin_doubts(as_seen: Layout, now: SeenTable) -> tuple[Doubt, ...]:
    """A doubt on every card that a correction made equal to another.

    What the pixels showed twice is the reader's affair, and has its own doubt.
    """
    seen = Counter(_name(card) for card in as_seen.cards)
    here = Counter(_name(card) for card in now.layout.cards)
    twice = {name for name, count in here.items() if count > max(1, seen[name])}
    outlines = {card.id: card.outline_px for card in now.cards}
    return tuple(
        _doubt(card, now.layout, middle_px(outlines[card.id]))
        for card in now.layout.cards
        if _name(card) in twice
    )


def _name(card: Card) -> tuple[str, str]:
    return card.colour, card.face


def _doubt(card: Card, layout: Layout, at_px: tuple[float, float]) -> Doubt:
    value = layout.deck.face(card.face).value
    stake = {card.colour: -value} if value else {}
    return Doubt(
        kind="face",
        card=card.id,
        at_px=at_px,
        reason=Reason("twice-now", {"colour": card.colour, "face": card.face}),
        changes_scores_by=stake,
        changes_scores_without_illegal_by=stake,
    )
