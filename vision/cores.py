"""Work on many cards shared out over the cores: OpenCV and numpy let threads run side by side."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import cv2

Result = TypeVar("Result")
_HERE = threading.local()


def shared_out(work: Callable[[slice], Result], count: int, least: int) -> list[Result]:
    """What `work` returns for consecutive parts of `count` things, in order, one part a core.

    A part has at least `least` things, so few are not shared out at all. The cores are as many
    as OpenCV may use. What one part raises is raised. Work that is itself part of shared work
    is not shared out again: it would wait for a thread that waits for it.
    """
    parts = 1 if getattr(_HERE, "inside", False) else min(_cores(), count // max(least, 1))
    if parts < 2:
        return [work(slice(0, count))]
    edges = [count * k // parts for k in range(parts + 1)]
    slices = [slice(begin, end) for begin, end in pairwise(edges)]
    others = [_pool(os.getpid(), _cores()).submit(_inside, work, part) for part in slices[1:]]
    try:
        first = _inside(work, slices[0])
    finally:
        rest = [other.exception() for other in others]
    for raised in rest:
        if raised is not None:
            raise raised
    return [first, *(other.result() for other in others)]


def _inside(work: Callable[[slice], Result], part: slice) -> Result:
    _HERE.inside = True
    try:
        return work(part)
    finally:
        _HERE.inside = False


def _cores() -> int:
    return max(1, min(cv2.getNumThreads(), _allowed()))


@lru_cache(maxsize=1)
def _allowed() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=4)
def _pool(process: int, cores: int) -> ThreadPoolExecutor:
    """The threads of this process: a forked one has none of its parent's."""
    return ThreadPoolExecutor(max(1, cores - 1), thread_name_prefix=f"cards-{process}")
