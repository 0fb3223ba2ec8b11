from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from measuring.shadow.figures import (
    NOT_JUDGED,
    SOFT,
    Used,
    area,
    cards_of,
    covered_of,
    curve,
    made_found,
    orders_of,
    probability,
    reliability,
    threshold,
    told,
    trusted,
    used,
)
from measuring.shadow.plot import plot
from measuring.shadow.tables import tables

VALUES = np.array([5.0, 1.0, 3.0, 3.0, -2.0, 0.0])
WRONG = np.array([True, False, True, False, False, False])


def card(label: str, confidence: float, **log_odds: float) -> dict[str, Any]:
    return {
        "card": 1, "label": label, "confidence": confidence, "doubted": confidence < 0.9,
        "log_odds": log_odds, "orders": [[7, -4.0], [8, 2.5]], "upside_down": [8],
        "told_rightly": label == "face",
    }  # fmt: skip


RECORDS = [
    {
        "scene": "one",
        "missed": 1,
        "sure": True,
        "exact": False,
        "cards": [
            card("right", 0.99, face=-40.0, covered=70.0),
            card("face", 0.98, face=35.0, absent=-9.0, covered=0.0),
            card("alike", 0.99, face=3.0),
        ],
        "made": [
            {"label": "order", "log_odds": {"face": -9.0, "order": 30.0}},
            {"label": "side", "log_odds": {"face": -1.0, "order": 30.0}},
        ],
    },
    {
        "scene": "two",
        "missed": 0,
        "sure": True,
        "exact": True,
        "cards": [card("right", 0.6), card("colour", 0.5, colour=4.0, face=-3.0, order=50.0)],
        "made": [],
    },
]


def test_the_area_is_how_probably_a_wrong_card_has_the_higher_value() -> None:
    pairs = [(a > b) + (a == b) / 2 for a in VALUES[WRONG] for b in VALUES[~WRONG]]
    assert area(VALUES, WRONG) == pytest.approx(np.mean(pairs))
    assert area(-VALUES, WRONG) == pytest.approx(1 - float(np.mean(pairs)))
    assert np.isnan(area(VALUES, np.zeros(6, np.bool_)))


@pytest.mark.parametrize(("share", "exceed"), [(0.0, 0), (0.25, 1), (0.6, 2)])
def test_a_threshold_lets_no_more_than_its_share_of_right_cards_exceed(
    share: float, exceed: int
) -> None:
    assert (VALUES[~WRONG] > threshold(VALUES, WRONG, share)).sum() == exceed


def test_the_curve_steps_over_equal_values_at_once() -> None:
    rights, wrongs = curve(VALUES, WRONG)
    np.testing.assert_allclose(wrongs, [0, 0.5, 1, 1, 1, 1])
    np.testing.assert_allclose(rights, [0, 0, 0.25, 0.5, 0.75, 1])


def test_probabilities_are_as_often_right_as_they_say_where_they_were_fitted() -> None:
    rng = np.random.default_rng(3)
    odds = rng.normal(-5, 12, 20_000)
    wrong = rng.random(20_000) < 1 / (1 + np.exp(1.0 - 0.2 * odds))
    fit = trusted(odds[:, None], wrong)
    np.testing.assert_allclose(fit, [-1.0, 0.2], atol=0.05)
    said = probability(odds[:, None], fit)
    for mean, number, count in reliability(said, wrong, (0.01, 0.1, 0.5)):
        assert count / number == pytest.approx(mean, abs=0.02)


def test_records_say_what_can_be_told() -> None:
    cards = cards_of(RECORDS)
    np.testing.assert_array_equal(cards.wrong, [False, True, False, True])
    np.testing.assert_allclose(cards.log_odds, [-40, 35, NOT_JUDGED, 4])
    np.testing.assert_allclose(cards.unsure, [0.01, 0.02, 0.4, 0.5])
    odds, upside_down = orders_of(RECORDS)
    assert odds[upside_down].tolist() == [2.5] * 5
    covered, missed = covered_of(RECORDS)
    assert covered.tolist() == [70.0, NOT_JUDGED]
    assert missed.tolist() == [True, False]


def test_an_order_made_wrong_is_found_by_its_order_alone_and_nothing_else_is() -> None:
    assert made_found(RECORDS, 0.0) == {"order": (1, 1), "side": (0, 1)}


def test_heeding_the_likelihood_puts_right_and_spoils() -> None:
    assert used(RECORDS, 2.0) == Used(1, 1, (1, 1), (1, 1))
    assert used(RECORDS, 20.0) == Used(1, 0, (1, 1), (0, 1))
    assert used(RECORDS, 50.0) == Used(0, 0, (0, 1), (0, 1))


def test_both_tell_by_what_either_does() -> None:
    cards = cards_of(RECORDS)
    both = told(cards, "both")
    np.testing.assert_allclose(np.sinh(both[:, 0]) * SOFT, cards.log_odds)
    np.testing.assert_allclose(both[:, 1], told(cards, "confidence")[:, 0])
    assert both[2, 1] == pytest.approx(np.log(0.4 / 0.6))


def test_tables_and_plot_are_drawn_of_records() -> None:
    titles = [table.columns[0].header for table in tables(RECORDS, RECORDS)]
    assert titles == ["", "false alarms", "made wrong on purpose", "log-odds over", ""]
    drawn = ElementTree.fromstring(plot(RECORDS, RECORDS))
    assert len(drawn.findall("{*}polyline")) == 3
    assert len(drawn.findall("{*}circle")) >= 4
