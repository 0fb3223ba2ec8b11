"""What the page's tests have in common: how long a reading may take, and a card to correct."""

from __future__ import annotations

from typing import Any

READING_S = 120.0


def a_card_on_top(reading: dict[str, Any]) -> dict[str, Any]:
    """One that nothing covers, with dots, and neither blue nor in doubt."""
    covered = {below for card in reading["cards"] for below in card["over"]}
    asked = {doubt["card"] for doubt in reading["doubts"]}
    asked |= {item["card"] for item in reading["illegal"]}
    fit = [c for c in reading["cards"] if c["id"] not in covered | asked and c["visible_dots"] > 1]
    return next(card for card in fit if card["colour"] not in ("blue", "white"))
