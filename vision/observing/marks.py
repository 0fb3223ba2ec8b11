"""Small white marks: badges, dots and symbols, as connected pieces of the white mask."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints
from vision.cores import Meanwhile
from vision.evidence import Evidence, Image8
from vision.raster import Raster

INSIDE_LONG, INSIDE_SHORT, INSIDE_AREA = (0.62, 1.15), (0.5, np.inf), (0.2, np.inf)
RIM_LONG, RIM_SHORT, RIM_AREA = (0.72, 1.42), (0.62, np.inf), (0.0, 0.95)
"""Of a badge's width, and of its square: from how much to how much the longer and the shorter side,
and the area, of its coloured inside and of its white rim come, turned anyhow."""
SMALL_LONG, SMALL_SHORT, ANY_AREA = (0.0, 1.7), (0.4, np.inf), (0.0, np.inf)
"""The same of a dot's diameter, for what is about as large."""
Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Marks:
    """Pieces of the white mask, in table mm: middle of the bounding box (N, 2), its size
    (N, 2), the centre of mass (N, 2) and the area in mm² (N,).
    """

    middle_mm: FloatArray
    size_mm: FloatArray
    mass_mm: FloatArray
    area_mm2: FloatArray

    def __len__(self) -> int:
        return len(self.area_mm2)

    def sized(self, size: float, long: Range, short: Range, area: Range) -> Bools:
        """Which marks (N,) have sides within such ranges of a size, mm, and an area within such a
        range of its square.
        """
        longest, shortest = self.size_mm.max(axis=1), self.size_mm.min(axis=1)
        sides = (longest, long, size), (shortest, short, size), (self.area_mm2, area, size**2)
        out = np.ones(len(self), np.bool_)
        for seen, (least, most), whole in sides:
            out &= (seen > least * whole) & (seen < most * whole)
        return out

    def take(self, keep: Bools) -> Marks:
        """The marks where `keep` (N,) holds."""
        return Marks(
            self.middle_mm[keep], self.size_mm[keep], self.mass_mm[keep], self.area_mm2[keep]
        )


def find_marks_and_holes(evidence: Evidence) -> tuple[Marks, Marks]:
    """What `find_marks` and `find_holes` find; where nothing is burnt out both have one origin."""
    if cv2.hasNonZero(evidence.burnt):
        holes = Meanwhile(partial(find_holes, evidence))
        return find_marks(evidence), holes.result()
    outlines = _outlines(evidence.mask)
    return _as_marks(_pieces(outlines), evidence.raster), _holes(outlines, evidence.raster)


def find_marks(evidence: Evidence) -> Marks:
    """All pieces of the white mask outside burnt-out patches."""
    mask = evidence.mask
    if cv2.hasNonZero(evidence.burnt):
        mask = np.asarray(cv2.subtract(mask, evidence.burnt), np.uint8)
    return pieces(mask, evidence.raster)


def pieces(mask: Image8, raster: Raster) -> Marks:
    """The connected pieces of a mask (H, W) of the raster's size, less their holes."""
    return _as_marks(_pieces(_outlines(mask)), raster)


def find_holes(evidence: Evidence) -> Marks:
    """All holes in pieces of the white mask, with what lies in them: a badge's inside is one
    even where its rim runs into something bright beside it.
    """
    return _holes(_outlines(evidence.mask), evidence.raster)


def _holes(outlines: _Outlines, raster: Raster) -> Marks:
    return _as_marks(outlines.take(outlines.inside_of >= 0), raster)


@dataclass(frozen=True, eq=False)
class _Outlines:
    """What K outlines enclose, in raster pixels: the first and last column and row (K, 2), the
    pixels' number (K,) and the sum of their places (K, 2); the outline of a hole is
    `inside_of` (K,) that of a piece, others of -1.
    """

    low: Ints
    high: Ints
    number: FloatArray
    total: FloatArray
    inside_of: Ints

    def take(self, keep: Bools | Ints) -> _Outlines:
        return _Outlines(
            self.low[keep], self.high[keep], self.number[keep], self.total[keep],
            self.inside_of[keep],
        )  # fmt: skip


def _outlines(mask: Image8) -> _Outlines:
    """All outlines of white pieces (8-connected) and of the holes in them.

    Following outlines costs a tenth of labelling every pixel and adding up its statistics.
    """
    found, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    count = np.array([len(outline) for outline in found], np.int64)
    if len(count) == 0:
        none = np.empty((0, 2), np.int64)
        return _Outlines(none, none, np.empty(0), np.empty((0, 2)), np.empty(0, np.int64))
    points = np.concatenate(found)[:, 0].astype(np.int64)
    inside_of = np.asarray(tree)[0, :, 3].astype(np.int64)
    first = np.cumsum(count) - count
    hole = inside_of >= 0
    # A hole's outline runs on the white pixels round it, a piece's on its own.
    low = np.minimum.reduceat(points, first) + hole[:, None]
    high = np.maximum.reduceat(points, first) - hole[:, None]
    number, total = _enclosed(points, first, count, np.where(hole, -1, 1))
    return _Outlines(low, high, number, total, inside_of)


def _enclosed(points: Ints, first: Ints, count: Ints, rim: Ints) -> tuple[FloatArray, FloatArray]:
    """The number (K,) of pixels enclosed by outlines through pixels (L, 2) and their sum (K, 2).

    By Pick's theorem: the polygon's area, and half of the outline's pixels more where they are
    enclosed themselves (`rim` 1), or less where they are not (-1); and one.
    """
    start = points[first]
    x, y = (points - np.repeat(start, count, axis=0)).T
    after = np.arange(1, len(x) + 1)
    after[first + count - 1] = first
    cross = x * y[after] - x[after] * y
    twice = np.add.reduceat(cross, first)
    sign = np.where(twice < 0, -1, 1)
    half = rim * count / 2
    number = sign * twice / 2 + half + 1
    moment = np.empty((len(first), 2))
    for k, v in enumerate((x, y)):
        inside = sign * np.add.reduceat((v + v[after]) * cross, first) / 6
        moment[:, k] = inside + (half + 1) * np.add.reduceat(v, first) / count
    return number, moment + number[:, None] * start


def _pieces(outlines: _Outlines) -> _Outlines:
    """The pieces without their holes."""
    hole = outlines.inside_of >= 0
    owner, size = outlines.inside_of[hole], len(hole)
    number = outlines.number - np.bincount(owner, outlines.number[hole], size)
    total = outlines.total.copy()
    for k in (0, 1):
        total[:, k] -= np.bincount(owner, outlines.total[hole, k], size)
    return replace(outlines, number=number, total=total).take(~hole)


def _as_marks(outlines: _Outlines, raster: Raster) -> Marks:
    """The same in table mm, the topmost first."""
    outlines = outlines.take(np.arange(len(outlines.number))[::-1])
    return Marks(
        raster.to_mm((outlines.low + outlines.high) / 2),
        (outlines.high - outlines.low + 1) / raster.density,
        raster.to_mm(outlines.total / np.maximum(outlines.number, 1)[:, None]),
        outlines.number / raster.density**2,
    )


def badge_insides(holes: Marks, deck: Deck) -> FloatArray:
    """Middles (N, 2), table mm, of holes of the size of a badge's coloured inside."""
    fits = holes.sized(deck.badge_mm, INSIDE_LONG, INSIDE_SHORT, INSIDE_AREA)
    return np.asarray(holes.middle_mm[fits])


def badges(marks: Marks, deck: Deck) -> FloatArray:
    """Middles (N, 2), table mm, of marks of a badge's size: a rim, turned anyhow."""
    return np.asarray(marks.middle_mm[marks.sized(deck.badge_mm, RIM_LONG, RIM_SHORT, RIM_AREA)])


def small_marks(marks: Marks, deck: Deck) -> Marks:
    """Marks of about a dot's size: dots, symbols, crumbs."""
    return marks.take(marks.sized(deck.dot_diameter_mm, SMALL_LONG, SMALL_SHORT, ANY_AREA))
