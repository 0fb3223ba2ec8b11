"""The starting card is found where it lies, by what it alone teaches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.model.drawn_table import CONFIG, DECK, DrawnTable, drawn_table
from vision.infer.pool import Pool
from vision.infer.start import start_found, start_moved
from vision.model.score import TableScore, learned_score
from vision.model.table import CardId, Place, Table
from vision.propose.places import Proposal

pytestmark = pytest.mark.slow
ASIDE = 9.0


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return drawn_table()


def moved_aside(drawn: DrawnTable) -> Table:
    """The table with its starting card a little aside, where another proposal was taken for it."""
    start = drawn.table.cards[0]
    place = replace(start.place, x_mm=start.place.x_mm + ASIDE)
    return drawn.table.with_card(replace(start, place=place))


def pool_of(drawn: DrawnTable, share: float) -> Pool:
    """The cards' numbers, of which the starting card's shows little of its frame, and one more that
    lies where it truly lies.
    """
    places = [moved_aside(drawn).card(card.id).place for card in drawn.table.cards]
    shares = [0.7, *([1.0] * (len(places) - 1))]
    proposals = [Proposal(*one) for one in zip(places, shares, strict=True)]
    return Pool([*proposals, Proposal(drawn.table.cards[0].place, share)])


def start_place(table: Table) -> Place:
    (start,) = (card for card in table.cards if card.ink is None)
    return start.place


def score_of(drawn: DrawnTable, table: Table) -> TableScore:
    return learned_score(drawn.seen(), table, DECK, CONFIG)


def test_a_starting_card_that_lies_beside_its_place_is_moved(drawn: DrawnTable) -> None:
    table = moved_aside(drawn)
    found = start_moved(score_of(drawn, table), table, pool_of(drawn, 0.9))
    assert start_place(found) == drawn.table.cards[0].place
    assert len(found.cards) == len(table.cards)
    assert found.cards[0].id == CardId(len(table.cards))


def test_a_starting_card_that_lies_right_stays(drawn: DrawnTable) -> None:
    pool = Pool(
        [Proposal(c.place, 0.7) for c in drawn.table.cards]
        + [Proposal(moved_aside(drawn).cards[0].place, 0.9)]
    )
    found = start_moved(score_of(drawn, drawn.table), drawn.table, pool)
    assert start_place(found) == drawn.table.cards[0].place


def test_what_shows_less_than_the_card_that_lies_there_is_not_asked(drawn: DrawnTable) -> None:
    table = moved_aside(drawn)
    score = score_of(drawn, table)
    start = table.cards[0]
    assert pool_of(drawn, 0.6).beside(score, table, start) == []
    pool = pool_of(drawn, 0.9)
    assert [place for _, place in pool.beside(score, table, start)] == [drawn.table.cards[0].place]
    assert pool.beside(score, table, start) == []


def test_a_card_that_is_black_to_its_edge_is_found_to_be_the_starting_card(
    drawn: DrawnTable,
) -> None:
    start = drawn.table.cards[0]
    player = replace(start, hypothesis=drawn.table.cards[3].hypothesis, ink="red")
    table = drawn.table.with_card(player)
    found = start_found(score_of(drawn, table), table)
    assert [card.id for card in found.cards if card.ink is None] == [start.id]
