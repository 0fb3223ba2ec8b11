"""What doubts are raised from, and what another answer would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.rules import Rules
from geometry.score import RoundScore, score_round
from geometry.verdict import Verdict, judge
from vision.arrays import Bools, FloatArray
from vision.drawing.card_edges import Edges, edge_places, where_seen
from vision.drawing.coverage import TopMap
from vision.evidence import Evidence
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.picture import Picture
from vision.ordering.stacking import tops
from vision.reading import Doubt, DoubtKind
from vision.reason import Reason
from vision.reconstruct import Reconstruction
from vision.settling.likelier_faces import laid_cards
from vision.view import TableView

INK_LIKENESS, INK_STRENGTH = 0.94, 0.6
"""Of hue and strength to an ink in play."""
LEAST_COLOUR = 0.98
"""How sure a card's colour must be to be no doubt."""


@dataclass(frozen=True, eq=False)
class DoubtContext:
    """What doubts are raised from: the table as read, its layout, and where it is in the picture.

    `rough` is the view that the raster was made with, in whose millimetres
    `table` is.
    """

    table: Reconstruction
    layout: Layout
    evidence: Evidence
    rough: TableView
    deck: Deck
    rules: Rules

    def at_px(self, table_mm: FloatArray) -> tuple[float, float]:
        """A rough table point in the photograph."""
        x, y = self.rough.to_px(np.asarray(table_mm).reshape(1, 2))[0]
        return float(x), float(y)

    @property
    def middle_mm(self) -> FloatArray:
        """The middle (2,) of all cards, rough table mm: where doubts about the whole table are."""
        return np.asarray(self.table.named.poses[:, :2].mean(axis=0))

    @cached_property
    def score(self) -> RoundScore:
        """The layout's own."""
        return score_of(self.layout, self.rules)

    @cached_property
    def verdicts(self) -> Mapping[int, Verdict]:
        """On the layout as read, by card."""
        return judge(self.layout, self.rules)

    @cached_property
    def inks(self) -> Mapping[str, FloatArray]:
        """Mean ink (3,) of every colour on the table, away from grey."""
        by_colour: dict[str, list[FloatArray]] = {}
        for card in self.layout.cards:
            if card.colour != self.deck.starting_colour.name:
                by_colour.setdefault(card.colour, []).append(self.table.named.ink[card.id])
        return {name: np.median(np.array(inks), axis=0) for name, inks in by_colour.items()}

    @cached_property
    def picture(self) -> Picture:
        """That in which the cards as they are read are weighed."""
        table = self.table
        cards = laid_cards(table.named, table.naming, table.stack)
        if table.picture is not None and table.picture.cards.same_as(cards):
            return table.picture
        size = self.deck.card
        return Picture(self.evidence, cards, size, table.templates, LikelihoodConfig())

    @cached_property
    def top(self) -> TopMap:
        """Which card shows at each place, in rough table mm."""
        return tops(self.evidence, self.table.named, self.table.stack.order, self.deck)

    @cached_property
    def edges(self) -> Edges:
        """Places along all cards' edges, where these are seen."""
        edges = edge_places(self.table.named.poses, self.deck.card)
        return where_seen(self.evidence, edges, self.top, self.deck.card)

    def ink_like(self, places_mm: FloatArray) -> Bools:
        """Where (K, C) the picture, at places (K, 2), has the hue and most of the strength of each
        ink in play.
        """
        raster = self.evidence.raster
        colour = self.evidence.colour_at(raster.to_raster(places_mm)).astype(np.float64)
        away = colour - colour.mean(axis=1, keepdims=True)
        strength = np.linalg.norm(away, axis=1)
        inks = np.array(list(self.inks.values()))
        own = np.linalg.norm(inks, axis=1)
        like = (
            away @ (inks / np.maximum(own, 1e-6)[:, None]).T / np.maximum(strength, 1e-6)[:, None]
        )
        strong = strength[:, None] > np.maximum(INK_STRENGTH * own, 3 * self.evidence.noise)
        return np.asarray((like > INK_LIKENESS) & strong)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """How many cards of each colour lie on the table, the starting card left out."""
        start = self.deck.starting_colour.name
        return Counter(card.colour for card in self.layout.cards if card.colour != start)

    @cached_property
    def equally_many(self) -> bool:
        """Whether all colours on the table, two or more, have as many cards as each other, as all
        players lay (S3, E1); never in a free-for-all, which ends before that (V4).
        """
        alike = len(self.numbers) > 1 and len(set(self.numbers.values())) == 1
        return alike and not self.rules.free_for_all

    @cached_property
    def whole_decks(self) -> bool:
        """Whether each colour on the table lies there with all its faces, each once: a deck has no
        more cards (C1).
        """
        start = self.deck.starting_colour.name
        played = [(card.colour, card.face) for card in self.layout.cards if card.colour != start]
        all_faces = len(self.numbers) * len(self.deck.faces)
        return len(self.numbers) > 0 and len(set(played)) == len(played) == all_faces

    @property
    def none_is_missing(self) -> bool:
        """Whether the numbers of cards say so: one more would be one too many of its colour."""
        counted = self.equally_many or self.whole_decks
        return counted and bool((self.table.naming.confidence >= LEAST_COLOUR).all())

    @property
    def starting_card_seen(self) -> bool:
        """Whether the starting card is among those read."""
        start = self.deck.starting_face.id
        return any(card.face == start for card in self.layout.cards)

    @cached_property
    def counted_out(self) -> bool:
        """Whether the numbers of cards gainsay that a card was missed: none is, and each card read
        plainly shows. One that a lamp washes out, or whose face is open, may be there only because
        its colour lacked a card.
        """
        plain = not self.table.hazed.any() and not any(self.table.choices)
        return self.none_is_missing and plain

    def one_each(self, places: int) -> bool:
        """Whether every colour could have lost a card, one a place: numbers stay equal then."""
        return places >= len(self.numbers)

    @property
    def any_colour(self) -> Mapping[str, int]:
        """The changes of something that could be of any colour on the table."""
        return dict.fromkeys(self.inks, 1)

    def doubt_of(
        self, kind: DoubtKind, card: int | None, at_mm: FloatArray, reason: Reason,
        other: Layout | None,
    ) -> Doubt:  # fmt: skip
        """A doubt whose other answer is the layout `other`; None: that is not known."""
        if other is None:
            return Doubt(kind, card, self.at_px(at_mm), reason)
        first, second = changes(self.score, score_of(other, self.rules))
        return Doubt(kind, card, self.at_px(at_mm), reason, first, second)


def score_of(layout: Layout, rules: Rules) -> RoundScore:
    """Both scores of a layout."""
    return score_round(layout, judge(layout, rules))


def changes(before: RoundScore, after: RoundScore) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """What the second answer changes in either score."""
    return (
        _difference(before.as_it_lies, after.as_it_lies),
        _difference(before.without_illegal, after.without_illegal),
    )


def _difference(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    names = sorted({*before, *after})
    return {
        name: after.get(name, 0) - before.get(name, 0)
        for name in names
        if after.get(name, 0) != before.get(name, 0)
    }


def with_card(layout: Layout, card: Card) -> Layout:
    """The layout with this card as given instead of as read."""
    cards = tuple(card if old.id == card.id else old for old in layout.cards)
    return replace(layout, cards=cards)
