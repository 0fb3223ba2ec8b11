"""Proposals are added by gains, and those that nearly gain are told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.model.drawn_table import (
    CARDS_APART,
    CONFIG,
    DARK,
    DECK,
    DrawnTable,
    drawn_table,
)
from vision.infer.one_card import best_above, best_in_each_ink, best_with
from vision.infer.pool import Pool
from vision.model.score import TableScore, learned_score
from vision.model.table import CardId, Place, PlacedCard, Table
from vision.propose.places import given_places

TOP, NEW = CardId(4), CardId(9)


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return drawn_table()


@pytest.fixture(scope="module")
def fewer(drawn: DrawnTable) -> Table:
    return drawn.table.without(TOP)


def pool_of(drawn: DrawnTable) -> Pool:
    places = [card.place for card in drawn.table.cards]
    return Pool(given_places(drawn.seen(), places, DECK.card, CONFIG))


def score_of(drawn: DrawnTable, **changed: float) -> TableScore:
    return learned_score(drawn.seen(), drawn.table, DECK, replace(CONFIG, **changed))  # type: ignore[arg-type]


def test_what_gains_is_added(drawn: DrawnTable, fewer: Table) -> None:
    pool, score = pool_of(drawn), score_of(drawn)
    table = pool.added(score, fewer)
    assert {card.id for card in table.cards} == {card.id for card in drawn.table.cards}
    assert not list(pool.left_out(score, table))


def test_where_a_dark_table_shows_between_cards_none_lies_under_them() -> None:
    """Its frame would be hidden, and as black as a card is the table between others too."""
    drawn = drawn_table(CARDS_APART, ground=DARK)
    pool = Pool(given_places(drawn.seen(), [Place(105.0, 80.0, 0.0)], DECK.card, CONFIG), [NEW])
    assert pool.added(score_of(drawn), drawn.table) == drawn.table


def test_what_nearly_gains_is_left_out_and_told(drawn: DrawnTable, fewer: Table) -> None:
    """Were a card less likely beforehand by what it gains, and a little."""
    gain = score_of(drawn).total(drawn.table) - score_of(drawn).total(fewer)
    for more, told in ((5.0, [TOP]), (CONFIG.left_out_nats + 5.0, [])):
        score = score_of(drawn, card_cost=CONFIG.card_cost + gain + more)
        pool = pool_of(drawn)
        assert pool.added(score, fewer) == fewer
        found = list(pool.left_out(score, fewer))
        assert [one.card for one in found] == told
        for one in found:
            assert one.gain == pytest.approx(-more, abs=1.0)
            assert TOP in {card.id for card in one.table.cards}


def test_what_taught_that_no_card_looks_so_is_added_unlearned(
    drawn: DrawnTable, fewer: Table
) -> None:
    """Where it gains less than nothing by what the table has taught without it."""
    gains = [best_with(by, fewer, top_of(drawn)).gain for by in taught_by(drawn, fewer)]
    learned, unlearned = gains
    assert unlearned > learned + 200.0
    costs = {"card_cost": CONFIG.card_cost + learned + 100.0}
    score = taught_by(drawn, fewer, **costs)[0]
    pool = pool_of(drawn)
    assert pool.added(score, fewer) == fewer
    table = pool.added_unlearned(score, fewer)
    assert TOP in {card.id for card in table.cards}
    costs = {"card_cost": CONFIG.card_cost + unlearned + 100.0}
    assert pool.added_unlearned(taught_by(drawn, fewer, **costs)[0], fewer) == fewer


def test_only_what_is_bare_is_added_unlearned(drawn: DrawnTable, fewer: Table) -> None:
    score = taught_by(drawn, fewer, added_bare=0.9)[0]
    assert pool_of(drawn).added_unlearned(score, fewer) == fewer
    score = taught_by(drawn, fewer, added_bare=0.7)[0]
    assert pool_of(drawn).added_unlearned(score, fewer) != fewer
    score = taught_by(drawn, fewer, added_trials=0)[0]
    assert pool_of(drawn).added_unlearned(score, fewer) == fewer


def test_a_card_that_lies_elsewhere_is_exchanged_by_what_it_teaches(drawn: DrawnTable) -> None:
    """Though less of its frame shows there, and though it was taken off the table before."""
    top = top_of(drawn)
    off = replace(top, id=CardId(5), place=replace(top.place, x_mm=top.place.x_mm + 7.0))
    places = [*(card.place for card in drawn.table.cards), off.place]
    pool = Pool(given_places(drawn.seen(), places, DECK.card, CONFIG))
    wrong = drawn.table.without(TOP).with_added(off)
    pool.taken({TOP})
    score = learned_score(drawn.seen(), wrong, DECK, CONFIG)
    assert pool.exchanged(score, wrong) == wrong
    assert {card.id for card in pool.exchanged_as_taught(score, wrong).cards} == {
        card.id for card in drawn.table.cards
    }
    (elsewhere,) = pool.elsewhere(score, wrong)
    assert (elsewhere.card, elsewhere.instead) == (TOP, off.id)
    assert elsewhere.gain > 0
    right = score_of(drawn)
    assert pool.exchanged_as_taught(right, drawn.table) == drawn.table
    assert not list(pool.elsewhere(right, drawn.table))


def top_of(drawn: DrawnTable) -> PlacedCard:
    return drawn.table.card(TOP)


def taught_by(drawn: DrawnTable, table: Table, **changed: float) -> tuple[TableScore, TableScore]:
    """The score by what a table teaches, and with no card learned without the top one's places."""
    score = learned_score(drawn.seen(), table, DECK, replace(CONFIG, **changed))  # type: ignore[arg-type]
    return score, score.with_no_card_beside(table, top_of(drawn))


def test_what_plainly_gains_too_little_is_not_weighed(drawn: DrawnTable) -> None:
    """But whatever gains enough is, each card that lies there and one that does not."""
    score, table = score_of(drawn), drawn.table
    beside = replace(table.cards[1], id=CardId(9), place=Place(95.0, 60.0, 40.0))
    for card in (*table.cards, beside):
        rest = table.without(card.id)
        best = best_with(score, rest, card)
        assert best_above(score, rest, card, best.gain) is not None
        again = best_above(score, rest, card, best.gain + 1.0)
        assert again is None or again.gain == best.gain
    assert best_above(score, table, beside, -CONFIG.left_out_nats) is None


def test_the_best_in_each_ink_is_one_of_them(drawn: DrawnTable, fewer: Table) -> None:
    """And the best of these is the best of all."""
    score = score_of(drawn)
    each = best_in_each_ink(score, fewer, top_of(drawn))
    assert [one.table.card(TOP).ink for one in each] == list(score.printing.inks)
    best = best_with(score, fewer, top_of(drawn))
    assert max(one.gain for one in each) == best.gain
    assert best.table in [one.table for one in each]
