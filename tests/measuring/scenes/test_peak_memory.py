from __future__ import annotations

import subprocess
import sys

HOLD_AND_LET_GO = """
import numpy as np
from measuring.scenes.peak_memory import forget_peak, peak_megabytes

before = peak_megabytes()
block = np.ones(200_000_000, np.uint8)
held = peak_megabytes()
del block
forget_peak()
print(held - before, peak_megabytes() - before)
"""


def test_the_peak_follows_what_is_held() -> None:
    """In a process of its own: not every system lets the peak of a process be forgotten."""
    done = subprocess.run(
        [sys.executable, "-c", HOLD_AND_LET_GO], capture_output=True, text=True, check=True
    )
    held, after = (float(value) for value in done.stdout.split())
    assert 180 < held < 220
    assert after < 40 or after >= held, "forgotten, or left as it was; nothing between"
