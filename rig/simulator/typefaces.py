"""Digits in several typefaces, drawn as lines of varying width or as outlines.

Units are the digit's height; x right, y down, the digit's middle at the origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from rig.simulator.brush import FloatArray

Line = tuple[tuple[float, float, float], ...]

_HERSHEY: Mapping[str, tuple[int, int]] = {
    "simplex": (cv2.FONT_HERSHEY_SIMPLEX, 9),
    "duplex": (cv2.FONT_HERSHEY_DUPLEX, 7),
    "complex": (cv2.FONT_HERSHEY_COMPLEX, 7),
    "triplex": (cv2.FONT_HERSHEY_TRIPLEX, 6),
    "italic": (cv2.FONT_HERSHEY_TRIPLEX | cv2.FONT_ITALIC, 6),
}
"""OpenCV's fonts with a line width that makes them as bold as a printed digit."""
_HERSHEY_SCALE = 3.0

_SIX: tuple[Line, ...] = (
    ((0.2, -0.34, 0.15), (0.12, -0.44, 0.1), (0.0, -0.455, 0.09), (-0.13, -0.38, 0.14),
     (-0.2, -0.2, 0.18), (-0.22, 0.05, 0.2), (-0.19, 0.28, 0.18), (-0.08, 0.44, 0.1),
     (0.03, 0.455, 0.09), (0.16, 0.36, 0.16), (0.21, 0.18, 0.19), (0.15, 0.0, 0.15),
     (0.03, -0.08, 0.09), (-0.1, -0.03, 0.08), (-0.19, 0.08, 0.08)),
)  # fmt: skip
_SERIF: Mapping[str, tuple[Line, ...]] = {
    "0": (
        ((0.0, -0.455, 0.09), (0.14, -0.36, 0.16), (0.2, -0.15, 0.2), (0.2, 0.15, 0.2),
         (0.14, 0.36, 0.16), (0.0, 0.455, 0.09), (-0.14, 0.36, 0.16), (-0.2, 0.15, 0.2),
         (-0.2, -0.15, 0.2), (-0.14, -0.36, 0.16), (0.0, -0.455, 0.09)),
    ),
    "1": (
        ((0.03, -0.4, 0.19), (0.03, 0.42, 0.19)),
        ((-0.23, 0.45, 0.1), (0.28, 0.45, 0.1)),
        ((-0.22, -0.37, 0.1), (-0.06, -0.43, 0.12), (0.05, -0.44, 0.12)),
    ),
    "2": (
        ((-0.23, -0.26, 0.15), (-0.2, -0.38, 0.1), (-0.08, -0.45, 0.09), (0.06, -0.44, 0.12),
         (0.17, -0.34, 0.18), (0.18, -0.2, 0.2), (0.1, -0.04, 0.16), (-0.04, 0.12, 0.12),
         (-0.18, 0.26, 0.1), (-0.25, 0.38, 0.1)),
        ((-0.22, 0.41, 0.18), (0.2, 0.41, 0.18)),
        ((0.25, 0.45, 0.1), (0.28, 0.24, 0.09)),
    ),
    "3": (
        ((-0.22, -0.3, 0.15), (-0.16, -0.42, 0.1), (0.0, -0.455, 0.09), (0.13, -0.39, 0.16),
         (0.17, -0.25, 0.19), (0.12, -0.1, 0.14), (0.0, -0.03, 0.09), (-0.08, -0.03, 0.09)),
        ((-0.02, -0.03, 0.09), (0.14, 0.04, 0.14), (0.2, 0.2, 0.2), (0.14, 0.38, 0.16),
         (0.0, 0.455, 0.09), (-0.16, 0.43, 0.11), (-0.24, 0.3, 0.15)),
    ),
    "4": (
        ((0.09, -0.4, 0.19), (0.09, 0.42, 0.19)),
        ((0.05, -0.43, 0.1), (-0.28, 0.18, 0.09)),
        ((-0.28, 0.2, 0.1), (0.29, 0.2, 0.1)),
        ((-0.1, 0.455, 0.09), (0.26, 0.455, 0.09)),
    ),
    "5": (
        ((-0.14, -0.42, 0.15), (0.19, -0.42, 0.15)),
        ((-0.19, -0.45, 0.09), (-0.2, -0.04, 0.09)),
        ((-0.2, -0.06, 0.09), (-0.08, -0.13, 0.09), (0.05, -0.13, 0.12), (0.17, -0.02, 0.18),
         (0.2, 0.15, 0.2), (0.14, 0.35, 0.16), (0.0, 0.455, 0.09), (-0.16, 0.43, 0.11),
         (-0.23, 0.3, 0.15)),
    ),
    "6": _SIX,
    "7": (
        ((-0.22, -0.41, 0.17), (0.2, -0.41, 0.17)),
        ((-0.26, -0.45, 0.09), (-0.27, -0.24, 0.09)),
        ((0.22, -0.36, 0.1), (0.1, -0.05, 0.16), (-0.02, 0.25, 0.18), (-0.05, 0.42, 0.18)),
    ),
    "8": (
        ((0.0, -0.455, 0.09), (0.15, -0.38, 0.15), (0.17, -0.24, 0.17), (0.1, -0.09, 0.13),
         (0.0, -0.03, 0.1), (-0.1, -0.09, 0.13), (-0.17, -0.24, 0.17), (-0.15, -0.38, 0.15),
         (0.0, -0.455, 0.09)),
        ((0.0, -0.03, 0.1), (0.16, 0.06, 0.15), (0.2, 0.22, 0.19), (0.14, 0.39, 0.15),
         (0.0, 0.455, 0.09), (-0.14, 0.39, 0.15), (-0.2, 0.22, 0.19), (-0.16, 0.06, 0.15),
         (0.0, -0.03, 0.1)),
    ),
    "9": tuple(tuple((-x, -y, w) for x, y, w in line) for line in _SIX),
}  # fmt: skip
_SANS_LEFT_OUT: Mapping[str, tuple[int, ...]] = {"1": (1,), "2": (2,), "4": (3,), "7": (1,)}
"""Which lines of the digits above are serifs."""
_SANS_WIDTH = 0.16
_BLOCKS: Mapping[str, str] = {
    "0": "01540", "1": "15", "2": "013245", "3": "0154 23", "4": "023 15", "5": "102354",
    "6": "104532", "7": "015", "8": "01540 23", "9": "320154",
}  # fmt: skip
"""Lines from point to point of `_BLOCK_POINTS`."""
_BLOCK_POINTS = ((-0.22, -0.42), (0.22, -0.42), (-0.22, 0.0), (0.22, 0.0), (-0.22, 0.42),
                 (0.22, 0.42))  # fmt: skip
_BLOCK_WIDTH = 0.17

TYPEFACES = ("serif", "sans", "block", *_HERSHEY)


@dataclass(frozen=True, eq=False)
class Glyph:
    """A digit: lines to draw, or outlines (N, 2) to fill together."""

    lines: tuple[Line, ...] = ()
    contours: tuple[FloatArray, ...] = ()


@lru_cache(maxsize=256)
def glyph(typeface: str, digit: str) -> Glyph:
    """A digit of a typeface. ValueError for an unknown typeface."""
    if typeface in _HERSHEY:
        return Glyph(contours=_hershey(*_HERSHEY[typeface], digit))
    if typeface == "serif":
        return Glyph(_SERIF[digit])
    if typeface == "sans":
        return Glyph(_sans(digit))
    if typeface == "block":
        return Glyph(_block(digit))
    raise ValueError(f"no such typeface: {typeface}; there are {', '.join(TYPEFACES)}")


def _sans(digit: str) -> tuple[Line, ...]:
    lines = [line for i, line in enumerate(_SERIF[digit]) if i not in _SANS_LEFT_OUT.get(digit, ())]
    return tuple(tuple((x, y, _SANS_WIDTH) for x, y, _ in line) for line in lines)


def _block(digit: str) -> tuple[Line, ...]:
    return tuple(
        tuple((*_BLOCK_POINTS[int(point)], _BLOCK_WIDTH) for point in line)
        for line in _BLOCKS[digit].split()
    )


def _hershey(font: int, thickness: int, digit: str) -> tuple[FloatArray, ...]:
    """Outlines of a digit as OpenCV writes it, 1 high, round its middle."""
    picture = np.zeros((160, 160), dtype=np.uint8)
    at = (40, 120)
    cv2.putText(picture, digit, at, font, _HERSHEY_SCALE, 255, thickness, cv2.LINE_AA)
    _, bold = cv2.threshold(picture, 127, 255, cv2.THRESH_BINARY)
    contours, _ = cv2.findContours(bold, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    points = np.concatenate([contour.reshape(-1, 2) for contour in contours]).astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    height = float(high[1] - low[1])
    return tuple((contour.reshape(-1, 2) - (low + high) / 2) / height for contour in contours)
