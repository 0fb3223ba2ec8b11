"""Turns that are timed (V3): what is late, and what is not said to be."""

from collections.abc import Sequence

import pytest

from referee.events import Event
from referee.history import History, Named, Playing, ReadAt, Step, replayed
from referee.kept_game import GameSettings, settings_data, settings_of, step_data, step_of
from referee.turn_clock import GRACE_S, Taken
from tests.referee.tables import DECK, OVER, RULES, colours, game, read
from vision.reading import Doubt

TURN_S = 10.0
LATE_S = TURN_S + GRACE_S + 0.5


def seen(
    cards: int, at_s: float | None, turn_s: float | None = TURN_S, doubts: Sequence[Doubt] = ()
) -> ReadAt:
    """The table with so many cards, in a picture of that time."""
    reading = read(game(1), cards, doubts=doubts, seed=int(at_s or 0))
    return ReadAt(f"f{at_s}", f"{at_s}.jpg", reading, Taken(at_s, turn_s))


def played(*steps: Step) -> History:
    return replayed(DECK, RULES, colours(game(1)), steps)


def said(history: History) -> list[Event]:
    """The events of the last step."""
    return [one.event for one in history.entries[-1].told]


BEGUN = (seen(1, 0.0), seen(2, 5.0))
"""The first player has laid at 5 s."""


@pytest.mark.parametrize(
    ("took_s", "late_s"),
    [(3.0, None), (TURN_S, None), (TURN_S + GRACE_S, None), (LATE_S, LATE_S - TURN_S)],
)
def test_a_turn_is_late_once_no_card_can_have_been_laid_in_time(
    took_s: float, late_s: float | None
) -> None:
    (laid,) = said(played(*BEGUN, seen(3, 5.0 + took_s)))
    assert laid.late_s == late_s


def test_the_first_card_has_all_the_time() -> None:
    (laid,) = said(played(seen(1, 0.0), seen(2, 500.0)))
    assert laid.late_s is None


def test_a_card_counts_from_the_first_picture_that_may_show_it() -> None:
    hand = seen(3, 14.0, doubts=(OVER,))
    (laid,) = said(played(*BEGUN, hand, seen(3, 5.0 + LATE_S)))
    assert laid.late_s is None
    without = played(*BEGUN, hand, seen(2, 17.0), seen(3, 5.0 + LATE_S))
    assert said(without)[0].late_s == LATE_S - TURN_S, "the hand had laid nothing"


def test_a_turn_begins_when_the_last_card_lies_or_is_taken_back() -> None:
    assert played(*BEGUN).clock.since_s == 5.0
    assert played(*BEGUN, seen(2, 9.0)).clock.since_s == 5.0
    gone = played(*BEGUN, seen(3, 9.0), seen(2, 12.0), seen(2, 15.0))
    assert [one.kind for one in said(gone)] == ["taken_back"]
    assert gone.clock.since_s == 15.0


@pytest.mark.parametrize(
    "last",
    [
        seen(3, None),
        seen(3, 5.0 + LATE_S, turn_s=None),
        seen(4, 5.0 + LATE_S),
        seen(3, 5.0 + 4000.0),
        seen(3, 4.0),
    ],
    ids=["no time", "no limit", "two at once", "a pause", "a clock that was set"],
)
def test_where_nothing_is_said(last: ReadAt) -> None:
    events = said(played(*BEGUN, last))
    assert {one.kind for one in events} == {"laid"}
    assert [one.late_s for one in events] == [None] * len(events)


def test_a_card_out_of_turn_is_not_late() -> None:
    others = Playing(tuple(reversed(colours(game(1)))))
    (laid,) = said(played(*BEGUN, others, seen(3, 5.0 + LATE_S)))
    assert ("out_of_turn" in laid.notes, laid.late_s) == (True, None)


def test_nobody_is_late_where_nobody_has_a_turn() -> None:
    (laid,) = said(replayed(DECK, RULES, (), (*BEGUN, seen(3, 5.0 + LATE_S))))
    assert laid.late_s is None


def test_what_was_late_is_so_after_a_card_was_named() -> None:
    card = game(1).cards[1]
    named = Named(1, (card.colour, card.face), "Ada")
    history = played(*BEGUN, seen(3, 5.0 + LATE_S), named)
    assert history.entries[2].told[0].event.late_s == LATE_S - TURN_S
    assert history.clock.since_s == 5.0 + LATE_S


def test_what_is_corrected_later_was_not_late_again() -> None:
    layout = game(1)
    wrong = next(f.id for f in DECK.faces if f.id not in {c.face for c in layout.cards})
    named = Named(2, (layout.cards[2].colour, wrong), "Ada")
    (corrected,) = said(played(*BEGUN, seen(3, 5.0 + LATE_S), named))
    assert (corrected.kind, corrected.late_s) == ("corrected", None)


def test_times_are_kept() -> None:
    for step in (seen(3, 12.5), seen(3, 12.5, turn_s=None), seen(3, None, None)):
        assert isinstance(step, ReadAt)
        assert step_of(step_data(step), step.reading) == step
    settings = GameSettings(turn_s=15)
    assert settings_of(settings_data(settings)) == settings


def test_a_game_of_before_turns_were_timed_is_read() -> None:
    step = step_of({"kind": "read", "frame": "a", "picture": "a.jpg"})
    assert step == ReadAt("a", "a.jpg", None)
    before = settings_data(GameSettings())
    del before["turn_s"]
    assert settings_of(before) == GameSettings()


@pytest.mark.parametrize("wrong", ["soon", True, [1.0]])
def test_what_is_no_time_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError):
        step_of({"kind": "read", "frame": "a", "picture": "a.jpg", "at_s": wrong})
    with pytest.raises(TypeError):
        settings_of({**settings_data(GameSettings()), "turn_s": wrong})
