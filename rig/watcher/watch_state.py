"""The state machine of the watcher: values in, values out, seconds of the caller's clock.

still -> busy       something moves
busy -> settling    nothing moves any more
settling -> still   nothing has moved for `still_s`, and no arm lies over the table
"""

from collections import deque
from dataclasses import dataclass, replace
from typing import Literal

from rig.watcher.change import NOTHING, Change, Glance, change_between, shows_cards

Phase = Literal["still", "busy", "settling"]
Why = Literal["asked", "followed", "by itself"]


@dataclass(frozen=True, slots=True)
class Habits:
    """How the watcher watches; all times in seconds.

    by_itself: take a picture when the table has been still for `round_over_s` after
    hands were at work and cards lie there.
    """

    still_s: float = 1.5
    by_itself: bool = False
    round_over_s: float = 12.0
    compare_s: float = 0.4
    """Apart from each other, so that slow hands show; between two frames they may not."""
    arm_patience_s: float = 8.0
    """What came in over the edge and has not moved for so long was put there."""
    blind_s: float = 2.0
    """A gap between previews after which nothing is known of what happened."""


@dataclass(frozen=True, slots=True)
class WatchState:
    """What the watcher knows.

    quiet_since_s: since when nothing has moved. touched: hands were at work since the
    last picture. missed: previews had a gap since then, in which they may have been.
    asked_s: since when a picture is wanted. change: the last one seen.
    """

    phase: Phase = "settling"
    since_s: float = 0.0
    quiet_since_s: float = 0.0
    touched: bool = False
    missed: bool = False
    asked_s: float | None = None
    cards: bool = False
    arm: bool = False
    change: Change = NOTHING


class Memory:
    """The glances that the next one is compared with: a moment ago, and the last still table."""

    def __init__(self, habits: Habits) -> None:
        self._habits = habits
        self._recent: deque[Glance] = deque(maxlen=64)
        self._rest: Glance | None = None

    def take(self, glance: Glance) -> tuple[Change, Change, bool]:
        """The change since a moment ago, that since the table was last still, and blindness.

        Blind: the previews had a gap, so that anything may have happened.
        """
        habits = self._habits
        newest = self._recent[-1] if self._recent else None
        blind = newest is None or glance.taken_s - newest.taken_s > habits.blind_s
        if blind:
            self._recent.clear()
        self._recent.append(glance)
        while len(self._recent) > 2 and glance.taken_s - self._recent[1].taken_s > habits.compare_s:
            self._recent.popleft()
        moment = change_between(self._recent[0], glance)
        rest = NOTHING if self._rest is None else change_between(self._rest, glance)
        return moment, rest, blind

    def rest_at(self, glance: Glance) -> None:
        """The table is still, and looks like this."""
        self._rest = glance


def began(now_s: float) -> WatchState:
    """The watcher before its first look."""
    return WatchState(since_s=now_s, quiet_since_s=now_s)


def looked(state: WatchState, glance: Glance, memory: Memory, habits: Habits) -> WatchState:
    """After a preview. Its time is the clock."""
    now_s = glance.taken_s
    moment, rest, blind = memory.take(glance)
    state = replace(state, change=moment, cards=shows_cards(glance))
    if blind:
        return replace(state, phase="settling", since_s=now_s, quiet_since_s=now_s, missed=True)
    if moment.moved:
        touched = state.touched or not moment.light
        state = replace(state, touched=touched, quiet_since_s=now_s, arm=rest.at_edge)
        return _into(state, "busy", now_s)
    quiet_s = now_s - state.quiet_since_s
    arm = rest.at_edge and not rest.light and quiet_s < habits.arm_patience_s
    state = replace(state, arm=arm)
    if state.phase == "busy":
        return _into(state, "settling", now_s)
    if state.phase == "settling" and quiet_s >= habits.still_s and not arm:
        state = _into(state, "still", now_s)
    if state.phase == "still":
        # Also while still: daylight wanders, and the next arm is told from what lies there now.
        memory.rest_at(glance)
    return state


def asked(state: WatchState, now_s: float) -> WatchState:
    """After somebody asked for a picture: it is taken once the table is still."""
    return state if state.asked_s is not None else replace(state, asked_s=now_s)


def due(state: WatchState, now_s: float, habits: Habits, follows: bool = False) -> Why | None:
    """Whether a picture is to be taken now, and why. `follows`: each time that hands were at work,
    or may have been unseen, one is.
    """
    if state.phase != "still":
        return None
    if state.asked_s is not None:
        return "asked"
    if follows and (state.touched or state.missed):
        return "followed"
    over = now_s - state.quiet_since_s >= habits.round_over_s
    return "by itself" if habits.by_itself and state.touched and state.cards and over else None


def captured(state: WatchState) -> WatchState:
    """After a picture was taken."""
    return replace(state, asked_s=None, touched=False, missed=False)


def _into(state: WatchState, phase: Phase, now_s: float) -> WatchState:
    return state if state.phase == phase else replace(state, phase=phase, since_s=now_s)
