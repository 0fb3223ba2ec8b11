"""The state of a camera, second by second."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from rig.cameras.camera import Reason
from rig.cameras.pulse import (
    Arrival,
    Patience,
    Pulse,
    heard,
    missed,
    must_restart,
    pause_s,
    restarted,
    state_of,
)

PATIENCE = Patience()


def fresh_at(now_s: float) -> Pulse:
    return heard(Pulse(0.0), Arrival(now_s, 1), now_s, True, PATIENCE)


def condition(pulse: Pulse, now_s: float) -> str:
    return state_of(pulse, now_s, PATIENCE, "it").condition


@pytest.mark.parametrize(
    ("age_s", "expected"),
    [(0, "fresh"), (2.9, "fresh"), (3.0, "slow"), (9.9, "slow"), (10.0, "lost"), (99, "lost")],
)
def test_age_decides(age_s: float, expected: str) -> None:
    assert condition(fresh_at(50.0), 50.0 + age_s) == expected


def test_silence_is_the_reason_when_nothing_else_is_known() -> None:
    assert state_of(fresh_at(50.0), 54.0, PATIENCE, "it").reason == "silent"
    assert state_of(fresh_at(50.0), 51.0, PATIENCE, "it").reason == "none"


def test_starting_is_not_slow() -> None:
    assert condition(Pulse(0.0), 2.0) == "starting"
    assert condition(Pulse(0.0), 5.0) == "starting"
    assert condition(Pulse(0.0), 10.0) == "lost"
    assert state_of(Pulse(0.0), 1.0, PATIENCE, "it").age_s is None


def frames(pulse: Pulse, pictures: list[Arrival], lively: bool = True) -> Pulse:
    for picture in pictures:
        pulse = heard(pulse, picture, picture.taken_s, lively, PATIENCE)
    return pulse


def test_the_same_picture_again_is_not_fresh() -> None:
    same = [Arrival(50.0 + i, 7) for i in range(5)]
    pulse = frames(fresh_at(49.0), same)
    assert (pulse.since_s, pulse.reason) == (50.0, "frozen")
    assert condition(frames(fresh_at(49.0), same, lively=False), 54.0) == "fresh"


def test_the_same_exposure_again_is_silence() -> None:
    pulse = frames(fresh_at(50.0), [replace(Arrival(50.0, 2))] * 3)
    assert pulse.reason == "silent"


@pytest.mark.parametrize("fault", ["dark", "noise", "damaged"])
def test_a_bad_picture_is_not_fresh(fault: Reason) -> None:
    pulse = frames(fresh_at(50.0), [Arrival(51.0 + i, i + 2, fault) for i in range(4)])
    state = state_of(pulse, 54.0, PATIENCE, "it")
    assert (state.condition, state.reason) == ("slow", fault)
    assert condition(frames(pulse, [Arrival(55.0, 99)]), 55.0) == "fresh"


@pytest.mark.parametrize("reason", ["missing", "busy", "denied", "not-installed", "stuck"])
def test_what_the_camera_says_itself_needs_no_waiting(reason: Reason) -> None:
    assert condition(missed(fresh_at(50.0), reason), 50.1) == "lost"


def test_is_restarted_when_lost_and_not_before() -> None:
    assert not must_restart(fresh_at(50.0), 59.9, PATIENCE)
    assert must_restart(fresh_at(50.0), 60.0, PATIENCE)
    again = restarted(fresh_at(50.0), 60.0)
    assert not must_restart(again, 69.0, PATIENCE)
    assert must_restart(again, 70.0, PATIENCE)


def test_darkness_is_given_one_restart_then_time() -> None:
    dark = frames(fresh_at(50.0), [Arrival(51.0, 2, "dark")])
    assert must_restart(dark, 60.0, PATIENCE)
    again = replace(restarted(dark, 60.0), reason="dark")
    assert not must_restart(again, 300.0, PATIENCE)
    assert must_restart(again, 360.0, PATIENCE)


def test_an_empty_folder_needs_no_restart() -> None:
    assert not must_restart(missed(Pulse(0.0), "empty"), 1000.0, PATIENCE)


def test_pauses_grow_up_to_a_limit_and_start_again() -> None:
    pulse, pauses = fresh_at(50.0), []
    for _ in range(6):
        pulse = restarted(pulse, 60.0)
        pauses.append(pause_s(pulse, PATIENCE))
    assert pauses == [0.5, 1.0, 2.0, 3.0, 3.0, 3.0]
    assert pulse.restarts == 6
    soon = heard(pulse, Arrival(61.0, 5), 61.0, True, PATIENCE)
    assert soon.tries == 6
    later = heard(soon, Arrival(75.0, 6), 75.0, True, PATIENCE)
    assert later.tries == 0


def test_opening_and_pausing_leave_room_in_the_promised_15_seconds() -> None:
    assert PATIENCE.open_s + PATIENCE.longest_pause_s + 4.0 <= 15.0
    assert PATIENCE.slow_s <= 3.0


def test_a_reboot_is_not_asked_for_soon_after_one() -> None:
    stuck = missed(fresh_at(50.0), "stuck")
    assert not state_of(stuck, 1799.0, PATIENCE, "it").reboot
    assert state_of(stuck, 1800.0, PATIENCE, "it").reboot
    assert not state_of(missed(stuck, "missing"), 1900.0, PATIENCE, "it").reboot


@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_reason_has_a_sentence_and_what_to_do(reason: Reason) -> None:
    state = state_of(missed(Pulse(0.0, True), reason), 100.0, PATIENCE, "the camera")
    assert state.sentence.startswith("The ")
    assert state.sentence.endswith(".")
    assert reason == "none" or state.advice.endswith(".")
