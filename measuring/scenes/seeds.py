"""Seeds of simulated scenes."""

from __future__ import annotations

import re

TUNED_BELOW = 1_000_000
"""Scenes that may be looked at while the reading is changed have smaller seeds."""
_DIGITS, _APART = 8, 10_000


def reported_seed(commit: str) -> int:
    """The first seed of the scenes that a commit is reported on, from its hash (hexadecimal, eight
    digits or more): nobody can have looked at them before. ValueError for what is no hash.
    """
    if not re.fullmatch(rf"[0-9a-f]{{{_DIGITS},64}}", commit):
        raise ValueError(f"expected a commit's hash of {_DIGITS} digits or more, not {commit!r}")
    return TUNED_BELOW + _APART * int(commit[:_DIGITS], 16)
