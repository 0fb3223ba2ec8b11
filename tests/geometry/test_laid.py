"""How likely players are to lay cards as they lie."""

from __future__ import annotations

import numpy as np
import pytest

from geometry.fitting import Fit
from geometry.laid import ANYWHERE, ANYWHERE_DEG, laid_density
from geometry.layout import Card
from geometry.pose import Pose
from geometry.touch import FARTHEST_FIT_MM, Touch

BELOW = Card(1, "green", "circle-1", Pose(300, 300, 0))


def touch(mm: float, deg: float = 0.0) -> Touch:
    return Touch(BELOW, 20.0, Fit(0, 0, mm, deg), 0.0)


def share(farthest_mm: float) -> float:
    """The share of all cards that lie no farther off, by rings, whatever they are turned by."""
    mm, deg = np.arange(0.025, farthest_mm, 0.05), np.arange(-11.95, 12.0, 0.1)
    rings = 2 * np.pi * mm * 0.05 * 0.1
    found = [[laid_density([touch(r, abs(d))]) for d in deg.tolist()] for r in mm.tolist()]
    return float(np.array(found).sum(axis=1) @ rings)


def test_cards_lie_somewhere_most_of_them_exactly() -> None:
    assert share(FARTHEST_FIT_MM) == pytest.approx(1.0, abs=0.01)
    assert share(2.0) == pytest.approx(1 - ANYWHERE, abs=0.01)


def test_the_farther_off_the_less_likely() -> None:
    for steps in ([touch(mm) for mm in (0.0, 0.5, 1.0, 2.0)],
                  [touch(0.3, deg) for deg in (0.0, 0.5, 1.0, 3.0)]):  # fmt: skip
        found = [laid_density([one]) for one in steps]
        assert found == sorted(found, reverse=True)
    assert laid_density([touch(4.0)]) == pytest.approx(laid_density([touch(14.0)]))


def test_of_several_cards_the_one_that_it_lies_on_best_tells() -> None:
    assert laid_density([touch(9.0), touch(0.4), touch(5.0)]) == laid_density([touch(0.4)])


def test_where_no_shapes_are_meant_it_is_as_if_laid_elsewhere() -> None:
    alone = Touch(BELOW, 20.0, None, 0.0)
    found = {laid_density(touched) for touched in ([], [alone], [touch(40.0)])}
    assert len(found) == 1
    assert found.pop() == pytest.approx(laid_density([touch(9.0, ANYWHERE_DEG)]))
