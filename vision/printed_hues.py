"""Which hues the colours of a deck have, in whichever printing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from geometry.deck import Deck
from vision.arrays import FloatArray

PRINTED_HUES_DEG: Mapping[str, tuple[float, float]] = {
    "blue": (184.0, 216.0), "green": (74.0, 158.0), "orange": (27.0, 62.0),
    "pink": (316.0, 350.0), "purple": (226.0, 280.0), "red": (354.0, 377.0),
}  # fmt: skip
"""Of the printed game in its printings and cameras, measured on photographs of them."""
OTHER_HUES_DEG = 18.0
"""How far round its typical colour the hue of any other deck's colour may lie."""


def hue_deg(red: float, green: float, blue: float) -> float:
    """The hue of a colour, degrees: red 0, green 120, blue 240. 0 of grey."""
    across, up = red - (green + blue) / 2, np.sqrt(3) / 2 * (green - blue)
    return float(np.rad2deg(np.arctan2(up, across)) % 360)


def hues_deg(deck: Deck) -> tuple[FloatArray, FloatArray]:
    """From which hue to which (C,) each colour of a deck may be printed, degrees."""
    low, high = [], []
    for colour in deck.colours:
        r, g, b = (int(colour.hex[k : k + 2], 16) for k in (1, 3, 5))
        hue = hue_deg(r, g, b)
        first, last = PRINTED_HUES_DEG.get(colour.name, (hue, hue))
        known = first - OTHER_HUES_DEG < hue < last + OTHER_HUES_DEG
        known |= first - OTHER_HUES_DEG < hue + 360 < last + OTHER_HUES_DEG
        if colour.name not in PRINTED_HUES_DEG or not known:
            first, last = hue - OTHER_HUES_DEG, hue + OTHER_HUES_DEG
        low.append(first)
        high.append(last)
    return np.array(low), np.array(high)
