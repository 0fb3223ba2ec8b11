"""What the referee makes of one reading after another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.layout import Card, Layout
from geometry.score import score_round
from geometry.verdict import judge
from referee.ending import final_reading
from referee.following import follow
from tests.referee.tables import (
    OVER,
    RULES,
    Change,
    Without,
    colours,
    game,
    moved,
    played,
    read,
)
from vision.reading import Doubt
from vision.reason import Reason

SEEDS = (1, 2, 3, 4)


def names(layout: Layout) -> list[tuple[str, str]]:
    return [(card.colour, card.face) for card in layout.cards]


def wrong_colour(place: int) -> Change:
    """Reads one card in another colour."""

    def change(card: Card) -> Card:
        return replace(card, colour="purple") if card.id == place else card

    return change


@pytest.mark.parametrize("seed", SEEDS)
def test_each_card_is_named_as_it_is_laid(seed: int) -> None:
    layout = game(seed)
    said, state = played(read(layout, n) for n in range(1, len(layout.cards) + 1))
    assert [[one.kind for one in events] for events in said] == [["laid"]] * len(layout.cards)
    assert [events[0].card.name for events in said if events[0].card] == names(layout)
    assert [one.name for one in state.table.cards] == names(layout)
    assert all(events[0].status in ("legal", "free") for events in said[1:])
    assert said[0][0].status is None


@pytest.mark.parametrize("seed", SEEDS)
def test_the_end_is_what_is_known(seed: int) -> None:
    layout = game(seed)
    last = len(layout.cards)
    readings = [*(read(layout, n) for n in range(1, last + 1)), read(layout, last, seed=1)]
    end = final_reading(played(readings, colours(layout))[1])
    assert end.scores == score_round(layout, judge(layout, RULES)).as_it_lies
    assert (end.sure, end.sure_without_illegal) == (True, True)


def test_a_hand_is_waited_for() -> None:
    layout = game(1)
    readings = [read(layout, 5), read(layout, 5, Without(frozenset({2, 3}))), read(layout, 6)]
    said, state = played(readings)
    assert [one.kind for one in said[1]] == ["waiting"]
    assert [one.kind for one in said[2]] == ["laid"]
    assert len(state.table.cards) == 6


def test_what_lies_over_the_cards_is_waited_for_whatever_else_is_read() -> None:
    layout = game(1)
    said, state = played([read(layout, 5), read(layout, 7, doubts=(OVER,))])
    assert [one.kind for one in said[1]] == ["waiting"]
    assert len(state.table.cards) == 5
    assert final_reading(state).sure is False


def test_a_picture_that_cannot_be_read_says_nothing_of_the_cards() -> None:
    layout = game(1)
    said, state = played([read(layout, 5), None, read(layout, 5)])
    assert [[one.kind for one in events] for events in said[1:]] == [["waiting"], ["nothing"]]
    assert len(state.table.cards) == 5


def test_a_card_is_gone_when_two_readings_say_so() -> None:
    layout = game(2)
    last = Without(frozenset({5}))
    said, state = played([read(layout, 6), read(layout, 6, last), read(layout, 6, last)])
    assert [[one.kind for one in events] for events in said[1:]] == [["waiting"], ["taken_back"]]
    assert said[2][0].card is not None
    assert said[2][0].card.name == names(layout)[5]
    assert len(state.table.cards) == 5


def test_a_card_taken_back_and_laid_again() -> None:
    layout = game(2)
    last = Without(frozenset({5}))
    said, state = played(
        [read(layout, 6), read(layout, 6, last), read(layout, 6, last), read(layout, 6)]
    )
    assert [one.kind for one in said[3]] == ["laid"]
    assert [one.name for one in state.table.cards] == names(layout)[:6]


def test_a_covered_card_that_a_reading_loses_is_known() -> None:
    layout = game(3)
    _, state = played(read(layout, n) for n in range(1, len(layout.cards) + 1))
    covered = next(
        card.id
        for card in state.last.cards  # type: ignore[union-attr]
        if sum(card.id in other.over for other in state.last.cards) > 2  # type: ignore[union-attr]
    )
    place = covered - 40
    events, after = follow(state, read(layout, len(layout.cards), Without(frozenset({place}))))
    assert [one.kind for one in events] in (["nothing"], ["waiting"])
    assert len(after.table.cards) == len(layout.cards)


def test_a_name_that_later_readings_gainsay_is_corrected_with_the_old_one() -> None:
    layout = game(4)
    wrong = wrong_colour(3)
    readings = [read(layout, 4, wrong), *(read(layout, n) for n in range(5, 10))]
    said, state = played(readings)
    corrected = [one for events in said for one in events if one.kind == "corrected"]
    assert [(one.was, one.card and one.card.name) for one in corrected] == [
        (("purple", layout.cards[3].face), names(layout)[3])
    ]
    assert [one.name for one in state.table.cards] == names(layout)[:9]


def test_one_reading_that_gainsays_many_corrects_nothing_and_makes_nothing_unsure() -> None:
    layout = game(4)
    readings = [*(read(layout, n) for n in range(1, 10)), read(layout, 10, wrong_colour(3))]
    said, state = played(readings, colours(layout))
    assert [one.kind for one in said[-1]] == ["laid"]
    assert [one.name for one in state.table.cards] == names(layout)[:10]
    end = final_reading(state)
    assert (
        end.scores
        == final_reading(
            played([*(read(layout, n) for n in range(1, 11))], colours(layout))[1]
        ).scores
    )


def test_a_name_of_which_readings_are_divided_makes_the_end_unsure() -> None:
    layout = game(4)
    readings = [read(layout, 4, wrong_colour(3)), read(layout, 4)]
    end = final_reading(played(readings)[1])
    assert (end.sure, end.sure_without_illegal) == (False, False)
    assert "history-name-open" in [doubt.reason.code for doubt in end.doubts]


def test_a_pushed_card_is_one_event_and_within_the_error_none() -> None:
    layout = game(1)

    def pushed(mm: float) -> list[str]:
        def change(card: Card) -> Card:
            return moved(card, mm) if card.id == 5 else card

        said, _ = played([read(layout, 6), read(layout, 6, change), read(layout, 6, change)])
        return [one.kind for events in said[1:] for one in events]

    assert pushed(7.0) == ["waiting", "moved"]
    assert pushed(0.8) == ["nothing", "nothing"]


def test_more_than_a_turn_can_move_is_said_and_waited_for() -> None:
    layout = game(1)

    def knocked(card: Card) -> Card:
        return moved(card, 7.0 * (card.id - 3), 5.0) if card.id in (2, 4, 5) else card

    said, state = played([read(layout, 8), read(layout, 8, knocked), read(layout, 8)])
    assert [one.kind for one in said[1]] == ["disturbed"]
    assert [one.kind for one in said[2]] == ["nothing"]
    assert len(state.table.cards) == 8


@pytest.mark.parametrize("shift_mm", [(9.0, -4.0), (80.0, 30.0)])
def test_a_camera_that_was_pushed_moves_no_card(shift_mm: tuple[float, float]) -> None:
    layout = game(2)
    said, _ = played([read(layout, 7), read(layout, 7, shift_mm=shift_mm)])
    assert [one.kind for one in said[1]] == ["nothing"]


def test_two_cards_laid_at_once_come_in_the_order_of_turns() -> None:
    layout = game(3)
    said, state = played([read(layout, 5), read(layout, 7)], colours(layout))
    assert [one.kind for one in said[1]] == ["laid", "laid"]
    assert [one.name for one in state.table.cards] == names(layout)[:7]


def test_an_illegal_card_is_told_with_its_rule_and_millimetres() -> None:
    layout = game(2)
    verdicts = judge(layout, RULES)
    place = next(card.id for card in layout.cards[4:] if verdicts[card.id].status == "legal")

    def off(card: Card) -> Card:
        return moved(card, 2.6, 2.6) if card.id == place else card

    said, _ = played([read(layout, place), read(layout, place + 1, off, noise_mm=0.0)])
    (event,) = said[1]
    assert (event.status, event.kind) == ("illegal", "laid")
    assert event.rule is not None
    assert event.on


def test_an_empty_table_before_the_first_card() -> None:
    layout = game(1)
    said, _ = played([read(layout, 0), read(layout, 1)])
    assert [[one.kind for one in events] for events in said] == [["nothing"], ["laid"]]


def test_a_missing_turn_leaves_the_numbers_in_doubt() -> None:
    """Numbers of cards are settled by the turns only while these follow each other."""
    layout = game(1)
    few = Without(frozenset({5}))
    counts = read(layout, 8, few).doubts
    assert counts == ()  # nothing else is in doubt
    doubt = Doubt(
        "missing", None, (0.0, 0.0),
        Reason("cards-too-few", {"count": 1, "colour": "red", "most": 2}), {"red": 1}, {"red": 1},
    )  # fmt: skip
    skipped = [read(layout, 5), *(read(layout, 8, few, doubts=(doubt,), seed=k) for k in (1, 2))]
    assert final_reading(played(skipped, colours(layout))[1]).sure is False
    whole = [
        read(layout, 5), read(layout, 7),
        *(read(layout, 8, doubts=(doubt,), seed=k) for k in (1, 2)),
    ]  # fmt: skip
    assert final_reading(played(whole, colours(layout))[1]).sure is True
