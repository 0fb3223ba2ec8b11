"""A colour's symbol in a terminal, for people who do not tell the colours apart (C6)."""

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Colour

_CELLS_WIDE, _CELLS_HIGH = 4, 2
_HALF_MM = 2.3
_FINE = 8
_BRAILLE = 0x2800
_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
"""The dots of a braille character, which is four rows of two."""


def symbol_text(colour: Colour) -> str:
    """The symbol drawn with braille characters: two lines of four."""
    grid = _grid(colour)
    cells = grid.reshape(_CELLS_HIGH, 4, _CELLS_WIDE, 2).transpose(0, 2, 1, 3)
    codes = (cells * _BITS).sum(axis=(2, 3)) + _BRAILLE
    return "\n".join("".join(chr(code) for code in row) for row in codes)


def _grid(colour: Colour) -> NDArray[np.bool_]:
    """The symbol on 8 x 8 points: which are more than half inside."""
    points = np.array([point for polygon in colour.symbol_mm for point in polygon])
    reach = max(_HALF_MM, float(np.abs(points).max()))
    side = 8 * _FINE
    drawn = np.zeros((side, side), np.uint8)
    for polygon in colour.symbol_mm:
        corners = (np.array(polygon) / reach + 1) * side / 2 - 0.5
        cv2.fillPoly(drawn, [np.round(corners).astype(np.int32)], 1)
    parts = drawn.reshape(8, _FINE, 8, _FINE).mean(axis=(1, 3))
    return np.asarray(parts > 0.45)
