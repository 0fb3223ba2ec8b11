"""How long turns last, where they are timed (V3): from the times of pictures to who laid too late.

Pure: times are given, in seconds of one clock, whichever. A card is at rest some seconds after the
hand has left it, and a picture is of the table at rest; so is the one from which its turn counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.events import Event
from referee.following import Following
from referee.turns import next_colour

GRACE_S = 2.5
"""A picture taken so much after the end of a turn may show a card that was laid in time: a table is
waited for until it has been still for 1.5 s, and previews and a still take up to one more."""
LONGEST_S = 3600.0
"""More between two pictures is a pause, or a clock that was set, and no turn."""


@dataclass(frozen=True, slots=True)
class TurnClock:
    """`since_s`: when the picture was taken in which the last card came or went, None before one
    did; `waited_s`: the first of the pictures since that said nothing yet, with a hand in them or a
    card that has to be seen once more.
    """

    since_s: float | None = None
    waited_s: float | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """When a picture was taken, and how long a turn may last then, both None where nobody says."""

    at_s: float | None = None
    turn_s: float | None = None


def timed(
    clock: TurnClock, taken: Taken, events: Sequence[Event], before: Following, after: Following
) -> tuple[tuple[Event, ...], TurnClock]:
    """The events of a picture with what was laid too late, and the clock after it.

    A card counts from the first picture that may show it. Nothing is said of cards that came
    together, and of one laid out of turn: it was not that player's time.
    """
    if taken.at_s is None:
        return tuple(events), TurnClock()
    if {one.kind for one in events} <= {"waiting", "disturbed"}:
        first = taken.at_s if clock.waited_s is None else clock.waited_s
        return tuple(events), replace(clock, waited_s=first)
    shown_s = taken.at_s if clock.waited_s is None else clock.waited_s
    laid = [one for one in events if one.kind == "laid"]
    late_s = _late(clock, taken, shown_s) if len(laid) == 1 else None
    if late_s is not None and _is_of_turn(laid[0], before, after):
        events = [replace(one, late_s=late_s) if one is laid[0] else one for one in events]
    is_other = any(one.kind in ("laid", "taken_back") for one in events)
    return tuple(events), TurnClock(taken.at_s if is_other else clock.since_s)


def _late(clock: TurnClock, taken: Taken, shown_s: float) -> float | None:
    """By how much a turn lasted longer than it may, None where it is not said to have."""
    if clock.since_s is None or taken.turn_s is None:
        return None
    lasted_s = shown_s - clock.since_s
    is_late = taken.turn_s + GRACE_S < lasted_s < LONGEST_S
    return round(lasted_s - taken.turn_s, 1) if is_late else None


def _is_of_turn(event: Event, before: Following, after: Following) -> bool:
    """Whether a card was laid by whoever's turn it was, on top of all that lay there."""
    turn = next_colour(before.players, before.table, before.rules)
    card = event.card
    return card is not None and card.name[0] == turn and after.table.cards[-1].id == card.id
