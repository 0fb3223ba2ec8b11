"""Tables of which odds are asked."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from vision.drawing.templates import draw_templates
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.picture import LaidCards
from vision.raster import Raster

TEMPLATES = draw_templates(DECK)
CONFIG = LikelihoodConfig(blurs_mm=(0.0,))
CARDS = (
    DrawnCard("circle-3", "orange", (25.0, 70.0, 0.1)),
    DrawnCard("triangle-6", "purple", (95.0, 75.0, -0.2), mirrored=True),
    DrawnCard("square-4", "orange", (160.0, 80.0, 1.2)),
    DrawnCard("square-5", "green", (75.0, 130.0, 0.4)),
    DrawnCard("triangle-2", "green", (5.0, 135.0, 0.0)),
    DrawnCard("circle-5", "purple", (135.0, 135.0, 0.7)),
)
ON_TOP = 3
"""It covers a corner of the second card."""


@cache
def table() -> tuple[Raster, LaidCards]:
    raster = drawn_evidence(*CARDS, size_mm=(240, 180)).raster
    names = [(TEMPLATES.faces.index(card.face), card.mirrored) for card in CARDS]
    laid = LaidCards(
        np.array([card.pose for card in CARDS]),
        np.array([2 * face + mirrored for face, mirrored in names]),
        np.array([TEMPLATES.colours.index(card.colour) for card in CARDS]),
        tuple(range(len(CARDS))),
    )
    return raster, laid
