"""Tables with cards that others hide."""

from __future__ import annotations

from tests.vision.drawing.drawn_cards import DrawnCard, drawn_evidence

KNOWN = DrawnCard("circle-4", "green", (15.0, 71.0, 0.3))
HIDDEN = DrawnCard("square-2", "red", (105.0, 90.0, 1.2))
EVIDENCE = drawn_evidence(KNOWN, HIDDEN)
