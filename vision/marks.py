"""Small white marks: badges, dots and symbols, as connected pieces of the white mask."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.evidence import Evidence, Image8

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Marks:
    """Pieces of the white mask, in table mm: middle of the bounding box (N, 2), its size
    (N, 2), the centre of mass (N, 2) and the area in mm² (N,)."""

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
    """All pieces of the white mask."""
    raster = evidence.raster
    _, _, stats, mass = cv2.connectedComponentsWithStats(
        without_glare(evidence), connectivity=8, ltype=cv2.CV_32S
    )
    stats, mass = stats[1:], mass[1:]
    middle = stats[:, :2] + (stats[:, 2:4] - 1) / 2
    return Marks(
        raster.to_mm(middle.astype(np.float64)),
        stats[:, 2:4] / raster.density,
        raster.to_mm(mass),
        stats[:, 4] / raster.density**2,
    )


def without_glare(evidence: Evidence) -> Image8:
    """The white mask without large burnt-out patches, whose rims would join what they touch."""
    density = evidence.raster.density
    if not evidence.burnt.any():
        return evidence.mask
    larger = int(round(6.0 * density)) | 1
    patch = cv2.erode(evidence.burnt, np.ones((larger, larger), np.uint8))
    if not patch.any():
        return evidence.mask
    reach = larger + 2 * int(round(1.2 * density))
    return np.asarray(
        cv2.bitwise_and(evidence.mask, cv2.bitwise_not(cv2.dilate(patch, np.ones((reach, reach), np.uint8)))),
        np.uint8,
    )


def badges(marks: Marks, deck: Deck) -> FloatArray:
    """Middles (N, 2), table mm, of marks of a badge's size: a rim, turned anyhow."""
    size = deck.badge_mm
    longest = marks.size_mm.max(axis=1)
    shortest = marks.size_mm.min(axis=1)
    fits = (longest > 0.72 * size) & (longest < 1.42 * size) & (shortest > 0.62 * size)
    solid = marks.area_mm2 < 0.95 * size**2
    return marks.middle_mm[fits & solid]


def small_marks(marks: Marks, deck: Deck) -> Marks:
    """Marks of about a dot's size: dots, symbols, crumbs."""
    size = deck.dot_diameter_mm
    longest = marks.size_mm.max(axis=1)
    shortest = marks.size_mm.min(axis=1)
    return marks.take((longest < 1.7 * size) & (shortest > 0.4 * size))
