"""Medians, and what they tell of a spread, whatever a few samples are.

Those of many small samples are sorted at once, in a fraction of the time that numpy's take.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Kind = TypeVar("Kind", np.float32, np.float64)
SIGMA_OF_MEDIAN = 1.4826
"""A normal distribution's sigma, in medians of how far its samples lie off."""


def medians(values: NDArray[Kind], axis: int) -> NDArray[Kind]:
    """The medians along an axis of values without nan, in their own type; of that axis there is at
    least one.
    """
    ordered: NDArray[Any] = np.sort(values, axis=axis)
    last = values.shape[axis] - 1
    low, high = (np.take(ordered, k, axis=axis) for k in (last // 2, (last + 1) // 2))
    out: NDArray[Kind] = (low + high) / 2
    return out
