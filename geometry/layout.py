"""A table as it lies: cards at poses, and which lies over which."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from geometry.deck import Deck
from geometry.pose import Pose


@dataclass(frozen=True, slots=True)
class Card:
    """One card on the table. `id` is unique in a layout; colour and face name the deck's.

    `in_sight_mm`: corners, in the table frame, of what of the table round the card a picture of
    it shows, three or more, or none where it shows nothing there: dots outside do not count. None:
    all is in sight.
    """

    id: int
    colour: str
    face: str
    pose: Pose
    in_sight_mm: tuple[tuple[float, float], ...] | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """Cards over one another.

    `cards` runs from the lowest to the topmost: an order in which they could
    have been laid. Two cards that do not overlap have no knowable order (K1);
    their order in `cards` then means nothing. `play_area_mm` is (width,
    height) from the table frame's origin, or None where it is not known.
    """

    deck: Deck
    cards: tuple[Card, ...]
    play_area_mm: tuple[float, float] | None = None

    def card(self, card_id: int) -> Card:
        """The card with this id. KeyError if there is none."""
        for card in self.cards:
            if card.id == card_id:
                return card
        raise KeyError(card_id)

    def without(self, card_ids: Iterable[int]) -> Layout:
        """The layout with these cards taken off (E2, T9)."""
        gone = frozenset(card_ids)
        kept = tuple(card for card in self.cards if card.id not in gone)
        return Layout(self.deck, kept, self.play_area_mm)

    def laid_on_top(self, card: Card) -> Layout:
        """The layout with one more card, laid over everything. ValueError if its id is taken."""
        if any(other.id == card.id for other in self.cards):
            raise ValueError(f"card id {card.id} is already on the table")
        return Layout(self.deck, (*self.cards, card), self.play_area_mm)
