"""The most memory this process held at once, measured anew for each piece of work."""

from __future__ import annotations

import resource
from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


def forget_peak() -> None:
    """Start measuring anew, where the system can (Linux); else the peak is of the whole process."""
    try:
        _CLEAR.write_text("5")
    except OSError:
        return


def peak_megabytes() -> float:
    """The most resident memory since `forget_peak`, libraries included."""
    try:
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
