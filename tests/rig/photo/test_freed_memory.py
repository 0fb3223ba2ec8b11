"""Memory that a reading frees serves the next one: it is not fetched from the system again."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

TAKEN_AND_FREED = """
import {package}
import resource
import numpy as np

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    arrays = [np.ones(20 << 20, np.uint8) for _ in range(10)]
    del arrays
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

faults()
print(min(faults() for _ in range(4)))
"""


def _faults(package: str) -> int:
    command = [sys.executable, "-c", TAKEN_AND_FREED.format(package=package)]
    return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "mallopt"), reason="another C library than GNU's"
)
def test_freed_memory_is_kept_for_the_next_reading() -> None:
    fetched = _faults("sys")
    if fetched == 0:
        pytest.skip("this system does not count the pages that it hands out")
    assert _faults("rig") * 10 < fetched
