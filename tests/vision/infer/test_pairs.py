"""Two cards that lie on one another are tried the other way round."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.layout import Card
from geometry.pose import Pose
from tests.vision.model.drawn_table import CONFIG, DECK, DrawnTable, drawn_table
from vision.infer.moves import flip_moves
from vision.infer.pairs import NearMiss, flipped, flipped_as_taught
from vision.model.score import TableScore, learned_score
from vision.model.table import CardId, Table
from vision.reading_config import ReadingConfig

PAIR = LOWER, UPPER = CardId(1), CardId(2)


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return drawn_table()


@pytest.fixture(scope="module")
def wrong(drawn: DrawnTable) -> Table:
    return drawn.table.moved_just_under(UPPER, LOWER)


def score_of(drawn: DrawnTable, table: Table, config: ReadingConfig = CONFIG) -> TableScore:
    return learned_score(drawn.seen(), table, DECK, config)


def over(table: Table) -> bool:
    return table.rank(UPPER) > table.rank(LOWER)


def test_a_pair_is_turned_over_where_that_gains(drawn: DrawnTable, wrong: Table) -> None:
    score = score_of(drawn, drawn.table)
    assert not over(wrong)
    assert over(flipped(score, wrong, {UPPER}, {}))


def test_only_a_pair_of_which_one_is_asked_is_tried(drawn: DrawnTable, wrong: Table) -> None:
    score = score_of(drawn, drawn.table)
    assert flipped(score, wrong, set(), {}) == wrong


def test_what_lies_on_the_lower_one_goes_over_the_other_with_it(drawn: DrawnTable) -> None:
    """Though it touches both."""
    score, start = score_of(drawn, drawn.table), CardId(0)
    wrong = drawn.table.moved_just_over(start, UPPER)
    assert all(score.prints.touch(wrong.card(start).place, wrong.card(c).place) for c in PAIR)
    found = flipped(score, wrong, {LOWER}, {})
    assert found.rank(start) < found.rank(LOWER) < found.rank(UPPER)


def test_what_the_upper_one_lies_on_goes_under_the_other_with_it() -> None:
    """Where what lies on the lower one must not go along: that touches a card below as well."""
    cards = (
        Card(0, "red", "circle-5", Pose(100.0, 110.0, 0.0)),
        Card(1, "blue", "square-2", Pose(145.0, 80.0, 90.0)),
        Card(2, "red", "square-4", Pose(150.0, 130.0, 0.0)),
        Card(3, "blue", "square-3", Pose(175.0, 185.0, 90.0)),
    )
    drawn = drawn_table(cards)
    order = [CardId(2), CardId(3), CardId(0), CardId(1)]
    wrong = Table(tuple(drawn.table.card(one) for one in order))
    score = score_of(drawn, drawn.table)
    found = flipped(score, wrong, {CardId(1)}, {})
    assert [found.rank(CardId(k)) for k in range(4)] == [0, 1, 2, 3]
    moves = flip_moves(score, wrong, wrong.card(CardId(2)), wrong.card(CardId(1)), 0.0)
    gain = score.total(drawn.table) - score.total(wrong)
    assert max(move.gain for move in moves) == pytest.approx(gain, rel=1e-4)


def test_pairs_that_lose_little_and_teach_much_are_remembered(drawn: DrawnTable) -> None:
    found = missed_by(drawn, replace(CONFIG, taught_nats=1e4))
    one = found[frozenset((LOWER, UPPER))]
    assert (one.lower, one.upper) == (LOWER, UPPER)
    assert 0 < one.lost < 1e4
    less = missed_by(drawn, replace(CONFIG, taught_nats=one.lost - 1))
    assert 0 < len(less) < len(found)
    assert frozenset((LOWER, UPPER)) not in less
    assert not missed_by(drawn, replace(CONFIG, taught_nats=1e4, taught_mm2=1e4))


def missed_by(drawn: DrawnTable, config: ReadingConfig) -> dict[frozenset[CardId], NearMiss]:
    missed: dict[frozenset[CardId], NearMiss] = {}
    asked = {card.id for card in drawn.table.cards}
    score = score_of(drawn, drawn.table, config)
    assert flipped(score, drawn.table, asked, missed) == drawn.table
    return missed


def test_a_pair_is_turned_over_by_what_it_teaches_then(drawn: DrawnTable, wrong: Table) -> None:
    """And stays as it is where that is not likelier."""
    miss = NearMiss(UPPER, LOWER, 1.0)
    assert over(flipped_as_taught(score_of(drawn, wrong), wrong, [miss]))
    right = NearMiss(LOWER, UPPER, 1.0)
    score = score_of(drawn, drawn.table)
    assert flipped_as_taught(score, drawn.table, [right]) == drawn.table
    none = replace(CONFIG, taught_trials=0)
    assert flipped_as_taught(score_of(drawn, wrong, none), wrong, [miss]) == wrong
