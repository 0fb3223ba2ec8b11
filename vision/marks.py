"""Small white marks: badges, dots and symbols, as connected pieces of the white mask."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.evidence import Evidence

FloatArray = NDArray[np.float64]


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

    def take(self, keep: NDArray[np.bool_]) -> Marks:
        """The marks where `keep` (N,) holds."""
        return Marks(
            self.middle_mm[keep], self.size_mm[keep], self.mass_mm[keep], self.area_mm2[keep]
        )


def find_marks(evidence: Evidence) -> Marks:
    """All pieces of the white mask outside burnt-out patches."""
    return _pieces(evidence, cv2.bitwise_and(evidence.mask, cv2.bitwise_not(evidence.burnt)))


def find_holes(evidence: Evidence) -> Marks:
    """All pieces of what is not white: a badge's inside is one even where its rim runs into
    something bright beside it.
    """
    return _pieces(evidence, cv2.bitwise_not(evidence.mask))


def _pieces(evidence: Evidence, mask: MatLike) -> Marks:
    raster = evidence.raster
    _, _, stats, mass = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_32S)
    stats, mass = stats[1:], mass[1:]
    middle = stats[:, :2] + (stats[:, 2:4] - 1) / 2
    return Marks(
        raster.to_mm(middle.astype(np.float64)),
        stats[:, 2:4] / raster.density,
        raster.to_mm(mass),
        stats[:, 4] / raster.density**2,
    )


def badge_insides(holes: Marks, deck: Deck) -> FloatArray:
    """Middles (N, 2), table mm, of holes of the size of a badge's coloured inside."""
    size = deck.badge_mm
    longest = holes.size_mm.max(axis=1)
    shortest = holes.size_mm.min(axis=1)
    fits = (longest > 0.62 * size) & (longest < 1.15 * size) & (shortest > 0.5 * size)
    return np.asarray(holes.middle_mm[fits & (holes.area_mm2 > 0.2 * size**2)])


def badges(marks: Marks, deck: Deck) -> FloatArray:
    """Middles (N, 2), table mm, of marks of a badge's size: a rim, turned anyhow."""
    size = deck.badge_mm
    longest = marks.size_mm.max(axis=1)
    shortest = marks.size_mm.min(axis=1)
    fits = (longest > 0.72 * size) & (longest < 1.42 * size) & (shortest > 0.62 * size)
    solid = marks.area_mm2 < 0.95 * size**2
    return np.asarray(marks.middle_mm[fits & solid])


def small_marks(marks: Marks, deck: Deck) -> Marks:
    """Marks of about a dot's size: dots, symbols, crumbs."""
    size = deck.dot_diameter_mm
    longest = marks.size_mm.max(axis=1)
    shortest = marks.size_mm.min(axis=1)
    return marks.take((longest < 1.7 * size) & (shortest > 0.4 * size))
