"""The simulator's own brush: polygons, discs and lines in millimetres, painted into a map of
what each point of a card is.
"""

from collections.abc import Sequence
from enum import IntEnum
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Point

Labels = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
Stroke = Sequence[tuple[float, float, float]]
"""A line of points x, y with the line's width there."""

_SHIFT = 8
_TOUCHED_PX = 0.8
_AROUND = np.arange(48) * np.pi / 24
CIRCLE = np.column_stack([np.cos(_AROUND), np.sin(_AROUND)])
"""A circle of radius 1 as a polygon (48, 2)."""
_FILLET = np.linspace(0, 1, 7)[:, None]


class Part(IntEnum):
    """What a point of a printed card is. OUTSIDE is not on the card."""

    OUTSIDE = 0
    BLACK = 1
    BAND = 2
    FILL = 3
    LINE = 4
    DOT = 5
    BADGE = 6
    MARK = 7
    """White marks that are no line and no dot: the badge's rim, the digit, the symbol."""


class Brush:
    """Paints mm from the card's middle, moved by a misprint (2, 3), into a map of parts."""

    def __init__(self, labels: Labels, px_per_mm: float, move: FloatArray | None = None) -> None:
        self._labels = labels
        self._scale = px_per_mm
        self._middle = ((labels.shape[1] - 1) / 2, (labels.shape[0] - 1) / 2)
        self._move = move

    def half_turned(self) -> "Brush":
        """A brush that paints the same half turned about the print's middle."""
        move = self._move if self._move is not None else np.eye(2, 3)
        return Brush(self._labels, self._scale, move * [-1, -1, 1])

    def _fixed(self, points_mm: FloatArray) -> NDArray[np.int32]:
        if self._move is not None:
            points_mm = points_mm @ self._move[:, :2].T + self._move[:, 2]
        px = points_mm * self._scale + self._middle
        return np.asarray(np.round(px * (1 << _SHIFT)), dtype=np.int32)

    def _thinned(self, width_mm: float) -> float:
        """The width at which OpenCV, which fills every pixel that is touched, fills this one."""
        return max(width_mm - _TOUCHED_PX / self._scale, 0.1 * width_mm)

    def polygon(self, points_mm: Sequence[Point] | FloatArray, part: Part) -> None:
        """Fill a polygon."""
        self.glyph([np.asarray(points_mm, dtype=np.float64)], part)

    def glyph(self, contours_mm: Sequence[FloatArray], part: Part) -> None:
        """Fill outlines (N, 2) together: what lies in two of them is a hole."""
        fixed = [self._fixed(contour) for contour in contours_mm]
        cv2.fillPoly(self._labels, fixed, int(part), cv2.LINE_8, _SHIFT)

    def disc(self, middle_mm: Point, diameter_mm: float, part: Part) -> None:
        """Fill a circle."""
        radius = self._thinned(diameter_mm) / 2
        self.polygon(CIRCLE * radius + np.asarray(middle_mm, dtype=np.float64), part)

    def outline(self, points_mm: Sequence[Point] | FloatArray, width_mm: float, part: Part) -> None:
        """Draw the line round a polygon, its joints rounded by half the line's width."""
        ring = [*points_mm, points_mm[0]]
        self.stroke([(float(x), float(y), width_mm) for x, y in ring], part)

    def stroke(self, points_mm: Stroke, part: Part) -> None:
        """Draw a line of varying width with round ends."""
        for x, y, width in points_mm:
            self.disc((x, y), width, part)
        for start, end in pairwise(points_mm):
            self._segment(start, end, part)

    def _segment(
        self, start: tuple[float, float, float], end: tuple[float, float, float], part: Part
    ) -> None:
        (x0, y0, w0), (x1, y1, w1) = start, end
        length = float(np.hypot(x1 - x0, y1 - y0))
        if length == 0:
            return
        half0, half1 = self._thinned(w0) / 2, self._thinned(w1) / 2
        nx, ny = (y0 - y1) / length, (x1 - x0) / length
        self.polygon(
            [(x0 + nx * half0, y0 + ny * half0), (x1 + nx * half1, y1 + ny * half1),
             (x1 - nx * half1, y1 - ny * half1), (x0 - nx * half0, y0 - ny * half0)],
            part,
        )  # fmt: skip


def rounded(points_mm: Sequence[Point] | FloatArray, radius_mm: float) -> FloatArray:
    """A polygon (N, 2) with its corners cut along a curve that begins `radius_mm` before each."""
    ring = np.asarray(points_mm, dtype=np.float64)
    if radius_mm <= 0:
        return ring
    corners = []
    for before, at, after in zip(
        np.roll(ring, 1, axis=0), ring, np.roll(ring, -1, axis=0), strict=True
    ):
        start, end = _towards(at, before, radius_mm), _towards(at, after, radius_mm)
        corners.append(
            (1 - _FILLET) ** 2 * start + 2 * _FILLET * (1 - _FILLET) * at + _FILLET**2 * end
        )
    return np.concatenate(corners)


def _towards(point: FloatArray, other: FloatArray, by_mm: float) -> FloatArray:
    """The point moved towards another, half the way at most."""
    way = other - point
    length = float(np.hypot(*way))
    return np.asarray(point + way * min(by_mm / max(length, 1e-9), 0.45))


def averaged(labels: Labels, colours: NDArray[np.float32], size_wh: tuple[int, int]) -> Labels:
    """Average the colours (8, 3, from 0 to 1) of a map of parts: (H, W, 4) uint16, times coverage,
    and coverage.
    """
    lut = np.zeros((len(Part), 4), dtype=np.uint16)
    lut[1:, :3] = np.round(np.clip(colours[1:], 0, 1) * 65535)
    lut[1:, 3] = 65535
    # One 64-bit word a label: looking up whole words is several times faster.
    fine = lut.view(np.uint64)[:, 0][labels].view(np.uint16).reshape(*labels.shape, 4)
    return np.asarray(cv2.resize(fine, size_wh, interpolation=cv2.INTER_AREA))
