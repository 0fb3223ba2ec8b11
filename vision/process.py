"""Settings of the process that reads: its threads, and the memory that it keeps."""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from functools import lru_cache

_ALGEBRA = "numpy.linalg._umath_linalg"
_SET_THREADS = (
    "scipy_openblas_set_num_threads64_",
    "scipy_openblas_set_num_threads",
    "openblas_set_num_threads64_",
    "openblas_set_num_threads",
)
"""By the builds of OpenBLAS that numpy comes with."""
TURN_S = 0.0005
"""Python lets a thread that asks for its turn wait for so long at most; ten times as long unless
it is said."""
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


def prepare_process() -> None:
    """Settings with which readings take least time. What the environment says of them holds."""
    single_blas_thread()
    short_switch_interval()
    keep_memory()


@lru_cache(maxsize=1)
def single_blas_thread() -> None:
    """Have OpenBLAS, if numpy uses it, multiply on the calling thread alone; once a process.

    Cards are shared out over the cores here. Its own threads wait in circles for each other, three
    to seven times as long as the work takes on a busy machine. `OPENBLAS_NUM_THREADS` would do, but
    is read when numpy is first imported, by whomever; what it says now holds, 1 if it is not set.
    """
    number = os.environ.get("OPENBLAS_NUM_THREADS", "")
    library = ctypes.CDLL(importlib.import_module(_ALGEBRA).__file__)
    for name in _SET_THREADS:
        set_threads = getattr(library, name, None)
        if set_threads is not None:
            set_threads(int(number) if number.isdecimal() and int(number) > 0 else 1)
            return


def short_switch_interval() -> None:
    """Have threads not wait long for each other's Python.

    What another core does for the cards is OpenCV's and numpy's work, a tenth of a millisecond a
    piece, with a word of Python between: it would stand still for most of the time while this
    thread, too, has Python to run.
    """
    if sys.getswitchinterval() > TURN_S:
        sys.setswitchinterval(TURN_S)


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
