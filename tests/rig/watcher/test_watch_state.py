"""Hands come, move, rest and go; lamps flicker; and pictures are taken at the right moment."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from rig.watcher.watch_state import Habits
from tests.rig.watcher.sequences import Player, bare, hand_visits, played, with_card, with_hand

TABLE = played() * 0.9
AFTER = with_card(TABLE, 120, 380)


def test_a_table_at_rest_stays_still() -> None:
    player = Player()
    player.settle(TABLE)
    assert set(player.play(lambda _: TABLE, 60)) == {"still"}
    assert not player.watch_state.touched


def test_a_hand_is_noticed_and_stillness_waited_for() -> None:
    player = Player()
    player.settle(TABLE)
    phases = player.play(hand_visits(TABLE, AFTER, 3.0), 3.0)
    assert phases[2:] == ["busy"] * (len(phases) - 2)
    assert player.watch_state.touched
    phases = player.play(lambda _: AFTER, 4.0)
    first = phases.index("still")
    assert Habits().still_s <= first / 5.0 <= Habits().still_s + 1.2
    assert set(phases[first:]) == {"still"}


@pytest.mark.parametrize("rate_hz", [2.5, 5.0, 15.0])
def test_stillness_is_a_matter_of_seconds_not_of_frames(rate_hz: float) -> None:
    player = Player()
    player.settle(TABLE)
    player.play(hand_visits(TABLE, AFTER, 3.0), 3.0, rate_hz)
    phases = player.play(lambda _: AFTER, 5.0, rate_hz)
    assert phases.index("still") / rate_hz == pytest.approx(Habits().still_s + 0.6, abs=0.7)


def test_a_hand_that_rests_over_the_table_is_not_taken_for_stillness() -> None:
    player = Player()
    player.settle(TABLE)
    player.play(hand_visits(TABLE, TABLE, 4.0), 2.0)
    resting = with_hand(TABLE, 0.45, 0.5)
    assert "still" not in player.play(lambda _: resting, 6.0)
    assert player.watch_state.arm


def test_what_lies_at_the_edge_for_long_was_put_there() -> None:
    player = Player()
    player.settle(TABLE)
    left = with_hand(TABLE, 0.9, 0.5)
    phases = player.play(lambda _: left, 12.0)
    assert phases[-1] == "still"
    assert set(player.play(lambda _: left, 10.0)) == {"still"}


def flickering(t: float) -> NDArray[np.float64]:
    rows = np.arange(TABLE.shape[0])[:, None]
    return np.asarray(TABLE * (1 + 0.06 * np.sin(rows / 70 + 5 * t)))


def drifting(t: float) -> NDArray[np.float64]:
    return np.asarray(TABLE * (1 + 0.25 * np.sin(t / 8)))


def evening(t: float) -> NDArray[np.float64]:
    slope = np.linspace(1.0, 1 - 0.012 * t, TABLE.shape[1])[None, :]
    return np.asarray(TABLE * slope)


@pytest.mark.parametrize("scene", [flickering, drifting, evening])
def test_light_is_not_taken_for_hands(scene: object) -> None:
    assert callable(scene)
    player = Player()
    player.play(scene, 4)
    assert set(player.play(scene, 40)) == {"still"}
    assert not player.watch_state.touched


def test_a_lamp_switched_on_disturbs_but_is_no_hand() -> None:
    player = Player()
    player.settle(bare())
    lit = bare() * np.linspace(0.5, 1.9, 640)[None, :]
    phases = player.play(lambda _: lit, 5)
    assert phases[0] == "busy"
    assert phases[-1] == "still"
    assert not player.watch_state.touched


def test_a_picture_that_is_asked_for_waits_for_stillness() -> None:
    player = Player()
    player.settle(TABLE)
    player.play(hand_visits(TABLE, AFTER, 4.0), 2.0)
    player.ask()
    player.play(lambda t: hand_visits(TABLE, AFTER, 4.0)(2 + t), 2.0)
    assert player.captures == []
    player.play(lambda _: AFTER, 6.0)
    assert [why for _, why in player.captures] == ["asked"]
    assert player.captures[0][0] >= Habits().still_s


def test_a_picture_of_a_still_table_is_taken_at_once() -> None:
    player = Player()
    player.settle(TABLE)
    player.ask()
    player.ask()
    player.play(lambda _: TABLE, 2.0)
    assert [why for _, why in player.captures] == ["asked"]
    assert player.captures[0][0] <= 0.21


@pytest.mark.slow
def test_takes_the_picture_by_itself_once_when_the_round_is_over() -> None:
    habits = Habits(by_itself=True)
    player = Player(habits)
    player.settle(TABLE)
    player.play(lambda _: TABLE, 20.0)
    assert player.captures == []
    for _ in range(3):
        player.play(hand_visits(TABLE, AFTER, 3.0), 3.0)
        player.play(lambda _: AFTER, 5.0)
    assert player.captures == []
    player.play(lambda _: AFTER, 60.0)
    assert [why for _, why in player.captures] == ["by itself"]
    assert player.captures[0][0] == pytest.approx(habits.round_over_s - 5, abs=1.5)


@pytest.mark.slow
def test_does_nothing_by_itself_unless_told_so() -> None:
    player = Player()
    player.settle(TABLE)
    player.play(hand_visits(TABLE, AFTER, 3.0), 3.0)
    player.play(lambda _: AFTER, 60.0)
    assert player.captures == []


@pytest.mark.slow
def test_an_empty_table_is_not_worth_a_picture() -> None:
    player = Player(Habits(by_itself=True))
    player.settle(bare())
    player.play(hand_visits(bare(), bare(), 3.0), 3.0)
    player.play(lambda _: bare(), 60.0)
    assert player.watch_state.touched
    assert player.captures == []


def test_after_a_gap_nothing_is_taken_for_granted() -> None:
    player = Player()
    player.settle(TABLE)
    player.now_s += 5.0
    player.ask()
    phases = player.play(lambda _: TABLE, 4.0)
    assert phases[0] == "settling"
    assert player.captures[0][0] >= Habits().still_s


def test_a_followed_table_is_looked_at_after_a_gap() -> None:
    """A card may have been laid while the camera showed nothing."""
    for follows in (True, False):
        player = Player(follows=follows)
        player.settle(TABLE)
        player.captures.clear()
        player.now_s += 5.0
        player.play(lambda _: AFTER, 4.0)
        assert [why for _, why in player.captures] == ["followed"] * follows
        player.play(lambda _: AFTER, 4.0)
        assert len(player.captures) == follows, "once"
