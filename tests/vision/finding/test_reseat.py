from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, off
from tests.vision.naming.named_tables import CARDS, EVIDENCE, PRINTED, TEMPLATES, named_of, rows_of
from vision.finding.reseat import NOWHERE, reseated
from vision.naming.name_cards import Named, top_weight
from vision.ordering.stacking import StackedCards, stack_up

FloatArray = NDArray[np.float64]


def displaced(by_mm: float, fit: float = 0.5, across_mm: float = 0.0) -> Named:
    """The first card, misread so far from its place along its long side, and across; the others as
    drawn.
    """
    named = named_of(*CARDS)
    cos, sin = np.cos(CARDS[0].pose[2]), np.sin(CARDS[0].pose[2])
    named.poses[0, :2] += by_mm * np.array([-sin, cos]) + across_mm * np.array([cos, sin])
    rows = named.rows.copy()
    rows[0] = 0
    return replace(named, rows=rows, fit=np.array([fit, 0.2, 0.2]))


def moved(named: Named, placed: FloatArray = NOWHERE) -> Named | None:
    stack = stack_up(EVIDENCE, named, DECK, TEMPLATES)
    visible = top_weight(named.poses, stack.top, TEMPLATES)
    return reseated(EVIDENCE, StackedCards(named, stack, visible), PRINTED, placed)


@pytest.mark.parametrize("by_mm", [-5.5, 4.0])
def test_a_card_found_beside_its_place_is_put_there(by_mm: float) -> None:
    found = moved(displaced(by_mm))
    assert found is not None
    assert found.rows.tolist() == rows_of(*CARDS).tolist()
    assert off(found.poses[0], CARDS[0])[0] < 1.5
    np.testing.assert_array_equal(found.poses[1:], named_of(*CARDS).poses[1:])


@pytest.mark.parametrize(("by_mm", "across_mm"), [(3.0, 1.5), (-5.0, -1.5), (5.0, 4.5)])
def test_one_that_lies_between_two_steps_is_led_there(by_mm: float, across_mm: float) -> None:
    found = moved(displaced(by_mm, across_mm=across_mm))
    assert found is not None
    assert found.rows.tolist() == rows_of(*CARDS).tolist()
    assert off(found.poses[0], CARDS[0])[0] < 0.1


def test_a_card_in_its_place_and_one_that_fits_stay() -> None:
    assert moved(displaced(0.0)) is None
    assert moved(displaced(5.5, fit=0.2)) is None


def test_a_card_that_its_lines_in_a_haze_have_placed_is_not_moved() -> None:
    named = displaced(4.0)
    assert moved(named, named.poses[:1]) is None
