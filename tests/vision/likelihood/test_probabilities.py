"""Log-odds said as probabilities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.probabilities import probabilities

CONFIG = LikelihoodConfig(temperature=2.0, blind=0.3)
LEAST = 0.7 * 0.3 / 2
"""What is said of one of two answers that the log-odds rule out."""


@pytest.mark.parametrize("log_odds", [(0.0,), (0.0, 1.0), (0.0, -3.0, 2000.0, -1e6)])
def test_they_are_all_there_is(log_odds: tuple[float, ...]) -> None:
    said, left = probabilities(log_odds, CONFIG)
    assert sum(said) + left == pytest.approx(1.0)
    assert left == 0.3


def test_a_temperature_divides_log_odds() -> None:
    (first, second), _ = probabilities((0.0, -2.0), CONFIG)
    assert np.log((first - LEAST) / (second - LEAST)) == pytest.approx(1.0)
    sharp, _ = probabilities((0.0, -2.0), replace(CONFIG, temperature=0.5))
    assert sharp[1] < second
    (first, second), _ = probabilities((0.0, -2.0), CONFIG, of_inks=True)
    assert np.log((first - LEAST) / (second - LEAST)) == pytest.approx(2.0)


def test_only_differences_count() -> None:
    there, here = probabilities((5.0, 3.0), CONFIG)[0], probabilities((0.0, -2.0), CONFIG)[0]
    assert there == pytest.approx(here)


def test_nothing_is_impossible_or_certain() -> None:
    (most, least), _ = probabilities((0.0, -1e9), CONFIG)
    assert (least, most) == pytest.approx((LEAST, 0.7 - LEAST))


def test_what_is_used_neither_knows_all_nor_nothing() -> None:
    config = LikelihoodConfig()
    (sure, never), left = probabilities((0.0, -1e9), config)
    assert 0.001 < never < 0.2
    assert sure < 0.999
    assert left > 0
