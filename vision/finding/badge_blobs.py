"""Places that may be a badge: something bright of its size with black all round it.

Coarser than any line: where a picture has little more than a pixel a millimetre, a badge's rim
runs into its digit and its outline tells nothing, but that it stands alone on black still does.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from geometry.deck import Deck
from vision.arrays import FloatArray, Map32
from vision.evidence import Evidence
from vision.finding.likely_badges import APART_MM

DENSITY = 1.0
"""Pixels per mm of the map that is searched."""
INNER, RING = 0.4, (0.68, 0.86)
"""Radii, as shares of a badge's diameter, of what should be bright and of what should be black."""
LEAST_CONTRAST = 0.12
"""Of both together: a badge of dark ink in a veil has 0.15 and more."""
DARK = 8.0
"""Grey levels that noise and veil leave of black at least."""


def badge_blobs(evidence: Evidence, deck: Deck, most: int) -> FloatArray:
    """Middles (K, 2), table mm, of at most so many places, the plainest first."""
    raster = evidence.raster
    b, g, r = cv2.split(raster.image_bgr)
    bright = cv2.max(cv2.max(b, g), r)
    scale = DENSITY / raster.density
    small = cv2.resize(bright, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    inner, ring = _kernels(deck.badge_mm)
    level = small.astype(np.float32)
    middle = cv2.filter2D(level, cv2.CV_32F, inner, borderType=cv2.BORDER_REPLICATE)
    around = cv2.filter2D(level, cv2.CV_32F, ring, borderType=cv2.BORDER_REPLICATE)
    contrast = (middle - around) / (middle + around + DARK)
    reach = round(APART_MM * DENSITY) | 1
    highest = contrast >= cv2.dilate(contrast, np.ones((reach, reach), np.uint8))
    y, x = np.nonzero(highest & (contrast > LEAST_CONTRAST))
    order = np.argsort(-contrast[y, x], kind="stable")[:most]
    at = np.stack([x, y], axis=1)[order]
    return raster.to_mm(np.asarray((at + 0.5) / scale - 0.5, np.float64))


@lru_cache(maxsize=4)
def _kernels(badge_mm: float) -> tuple[Map32, Map32]:
    """Means over what should be bright, and over the ring that should be black."""
    half = int(np.ceil(RING[1] * badge_mm * DENSITY))
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    far = np.hypot(x, y) / (badge_mm * DENSITY)
    inner, ring = far <= INNER, (far >= RING[0]) & (far <= RING[1])
    return (
        np.asarray(inner / inner.sum(), np.float32), np.asarray(ring / ring.sum(), np.float32)
    )  # fmt: skip
