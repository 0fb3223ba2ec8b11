"""Where little shows of a card, those that lie exactly on it tell where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.spread import PoseSpread, even_spread
from geometry.verdict import judge
from vision.model.table import CardId
from vision.posterior.laid_on import moved_by, told_by_those_on_them
from vision.reading_config import ReadingConfig

DECK, RULES, CONFIG = published_deck(), Rules(), ReadingConfig()
TRULY = Pose(100.0, 80.0, 20.0)
BESIDE = np.array([1.0, -0.6, 0.8])
"""So far from where it truly lies the starting card is said to lie, mm, mm and degrees."""
SEEN = even_spread(0.13, 0.1)
START = CardId(0)


def players_cards(number: int) -> list[Card]:
    """Cards that lie exactly on the starting card, on shapes of it that lie apart."""
    start = Card(START, DECK.starting_colour.name, DECK.starting_face.id, TRULY)
    cards: list[Card] = []
    for face in DECK.faces:
        for found in legal_placements(Layout(DECK, (start, *cards)), "red", face.id, RULES):
            if found.on == START and len(cards) < number:
                cards.append(Card(len(cards) + 1, "red", face.id, found.pose))
                break
    return cards


def told(cards: Sequence[Card], start: PoseSpread) -> dict[CardId, tuple[list[float], PoseSpread]]:
    said = Card(START, DECK.starting_colour.name, DECK.starting_face.id, moved_by(TRULY, BESIDE))
    layout = Layout(DECK, (said, *cards))
    spreads = {CardId(card.id): SEEN for card in cards} | {START: start}
    found = told_by_those_on_them(layout, judge(layout, RULES), spreads, CONFIG)
    return {card: (moved.tolist(), spread) for card, (moved, spread) in found.items()}


OPEN = even_spread(CONFIG.same_mm, CONFIG.same_deg)


def test_cards_that_lie_on_one_of_which_nothing_shows_tell_where_it_lies() -> None:
    moved, spread = told(players_cards(3), OPEN)[START]
    assert moved == pytest.approx(-BESIDE, abs=0.2)
    matrix = spread.matrix
    assert 0.1 < np.sqrt(matrix[0, 0]) < 1.5 * CONFIG.laid_mm
    assert 0.1 < np.sqrt(matrix[2, 2]) < CONFIG.laid_deg


def test_what_shows_where_it_lies_is_not_moved() -> None:
    assert not told(players_cards(3), SEEN)


def test_one_card_alone_may_lie_anywhere() -> None:
    assert not told(players_cards(1), OPEN)


def test_where_one_lies_beside_its_shape_none_is_believed() -> None:
    cards = players_cards(3)
    slipped = replace(cards[-1], pose=moved_by(cards[-1].pose, np.array([3.5, 0.0, 0.0])))
    assert START in told(cards[:-1], OPEN)
    assert not told([*cards[:-1], slipped], OPEN)
