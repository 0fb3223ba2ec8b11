"""Work on many cards shared out over the cores: OpenCV and numpy let threads run side by side."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache, partial
from itertools import pairwise
from typing import Generic, TypeVar

import cv2

Result = TypeVar("Result")
_HERE = threading.local()


def shared_out(work: Callable[[slice], Result], count: int, least: int) -> list[Result]:
    """What `work` returns for consecutive parts of `count` things, in order, one part a core.

    A part has at least `least` things, so few are not shared out at all: between small steps of
    numpy's two threads hand Python to each other, which takes longer than the steps. Large ones,
    and OpenCV's, run side by side. The cores are as many as OpenCV may use. What one part raises
    is raised. Work that is itself part of shared work is not shared out again: it would wait for a
    thread that waits for it.
    """
    parts = min(_free_cores(), count // max(least, 1))
    if parts < 2:
        return [work(slice(0, count))]
    edges = [count * k // parts for k in range(parts + 1)]
    slices = [slice(begin, end) for begin, end in pairwise(edges)]
    others = [Meanwhile(partial(work, part)) for part in slices[1:]]
    try:
        return [_inside(partial(work, slices[0])), *(other.result() for other in others)]
    finally:
        for other in others:
            other.settle()


class Meanwhile(Generic[Result]):
    """Work that another core, if there is one, does until somebody asks for its result."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._begun: Future[Result] | None = None
        if _free_cores() > 1:
            self._begun = _pool(os.getpid(), _cores()).submit(_inside, work)

    def settle(self) -> None:
        """Return when no other core works at it, nor will."""
        if self._begun is not None and not self._begun.cancel():
            wait([self._begun])

    def result(self) -> Result:
        """What the work returned; what it raised is raised. Done here if nobody has begun it."""
        self.settle()
        if self._begun is None or self._begun.cancelled():
            return _inside(self._work)
        return self._begun.result()


def _inside(work: Callable[[], Result]) -> Result:
    _HERE.inside = True
    try:
        return work()
    finally:
        _HERE.inside = False


def _free_cores() -> int:
    return 1 if getattr(_HERE, "inside", False) else _cores()


def _cores() -> int:
    return max(1, min(cv2.getNumThreads(), _allowed()))


@lru_cache(maxsize=1)
def _allowed() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=4)
def _pool(process: int, cores: int) -> ThreadPoolExecutor:
    """The threads of this process: a forked one has none of its parent's."""
    return ThreadPoolExecutor(max(1, cores - 1), thread_name_prefix=f"cards-{process}")
