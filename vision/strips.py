"""Work on whole maps strip by strip, on all cores: what one step leaves is still in the cache."""

from __future__ import annotations

import math
import mmap
import sys
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Ints
from vision.cores import shared_out

STRIP = 128
"""Rows of a strip: a few maps of it together are smaller than a core's own cache."""
LARGE = 1 << 24
"""Bytes from which on a map is large."""

Part = tuple[slice, slice]
"""Of a map: rows and columns."""
Work = Callable[[Part, Part, Part], None]


def in_strips(work: Work, height: int, reach: int = 0, columns: Ints | None = None) -> None:
    """Call `work` with the part of every strip of a map, in any order, on several threads.

    It is given the part that it is to write; the one that it may look at, up to `reach` more on
    all sides; and where in this the first one lies. `columns` (strips, 2): the first of each strip
    and the one beyond the last, where only those between are looked at; by default all.
    """

    def some(strips: slice) -> None:
        for strip in range(strips.start, min(strips.stop, -(-height // STRIP))):
            top, bottom = strip * STRIP, min((strip + 1) * STRIP, height)
            rows, rows_around, rows_inner = _with_reach(top, bottom, reach, height)
            if columns is None:
                every = slice(None)
                work((rows, every), (rows_around, every), (rows_inner, every))
                continue
            left, right = columns[strip].tolist()
            if left < right:
                of_it, around, inner = _with_reach(left, right, reach)
                work((rows, of_it), (rows_around, around), (rows_inner, inner))

    shared_out(some, -(-height // STRIP), 1)


def to_be_filled(shape: tuple[int, ...], columns: Ints | None) -> NDArray[np.uint8]:
    """A map that `in_strips` is to write, 0 where that leaves columns out."""
    return np.empty(shape, np.uint8) if columns is None else empty_map(shape)


def empty_map(shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """A map of 0, of which only what is written takes memory, as far as the system knows how: in
    huge pages, which numpy asks for, so much would be taken round it that most of it were.
    """
    size = math.prod(shape)
    if sys.platform != "linux" or size < LARGE:
        return np.zeros(shape, np.uint8)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # of a kernel that knows no huge pages
        memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, np.uint8).reshape(shape)


def _with_reach(
    begin: int, end: int, reach: int, length: int | None = None
) -> tuple[slice, slice, slice]:
    """What lies between two places; that and its surroundings; and where in these it lies."""
    first = max(0, begin - reach)
    last = end + reach if length is None else min(length, end + reach)
    return slice(begin, end), slice(first, last), slice(begin - first, end - first)
