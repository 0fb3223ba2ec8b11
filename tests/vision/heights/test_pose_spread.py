from __future__ import annotations

import numpy as np
import pytest

from geometry.spread import PoseSpread
from vision.heights.pose_spread import SpreadConfig, spread_seen

CONFIG = SpreadConfig()
LEVEL, ASLANT = np.zeros(2), np.array([0.6, 0.8])


def sigmas(spread: PoseSpread) -> tuple[float, float, float]:
    return spread.xx**0.5, spread.yy**0.5, spread.deg_deg**0.5


def test_a_card_seen_well_from_above_is_known_as_exactly_as_its_print_lies() -> None:
    x, y, deg = sigmas(spread_seen(250.0, LEVEL, CONFIG))
    assert x == y == pytest.approx(CONFIG.print_mm, abs=0.01)
    assert deg == pytest.approx(CONFIG.print_deg, abs=0.006)


def test_a_card_of_which_little_shows_is_known_less_well() -> None:
    known = [sigmas(spread_seen(mm, LEVEL, CONFIG)) for mm in (266.0, 150.0, 40.0, 4.0)]
    assert known == sorted(known)
    assert sigmas(spread_seen(0.0, LEVEL, CONFIG)) == known[-1]
    assert known[-1][0] > 0.25


def test_seen_aslant_it_is_uncertain_along_the_way_it_is_shifted_by_its_height() -> None:
    spread = spread_seen(150.0, ASLANT, CONFIG)
    level = spread_seen(150.0, LEVEL, CONFIG)
    grown = spread.matrix[:2, :2] - level.matrix[:2, :2]
    assert ASLANT @ grown @ ASLANT == pytest.approx(CONFIG.height_mm**2)
    across = np.array([-ASLANT[1], ASLANT[0]])
    assert across @ grown @ across == pytest.approx(0.0, abs=1e-12)
    assert spread.deg_deg > level.deg_deg
