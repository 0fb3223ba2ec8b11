"""Four-cornered outlines whose sides a lens bends, or to which a neighbour's line is attached."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray
from vision.locating.frame_lines import meetings

MOST_BENT = 0.035
"""Of a side's length: how far its middle may lie beside the straight line between its ends."""
ROUGH_SHARE = 0.03
"""Of the outline's length: how roughly its hull is taken for a polygon."""
MOST_CORNERS = 7
"""Lines that are attached add corners of their own; four of so many are a card's."""
BESIDE_PX, ON_LINE_PX = 2.5, 1.5
LEAST_COVER = 0.82
"""Of each side: so much of it has the outline on its bent line."""
LEAST_POINTS = 12
STEP_PX = 3.0
LEAST_OPPOSITE, MOST_LONG = 0.5, 3.2
"""Of a side to its opposite, and of the long sides to the short ones: near a wide lens, aslant."""


def bent_quad(contour: NDArray[np.int32]) -> FloatArray | None:
    """The quadrilateral (4, 2) that an outline (P, 1, 2) fills best, or None.

    Its corners are where the chords of its sides meet, clockwise in the picture (y down).
    """
    hull = cv2.convexHull(contour)
    rough = cv2.approxPolyDP(hull, ROUGH_SHARE * cv2.arcLength(hull, True), True)
    if not 4 <= len(rough) <= MOST_CORNERS:
        return None
    spots = rough[:, 0].astype(np.float64)
    if cv2.contourArea(rough, oriented=True) < 0:
        spots = spots[::-1]
    points = contour[:, 0].astype(np.float64)
    best, most = None, LEAST_COVER
    for some in combinations(range(len(spots)), 4):
        quad = spots[list(some)]
        fitted = _fitted(quad, points) if _card_like(quad) else None
        if fitted is not None and fitted[1] > most:
            best, most = fitted
    return best


def _card_like(quad: FloatArray) -> bool:
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    pairs = np.sort(sides.reshape(2, 2), axis=0)
    means = np.sort(sides.reshape(2, 2).mean(axis=0))
    return bool(
        (pairs[0] > LEAST_OPPOSITE * pairs[1]).all() and means[1] < MOST_LONG * max(means[0], 1e-9)
    )


def _fitted(quad: FloatArray, points: FloatArray) -> tuple[FloatArray, float] | None:
    """Corners where the chords of bent lines through the points (P, 2) beside each side meet,
    and how much of the worst side has points on its line; None where a side is none.
    """
    way = np.roll(quad, -1, axis=0) - quad
    length = np.linalg.norm(way, axis=1)
    way = way / length[:, None]
    normal = np.stack([-way[:, 1], way[:, 0]], axis=1)
    ends, covers = np.empty((4, 2)), []
    for side in range(4):
        off = points - quad[side]
        line = _bent_line(off @ way[side], off @ normal[side], float(length[side]))
        if line is None:
            return None
        ends[side], cover = line
        covers.append(cover)
    start = quad + ends[:, :1] * normal
    end = np.roll(quad, -1, axis=0) + ends[:, 1:] * normal
    corners = meetings(start[None], end[None])[0]
    return (corners, min(covers)) if np.isfinite(corners).all() else None


def _bent_line(
    along: FloatArray, off: FloatArray, length: float
) -> tuple[FloatArray, float] | None:
    """How far beside a side both ends (2,) of a bent line through points near it lie, and how
    much of it has points on it. Points are given `along` the side and `off` it (P,), px.
    """
    near = (along > 0) & (along < length) & (np.abs(off) < max(BESIDE_PX, MOST_BENT * length))
    share, off = along[near] / length, off[near]
    steps = max(int(length / STEP_PX), 1)
    # Hardly any outline in a noisy picture is a card's: most are left here, at little cost.
    if len(share) < LEAST_POINTS or _covered(share, steps) <= LEAST_COVER:
        return None
    shape = np.stack([1 - share, share, 4 * share * (1 - share)], axis=1)
    weight = ((share > 0.05) & (share < 0.95)).astype(np.float64)
    line = np.zeros(3)
    for within in (BESIDE_PX, ON_LINE_PX, ON_LINE_PX):
        line[:] = np.linalg.lstsq(shape * weight[:, None], off * weight, rcond=None)[0]
        weight = (np.abs(off - shape @ line) < within).astype(np.float64)
        if weight.sum() < LEAST_POINTS:
            return None
    if abs(line[2]) > MOST_BENT * length:
        return None
    return line[:2], _covered(share[weight > 0], steps)


def _covered(share: FloatArray, steps: int) -> float:
    """In how many of the steps along a side, as a share, points (K,) lie."""
    hit = np.bincount((share * steps).astype(np.int64), minlength=steps)
    return float(np.count_nonzero(hit)) / steps
