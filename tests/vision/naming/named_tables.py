"""Tables whose cards are to be named."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import draw_templates
from vision.naming.name_cards import (
    Named,
)

TEMPLATES = draw_templates(DECK)
PRINTED = PrintedDeck(DECK, TEMPLATES)
CARDS = (
    DrawnCard("circle-4", "green", (22.0, 71.0, 0.3)),
    DrawnCard("square-2", "red", (100.0, 70.0, 1.9), mirrored=True),
    DrawnCard("triangle-5", "blue", (120.0, 140.0, -1.5)),
)
EVIDENCE = drawn_evidence(*CARDS)


def rows_of(*cards: DrawnCard) -> NDArray[np.int64]:
    rows = [2 * TEMPLATES.faces.index(card.face) + card.mirrored for card in cards]
    return np.array(rows, dtype=np.int64)


def named_of(*cards: DrawnCard) -> Named:
    """Cards named as they were drawn."""
    count = len(cards)
    poses = np.array([card.pose for card in cards]).reshape(-1, 3)
    rows = rows_of(*cards)
    return Named(poses, rows, np.full(count, 0.2), np.ones(count), np.zeros((count, 3)))


def check(named: Named, cards: tuple[DrawnCard, ...]) -> None:
    """Each card once, named, and the right way round."""
    assert len(named) == len(cards)
    for card, row in zip(cards, rows_of(*cards), strict=True):
        gaps = [off(pose, card)[0] for pose in named.poses]
        i = int(np.argmin(gaps))
        assert named.rows[i] == row
        assert gaps[i] < 0.5
        assert np.cos(named.poses[i, 2] - card.pose[2]) > 0.99
