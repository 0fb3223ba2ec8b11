from __future__ import annotations

import numpy as np
import pytest

from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.drawing import COLUMNS, INK_AT, WHITE_AT, Map32, put
from vision.likelihood.light import DrawnColumns, Places, Prior, fit_light, opponent, predicted

CONFIG = LikelihoodConfig()
TRUE = {0: (40.0, 3.0, -2.0), WHITE_AT: (150.0, 10.0, 4.0), INK_AT: (50.0, 90.0, -40.0)}


def print_of(count: int = 600) -> Map32:
    """Columns (1, K, COLUMNS) of a print of white, ink and black places in turn."""
    rng = np.random.default_rng(5)
    columns = np.zeros((1, count, COLUMNS), np.float32)
    columns[0, :, 0] = 1
    columns[0, :, 1:3] = rng.uniform(-1, 1, (count, 2))
    put(columns, WHITE_AT, (np.arange(count) % 3 == 0)[None].astype(np.float32))
    put(columns, INK_AT, (np.arange(count) % 3 == 1)[None].astype(np.float32))
    return columns


def lit(columns: Map32, noise: float = 1.0) -> Places:
    """What is seen in light that dims towards one side."""
    light = np.zeros((COLUMNS, 3))
    for at, value in TRUE.items():
        light[at] = value
    light[1, 0], light[WHITE_AT + 1, 0] = 9.0, -12.0
    seen = columns[0] @ light + np.random.default_rng(6).normal(0, noise, (columns.shape[1], 3))
    return Places(seen.astype(np.float32), np.zeros(len(seen), np.bool_))


def prior() -> Prior:
    mean = np.zeros((COLUMNS, 3))
    mean[0, 0], mean[WHITE_AT, 0], mean[INK_AT, 0] = 60.0, 120.0, 40.0
    return Prior(mean, np.full((COLUMNS, 3), 60.0), np.full(3, 2.0))


def spread(columns: Map32, value: float = 0.0) -> Map32:
    return np.full((*columns.shape[:2], 2), value, np.float32)


def test_veil_gain_and_ink_are_solved_from_the_card_itself() -> None:
    columns = print_of()
    fit = fit_light(lit(columns), DrawnColumns(columns, spread(columns)), prior(), CONFIG)
    for at, value in TRUE.items():
        np.testing.assert_allclose(fit.coefficients[0, at], value, atol=1.0)
    assert fit.coefficients[0, 1, 0] == pytest.approx(9.0, abs=1.0)
    assert fit.coefficients[0, WHITE_AT + 1, 0] == pytest.approx(-12.0, abs=1.5)


def test_outliers_do_not_pull_and_cost_no_more_than_anything_does() -> None:
    columns, seen = print_of(), lit(print_of())
    seen.values[:90, 0] += 140.0
    fit = fit_light(seen, DrawnColumns(columns, spread(columns)), prior(), CONFIG)
    np.testing.assert_allclose(fit.coefficients[0, 0], TRUE[0], atol=1.5)
    floor = np.log(CONFIG.outliers) - np.log(CONFIG.ranges).sum()
    np.testing.assert_allclose(fit.places[0, :90], floor, atol=0.01)
    assert fit.places[0, 90:].mean() > floor + 8


def test_saturated_places_are_a_bound() -> None:
    columns, seen = print_of(), lit(print_of())
    white = columns[0, :, WHITE_AT] == 1
    seen.burnt[white & (np.arange(600) % 2 == 0)] = True
    cut = Places(
        np.where(seen.burnt[:, None], np.array([150, 0, 0], np.float32), seen.values), seen.burnt
    )
    fit = fit_light(cut, DrawnColumns(columns, spread(columns)), prior(), CONFIG)
    np.testing.assert_allclose(fit.coefficients[0, WHITE_AT], TRUE[WHITE_AT], atol=3.0)


def test_a_place_that_may_be_misprinted_says_less() -> None:
    columns, seen = print_of(), lit(print_of())
    light = fit_light(seen, DrawnColumns(columns, spread(columns)), prior(), CONFIG).coefficients[0]
    sure, unsure = (
        predicted(seen, DrawnColumns(columns, spread(columns, off)), light, prior(), CONFIG)
        for off in (0.0, 0.3)
    )
    assert sure.mean() > unsure.mean() + 1
    moved = Places(seen.values + np.array([30, 0, 0], np.float32), seen.burnt)
    sure, unsure = (
        predicted(moved, DrawnColumns(columns, spread(columns, off)), light, prior(), CONFIG)
        for off in (0.0, 0.3)
    )
    assert unsure.mean() > sure.mean() + 5


def test_grey_is_grey_and_red_differs_from_blue() -> None:
    seen = opponent(np.array([[90, 90, 90], [20, 40, 200], [255, 30, 30]], np.uint8))
    np.testing.assert_allclose(seen.values[0], [90, 0, 0], atol=1e-4)
    assert seen.values[1, 1] == pytest.approx(180, abs=1e-3)
    np.testing.assert_array_equal(seen.burnt, [False, False, True])
