"""Scenes are worked on in several processes, which end with the one that asked."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from threading import Thread
from typing import TypeVar

import cv2

Job = TypeVar("Job")
Result = TypeVar("Result")


def run_each(run: Callable[[Job], Result], jobs: Sequence[Job], processes: int) -> Iterator[Result]:
    """What comes of each job, in their order, in this process or in several."""
    if processes <= 1:
        yield from map(run, jobs)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawn, initializer=_begin) as pool:
        yield from pool.map(run, jobs)


def _begin() -> None:
    cv2.setNumThreads(1)  # the processes share the cores already
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Without this a worker whose parent was killed would work on and wait for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
