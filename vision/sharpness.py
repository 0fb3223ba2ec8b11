"""How far a picture's sharpest edges are spread, whatever they are of."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import NotSeen
from vision.reason import Reason

DIRECTIONS = 8
"""Half turns of the edges are told apart by so much: shaking spreads those across it alone."""
REACH = 21
"""Pixels within which an edge rises: wider ones are shadows."""
STRONG = 40.0
"""Levels by which an edge rises at least."""
SHARPEST = 0.05
"""Of the edges that run one way: the sharpest of these tell."""
FEWEST = 100
"""Edges that run one way; fewer tell nothing."""

MOST_SPREAD_PX = 4.3
"""Of 46 sharp pictures of cards the most have 4.2, the median 2.6. Defocused by an 800th (sigma)
they have 4.8 and more; shaken by a 260th, 4.9 in the median."""
TOO_BLURRED = "too-blurred"
SEEM_OTHERS = frozenset({"other-game", "no-table", "no-cards"})
"""Refusals that speak of other cards, which only a sharp picture can tell of."""


def blurred_instead(refused: NotSeen, image_bgr: NDArray[np.uint8]) -> NotSeen:
    """The refusal, or that the picture (H, W, 3) is blurred where that is why cards seem others."""
    if refused.reason.code not in SEEM_OTHERS:
        return refused
    spread = edge_spread_px(image_bgr)
    if spread is None or spread < MOST_SPREAD_PX:
        return refused
    return NotSeen(Reason("too-blurred", {"spread_px": spread, "most_px": MOST_SPREAD_PX}))


def edge_spread_px(image_bgr: NDArray[np.uint8]) -> float | None:
    """Pixels in which the sharpest edges of a picture (H, W, 3) rise, in the direction in which
    they do so slowest: contrast over steepest slope. None where it has too few strong edges.

    Motion spreads the edges that run across
    it by its length, and leaves the others as they are.
    """
    least = image_bgr.min(axis=2).astype(np.float32)
    along_x = cv2.Sobel(least, cv2.CV_32F, 1, 0, ksize=3) / 8
    along_y = cv2.Sobel(least, cv2.CV_32F, 0, 1, ksize=3) / 8
    slope = np.hypot(along_x, along_y)
    window = np.ones((REACH, REACH), np.uint8)
    rise = cv2.dilate(least, window) - cv2.erode(least, window)
    # The steepest place across each edge, and no place beside it.
    is_peak = (slope >= cv2.dilate(slope, np.ones((5, 5), np.uint8))) & (slope > 2)
    is_peak &= rise >= max(STRONG, float(np.percentile(rise[::8, ::8], 80)))
    angle = np.arctan2(along_y[is_peak], along_x[is_peak]) % np.pi
    spread = rise[is_peak] / slope[is_peak]
    which = (angle / np.pi * DIRECTIONS).astype(int) % DIRECTIONS
    found = [
        float(np.quantile(spread[which == n], SHARPEST))
        for n in range(DIRECTIONS)
        if np.count_nonzero(which == n) >= FEWEST
    ]
    return max(found, default=None)
