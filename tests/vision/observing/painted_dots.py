"""Dots painted on a table, and the true ones."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard
from vision.drawing.pose_fit import place
from vision.evidence import Evidence, observe
from vision.raster import Raster

FloatArray = NDArray[np.float64]


def true_dots(card: DrawnCard) -> FloatArray:
    own = np.asarray(DECK.face(card.face).dots_mm).reshape(-1, 2)
    own = own * [-1.0 if card.mirrored else 1.0, 1.0]
    return np.asarray(place(np.array([card.pose]), own)[0])


def painted(evidence: Evidence, at_mm: FloatArray, radius_mm: float, bgr: object) -> Evidence:
    """The same table with a disc painted on it."""
    image = evidence.raster.image_bgr.copy()
    x, y = (int(v) for v in np.rint(evidence.raster.to_raster(at_mm)))
    radius = round(radius_mm * evidence.raster.density)
    cv2.circle(image, (x, y), radius, bgr, cv2.FILLED)
    return observe(Raster(image, evidence.raster.origin_mm, evidence.raster.density))
