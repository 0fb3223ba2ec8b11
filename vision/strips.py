"""Work on whole maps strip by strip, on all cores: what one step leaves is still in the cache."""

from __future__ import annotations

from collections.abc import Callable

from vision.cores import shared_out

STRIP = 128
"""Rows of a strip: a few maps of it together are smaller than a core's own cache."""

Work = Callable[[slice, slice, slice], None]


def in_strips(work: Work, height: int, reach: int = 0) -> None:
    """Call `work` with the rows of every strip of a map, in any order, on several threads.

    It is given the rows that it is to write; those that it may look at, up to `reach` more on
    either side; and where among these the first ones lie.
    """

    def some(strips: slice) -> None:
        for top in range(strips.start * STRIP, min(strips.stop * STRIP, height), STRIP):
            bottom = min(top + STRIP, height)
            first = max(0, top - reach)
            around = slice(first, min(height, bottom + reach))
            work(slice(top, bottom), around, slice(top - first, bottom - first))

    shared_out(some, -(-height // STRIP), 1)
