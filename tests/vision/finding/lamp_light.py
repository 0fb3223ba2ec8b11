"""A table under a lamp."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.drawing.drawn_cards import DrawnCard
from vision.evidence import Evidence, observe
from vision.raster import Raster

LAMP_MM = 60.0
LEFT_OF_CONTRAST, VEIL = 0.05, 222.0
"""Black is 222 grey levels bright under the lamp, white 235."""


def under_a_lamp(
    evidence: Evidence,
    card: DrawnCard,
    off_mm: tuple[float, float] = (0, 0),
    size_mm: float = LAMP_MM,
) -> Evidence:
    """The same table with a lamp's soft mirror image over a card, or beside its middle."""
    raster = evidence.raster
    lit = np.zeros(raster.image_bgr.shape[:2], np.float32)
    x, y = raster.to_raster(np.array(card.pose[:2]) + off_mm).astype(int).tolist()
    cv2.circle(lit, (x, y), round(size_mm * raster.density), 1.0, -1)
    lit = cv2.GaussianBlur(lit, (0, 0), 6 * raster.density)[..., None]
    image = raster.image_bgr * (1 - lit * (1 - LEFT_OF_CONTRAST)) + lit * VEIL
    return observe(
        Raster(np.clip(image, 0, 255).astype(np.uint8), raster.origin_mm, raster.density)
    )
