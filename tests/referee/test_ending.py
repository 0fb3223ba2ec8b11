"""An end is never sure of a name that history or the last picture gainsays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.layout import Card
from geometry.score import score_round
from geometry.verdict import judge
from referee.ending import final_reading
from referee.following import Following
from referee.turns import out_of_turn
from tests.referee.tables import RULES, Change, colours, game, played, read, same

SEEDS = range(1, 6)


def misread(place: int, as_card: Card) -> Change:
    """Reads one card as another of the deck."""

    def change(card: Card) -> Card:
        if card.id != place:
            return card
        return replace(card, colour=as_card.colour, face=as_card.face)

    return change


def followed(seed: int, change: Change, whole_from: int | None = None) -> Following:
    """A game of which one card is misread, until the reading of card `whole_from`."""
    layout = game(seed)
    last = len(layout.cards)
    readings = [
        read(layout, n, change) if whole_from is None or n < whole_from else read(layout, n)
        for n in range(1, last + 1)
    ]
    again = read(layout, last, same if whole_from is not None else change, seed=1)
    return played([*readings, again], colours(layout))[1]


def is_silent(seed: int, state: Following) -> bool:
    """Whether a wrong score is presented as sure."""
    layout, end = game(seed), final_reading(state)
    true = score_round(layout, judge(layout, RULES)).as_it_lies
    return end.sure and dict(end.scores) != dict(true)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_card_read_as_one_that_is_laid_later_is_never_sure_and_wrong(seed: int) -> None:
    layout = game(seed)
    for place in range(1, len(layout.cards) - 1):
        later = layout.cards[place + 1 :]
        same = [one for one in later if one.colour == layout.cards[place].colour]
        for other in same[:2]:
            assert not is_silent(seed, followed(seed, misread(place, other))), (place, other)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_card_misread_while_it_was_whole_is_never_sure_and_wrong(seed: int) -> None:
    layout = game(seed)
    unseen = ("triangle-2", "circle-4", "square-3")
    for place in range(1, len(layout.cards) - 3):  # the last ones are never seen again
        card = layout.cards[place]
        names = {(one.colour, one.face) for one in layout.cards}
        face = next(one for one in unseen if (card.colour, one) not in names)
        change = misread(place, replace(card, face=face))
        assert not is_silent(seed, followed(seed, change, whole_from=place + 3)), (place, face)


def test_a_colour_out_of_turn_is_asked_for_at_the_end() -> None:
    layout = game(1)
    players = colours(layout)
    place = 6
    other = next(name for name in players if name != layout.cards[place].colour)
    spare = replace(layout.cards[place], colour=other, face="triangle-3")
    state = followed(1, misread(place, spare))
    end = final_reading(state)
    assert state.table.cards[place].id in out_of_turn(state.players, state.table, state.rules)
    assert "history-out-of-turn" in [doubt.reason.code for doubt in end.doubts]
    assert (end.sure, end.sure_without_illegal) == (False, False)


def test_turns_in_order_and_unknown_players_raise_no_doubt() -> None:
    layout = game(1)
    readings = [read(layout, n) for n in range(1, len(layout.cards) + 1)]
    for players in (colours(layout), ()):
        state = played(readings, players)[1]
        assert out_of_turn(players, state.table, RULES) == ()


def test_a_name_that_lies_twice_is_doubted_on_both_cards() -> None:
    layout = game(2)
    first, second = 2, 2 + 3
    assert layout.cards[first].colour == layout.cards[second].colour
    state = followed(2, misread(first, layout.cards[second]))
    end = final_reading(state)
    twice = [doubt.card for doubt in end.doubts if doubt.reason.code == "history-name-twice"]
    assert twice == [state.table.cards[first].id, state.table.cards[second].id]
    assert not end.sure
