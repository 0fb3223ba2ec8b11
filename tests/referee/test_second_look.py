"""An end is not sure of what one reading alone showed; a second one that agrees makes it so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.layout import Card
from referee.ending import final_reading
from referee.following import Following
from referee.history import Named, ReadAt, begun, done
from referee.second_look import looked_again, seen_once
from tests.referee.tables import (
    DECK,
    OVER,
    RULES,
    Change,
    Without,
    colours,
    game,
    moved,
    played,
    read,
    same,
)
from vision.reading import Doubt, Reading
from vision.reason import Reason

LAST = 9
FACE = Doubt("face", 46, (0.0, 0.0), Reason("face-unclear"), {"red": 1}, {"red": 1})


def codes(state: Following) -> list[str]:
    return [doubt.reason.code for doubt in final_reading(state).doubts]


def as_face(place: int, face: str) -> Change:
    def change(card: Card) -> Card:
        return replace(card, face=face) if card.id == place else card

    return change


def until_last(change: Change = same) -> list[Reading]:
    """A picture a card; `change` is what the last one reads otherwise."""
    layout = game(1)
    return [*(read(layout, n) for n in range(1, LAST)), read(layout, LAST, change)]


def test_a_card_that_one_reading_named_is_doubted_until_a_second_agrees() -> None:
    layout = game(1)
    *readings, once = until_last()
    assert len(seen_once(played([*readings, once], colours(layout))[1].table)) == 1
    assert not final_reading(played([*readings, once], colours(layout))[1]).sure
    twice = played([*readings, once, read(layout, LAST, seed=1)], colours(layout))[1]
    assert seen_once(twice.table) == ()
    assert final_reading(twice).sure


def test_two_readings_that_doubt_a_name_are_as_one() -> None:
    layout, doubts = game(1), (FACE,)
    early = [read(layout, n) for n in range(1, 7)]
    doubted = [read(layout, 7, doubts=doubts, seed=k) for k in range(2)]
    (card,) = seen_once(played([*early, *doubted], colours(layout))[1].table)
    assert card == 6
    more = [*early, *doubted, *(read(layout, 7, doubts=doubts, seed=k) for k in (2, 3))]
    assert seen_once(played(more, colours(layout))[1].table) == ()


def test_a_card_moved_in_the_last_picture_has_to_be_seen_there_again() -> None:
    layout, place = game(1), LAST - 1
    anew: Change = lambda card: moved(card, 40.0) if card.id == place else card  # noqa: E731
    readings = [*until_last(), read(layout, LAST, seed=1)]
    said, state = played([*readings, read(layout, LAST, anew)], colours(layout))
    assert [one.kind for one in said[-1]] == ["moved"]
    assert seen_once(state.table) == (place,)
    both = [*readings, *(read(layout, LAST, anew, seed=k) for k in range(2))]
    assert seen_once(played(both, colours(layout))[1].table) == ()


def test_a_push_that_two_readings_saw_is_seen_twice() -> None:
    layout, place = game(1), LAST - 1
    pushed: Change = lambda card: moved(card, 5.0) if card.id == place else card  # noqa: E731
    readings = [*until_last(), read(layout, LAST, seed=1)]
    twice = [*readings, *(read(layout, LAST, pushed, seed=k) for k in range(2))]
    assert seen_once(played(twice, colours(layout))[1].table) == ()


def test_a_side_that_one_reading_saw_and_others_gainsay_is_doubted() -> None:
    """The reading that saw the card whole weighs more than those that see it covered."""
    layout = game(1)
    place = 1
    flipped: Change = lambda card: (  # noqa: E731
        replace(card, pose=replace(card.pose, mirrored=not card.pose.mirrored))
        if card.id == place
        else card
    )
    readings = [*(read(layout, n) for n in range(1, LAST)), read(layout, LAST)]
    whole = [read(layout, 9, flipped), *(read(layout, 9, seed=k) for k in range(2))]
    assert "side-unclear" in codes(played([*readings[:1], *whole[:2]], colours(layout))[1])


def test_what_a_person_named_needs_no_second_reading() -> None:
    layout = game(1)
    history = begun(DECK, RULES, colours(layout))
    for n, reading in enumerate(until_last()):
        history = done(history, ReadAt(str(n), str(n), reading))
    card = layout.cards[LAST - 1]
    history = done(history, Named(LAST - 1, (card.colour, card.face), "rig"))
    assert seen_once(history.following.table) == ()


def look_again(first: Reading, second: Reading | None) -> tuple[list[str], Following]:
    """What a second look at the last picture says, and what is known after it."""
    state = played([*until_last()[:-1], first], colours(game(1)))[1]
    events, after = looked_again(state, first, second)
    return [one.kind for one in events], after


def test_a_second_look_that_agrees_makes_the_end_sure_and_says_nothing() -> None:
    layout = game(1)
    kinds, after = look_again(read(layout, LAST), read(layout, LAST, seed=1))
    assert kinds == []
    assert final_reading(after).sure


def test_a_second_look_that_names_the_last_card_otherwise_leaves_it_in_doubt() -> None:
    layout = game(1)
    there = {one.face for one in layout.cards}
    face = next(one.id for one in DECK.faces if one.id not in there)
    first = read(layout, LAST, as_face(LAST - 1, face))
    _, after = look_again(first, read(layout, LAST, seed=1))
    assert not final_reading(after).sure


def test_a_card_that_only_the_second_look_sees_is_laid_and_in_doubt() -> None:
    layout = game(1)
    first = read(layout, LAST, Without(frozenset({LAST - 1})))
    kinds, after = look_again(first, read(layout, LAST, seed=1))
    assert kinds == ["laid"]
    assert seen_once(after.table) == (LAST - 1,)


def test_a_picture_that_lacks_a_card_lacks_it_once_however_often_it_is_read() -> None:
    layout = game(1)
    without = Without(frozenset({LAST - 2}))
    first, second = read(layout, LAST - 1, without), read(layout, LAST - 1, without, seed=1)
    kinds, after = look_again(first, second)
    assert kinds == []
    assert len(after.table.cards) == LAST - 1


@pytest.mark.parametrize("second", [None, "over"])
def test_a_second_look_that_says_nothing_changes_nothing(second: str | None) -> None:
    layout = game(1)
    first = read(layout, LAST)
    again = None if second is None else read(layout, LAST, doubts=(OVER,))
    kinds, after = look_again(first, again)
    assert kinds == []
    assert after.at_rest
    assert not final_reading(after).sure


def test_the_hand_of_a_first_look_is_there_in_the_second() -> None:
    layout = game(1)
    kinds, after = look_again(read(layout, LAST - 2, doubts=(OVER,)), read(layout, LAST))
    assert (kinds, after.at_rest) == ([], False)


def test_what_the_first_look_doubts_stays_in_doubt() -> None:
    layout = game(1)
    dot = Doubt("dot", 44, (0.0, 0.0), Reason("dot-unexplained"), {"red": 1}, {"red": 1})
    first = read(layout, LAST, doubts=(dot,))
    _, after = look_again(first, read(layout, LAST, seed=1))
    assert codes(after).count("dot-unexplained") == 1
    second = replace(first.seen, doubts=(dot,))
    assert second.doubts == (dot,)
    _, both = look_again(first, read(layout, LAST, doubts=(dot,), seed=1))
    assert codes(both).count("dot-unexplained") == 1
