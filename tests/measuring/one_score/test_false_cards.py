"""Places where no card lies."""

from __future__ import annotations

import numpy as np

from geometry.rules import Rules
from geometry.verdict import judge
from measuring.one_score.false_cards import APART_MM, false_cards
from tests.vision.model.drawn_table import DECK, drawn_table
from vision.model.hypothesis import hypotheses_of
from vision.model.table import Table, with_hypothesis


def test_false_cards_lie_exactly_beside_one_and_never_on_it() -> None:
    table = Table(drawn_table().table.cards[:3])
    found = list(false_cards(table, DECK, 30, np.random.default_rng(5)))
    assert len(found) > 15
    for card, on in found:
        for other in table.cards:
            off = np.hypot(card.place.x_mm - other.place.x_mm, card.place.y_mm - other.place.y_mm)
            assert off >= APART_MM
        assert card.id not in {other.id for other in table.cards}
        assert table.card(on).place.height_mm == card.place.height_mm


def test_some_of_what_may_lie_there_is_legal_on_the_card_below() -> None:
    """The place is exact for one face or another: laid alone on that card, it is legal."""
    table = Table(drawn_table().table.cards[1:2])
    (card, _), *_ = false_cards(table, DECK, 30, np.random.default_rng(5))
    legal = []
    for hypothesis in hypotheses_of(DECK)[:-1]:
        layout = table.with_added(with_hypothesis(card, hypothesis)).layout(DECK)
        verdict = judge(layout, Rules())[int(card.id)]
        legal.append(verdict.status == "legal" and verdict.covers is not None)
    assert any(legal)
