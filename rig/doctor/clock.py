"""Is the time right? A Pi without a battery starts in the past."""

import subprocess
import time
from datetime import UTC, datetime

from rig.doctor.finding import Finding
from vision.reason import Reason

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
LATEST = datetime(2100, 1, 1, tzinfo=UTC)
_ASK_S = 5.0


def check_clock() -> Finding:
    """Look at this machine's clock."""
    return judge_clock(datetime.fromtimestamp(time.time(), UTC), is_synchronised())


def judge_clock(now: datetime, synchronised: bool | None) -> Finding:
    """Judge a time, and whether the network set it (None: not known)."""
    facts: dict[str, float | int | str | bool] = {"now": now.isoformat(timespec="seconds")}
    if synchronised is not None:
        facts["synchronised"] = synchronised
    when = f"{now:%Y-%m-%d %H:%M}"
    if not EARLIEST <= now < LATEST:
        found, advice = Reason("clock-impossible", {"now": when}), Reason("clock-connect")
        return Finding("clock", "bad", found, advice, facts)
    if synchronised is None:
        found, advice = Reason("clock-unknown", {"now": when}), Reason("clock-compare")
        return Finding("clock", "unknown", found, advice, facts)
    if not synchronised:
        found, advice = Reason("clock-not-set", {"now": when}), Reason("clock-let-set")
        return Finding("clock", "look", found, advice, facts)
    return Finding("clock", "good", Reason("clock-set", {"now": when}), None, facts)


def is_synchronised() -> bool | None:
    """Whether the system's clock was set by the network; None where systemd does not say."""
    command = ["timedatectl", "show", "--property=NTPSynchronized", "--value"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_ASK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {"yes": True, "no": False}.get(done.stdout.strip())
