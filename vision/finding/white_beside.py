"""How much white lies beside the cards known, near enough to be a card's that was missed."""

from __future__ import annotations

import cv2
import numpy as np

from geometry.deck import Deck
from vision.arrays import FloatArray
from vision.drawing.coverage import cover
from vision.evidence import Evidence

BESIDE_MM = 1.0
"""Known bodies are grown by so much: where they end is not known any better yet."""
NEAR_MM = 60.0
"""Farther from all known cards white is something else, or a card laid free."""
DENSITY = 0.5
"""Pixels per mm of the map that is asked."""


def white_beside_mm2(evidence: Evidence, poses: FloatArray, deck: Deck) -> float:
    """The area in mm² of what is white beside cards at poses (N, 3), and not far from any."""
    if len(poses) == 0:
        return 0.0
    raster = evidence.raster
    size = tuple(max(1, round(side * DENSITY)) for side in raster.size_mm)
    white = cv2.resize(evidence.mask, size, interpolation=cv2.INTER_AREA)
    rows, columns = np.mgrid[: size[1], : size[0]]
    places = np.stack([columns + 0.5, rows + 0.5], axis=-1) / DENSITY + np.array(raster.origin_mm)
    body = cover(raster, poses, deck.card, BESIDE_MM).count_at(places) > 0
    reach = round(NEAR_MM * DENSITY) * 2 + 1
    near = cv2.dilate(body.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0
    share = white[near & ~body].astype(np.float64) / 255
    return float(share.sum() / DENSITY**2)
