"""Two cards that fit by chance."""

from __future__ import annotations

import numpy as np

from tests.vision.drawing.drawn_cards import DrawnCard

LOWER = DrawnCard("circle-4", "green", (60.0, 100.0, 0.0))
UPPER = DrawnCard("square-1", "red", (98.14, 100.0, np.pi))
"""Lies on the long rectangle of green's, exactly."""
