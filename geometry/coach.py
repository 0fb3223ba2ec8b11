"""Where a card could go, and what each place would cover and gain, best first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from geometry.layout import Card, Layout
from geometry.moves import Placement, legal_placements
from geometry.rectangles import cards_upright, past_bodies_mm, places_of
from geometry.rules import Rules
from geometry.score import scores, without_illegal
from geometry.showing import visible_dots
from geometry.verdict import judge

Dots = Mapping[str, int]
"""Numbers of dots by colour; a colour with none is left out."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A legal place for a card. `covers`: which visible dots it hides, on whichever cards.

    `gain`: how the score without illegal cards (E2) changes, by colour; the card's own dots are
    part of it. `safe_dots`: dots on the shape that covers, which no later card can cover.
    """

    placement: Placement
    covers: Dots
    gain: Dots
    safe_dots: int


def suggestions(layout: Layout, colour: str, face_id: str, rules: Rules) -> tuple[Suggestion, ...]:
    """Every exact fit of a card, either side up, that `judge` calls legal, best first.

    First comes what gains most for the card's own colour, then what takes most from others, then
    what leaves most of its own dots safe. Empty where nothing fits (T6). KeyError if the deck has
    no such colour or face.
    """
    layout.deck.colour(colour)
    face = layout.deck.face(face_id)
    ways = legal_placements(layout, colour, face_id, rules)
    if not ways:
        return ()
    number = max(card.id for card in layout.cards) + 1
    cards = [Card(number, colour, face_id, way.pose) for way in ways]
    cleared = without_illegal(layout, judge(layout, rules))
    covered = _covered(layout, cards)
    lost = covered if len(cleared.cards) == len(layout.cards) else _covered(cleared, cards)
    found = [
        Suggestion(
            way, dots, _changes(colour, face.value, gone), len(face.shapes[way.shape_of].dots_mm)
        )
        for way, dots, gone in zip(ways, covered, lost, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: _worth(one, colour), reverse=True))


def _worth(suggestion: Suggestion, colour: str) -> tuple[int, int, int]:
    own = suggestion.gain.get(colour, 0)
    others = sum(dots for name, dots in suggestion.gain.items() if name != colour)
    return own, -others, suggestion.safe_dots


def _changes(colour: str, value: int, lost: Dots) -> Dots:
    """What a score changes by, where so many dots come and those are lost."""
    changes = Counter({colour: value})
    changes.subtract(lost)
    return {name: dots for name, dots in changes.items() if dots}


def _covered(layout: Layout, cards: Sequence[Card]) -> list[Dots]:
    """For each card that could be laid, the dots that count and would no longer, by colour."""
    before = visible_dots(layout)
    radius = layout.deck.dot_diameter_mm / 2
    colours, dots = [], []
    for card in layout.cards:
        for dot, shows in zip(layout.deck.face(card.face).dots_mm, before[card.id], strict=True):
            if shows:
                colours.append(card.colour)
                dots.append(card.pose.to_table(np.array([dot]))[0])
    if not dots:
        return [{} for _ in cards]
    size = layout.deck.card
    cores, _ = cards_upright(size, places_of([card.pose for card in cards]))
    past = past_bodies_mm(cores, size.corner_radius_mm, np.array(dots)[None])
    under = past <= -radius
    is_cut = np.asarray(np.any(np.abs(past) < radius, axis=1))
    return [
        _counted_again(layout, before, card) if cut
        else dict(Counter(colours[dot] for dot in np.flatnonzero(hidden)))
        for card, hidden, cut in zip(cards, under, is_cut, strict=True)
    ]  # fmt: skip


def _counted_again(layout: Layout, before: Mapping[int, tuple[bool, ...]], card: Card) -> Dots:
    """The same for one card, whose edge runs across a dot: the whole table is counted."""
    after = visible_dots(layout.laid_on_top(card))
    had, has = scores(layout, before), scores(layout, after)
    return {name: dots - has[name] for name, dots in had.items() if dots != has[name]}
