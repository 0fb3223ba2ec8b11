"""What else a table shows than its markers and its starting card."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Map32
from vision.doubting.limits import NEEDED_PX_PER_MM
from vision.drawing.pose_fit import place
from vision.evidence import Evidence
from vision.locating.locate import Located
from vision.locating.markers import MARKER_OUTSIDE_MM

BESIDE_MM, PAPER_MM = 5.0, 50.0
"""Round the card, and from a marker's middle along x and y: what is left out of the rest."""
MOST_WHITE_MM2 = 40.0
"""White lines and dots that the rest may have: a card has 240, a dot 15."""
SPECK_MM2, SPECK_LONG_MM = 7.0, 8.0
"""White that is smaller, and shorter, is a speck."""
WIDE_MM = 6.0
"""Lines and dots are narrower."""
FAINTEST = 0.07
"""Of the brightest white: by so much a line stands out in the darkest corner."""
CELL_MM, SOFT_MM = 2.0, 5.0
FEWEST_CELLS = 200
LEAST_SPREAD, STRANGE = 0.035, 6.0
"""How far light on a table varies at least, in its logarithm; and how many times as far from what
it is elsewhere something else is."""
MOST_STRANGE_MM2 = 1200.0
"""A quarter of a card: what is smaller hides none whole."""


class Rest(NamedTuple):
    """What else the table shows: white as thin as a card's, and the largest thing that is not the
    table, mm².
    """

    white_mm2: float
    strange_mm2: float
    strange_mm: FloatArray

    @property
    def plain(self) -> bool:
        """Whether no card can lie there, nor anything that hides one."""
        return self.white_mm2 <= MOST_WHITE_MM2 and self.strange_mm2 <= MOST_STRANGE_MM2


def rest_of(
    evidence: Evidence, located: Located, start: tuple[FloatArray, int] | None, card: CardSize
) -> Rest:
    """What else the table shows, besides the markers and the starting card at its pose."""
    raster = evidence.raster
    apart = np.zeros(raster.image_bgr.shape[:2], np.uint8)
    for middle in _markers_mm(located):
        square = middle + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * PAPER_MM
        _fill(apart, raster.to_raster(square))
    if start is not None:
        half = np.array(card.corners_mm)
        grown = half + np.sign(half) * BESIDE_MM
        _fill(apart, raster.to_raster(place(start[0][None], grown)[0]))
    shown = (raster.image_bgr.max(axis=2) > 0) & (apart == 0)
    white = _white_mm2(evidence, shown)
    corners = located.box_mm[[0, 2, 2, 0, 1, 1, 3, 3]].reshape(2, 4).T
    if located.view.scales_px_per_mm(corners).min() < NEEDED_PX_PER_MM:
        return Rest(np.inf, np.inf, located.middle_mm)
    strange = _strange(evidence, shown)
    number, _, stats, middles = cv2.connectedComponentsWithStats(strange.astype(np.uint8))
    if number < 2:
        return Rest(white, 0.0, located.middle_mm)
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    area = float(stats[largest, cv2.CC_STAT_AREA]) * CELL_MM**2
    return Rest(white, area, np.asarray(middles[largest] * CELL_MM + np.array(raster.origin_mm)))


def _markers_mm(located: Located) -> list[FloatArray]:
    """Middles (2,) of the markers, of those too that are not seen, or cut by the picture."""
    seen = [located.view.to_mm(marker.corners_px).mean(axis=0) for marker in located.markers]
    if located.play_area_mm is None:
        return seen
    width, height = located.play_area_mm
    out = MARKER_OUTSIDE_MM
    return [np.array([x, y]) for x in (-out, width + out) for y in (-out, height + out)]


def _white_mm2(evidence: Evidence, shown: Bools) -> float:
    """How much white there is that stands out as lines and dots do, in pieces that are as large as
    half a dot, or as long as a line is wide many times over: specks are less.
    """
    raster, least = evidence.raster, evidence.least
    side = round(WIDE_MM * raster.density) | 1
    rise = cv2.morphologyEx(least, cv2.MORPH_TOPHAT, np.ones((side, side), np.uint8))
    floor = max(FAINTEST * float(np.percentile(least[::8, ::8], 99.5)), 4.0 * evidence.noise)
    mask = ((evidence.mask > 0) & (rise > floor) & shown).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    area = stats[1:, cv2.CC_STAT_AREA] / raster.density**2
    sides = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1)
    pieces = (area >= SPECK_MM2) | (sides / raster.density >= SPECK_LONG_MM)
    return float(area[pieces].sum())


def _fill(mask: NDArray[np.uint8], corners: FloatArray) -> None:
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)


def _strange(evidence: Evidence, shown: Bools) -> Bools:
    """Which cells, `CELL_MM` wide, are not like the rest of the table, whose light may slope."""
    raster = evidence.raster
    step = 1 / (CELL_MM * raster.density)
    image = raster.image_bgr
    small = cv2.resize(image, None, fx=step, fy=step, interpolation=cv2.INTER_AREA)
    there = cv2.resize(shown.astype(np.float32), small.shape[1::-1], interpolation=cv2.INTER_AREA)
    level = np.log(small.astype(np.float32) + 6.0)
    weight = cv2.GaussianBlur(there, (0, 0), SOFT_MM / CELL_MM)
    soft = cv2.GaussianBlur(level * there[..., None], (0, 0), SOFT_MM / CELL_MM)
    soft /= np.maximum(weight, 1e-3)[..., None]
    known = (there > 0.5) & (weight > 0.3)
    out = np.zeros(known.shape, np.bool_)
    if np.count_nonzero(known) < FEWEST_CELLS:
        return out
    for channel in range(3):
        left = _unsloped(soft[..., channel], known)
        spread = max(1.4826 * float(np.median(np.abs(left[known]))), LEAST_SPREAD)
        out |= np.abs(left) > STRANGE * spread
    return np.asarray(out & known)


def _unsloped(level: Map32, known: Bools) -> FloatArray:
    """A map (H, W) less the slope and the bend that most of what is known of it has."""
    height, width = level.shape
    y, x = (part.ravel() for part in np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j])
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    at = np.flatnonzero(known.ravel())
    values = level.ravel()[at].astype(np.float64)
    keep = np.ones(len(at), np.bool_)
    for _ in range(4):
        found = np.linalg.lstsq(terms[at[keep]], values[keep], rcond=None)[0]
        left = values - terms[at] @ found
        keep = np.abs(left - np.median(left)) <= 3 * 1.4826 * np.median(np.abs(left)) + 1e-6
    return np.asarray(level - (terms @ found).reshape(level.shape))
