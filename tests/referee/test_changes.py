"""What changes on a known table, what is waited for, and for how long."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.layout import Card, Layout
from referee.ending import final_reading
from tests.referee.tables import (
    RULES,
    SIDE,
    Change,
    Without,
    colours,
    game,
    moved,
    played,
    read,
)
from vision.assemble import assemble
from vision.reading import Doubt, Reading, SeenCard, SeenTable
from vision.reason import Reason


def kinds(readings: list[Reading], players: tuple[str, ...] = ()) -> list[list[str]]:
    """What was said of each reading, verdicts on cards beside a moved one left out."""
    said, _ = played(readings, players)
    return [[one.kind for one in events if "judged_again" not in one.notes] for events in said]


def free_places(layout: Layout, number: int) -> list[int]:
    """Places of cards on which none of the first few lies."""
    seen = read(layout, number, noise_mm=0.0)
    under = {below for card in seen.cards for below in card.over}
    return [card.id - 40 for card in seen.cards if card.id not in under and card.id != 40]


def covered_in_sight(layout: Layout, number: int) -> int:
    """A card that another lies on, of which enough shows."""
    seen = read(layout, number, noise_mm=0.0)
    times = {card.id: sum(card.id in one.over for one in seen.cards) for card in seen.cards}
    return next(card - 40 for card, count in times.items() if count == 1 and card != 40)


def slid(place: int, x_mm: float) -> Change:
    def change(card: Card) -> Card:
        return moved(card, x_mm) if card.id == place else card

    return change


def test_two_cards_taken_at_once_are_gone_when_two_readings_say_so() -> None:
    layout = game(1)
    two = free_places(layout, 8)[-2:]
    without = Without(frozenset(two))
    readings = [read(layout, 8), read(layout, 8, without), read(layout, 8, without)]
    assert kinds(readings)[1:] == [["waiting"], ["taken_back", "taken_back"]]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_covered_card_missed_for_good_blocks_nothing(seed: int) -> None:
    layout = game(seed)
    without = Without(frozenset({covered_in_sight(layout, 7)}))
    readings = [read(layout, 7), *(read(layout, n, without) for n in range(8, 13))]
    said, state = played(readings, colours(layout))
    assert len(state.table.cards) == 12
    assert "taken_back" not in [one.kind for events in said for one in events]
    assert not final_reading(state).sure


def test_a_card_laid_while_a_covered_one_is_overlooked_is_named_at_once() -> None:
    layout = game(1)
    overlooked = Without(frozenset({covered_in_sight(layout, 7)}))
    assert kinds([read(layout, 7), read(layout, 8, overlooked)])[1:] == [["laid"]]
    assert kinds([read(layout, 7), read(layout, 7, overlooked)])[1:] == [["waiting"]]
    hidden = Without(frozenset({free_places(layout, 7)[-1]}))
    assert kinds([read(layout, 7), read(layout, 8, hidden)])[1:] == [["waiting"]]


def test_cards_missed_by_turns_do_not_hold_the_game_up() -> None:
    layout = game(2)
    free = free_places(layout, 6)
    one_less = [Without(frozenset({free[n % len(free)]})) for n in range(13)]
    readings = [read(layout, n, one_less[n]) for n in range(7, 13)]
    assert len(played([read(layout, 6), *readings])[1].table.cards) >= 11


@pytest.mark.parametrize("mm", [40.0, 80.0, 150.0])
def test_a_card_slid_along_is_one_event(mm: float) -> None:
    layout = game(2)
    place = free_places(layout, 6)[-1]
    said, state = played([read(layout, 6), read(layout, 6, slid(place, mm))])
    assert [one.kind for one in said[1]] == ["moved"]
    event = said[1][0]
    assert event.card is not None
    assert event.card.id == place
    assert event.card.pose.x_mm == pytest.approx(layout.cards[place].pose.x_mm + mm, abs=1.5)
    assert len(state.table.cards) == 6


def knocked(push_mm: float) -> Change:
    def change(card: Card) -> Card:
        off = push_mm * (1 if card.id % 2 else -1)
        return moved(card, off, push_mm) if card.id in (2, 4, 5) else card

    return change


def test_after_a_knock_nothing_is_taken_until_two_readings_agree() -> None:
    layout = game(1)
    readings = [read(layout, 8), *(read(layout, 8, knocked(mm)) for mm in (5.0, 8.0, 8.0))]
    assert kinds(readings)[1:] == [["disturbed"], ["waiting"], ["moved"] * 3]


def test_after_a_knock_that_is_put_right_the_game_goes_on() -> None:
    layout = game(1)
    readings = [read(layout, 8), read(layout, 8, knocked(6.0)), read(layout, 9)]
    assert kinds(readings)[1:] == [["disturbed"], ["laid"]]


@pytest.mark.parametrize("covered", [False, True])
def test_a_card_that_seems_to_have_been_pushed_is_looked_at_twice(covered: bool) -> None:
    layout = game(1)
    place = covered_in_sight(layout, 8) if covered else free_places(layout, 8)[-1]
    change = slid(place, 5.0)
    once = [read(layout, 8), read(layout, 8, change), read(layout, 8)]
    assert kinds(once)[1:] == [["waiting"], ["nothing"]]
    twice = [read(layout, 8), read(layout, 8, change), read(layout, 8, change)]
    assert kinds(twice)[1:] == [["waiting"], ["moved"]]
    assert not final_reading(played(twice[:2], colours(layout))[1]).sure


def test_a_card_nudged_back_and_one_laid_again_count_at_once() -> None:
    layout = game(2)
    place = free_places(layout, 6)[-1]
    off, gone = slid(place, 5.0), Without(frozenset({place}))
    assert kinds([read(layout, 6, off), read(layout, 6)])[1:] == [["moved"]]
    other = slid(place, 10.0)
    again = [read(layout, 6), read(layout, 6, gone), read(layout, 6, other)]
    assert kinds(again)[1:] == [["waiting"], ["moved"]]
    assert kinds([read(layout, 6), read(layout, 6, other)])[1:] == [["waiting"]]


def turned(reading: Reading, quarter: bool) -> Reading:
    """The reading by a camera that stands elsewhere."""

    def elsewhere(x: float, y: float) -> tuple[float, float]:
        return (700.0 - y, x + 30.0) if quarter else (x + 45.0, y - 20.0)

    cards = []
    for card in reading.cards:
        x, y = elsewhere(card.x_mm, card.y_mm)
        angle = (card.angle_deg + (90.0 if quarter else 0.0)) % 360
        cards.append(replace(card, x_mm=x, y_mm=y, angle_deg=angle))
    return replace(reading, cards=tuple(cards))


@pytest.mark.parametrize("quarter", [False, True])
@pytest.mark.parametrize("number", [3, 8])
def test_a_camera_that_was_moved_or_turned_is_found_again(quarter: bool, number: int) -> None:
    layout = game(3)
    readings = [read(layout, number), turned(read(layout, number + 1), quarter)]
    said, state = played(readings)
    assert [one.kind for one in said[1]] == ["laid"]
    assert "camera_moved" in said[1][0].notes
    names = [(card.colour, card.face) for card in layout.cards[: number + 1]]
    assert [one.name for one in state.table.cards] == names


def test_a_picture_of_another_table_changes_nothing() -> None:
    layout, other = game(1), game(7)
    said, state = played([read(layout, 7), read(other, 9), read(layout, 8)])
    assert [(one.kind, one.notes) for one in said[1]] == [("waiting", ("other_table",))]
    assert [one.kind for one in said[2]] == ["laid"]
    assert len(state.table.cards) == 8


def test_an_illegal_card_that_is_taken_back_is_told_as_that() -> None:
    layout = game(2)
    place = free_places(layout, 6)[-1]
    off = slid(place, 4.0)
    gone = Without(frozenset({place}))
    said, _ = played([read(layout, 6, off), read(layout, 6, gone), read(layout, 6, gone)])
    assert said[0][place].status == "illegal"
    assert [(one.kind, one.notes) for one in said[2]] == [("taken_back", ("removed_illegal",))]


def test_a_card_that_was_only_hidden_lies_where_it_lay_in_the_order() -> None:
    layout = game(2)
    place = free_places(layout, 7)[0]
    gone = Without(frozenset({place}))
    readings = [read(layout, 7), read(layout, 7, gone), read(layout, 7, gone), read(layout, 7)]
    said, state = played(readings)
    assert [one.kind for one in said[3]] == ["laid"]
    assert [one.id for one in state.table.cards] == list(range(7))


def test_two_names_read_the_wrong_way_round_are_both_corrected() -> None:
    layout = game(1)
    first, second = layout.cards[2], layout.cards[3]

    def swapped(card: Card) -> Card:
        if card.id not in (2, 3):
            return card
        other = second if card.id == 2 else first
        return replace(card, colour=other.colour, face=other.face)

    readings = [read(layout, 4, swapped), *(read(layout, n) for n in range(5, 10))]
    state = played(readings)[1]
    names = [(card.colour, card.face) for card in layout.cards[:9]]
    assert [one.name for one in state.table.cards] == names


def test_a_side_that_one_reading_gets_wrong_is_outvoted() -> None:
    layout = game(1)

    def flipped(card: Card) -> Card:
        pose = replace(card.pose, mirrored=not card.pose.mirrored)
        return replace(card, pose=pose) if card.id == 3 else card

    for wrong in (5, 8):
        readings = [read(layout, n, flipped if n == wrong else lambda c: c) for n in range(5, 9)]
        state = played(readings)[1]
        assert state.table.cards[3].pose.mirrored == layout.cards[3].pose.mirrored


def ghost(reading: Reading, layout: Layout) -> Reading:
    """The reading with one more card that it takes for hardly one."""
    last = layout.cards[-1]
    pose = replace(last.pose, x_mm=last.pose.x_mm + 4.0)
    table = reading.seen.layout.laid_on_top(replace(last, id=99, pose=pose))
    doubt = Doubt("card", 99, (0.0, 0.0), Reason("looks-wrong"), {"red": 1}, {"red": 1})
    seen = (*reading.seen.cards, SeenCard(99, SIDE, 0.3))
    return assemble(SeenTable(table, seen, (*reading.doubts, doubt), 2.0), RULES)


def test_what_is_hardly_a_card_is_looked_at_twice() -> None:
    layout = game(2)
    six, seven = read(layout, 6), read(layout, 7)
    once = [six, ghost(six, layout), seven]
    assert kinds(once)[1:] == [["waiting"], ["laid"]]
    assert len(played(once)[1].table.cards) == 7
    assert kinds([six, ghost(six, layout), ghost(six, layout)])[1:] == [["waiting"], ["laid"]]


def test_an_end_with_what_may_be_a_card_is_not_sure() -> None:
    layout = game(2)
    readings = [read(layout, n) for n in range(1, 7)]
    end = final_reading(played([*readings, ghost(readings[-1], layout)], colours(layout))[1])
    assert not end.sure


def test_a_card_laid_on_one_that_the_reading_lacks_lies_on_top() -> None:
    layout = game(1)
    number = 6
    whole = read(layout, number + 1, noise_mm=0.0)
    below = whole.cards[number].over[0] - 40
    after = [read(layout, number), read(layout, number + 1, Without(frozenset({below})))]
    state = played([*after, read(layout, number + 1), read(layout, number + 1)])[1]
    names = [(card.colour, card.face) for card in layout.cards[: number + 1]]
    assert [one.name for one in state.table.cards] == names


def test_a_covered_card_that_was_missed_is_put_under_what_covers_it_at_the_second_look() -> None:
    layout = game(1)
    number = 8
    place = covered_in_sight(layout, number)
    start = [read(layout, number, Without(frozenset({place})))]
    said, state = played([*start, read(layout, number), read(layout, number)])
    assert [[one.kind for one in events] for events in said[1:]] == [["waiting"], ["laid"]]
    over = {card.id - 40: card.over for card in read(layout, number, noise_mm=0.0).cards}
    order = [layout.cards.index(card) for one in state.table.cards for card in layout.cards
             if (card.colour, card.face) == one.name]  # fmt: skip
    for upper, lowers in over.items():
        if upper < number:
            assert all(order.index(lower - 40) < order.index(upper) for lower in lowers)


def test_a_card_is_called_illegal_afterwards_when_two_readings_say_so() -> None:
    layout = game(1)
    place = 2

    def other_face(card: Card) -> Card:
        return replace(card, face="circle-6") if card.id == place else card

    wrong = [read(layout, 8, other_face) for _ in range(6)]
    said, _ = played([read(layout, 8), *wrong])
    told = [(n, "judged_again" in one.notes) for n, events in enumerate(said) for one in events
            if one.kind == "corrected"]  # fmt: skip
    (renamed, _), (again, is_again) = told
    assert (again, is_again) == (renamed + 1, True)
