"""How far leads can be trusted."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from measuring.one_score.plot import plot
from measuring.one_score.trust import came_true, leads, trusted_share
from tests.measuring.one_score.records import record


def drawn_leads(share: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Leads that are to be taken so many times, as their own odds say."""
    rng = np.random.default_rng(2)
    size = rng.exponential(30.0, 4000)
    right = rng.random(4000) < 1 / (1 + np.exp(-share * size))
    return np.where(right, size, -size)


@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
def test_the_share_by_which_leads_hold_is_found(share: float) -> None:
    assert trusted_share(drawn_leads(share)) == pytest.approx(share, rel=0.1)


def test_what_is_said_comes_true_at_that_share_and_not_at_another() -> None:
    lead = drawn_leads(0.05)
    for said, number, right in came_true(lead, 0.05):
        assert right / number == pytest.approx(said, abs=0.04)
    too_sure = came_true(lead, 1.0)[-1]
    assert too_sure[0] > 0.999
    assert too_sure[2] / too_sure[1] < 0.9


def test_all_cases_fall_into_bins() -> None:
    lead = drawn_leads(0.3)
    assert sum(number for _, number, _ in came_true(lead, 0.3)) == len(lead)


def test_leads_are_taken_of_the_kinds_that_are_asked() -> None:
    some = [record("a", faces=[[5.0, 9.0, "x", "y"]], inks=[[-1.0, 9.0, "x", "y"]])]
    assert leads(some).tolist() == [5.0, -1.0]
    assert leads(some, ["inks"]).tolist() == [-1.0]


def test_the_plot_is_a_picture_with_every_kind() -> None:
    rows = [[float(lead), 9.0, "x", "y"] for lead in drawn_leads(0.1)[:50]]
    some = [record("a", faces=rows, inks=rows, orders=rows, cards=rows, false=rows)]
    root = ElementTree.fromstring(plot(some, 0.1))
    lines = root.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 5
    assert all(line.get("points") for line in lines)
