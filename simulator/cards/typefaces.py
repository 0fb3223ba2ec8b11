"""Digits in several typefaces, drawn as lines of varying width or as outlines.

Units are the digit's height; x right, y down, the digit's middle at the origin.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from simulator.cards.brush import FloatArray

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

_STEM, _HAIR, _SWELL = 0.16, 0.075, 0.175
"""Widths of the serif digits' strokes: upright ones, thin ones, and bows where they are boldest."""
_TOP, _FOOT = -0.46, 0.46
"""Where thin strokes have their middles at the digit's upper and lower end."""


def _bow(
    middle: tuple[float, float], radii: tuple[float, float], turns: tuple[float, float]
) -> Line:
    """A part of an ellipse from one angle to another, in turns clockwise from the right, bold at
    its sides and thin above and below.
    """
    steps = max(3, round(abs(turns[1] - turns[0]) * 20))
    angles = 2 * np.pi * np.linspace(*turns, steps + 1)
    across, along = np.cos(angles), np.sin(angles)
    x, y = middle[0] + radii[0] * across, middle[1] + radii[1] * along
    width = _HAIR + (_SWELL - _HAIR) * across**2
    return tuple(zip(x.tolist(), y.tolist(), width.tolist(), strict=True))


def _straight(*points: tuple[float, float], width: float) -> Line:
    return tuple((x, y, width) for x, y in points)


_BOWL = _bow((0.0, 0.17), (0.235, 0.29), (0.0, 1.0))
_SIX: tuple[Line, ...] = (_bow((0.17, 0.08), (0.405, 0.54), (0.5, 0.735)), _BOWL)
_SERIF: Mapping[str, tuple[Line, ...]] = {
    "0": (_bow((0.0, 0.0), (0.25, 0.46), (0.0, 1.0)),),
    "1": (
        _straight((0.0, -0.42), (0.0, 0.43), width=_STEM),
        _straight((-0.17, _FOOT), (0.17, _FOOT), width=_HAIR),
        _straight((-0.2, -0.3), (-0.02, -0.44), width=_HAIR),
    ),
    "2": (
        _bow((0.0, -0.22), (0.23, 0.24), (0.46, 1.08)),
        _straight((0.19, -0.12), (-0.22, 0.41), width=0.11),
        _straight((-0.23, 0.42), (0.22, 0.42), width=0.14),
        _straight((0.23, 0.44), (0.25, 0.3), width=_HAIR),
    ),
    "3": (
        _bow((-0.02, -0.245), (0.2, 0.215), (0.48, 1.22)),
        _bow((-0.02, 0.215), (0.23, 0.245), (0.78, 1.5)),
    ),
    "4": (
        _straight((0.11, -0.44), (0.11, 0.43), width=_STEM),
        _straight((0.11, -0.46), (-0.25, 0.14), width=_HAIR),
        _straight((-0.26, 0.15), (0.26, 0.15), width=_HAIR),
        _straight((-0.03, _FOOT), (0.25, _FOOT), width=_HAIR),
    ),
    "5": (
        _straight((-0.15, -0.43), (0.2, -0.43), width=0.13),
        _straight((-0.16, -0.44), (-0.19, -0.04), width=_HAIR),
        _bow((-0.01, 0.17), (0.235, 0.29), (0.62, 1.45)),
    ),
    "6": _SIX,
    "7": (
        _straight((-0.22, -0.42), (0.22, -0.42), width=0.14),
        _straight((-0.23, -0.44), (-0.24, -0.28), width=_HAIR),
        _straight((0.22, -0.38), (-0.06, 0.43), width=0.13),
    ),
    "8": (
        _bow((0.0, -0.235), (0.19, 0.225), (0.0, 1.0)),
        _bow((0.0, 0.215), (0.235, 0.245), (0.0, 1.0)),
    ),
    "9": tuple(tuple((-x, -y, w) for x, y, w in line) for line in _SIX),
}
_SANS_LEFT_OUT: Mapping[str, tuple[int, ...]] = {"1": (1,), "2": (3,), "4": (3,), "7": (1,)}
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
