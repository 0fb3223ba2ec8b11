"""Orders of cards, and tables as layouts."""

from __future__ import annotations

import pytest

from tests.vision.model.drawn_table import CARDS, DECK, drawn_table
from vision.model.hypothesis import Hypothesis
from vision.model.table import CardId, Table, table_of, with_hypothesis


@pytest.fixture
def table() -> Table:
    return drawn_table().table


def ids(table: Table) -> list[int]:
    return [int(card.id) for card in table.cards]


def test_a_card_is_moved_just_over_and_just_under_another(table: Table) -> None:
    assert ids(table.moved_just_over(CardId(1), CardId(3))) == [0, 2, 3, 1, 4]
    assert ids(table.moved_just_over(CardId(4), CardId(0))) == [0, 4, 1, 2, 3]
    assert ids(table.moved_just_under(CardId(3), CardId(1))) == [0, 3, 1, 2, 4]
    assert ids(table.without(CardId(2))) == [0, 1, 3, 4]
    added = table.without(CardId(2)).with_added(table.card(CardId(2)), below=CardId(0))
    assert ids(added) == [2, 0, 1, 3, 4]
    assert ids(table.without(CardId(2)).with_added(table.card(CardId(2)))) == [0, 1, 3, 4, 2]


def test_a_card_that_does_not_lie_there_is_a_mistake(table: Table) -> None:
    with pytest.raises(KeyError):
        table.rank(CardId(77))


def test_a_table_is_the_layout_it_was_made_of(table: Table) -> None:
    assert table.layout(DECK).cards == CARDS


def test_a_turned_card_lies_half_round(table: Table) -> None:
    card = with_hypothesis(table.cards[1], Hypothesis("square-5", turned=True))
    assert card.pose.angle_deg == table.cards[1].pose.angle_deg + 180.0


def test_the_starting_card_has_no_ink() -> None:
    (start, *rest) = table_of(drawn_table().table.layout(DECK), [0.0] * 5).cards
    assert start.ink is None
    assert {card.ink for card in rest} == {"red", "blue"}
