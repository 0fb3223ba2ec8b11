"""Medians of many samples at once are numpy's own."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.medians import medians


@pytest.mark.parametrize("count", [1, 2, 7, 48])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_medians_are_numpys(count: int, kind: type[np.float32 | np.float64]) -> None:
    values: NDArray[Any] = np.random.default_rng(count).normal(size=(5, count, 3)).astype(kind)
    found = medians(values, 1)
    assert found.dtype == kind
    np.testing.assert_array_equal(found, np.median(values, axis=1))


def test_of_no_samples_there_are_no_medians() -> None:
    assert medians(np.empty((0, 9, 3)), 1).shape == (0, 3)
