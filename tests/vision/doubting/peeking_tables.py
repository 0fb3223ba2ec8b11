"""Tables on which a card peeks out under others."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from geometry.rules import Rules
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from vision.drawing.pose_fit import place, turns
from vision.reconstruct import Reconstruction, reconstruct

FloatArray = NDArray[np.float64]
ROOM_MM = (300, 260)
UPPER = DrawnCard("triangle-5", "blue", (20.0, 80.0, 0.4))
GREEN = DrawnCard("circle-4", "green", (110.0, 80.0, 0.3))
OTHERS = (
    DrawnCard("circle-6", "blue", (20.0, 200.0, -0.4)),
    DrawnCard("square-2", "green", (120.0, 200.0, 1.2)),
    DrawnCard("triangle-2", "red", (205.0, 90.0, 0.2)),
)


@cache
def table_of(*bottom_up: DrawnCard, free_for_all: bool = False) -> Reconstruction:
    evidence = drawn_evidence(*bottom_up, size_mm=ROOM_MM)
    table = reconstruct(evidence, DECK, Rules(free_for_all=free_for_all))
    assert table is not None
    return table


def under(
    move_mm: tuple[float, float], turn: float = 0.0, colour: str = "red", upper: DrawnCard = UPPER
) -> DrawnCard:
    """A card that lies under the upper one, moved along its axes and turned a little."""
    x, y, angle = upper.pose
    dx, dy = turns(np.array([angle]))[0] @ np.array(move_mm)
    return DrawnCard("square-6", colour, (x + float(dx), y + float(dy), angle + turn))


def band_of(card: DrawnCard) -> FloatArray:
    """Places (K, 2) on a card's band beside one of its long sides, near the edge."""
    along = np.linspace(-20, 20, 30)
    beside = np.full(30, DECK.card.width_mm / 2 - 0.6)
    return np.asarray(place(np.array([card.pose]), np.column_stack([beside, along]))[0])
