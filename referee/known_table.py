"""The table as it is known from all readings so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from vision.reading import Corners

Name = tuple[str, str]
"""A card's colour and face, of which a deck has one each (C1)."""


class Side(NamedTuple):
    """A way in which a card may lie, how much the readings speak for it, and how many do (one that
    doubts the card's name counts half).
    """

    pose: Pose
    votes: float
    readings: float


@dataclass(frozen=True, slots=True)
class KnownCard:
    """One card on the table. `pose` is in the frame of the first reading.

    `votes`: how much all readings together speak for each name, a reading in which the card lies
    free and many others tell the inks counting most; `named` is a name that a person gave, which no
    reading changes. `sides`: the ways up and round in which the readings that agree with its name
    have it, `pose` one of them.
    `told`: how many readings gave it each name, and `here` how many saw it since it was laid or
    moved; one that doubts its name counts half.
    `readings`: of how many its pose is the mean, since it was last moved. `laid_with`: the same
    number for cards that were laid before one reading and after the last, in whatever order.
    `outline_px` and `confidence` are of the last reading that saw it.
    """

    id: int
    name: Name
    pose: Pose
    votes: Mapping[Name, float]
    outline_px: Corners
    confidence: float
    named: bool = False
    sides: tuple[Side, ...] = ()
    told: Mapping[Name, float] = field(default_factory=dict)
    here: float = 0.0
    readings: int = 1
    laid_with: int = 0

    @property
    def lead(self) -> float:
        """By how much the votes for its name exceed those for any other."""
        others = [vote for name, vote in self.votes.items() if name != self.name]
        return self.votes.get(self.name, 0.0) - max(others, default=0.0)


@dataclass(frozen=True, slots=True)
class KnownTable:
    """The cards in the order in which they were laid (K1), lowest first.

    `scale_px_per_mm` and `play_area_mm` are those of the first reading.
    """

    deck: Deck
    cards: tuple[KnownCard, ...] = ()
    play_area_mm: tuple[float, float] | None = None
    scale_px_per_mm: float = 1.0
    next_id: int = field(default=0)

    def card(self, card_id: int) -> KnownCard:
        """The card with this id. KeyError if there is none."""
        for card in self.cards:
            if card.id == card_id:
                return card
        raise KeyError(card_id)

    @property
    def layout(self) -> Layout:
        """The cards as a layout to judge and count, with the same ids."""
        cards = tuple(Card(one.id, *one.name, one.pose) for one in self.cards)
        return Layout(self.deck, cards, self.play_area_mm)

    def with_card(self, card: KnownCard) -> KnownTable:
        """The table with one card as given instead of as known, in its place in the order."""
        cards = tuple(card if one.id == card.id else one for one in self.cards)
        return replace(self, cards=cards)

    def laid(self, card: KnownCard) -> KnownTable:
        """The table with one more card on top, whose id is `next_id`."""
        return replace(self, cards=(*self.cards, card), next_id=self.next_id + 1)

    def put_below(self, card_id: int, other: int) -> KnownTable:
        """The table with one card just below another in the order, and nothing else changed."""
        card = self.card(card_id)
        rest = [one for one in self.cards if one.id != card_id]
        place = [one.id for one in rest].index(other)
        return replace(self, cards=(*rest[:place], card, *rest[place:]))

    def put_back(self, card: KnownCard, place: int) -> KnownTable:
        """The table with a card that lay on it before, at its place in the order."""
        return replace(self, cards=(*self.cards[:place], card, *self.cards[place:]))

    def without(self, card_id: int) -> KnownTable:
        """The table with one card taken off."""
        return replace(self, cards=tuple(one for one in self.cards if one.id != card_id))
