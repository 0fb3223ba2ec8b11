"""Memory given back to the C library is there for the next picture, without the system's help."""

import os
import subprocess
import sys

import pytest

_PAGES_ASKED = """
import resource, sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from vision.process import keep_memory

def some_maps(number):
    return [np.ones(3 << 20) for _ in range(number)]

def picture():
    some_maps(8) if sys.argv[2] == "main" else other.submit(some_maps, 3).result()

other = ThreadPoolExecutor(1)
if sys.argv[1] == "keep":
    keep_memory()
for _ in range(3):
    picture()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
picture()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def pages_asked(how: str, thread: str = "main", **settings: str) -> int:
    """How many pages the fourth picture's maps have the system map anew: 192 MB of them, or 72 MB
    on another thread.
    """
    outer = {k: v for k, v in os.environ.items() if "MALLOC" not in k and "TUNABLES" not in k}
    asked = [sys.executable, "-c", _PAGES_ASKED, how, thread]
    env = {**outer, **settings}
    told = subprocess.run(asked, env=env, capture_output=True, text=True, check=True)
    return int(told.stdout)


MANY = 1000
"""Of 49,000 pages; how many of them come as large ones hangs on what else the system does."""


def test_maps_of_the_next_picture_lie_where_the_last_ones_did() -> None:
    if pages_asked("as it is") < MANY:
        pytest.skip("this system's C library keeps memory by itself")
    assert pages_asked("keep") < 100


def test_so_do_those_of_another_thread() -> None:
    assert pages_asked("keep", "another") < 100


def test_what_the_environment_says_holds() -> None:
    own = {"MALLOC_TRIM_THRESHOLD_": "1000000"}
    if pages_asked("as it is", **own) < MANY:
        pytest.skip("this system's C library keeps memory by itself")
    assert pages_asked("keep", **own) >= MANY
