"""The service's log: lines of one kind are counted, not repeated, so that nobody fills the disk."""

import logging
import sys
import time
from collections.abc import Callable

EVERY_S = 60.0
"""A kind of line is written once in this time, with how many there were since."""
MOST_KINDS = 500


class OncePerMinute(logging.Filter):
    """Lets the first line of a kind through; a kind is what wrote it and its unfilled text."""

    def __init__(self, ticks: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._ticks = ticks
        self._seen: dict[tuple[object, ...], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is to be written; one that is says how many were not."""
        fault = record.exc_info[0] if record.exc_info else None
        kind = (record.name, record.levelno, str(record.msg), fault)
        now = self._ticks()
        last, left_out = self._seen.get(kind, (-EVERY_S, 0))
        if now - last < EVERY_S:
            self._seen[kind] = (last, left_out + 1)
            return False
        if len(self._seen) >= MOST_KINDS:
            self._seen.clear()
        self._seen[kind] = (now, 0)
        if left_out:
            record.msg = f"{record.getMessage()} (and {left_out} more like it)"
            record.args = ()
        return True


def write_log() -> None:
    """Write warnings of the service and of what it is built on to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    handler.addFilter(OncePerMinute())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
