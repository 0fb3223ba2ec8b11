"""Where the drawing of a card has its millimetres."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.drawing.face_art import raster_size


def seen_mm_to_raster(deck: Deck, px_per_mm: float) -> NDArray[np.float64]:
    """The 2 x 3 matrix from millimetres as seen (middle of the card) to raster pixels.

    For a mirrored card x as seen is minus the card frame's x.
    """
    width, height = raster_size(deck, px_per_mm)
    return np.array([[px_per_mm, 0, (width - 1) / 2], [0, px_per_mm, (height - 1) / 2]])
