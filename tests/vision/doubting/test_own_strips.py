from __future__ import annotations

import numpy as np
import pytest

from tests.vision.doubting.hidden_strips import UPPER, peeking, scene_hiding
from tests.vision.drawing.drawn_cards import DrawnCard, off
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.edge_doubts import peeking_doubts
from vision.doubting.own_strips import own_strip

UNDER_IT = DrawnCard("square-1", "red", (185.0, 120.0, np.pi / 2))
OTHERS = (
    DrawnCard("square-1", "green", (60.0, 60.0, np.pi / 2)),
    DrawnCard("triangle-5", "red", (25.0, 70.0, 0.0)),
    DrawnCard("triangle-4", "green", (60.0, 200.0, np.pi / 2)),
    DrawnCard("triangle-5", "green", (25.0, 210.0, 0.0)),
    DrawnCard("circle-1", "red", (260.0, 215.0, np.pi / 2)),
    DrawnCard("square-6", "red", (225.0, 225.0, 0.0)),
)


def scene(*peeking: DrawnCard) -> DoubtContext:
    """Cards on others, under one of which another may lie."""
    return scene_hiding(peeking, *OTHERS, UNDER_IT)


@pytest.mark.parametrize(
    "move_mm",
    [(1.1, 0.0), *(pytest.param(m, marks=pytest.mark.thorough) for m in ((1.5, 0.3), (2.2, -0.5)))],
)
def test_a_strip_of_the_upper_card_s_own_ink_on_black_is_told(
    move_mm: tuple[float, float],
) -> None:
    seen = scene(peeking("blue", move_mm))
    upper = own_strip(seen)
    assert upper is not None
    assert off(seen.table.named.poses[upper], UPPER)[0] < 1.0
    assert upper in {doubt.card for doubt in peeking_doubts(seen)}


def test_a_card_s_own_band_is_no_strip() -> None:
    assert own_strip(scene()) is None


def test_a_strip_of_another_ink_is_told_otherwise() -> None:
    assert own_strip(scene(peeking("green", (1.5, 0.3)))) is None
