"""Cards of which another face may be likelier."""

from __future__ import annotations

from tests.vision.drawing.drawn_cards import DrawnCard

CARDS = (
    DrawnCard("circle-3", "green", (25.0, 70.0, 0.1)),
    DrawnCard("square-2", "green", (95.0, 75.0, -0.2), mirrored=True),
    DrawnCard("square-5", "green", (160.0, 80.0, 1.2)),
    DrawnCard("circle-5", "purple", (75.0, 150.0, 0.7)),
)
