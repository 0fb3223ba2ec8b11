"""What the figures count."""

from __future__ import annotations

from typing import Any

import pytest

from measuring.one_score.figures import figures, lost, wrongly_read
from tests.measuring.one_score.records import record


def today(by_truth: float, by_read: float, differs: float = 20.0) -> dict[str, Any]:
    return {"refused": False, "differs_mm2": differs, "by_truth": by_truth, "by_read": by_read}


RECORDS = [
    record("a", faces=[[5.0, 9.0, "x", "y"], [-1.0, 9.0, "x", "y"]], today=today(9.0, -1.0)),
    record("b", faces=[[5.0, 9.0, "x", "y"]], orders=[[2.0, 9.0, "x", ""]], today=today(4.0, 5.0)),
    record("c", inks=[[0.0, 9.0, "x", "y"]], today=today(0.0, 0.0, differs=1.0)),
    record("d", today={"refused": True}),
]


def test_the_truth_leads_where_it_scores_higher() -> None:
    found = {figure.name: (figure.right, figure.number) for figure in figures(RECORDS)}
    assert found == {
        "faces that the picture can tell": (2, 3),
        "who lies on top": (1, 1),
        "inks": (0, 1),
        "cards that lie there": (0, 0),
        "cards that do not": (0, 0),
        "truth leads over each single move": (2, 4),
        "truth leads over a wrong reading": (1, 2),
    }


def test_what_the_loop_found_is_counted_where_it_was_asked() -> None:
    one = {"found": 9, "places": 10, "faces": 8, "inks": 9, "pairs": 12, "orders": 11, "false": 0}
    found = figures([*RECORDS, record("e", loop=one), record("f", loop=one), record("g", loop={})])
    assert [(figure.right, figure.number) for figure in found[-6:]] == [
        (18, 20),
        (18, 18),
        (16, 18),
        (18, 18),
        (22, 24),
        (0, 2),
    ]


def test_a_share_is_reached_or_not_and_of_nothing_there_is_none() -> None:
    faces, orders, *_, cards, _, _, _ = figures(RECORDS)
    assert faces.share == pytest.approx(2 / 3)
    assert not faces.reached
    assert orders.reached
    assert cards.share is None
    assert not cards.reached


def test_a_reading_that_looks_like_the_truth_is_not_wrong() -> None:
    assert [wrongly_read(one) is not None for one in RECORDS] == [True, True, False, False]


def test_what_is_lost_is_listed_the_worst_first() -> None:
    assert [line.split(":")[0] for line in lost(RECORDS)] == ["a faces", "a reading", "c inks"]
