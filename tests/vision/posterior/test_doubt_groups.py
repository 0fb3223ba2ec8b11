"""Doubts that ask the same are one."""

from __future__ import annotations

import numpy as np
import pytest

from vision.posterior.doubt_groups import grouped
from vision.reading import AnswerOdds, Doubt
from vision.reason import Reason

AT = (10.0, 20.0)


def face(card: int, value: str, log_odds: float, **changes: int) -> Doubt:
    odds = AnswerOdds("face", "circle-1", 0.0), AnswerOdds("face", value, log_odds)
    return Doubt("face", card, AT, Reason("face-unclear"), changes, changes, odds=odds)


def over(top: int, lower: int) -> Doubt:
    odds = AnswerOdds("over", top, 0.0), AnswerOdds("over", lower, -2.0)
    return Doubt("order", top, AT, Reason("order-unclear"), {"red": 1}, {}, odds=odds)


def test_faces_that_a_card_may_have_are_one_doubt() -> None:
    likely, unlikely = face(3, "circle-2", -1.0, red=1), face(3, "circle-5", -4.0, red=4, blue=1)
    (doubt,) = grouped([unlikely, likely])
    assert [odds.value for odds in doubt.odds] == ["circle-1", "circle-2", "circle-5"]
    assert doubt.changes_scores_by == {"blue": 1, "red": 4}
    assert doubt.changes_scores_without_illegal_by == {"blue": 1, "red": 4}


def test_a_face_in_two_ways_is_as_likely_as_both() -> None:
    (doubt,) = grouped([face(3, "circle-2", -3.0, red=1), face(3, "circle-2", -3.0, red=2)])
    assert len(doubt.odds) == 2
    assert doubt.odds[1].log_odds == pytest.approx(-3.0 + np.log(2))


def test_what_is_asked_of_other_cards_stays_apart() -> None:
    two = face(3, "circle-2", -1.0, red=1), face(4, "circle-2", -1.0, red=1)
    assert grouped(two) == two
    pairs = over(5, 2), over(5, 3)
    assert grouped(pairs) == pairs
    assert len(grouped([over(5, 2), over(5, 2)])) == 1
