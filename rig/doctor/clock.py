"""Is the time right? A Pi without a battery starts in the past."""

from __future__ import annotations

import subprocess
import time
from datetime import UTC, datetime

from rig.doctor.finding import Finding

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
    found = f"It is {now:%Y-%m-%d %H:%M} UTC"
    if not EARLIEST <= now < LATEST:
        advice = "Connect the machine to the network for a minute, or run: sudo date --set ..."
        return Finding("clock", "bad", f"{found}, which cannot be.", advice, facts)
    if synchronised is None:
        unknown = f"{found}; whether that is right is not known."
        advice = "Compare it with a watch; if it is wrong, run: sudo date --set ..."
        return Finding("clock", "unknown", unknown, advice, facts)
    if not synchronised:
        advice = "Connect it to the network, and run: sudo timedatectl set-ntp true"
        return Finding("clock", "look", f"{found}, not set by the network.", advice, facts)
    return Finding("clock", "good", f"{found}, set by the network.", "", facts)


def is_synchronised() -> bool | None:
    """Whether the system's clock was set by the network; None where systemd does not say."""
    command = ["timedatectl", "show", "--property=NTPSynchronized", "--value"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_ASK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {"yes": True, "no": False}.get(done.stdout.strip())
