"""How high cards lie on one another."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from geometry.deck_file import published_deck
from geometry.layout import Layout
from geometry.showing import over
from simulator import Conditions
from simulator.play.rounds import play_round
from vision.arrays import FloatArray
from vision.model.table import as_array, table_of
from vision.posterior.stack import Ground, layer_of_one_more, stack_of
from vision.reading_config import ReadingConfig

DECK = published_deck()
CONFIG = ReadingConfig()
LENS_MM = (-100.0, -60.0, 300.0)
"""Low and aside: cards are seen at slants of up to 2.6."""


@cache
def played() -> Layout:
    rules_kept = Conditions(cards=25, players=3, slip_mm=0.2, slip_deg=0.2)
    return play_round(np.random.default_rng(3), DECK, rules_kept).layout


def true_layers() -> FloatArray:
    layers: dict[int, int] = {}
    for card, below in over(played()).items():
        layers[card] = max((layers[k] + 1 for k in below), default=0)
    return np.array([layers[card.id] for card in played().cards], np.float64)


def seen(step_mm: float) -> Ground:
    """The round as it is seen aslant, each layer so high."""
    heights = true_layers() * step_mm
    table = table_of(played(), heights.tolist())
    places = as_array(card.place for card in table.cards)
    away = places[:, :2] - LENS_MM[:2]
    places[:, :2] += away * (heights / (LENS_MM[2] - heights))[:, None]
    return Ground(table.cards, places, LENS_MM, DECK, CONFIG)


@pytest.mark.parametrize("step_mm", [0.35, 0.6])
def test_the_step_is_told_by_what_was_laid_exactly(step_mm: float) -> None:
    """A table seen straight from above tells nothing, and has the usual step."""
    ground = seen(step_mm)
    assert np.linalg.norm(ground.slants(), axis=1).max() > 2.0
    stack = stack_of(ground)
    assert stack.step_mm == pytest.approx(step_mm, abs=0.06)
    np.testing.assert_array_equal(stack.layers, true_layers())
    off = np.linalg.norm(
        ground.lying(stack.heights) - ground.lying(true_layers() * step_mm), axis=1
    )
    assert off.max() < 0.7
    above = Ground(ground.cards, ground.places, (0.0, 0.0, 1e6), DECK, CONFIG)
    assert stack_of(above).step_mm == pytest.approx(CONFIG.stack_step_mm, abs=0.01)


def test_a_card_more_lies_on_what_it_reaches_into() -> None:
    ground, layers = seen(0.5), true_layers()
    for rank in (3, 12, 24):
        assert layer_of_one_more(ground, rank, np.delete(layers, rank), 0.5) == layers[rank]
