"""The order of turns tells colours apart that a reading takes for one, and no others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.layout import Card
from geometry.rules import Rules
from referee.ending import final_reading
from referee.following import Following, begin, follow
from tests.referee.tables import DECK, Change, colours, game, played, read, same
from vision.reading import Doubt, Reading
from vision.reason import Reason

LAYOUT = game(1)
FIRST, SECOND, THIRD = PLAYERS = colours(LAYOUT)
CARDS = len(LAYOUT.cards)


def merged(was: str, read_as: str) -> Change:
    """All cards of one colour read as of another."""

    def change(card: Card) -> Card:
        return replace(card, colour=read_as) if card.colour == was else card

    return change


def pictures(change: Change, until: int = CARDS) -> list[Reading]:
    return [read(LAYOUT, number, change) for number in range(1, until + 1)]


def named(state: Following) -> list[tuple[str, str]]:
    return [card.name for card in state.table.cards]


TRUE = [(card.colour, card.face) for card in LAYOUT.cards]


def test_a_colour_that_is_never_read_is_told_by_whose_turn_it_was() -> None:
    state = played(pictures(merged(SECOND, FIRST)), PLAYERS)[1]
    assert named(state) == TRUE
    again = read(LAYOUT, CARDS, merged(SECOND, FIRST), seed=1)
    assert final_reading(follow(state, again)[1]).sure


def test_without_turns_the_reading_is_believed() -> None:
    for players, rules in (((), Rules()), (PLAYERS, Rules(free_for_all=True))):
        state = begin(DECK, rules, players)
        for reading in pictures(merged(SECOND, FIRST), 6):
            _, state = follow(state, reading)
        assert SECOND not in {colour for colour, _ in named(state)}


def test_what_turns_tell_is_not_sure_of_a_single_card() -> None:
    said, state = played(pictures(merged(SECOND, FIRST), 3), PLAYERS)
    assert [one.sure for one in said[-1]] == [False]
    doubts = [doubt.reason.code for doubt in final_reading(state).doubts]
    assert "history-by-turn" in doubts or "history-out-of-turn" in doubts


def test_a_reading_that_doubts_the_colour_needs_less() -> None:
    unclear = Doubt(
        "colour", None, (0.0, 0.0), Reason("colours-unclear", {"colour": FIRST, "rival": SECOND})
    )
    first = [*pictures(same, 2), read(LAYOUT, 3, merged(SECOND, FIRST), (unclear,))]
    events, state = played(first, PLAYERS)
    assert named(state) == TRUE[:3]
    assert [one.sure for one in events[-1]] == [False]


def test_a_card_laid_out_of_turn_keeps_its_colour_where_both_colours_are_read() -> None:
    def twice(card: Card) -> Card:
        """The fifth card is another of the fourth one's colour."""
        return replace(card, colour=THIRD, face="circle-6") if card.id == 4 else card

    said, state = played(pictures(twice, 5), PLAYERS)
    assert state.table.cards[4].name[0] == THIRD
    assert said[-1][0].notes == ("out_of_turn",)


def test_colours_that_are_told_apart_later_are_as_they_are_read() -> None:
    """Somebody lays two in the first round, and the colour that was skipped comes afterwards."""

    def skipped(card: Card) -> Card:
        return replace(card, colour=FIRST, face="circle-6") if card.id == 2 else card

    later = [read(LAYOUT, 6, skipped, seed=seed) for seed in range(3)]
    state = played([*pictures(skipped, 5), *later], PLAYERS)[1]
    assert state.table.cards[2].name == (FIRST, "circle-6")


def test_of_two_laid_together_it_is_not_clear_which_is_which() -> None:
    change = merged(SECOND, FIRST)
    readings = [read(LAYOUT, number, change) for number in (1, 3, 4, 5, 6, 7)]
    state = played([*readings, read(LAYOUT, 7, change, seed=1)], PLAYERS)[1]
    assert not final_reading(state).sure


def test_a_picture_that_takes_a_known_colour_for_another_changes_no_name() -> None:
    readings = [*pictures(same, 8), read(LAYOUT, 8, merged(SECOND, FIRST), seed=1)]
    said, state = played(readings, PLAYERS)
    assert named(state) == TRUE[:8]
    assert [one.kind for one in said[-1]] == ["nothing"]


@pytest.mark.parametrize("turns", [PLAYERS, PLAYERS[:1]])
def test_a_reading_in_order_is_left_as_it_is(turns: tuple[str, ...]) -> None:
    assert played(pictures(same, 7), turns)[1].by_turn == {}
