"""Memory that one picture needed serves the next: asking the system for it anew takes long."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import lru_cache

KEPT_BYTES = 256 << 20
"""Of what lies free at the end of the heap so much is kept; the rest goes back to the system. A
picture of 12 megapixels leaves more than half of it."""
ROOM_BYTES = 64 << 20
"""By so much a heap grows beyond what is asked for, and as much stays of one: as much as a thread's
own can hold. Of less room they are unmapped whenever something large in them is freed."""
MAPPED_BYTES = 32 << 20
"""Pieces from this size on are the system's own, each mapped and given back by itself; the C
library takes no more than this on 64 bits, and much less on 32."""
_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_THRESHOLD = -1, -2, -3
_SETTINGS = ("GLIBC_TUNABLES", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_")


@lru_cache(maxsize=1)
def keep_memory() -> None:
    """Have the C library, if it is glibc, keep memory that was given back to it; once a process.

    A reading's maps are tens of megabytes each. Left to itself the library returns them to the
    system after some of them, and every page of the next one is cleared and mapped again: a tenth
    of a large picture's time. What the environment says of it holds.
    """
    if sys.platform != "linux" or any(name in os.environ for name in _SETTINGS):
        return
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    # The second alone would do harm: pieces from 128 kB on would be the system's for good.
    if set_option is not None and set_option(_M_MMAP_THRESHOLD, MAPPED_BYTES):
        set_option(_M_TRIM_THRESHOLD, KEPT_BYTES)
        set_option(_M_TOP_PAD, ROOM_BYTES)
