"""A table as it may lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NewType

import numpy as np

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from vision.arrays import FloatArray
from vision.model.hypothesis import Hypothesis

CardId = NewType("CardId", int)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies: its middle in table mm, its angle in degrees (clockwise), its height."""

    x_mm: float
    y_mm: float
    angle_deg: float
    height_mm: float = 0.0

    @property
    def pose(self) -> Pose:
        """The pose of a card that lies here front up, its height aside."""
        return Pose(self.x_mm, self.y_mm, self.angle_deg)


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card that lies somewhere. `ink` names its colour; None: the starting card has none."""

    id: CardId
    place: Place
    hypothesis: Hypothesis
    ink: str | None

    @property
    def pose(self) -> Pose:
        """The pose in which `geometry` knows it, height aside."""
        turn = 180.0 if self.hypothesis.turned else 0.0
        place = self.place
        return Pose(place.x_mm, place.y_mm, place.angle_deg + turn, self.hypothesis.mirrored)


@dataclass(frozen=True, slots=True)
class Table:
    """Cards in an order in which they may have been laid, the lowest first.

    Of cards that do not touch the order means nothing.
    """

    cards: tuple[PlacedCard, ...]

    def card(self, card_id: CardId) -> PlacedCard:
        """The card with this id. KeyError if there is none."""
        for card in self.cards:
            if card.id == card_id:
                return card
        raise KeyError(card_id)

    def with_card(self, card: PlacedCard) -> Table:
        """The table with another card in the place of that with its id."""
        return Table(tuple(card if other.id == card.id else other for other in self.cards))

    def without(self, card_id: CardId) -> Table:
        """The table with a card taken off."""
        return Table(tuple(card for card in self.cards if card.id != card_id))

    def with_added(self, card: PlacedCard, below: CardId | None = None) -> Table:
        """The table with one more card: just below another one, or on top."""
        at = len(self.cards) if below is None else self.rank(below)
        return Table((*self.cards[:at], card, *self.cards[at:]))

    def rank(self, card_id: CardId) -> int:
        """How many cards come before this one. KeyError if it does not lie there."""
        for rank, card in enumerate(self.cards):
            if card.id == card_id:
                return rank
        raise KeyError(card_id)

    def moved_just_over(self, card_id: CardId, other: CardId) -> Table:
        """The table with a card taken out of the order and put just over another one."""
        rest = self.without(card_id)
        at = rest.rank(other) + 1
        return Table((*rest.cards[:at], self.card(card_id), *rest.cards[at:]))

    def moved_just_under(self, card_id: CardId, other: CardId) -> Table:
        """The table with a card taken out of the order and put just under another one."""
        return self.without(card_id).with_added(self.card(card_id), other)

    def layout(self, deck: Deck) -> Layout:
        """The table as `geometry` judges it."""
        colour = deck.starting_colour.name
        cards = (Card(c.id, c.ink or colour, c.hypothesis.face, c.pose) for c in self.cards)
        return Layout(deck, tuple(cards))


def as_array(places: Iterable[Place]) -> FloatArray:
    """Places as an array (N, 3): x and y in mm, degrees; their heights are left out."""
    rows = [(place.x_mm, place.y_mm, place.angle_deg) for place in places]
    return np.array(rows, np.float64).reshape(-1, 3)


def table_of(layout: Layout, heights_mm: Iterable[float]) -> Table:
    """A layout as a table, each card at its height."""
    start = layout.deck.starting_face.id
    cards = []
    for card, height in zip(layout.cards, heights_mm, strict=True):
        pose = card.pose
        place = Place(pose.x_mm, pose.y_mm, pose.angle_deg, height)
        cards.append(
            PlacedCard(CardId(card.id), place, Hypothesis(start), None)
            if card.face == start
            else PlacedCard(
                CardId(card.id), place, Hypothesis(card.face, pose.mirrored), card.colour
            )
        )
    return Table(tuple(cards))


def with_hypothesis(card: PlacedCard, hypothesis: Hypothesis) -> PlacedCard:
    """The same card with another face, side or turn."""
    return replace(card, hypothesis=hypothesis)


def with_ink(card: PlacedCard, ink: str) -> PlacedCard:
    """The same card in another ink."""
    return replace(card, ink=ink)
