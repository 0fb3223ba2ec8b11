"""Inks that are one are joined, and one in which cards of several have met is dissolved or
parted.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.layout import Card
from geometry.pose import Pose
from tests.vision.model.drawn_table import CARDS, CONFIG, DECK, DrawnTable, drawn_table
from vision.infer.inks import ink_dissolved, ink_parted, inks_joined, partings
from vision.model.ink_hues import ColourHues
from vision.model.score import TableScore, learned_score
from vision.model.table import CardId, Table
from vision.reading_config import ReadingConfig

pytestmark = pytest.mark.slow

HUES = ColourHues.of(DECK, CONFIG)
MORE = (
    Card(5, "red", "circle-1", Pose(215.0, 70.0, 0.0)),
    Card(6, "blue", "square-2", Pose(40.0, 180.0, 20.0)),
)


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return drawn_table()


def named(drawn: DrawnTable, names: dict[int, str]) -> Table:
    """The table with other names for the inks of some cards."""
    cards = (replace(c, ink=c.ink and names.get(c.id, c.ink)) for c in drawn.table.cards)
    return Table(tuple(cards))


def score_of(drawn: DrawnTable, table: Table, config: ReadingConfig = CONFIG) -> TableScore:
    return learned_score(drawn.seen(), table, DECK, config)


def groups(table: Table) -> set[frozenset[CardId]]:
    inks = {card.ink for card in table.cards if card.ink is not None}
    return {frozenset(c.id for c in table.cards if c.ink == ink) for ink in inks}


def test_inks_of_one_card_each_are_joined(drawn: DrawnTable) -> None:
    table = named(drawn, {1: "a", 2: "b", 3: "c", 4: "d"})
    assert groups(inks_joined(score_of(drawn, table), table, HUES)) == groups(drawn.table)


def test_inks_are_joined_though_only_all_together_make_numbers_equal(drawn: DrawnTable) -> None:
    """Joining two of four leaves two colours with fewer cards than the third."""
    table = named(drawn, {1: "a", 2: "b", 3: "c", 4: "d"})
    score = score_of(drawn, table, replace(CONFIG, unequal_cost=30.0))
    assert groups(inks_joined(score, table, HUES)) == groups(drawn.table)


def test_other_inks_stay_apart(drawn: DrawnTable) -> None:
    joined = inks_joined(score_of(drawn, drawn.table), drawn.table, HUES)
    assert groups(joined) == groups(drawn.table)


def test_no_more_inks_are_kept_than_the_deck_has_colours(drawn: DrawnTable) -> None:
    """However unlike they look: a lamp's mirror image makes one ink two."""
    score = score_of(drawn, drawn.table)
    score.faces = replace(score.faces, colours=1)
    assert len(groups(inks_joined(score, drawn.table, HUES))) == 1


def test_an_ink_in_which_cards_of_two_have_met_is_dissolved() -> None:
    drawn = drawn_table((*CARDS, *MORE))
    table = named(drawn, {3: "any", 4: "any"})
    found = ink_dissolved(score_of(drawn, table), table)
    assert groups(found) == groups(drawn.table)
    for card in drawn.table.cards:
        assert found.card(card.id).ink == card.ink


def test_an_ink_of_its_own_is_not_dissolved(drawn: DrawnTable) -> None:
    assert ink_dissolved(score_of(drawn, drawn.table), drawn.table) == drawn.table


def test_an_ink_that_is_paler_on_some_cards_is_one() -> None:
    """Print, gloss and light change how strong an ink is from card to card, not its hue."""
    drawn = drawn_table((*CARDS, *MORE), pale={1: 0.5, 5: 0.5})
    table = named(drawn, {1: "pale", 5: "pale"})
    assert groups(inks_joined(score_of(drawn, table), table, HUES)) == groups(drawn.table)


def test_an_ink_of_another_hue_by_a_little_is_one() -> None:
    """Even if one ink more cost nothing; by nine degrees."""
    drawn = drawn_table((*CARDS, *MORE), hues={1: "#d25c30", 5: "#d25c30"})
    table = named(drawn, {1: "other", 5: "other"})
    score = score_of(drawn, table, replace(CONFIG, ink_cost=0.0))
    assert groups(inks_joined(score, table, HUES)) == groups(drawn.table)


def test_an_ink_in_which_cards_of_two_colours_have_met_is_parted() -> None:
    drawn = drawn_table((*CARDS, *MORE))
    table = named(drawn, dict.fromkeys(range(1, 7), "both"))
    found = ink_parted(score_of(drawn, table), table, HUES)
    assert groups(found) == groups(drawn.table)


def test_an_ink_in_which_three_colours_have_met_is_parted_twice() -> None:
    drawn = drawn_table((*CARDS, *MORE), hues={4: "#3f9b46", 6: "#3f9b46"})
    table = named(drawn, dict.fromkeys(range(1, 7), "all"))
    found = ink_parted(score_of(drawn, table), table, HUES)
    assert groups(found) == {frozenset({1, 3, 5}), frozenset({2}), frozenset({4, 6})}


def test_an_ink_that_is_paler_on_some_cards_is_not_parted() -> None:
    """Though its places are plainly of two kinds: cards of one ink differ so."""
    drawn = drawn_table((*CARDS, *MORE), pale={1: 0.6, 5: 0.6})
    score = score_of(drawn, drawn.table)
    assert ink_parted(score, drawn.table, HUES) == drawn.table
    assert all(parting.gain < -50 for parting in partings(score, drawn.table, HUES, -1e6))
