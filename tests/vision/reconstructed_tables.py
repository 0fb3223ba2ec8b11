"""Tables to be put together again."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from vision.reconstruct import Reconstruction, reconstruct

LOWER = DrawnCard("circle-4", "green", (15.0, 71.0, 0.3))
TOP = DrawnCard("triangle-5", "blue", (88.0, 84.0, 1.1))
START = DrawnCard("start", "white", (128.0, 120.0, -0.4))


@cache
def table_of(*bottom_up: DrawnCard) -> Reconstruction:
    table = reconstruct(drawn_evidence(*bottom_up), DECK)
    assert table is not None
    return table


def index_of(table: Reconstruction, card: DrawnCard) -> int:
    return int(np.argmin([off(pose, card)[0] for pose in table.named.poses]))
