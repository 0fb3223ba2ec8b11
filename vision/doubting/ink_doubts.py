"""Doubts about ink of another colour on what is read as a card's black or white."""

from __future__ import annotations

from collections.abc import Iterable

from vision.doubting.doubt_context import DoubtContext
from vision.finding.foreign_ink import Inked, foreign_inks
from vision.reading import Doubt
from vision.reason import Reason


def foreign_ink_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """Cards on which another colour's ink shows, unless the numbers of cards say that none was
    missed.
    """
    if scene.none_is_missing or not scene.inks:
        return
    start, table = scene.deck.starting_colour.name, scene.table
    cards = sorted(scene.layout.cards, key=lambda card: card.id)
    colours = ["" if card.colour == start else card.colour for card in cards]
    noise, templates = scene.evidence.noise, table.templates
    inked = Inked(table.named, table.stack, table.visible, colours, noise, templates)
    for card, _, spots in foreign_inks(inked):
        reason = Reason("foreign-ink")
        at_px, changes = scene.at_px(spots.mean(axis=0)), scene.any_colour
        yield Doubt("missing", card, at_px, reason, changes, changes)
