"""What the picture tells little of is what is likelier by the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.rules import RULE_NAMES, Rules
from tests.vision.model.drawn_table import CONFIG, DECK, DrawnTable, drawn_table, patched
from vision.infer.moves import MoveKind
from vision.infer.taken_off import removal_as_taught
from vision.model.hypothesis import Hypothesis
from vision.model.score import TableScore, learned_score
from vision.model.table import CardId, Place, PlacedCard, Table
from vision.posterior.lain import Named
from vision.posterior.settled_by_rules import settled_by_rules
from vision.reading_config import ReadingConfig

ANYWHERE = Rules(off=frozenset(RULE_NAMES))
"""No placement is illegal."""
FALSE = PlacedCard(CardId(5), Place(225.0, 60.0, 0.0), Hypothesis("square-6"), "red")


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    """A table with a red patch, where a card is taken to lie."""
    return patched(drawn_table(), slice(20, 220), slice(370, None), (40, 40, 90))


def score_of(drawn: DrawnTable, table: Table, config: ReadingConfig = CONFIG) -> TableScore:
    return learned_score(drawn.seen(config), table, DECK, config)


@pytest.mark.parametrize(("gain", "gone"), [(2.0, True), (-2.0, False)])
def test_a_card_is_taken_off_where_that_is_likelier_and_told_of(
    drawn: DrawnTable, gain: float, gone: bool
) -> None:
    """By what the table teaches without it; it is a doubt that it lies there, or that it does
    not.
    """
    table = Table((*drawn.table.cards, FALSE))
    named = Named({c.id: c.pose for c in table.cards}, {"red": "red", "blue": "blue"}, DECK, None)
    gained = removal_as_taught(score_of(drawn, table), table, FALSE).gain
    cost = CONFIG.card_cost - gained + gain
    config = replace(CONFIG, card_cost=cost, taken_nats=1000.0)
    found, found_else = settled_by_rules(score_of(drawn, table, config), table, named, ANYWHERE)
    assert found == (drawn.table if gone else table)
    kind = MoveKind.ADD if gone else MoveKind.REMOVE
    (other,) = (o for o in found_else.others if o.move.kind is kind and o.move.card == FALSE.id)
    assert other.log_odds == pytest.approx(-2.0, abs=0.3)
