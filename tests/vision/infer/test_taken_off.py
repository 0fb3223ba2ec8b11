"""Cards that gain only by what the table has learned with them are taken off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.model.drawn_table import CONFIG as USUAL
from tests.vision.model.drawn_table import DECK, DrawnTable, drawn_table, patched
from vision.infer.inks import learned_again
from vision.infer.moves import removal
from vision.infer.one_card import worth
from vision.infer.pool import Pool
from vision.infer.taken_off import removal_as_taught, taken_off, without_least_ink
from vision.model.hypothesis import Hypothesis
from vision.model.score import TableScore, learned_score
from vision.model.table import CardId, Place, PlacedCard, Table
from vision.propose.places import given_places
from vision.reading_config import ReadingConfig

pytestmark = pytest.mark.slow
CONFIG = replace(USUAL, ink_cost=40.0)
"""An ink costs so little that two cards in one of their own gain by one printing."""
PATCH = (60, 75, 45)
"""What the table looks like where the false cards lie, and nowhere else."""
FALSE = (
    PlacedCard(CardId(5), Place(225.0, 60.0, 0.0), Hypothesis("square-6"), "false"),
    PlacedCard(CardId(6), Place(232.0, 75.0, 90.0), Hypothesis("circle-6"), "false"),
)
NONE: frozenset[CardId] = frozenset()


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    """A table with a patch that looks as nothing else does."""
    return patched(drawn_table(), slice(40, 260), slice(370, None), PATCH)


@pytest.fixture(scope="module")
def more(drawn: DrawnTable) -> Table:
    """The true cards and the false ones."""
    return Table((*drawn.table.cards, *FALSE))


def score_of(drawn: DrawnTable, table: Table, config: ReadingConfig = CONFIG) -> TableScore:
    return learned_again(learned_score(drawn.seen(config), table, DECK, config), table)


def test_false_cards_gain_by_what_they_teach_themselves(drawn: DrawnTable, more: Table) -> None:
    score = score_of(drawn, more)
    assert min(worth(score, more, card) for card in FALSE) > 10.0


def test_cards_that_do_not_lie_there_are_taken_off_and_no_others(
    drawn: DrawnTable, more: Table
) -> None:
    assert taken_off(score_of(drawn, more), more, NONE) == drawn.table
    assert taken_off(score_of(drawn, drawn.table), drawn.table, NONE) == drawn.table


def test_all_cards_of_an_ink_that_do_not_lie_there_are_taken_off_at_once(
    drawn: DrawnTable, more: Table
) -> None:
    true = drawn.table
    assert without_least_ink(score_of(drawn, more), more, NONE) == true
    assert without_least_ink(score_of(drawn, true), true, NONE) == true
    assert without_least_ink(score_of(drawn, more), more, {FALSE[0].id}) == more


def test_cards_that_are_kept_are_not_taken_off(drawn: DrawnTable, more: Table) -> None:
    kept = {card.id for card in more.cards}
    assert taken_off(score_of(drawn, more), more, kept) == more


def test_a_table_without_false_cards_is_likelier_by_what_each_teaches(
    drawn: DrawnTable, more: Table
) -> None:
    """What lies under them is then what the table looks like; by one printing they gain."""
    with_false, without = (score_of(drawn, table) for table in (more, drawn.table))
    assert without.total(drawn.table) > with_false.total(more) + 10.0
    assert with_false.total(more) > with_false.total(drawn.table) + 50.0


def test_what_was_taken_off_is_not_added_again_but_told_of(drawn: DrawnTable, more: Table) -> None:
    """As what it would lose by what it teaches."""
    proposals = given_places(drawn.seen(), [c.place for c in more.cards], DECK.card, CONFIG)
    score = score_of(drawn, more)
    assert len(Pool(proposals).added(score, drawn.table).cards) > len(drawn.table.cards)
    pool = Pool(proposals)
    pool.taken(card.id for card in FALSE)
    assert pool.added(score, drawn.table) == drawn.table
    assert pool.added_unlearned(score, drawn.table) == drawn.table
    told = list(pool.left_out(score_of(drawn, drawn.table), drawn.table))
    assert {one.card for one in told} == {card.id for card in FALSE}
    assert max(one.gain for one in told) < -5.0


def test_a_card_that_gains_little_is_weighed_by_what_either_table_teaches(
    drawn: DrawnTable,
) -> None:
    more = Table((*drawn.table.cards, FALSE[0]))
    score = score_of(drawn, more, replace(CONFIG, ink_cost=20.0))
    false, true = FALSE[0], drawn.table.cards[-1]
    gone = removal_as_taught(score, more, false)
    assert gone.table == drawn.table
    assert removal(score, more, false).gain < -10.0
    assert gone.gain > 0.0
    assert removal_as_taught(score, more, true).gain == removal(score, more, true).gain
