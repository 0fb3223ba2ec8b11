"""The state of a camera as a pure function of what was heard from it, and when.

Times are seconds of whatever clock the caller uses.
"""

from dataclasses import dataclass, replace

from rig.cameras.camera import CameraState, Condition, Reason
from rig.wording.catalogue import sentence
from vision.reason import Reason as Said


@dataclass(frozen=True, slots=True)
class Patience:
    """How long what is borne, in seconds. Tests shorten all of it by one factor."""

    slow_s: float = 3.0
    lost_s: float = 10.0
    hello_s: float = 30.0
    """For the process to start; imports from a cold card take long on a Pi."""
    open_s: float = 6.0
    first_pause_s: float = 0.5
    longest_pause_s: float = 3.0
    """Between two tries; open_s and this together keep the promise of 15 s."""
    dark_again_s: float = 300.0
    """A dark room is no fault: after the first restart, wait this long for the next."""
    preview_every_s: float = 0.2
    settle_every_s: float = 10.0


@dataclass(frozen=True, slots=True)
class Arrival:
    """One preview: when it was exposed, its checksum, and the fault that was seen in it."""

    taken_s: float
    print: int
    fault: Reason = "none"


@dataclass(frozen=True, slots=True)
class Pulse:
    """All that the state depends on. since_s: the last good picture, else the start."""

    since_s: float
    ever: bool = False
    reason: Reason = "waiting"
    last: Arrival | None = None
    restarts: int = 0
    tries: int = 0
    restarted_s: float | None = None


REBOOT_AFTER_S = 1800.0
"""The monotonic clock counts from the machine's start, so that asking for a reboot only
this long after one asks at most once in half an hour."""

GONE: frozenset[Reason] = frozenset({"missing", "busy", "denied", "not-installed", "stuck"})
"""Reasons that need no waiting: the camera said so itself."""


def heard(pulse: Pulse, picture: Arrival, now_s: float, lively: bool, patience: Patience) -> Pulse:
    """After a preview came in. Good is a new picture without a fault."""
    last = pulse.last
    fault = picture.fault
    if fault == "none" and lively and last is not None:
        if picture.taken_s <= last.taken_s:
            fault = "silent"
        elif picture.print == last.print:
            fault = "frozen"
    if fault != "none":
        return replace(pulse, reason=fault, last=picture)
    # One good picture does not end a back-off: a camera that dies after each first picture
    # would be restarted without a pause.
    lately = pulse.restarted_s is not None and now_s - pulse.restarted_s < patience.lost_s
    tries = pulse.tries if lately else 0
    return replace(pulse, since_s=now_s, ever=True, reason="none", last=picture, tries=tries)


def missed(pulse: Pulse, reason: Reason) -> Pulse:
    """After a call failed."""
    return replace(pulse, reason=reason)


def restarted(pulse: Pulse, now_s: float) -> Pulse:
    """After the process was ended in order to start it again."""
    return replace(
        pulse, restarts=pulse.restarts + 1, tries=pulse.tries + 1, last=None, restarted_s=now_s
    )


def pause_s(pulse: Pulse, patience: Patience) -> float:
    """How long to wait before the next try: doubled each time, up to a limit."""
    doubled = patience.first_pause_s * 2.0 ** min(max(pulse.tries - 1, 0), 16)
    return min(doubled, patience.longest_pause_s)


def must_restart(pulse: Pulse, now_s: float, patience: Patience) -> bool:
    """Whether a process that still answers must be ended: no good picture for too long."""
    begun = pulse.since_s if pulse.restarted_s is None else max(pulse.since_s, pulse.restarted_s)
    if now_s - begun < patience.lost_s:
        return False
    if pulse.reason != "dark" or pulse.restarted_s is None or pulse.restarted_s < pulse.since_s:
        return pulse.reason != "empty"
    return now_s - pulse.restarted_s >= patience.dark_again_s


def state_of(pulse: Pulse, now_s: float, patience: Patience, camera: str) -> CameraState:
    """The state to show."""
    age_s = max(0.0, now_s - pulse.since_s)
    condition = _condition(pulse, age_s, patience)
    # A call that hangs reports nothing: the silence itself is the reason.
    reason: Reason = pulse.reason
    if condition == "fresh":
        reason = "none"
    elif reason in ("none", "waiting") and condition != "starting":
        reason = "silent"
    said = sentence(Said(f"camera-is-{reason}", {"camera": camera, "seconds": age_s}))
    return CameraState(
        camera,
        condition,
        reason,
        said[:1].upper() + said[1:],
        "" if reason == "none" else sentence(Said(f"camera.{reason}.do")),
        age_s if pulse.ever else None,
        pulse.restarts,
        reason == "stuck" and now_s >= REBOOT_AFTER_S,
    )


def _condition(pulse: Pulse, age_s: float, patience: Patience) -> Condition:
    if pulse.reason in GONE or age_s >= patience.lost_s:
        return "lost"
    if not pulse.ever:
        return "starting" if age_s < patience.slow_s or pulse.reason == "waiting" else "slow"
    return "slow" if age_s >= patience.slow_s else "fresh"
