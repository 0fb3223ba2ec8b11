"""Whether a process still runs, and what another one needs to find our packages."""

from __future__ import annotations

import os
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]


def with_our_paths() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def ends(pid: int, within_s: float = 5.0) -> bool:
    """Whether a process ends before so many seconds are over."""
    until = time.monotonic() + within_s
    while is_running(pid):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True
