"""Cards that mirror a lamp from edge to edge: bright rectangles of a card's size on bare table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.arrays import FloatArray
from vision.drawing.coverage import TopMap
from vision.evidence import Evidence

STEP_MM = 0.8
"""Fine enough for sides to half a millimetre, and ten times faster than every pixel."""
LEAST_MM = 8.0
"""What is narrower is no part of a card's body: a dot, a line, a sheet's rim."""
OFF_MM, LEAST_FILLED = 3.0, 0.88
"""By how much its sides may differ from a card's, and how full the rectangle must be."""


def glowing_bodies(evidence: Evidence, top: TopMap, deck: Deck) -> FloatArray:
    """Poses (K, 3), half turns aside, of what is washed out on bare table and has a card's outline.

    A card that lies partly under another has not, nor has one of which a part is not washed out.
    """
    step = max(1, round(STEP_MM * evidence.raster.density))
    bright = (evidence.least[::step, ::step] > evidence.washed_level).astype(np.uint8)
    bright &= evidence.washed[::step, ::step] > 0
    size = round(LEAST_MM * evidence.raster.density / step) | 1
    bright = cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    outlines, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [_as_card(np.asarray(outline), step, evidence, deck) for outline in outlines]
    poses = np.array([pose for pose in found if pose is not None]).reshape(-1, 3)
    return np.asarray(poses[top.at(poses[:, :2]) == 0])


def _as_card(
    outline: NDArray[np.int32], step: int, evidence: Evidence, deck: Deck
) -> FloatArray | None:
    """Pose (3,) of a card with such an outline (K, 1, 2), every so many pixels; None for others."""
    middle, sides, angle_deg = cv2.minAreaRect(outline)
    # Outlines run through the middles of the outermost pixels.
    sides_mm = (np.array(sides) + 1) * step / evidence.raster.density
    off_mm = np.abs(np.sort(sides_mm) - [deck.card.width_mm, deck.card.height_mm])
    area_mm2 = cv2.contourArea(outline) * (step / evidence.raster.density) ** 2
    if off_mm.max() > OFF_MM or area_mm2 < LEAST_FILLED * sides_mm.prod():
        return None
    upright = sides_mm[0] < sides_mm[1]
    turn = np.deg2rad(angle_deg + (0.0 if upright else 90.0))
    x_mm, y_mm = evidence.raster.to_mm(np.array([middle], np.float64) * step)[0]
    return np.array([x_mm, y_mm, turn])
