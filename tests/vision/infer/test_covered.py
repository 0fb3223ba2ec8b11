"""What lies over cards is told by the score, though nobody knows what it is."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.model.drawn_table import CARDS, CONFIG, DECK, DrawnTable, drawn_table
from vision.arrays import Bools
from vision.infer.covered import things_over
from vision.model.score import learned_score
from vision.model.table import Table

SKIN, WINE = (120, 150, 205), (60, 50, 140)


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return drawn_table()


def over(drawn: DrawnTable, table: Table) -> Bools:
    return things_over(learned_score(drawn.seen(), table, DECK, CONFIG), table)


def covered(
    drawn: DrawnTable, at_mm: tuple[float, float], size_mm: float, bgr: tuple[int, int, int]
) -> DrawnTable:
    """The table with a square thing over it."""
    image = drawn.raster.image_bgr.copy()
    x, y = drawn.raster.to_raster(np.array(at_mm)).tolist()
    half = size_mm / 2 * drawn.raster.density
    rng = np.random.default_rng(5)
    one, other = (round(x - half), round(y - half)), (round(x + half), round(y + half))
    cv2.rectangle(image, one, other, bgr, -1)
    noisy = image[one[1] : other[1], one[0] : other[0]] + rng.normal(
        0, 4, (other[1] - one[1], other[0] - one[0], 3)
    )
    image[one[1] : other[1], one[0] : other[0]] = np.clip(noisy, 0, 255)
    return replace(drawn, raster=replace(drawn.raster, image_bgr=image))


def test_nothing_lies_over_a_table_that_shows(drawn: DrawnTable) -> None:
    assert not over(drawn, drawn.table).any()


@pytest.mark.parametrize("bgr", [SKIN, WINE])
def test_a_thing_over_a_card_is_told_where_it_lies(
    drawn: DrawnTable, bgr: tuple[int, int, int]
) -> None:
    at = CARDS[2].pose.x_mm, CARDS[2].pose.y_mm
    told = over(covered(drawn, at, 40.0, bgr), drawn.table)
    row, column = np.nonzero(told)
    off = np.column_stack([column, row]) / drawn.raster.density - at
    assert told.sum() > 0.5 * (40.0 * drawn.raster.density) ** 2
    assert np.abs(off).max() < 30.0


def test_a_thing_that_hides_a_card_wholly_is_told(drawn: DrawnTable) -> None:
    """Nothing is left of the starting card: what lies there is unlike the table, and hides others
    in part.
    """
    hidden = covered(drawn, (130.0, 110.0), 96.0, SKIN)
    told = over(hidden, drawn.table.without(drawn.table.cards[0].id))
    assert told.any()
    assert told[220, 260]


def test_a_speck_is_no_thing(drawn: DrawnTable) -> None:
    at = CARDS[2].pose.x_mm, CARDS[2].pose.y_mm
    assert not over(covered(drawn, at, 6.0, SKIN), drawn.table).any()
