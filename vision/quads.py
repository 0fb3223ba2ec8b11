"""Wholly seen cards in the photograph itself: white frames as four-cornered outlines."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Image8 = NDArray[np.uint8]
WIDTHS_PX = (3200, 2200, 1500, 1050, 750)
"""Picture widths at which frames are sought: the scale is not known beforehand."""
WINDOW_PX = 15
LONG_SIDE_PX = (70, 330)
LEAST_COVER = 0.88


@dataclass(frozen=True, eq=False)
class Quads:
    """Four-cornered outlines (Q, 4, 2) in photograph pixels, clockwise from any corner, on
    the outer edge of the white line.
    """

    corners_px: FloatArray

    def __len__(self) -> int:
        return len(self.corners_px)


def find_quads(image_bgr: Image8) -> Quads:
    """Outlines of pieces of white line that close round a quadrilateral.

    A card that nothing covers has its frame and shapes in one such piece, 3.5 mm
    of band away from any other white. Looks at several scales and keeps the
    one with the most outlines.
    """
    best = Quads(np.empty((0, 4, 2)))
    longest = max(image_bgr.shape[:2])
    tried = sorted({min(width, longest) for width in WIDTHS_PX}, reverse=True)
    for width in tried:
        scale = width / longest
        small = (
            image_bgr
            if scale == 1
            else np.asarray(
                cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA),
                np.uint8,
            )
        )
        corners = _quads_at(small)
        if len(corners) > len(best):
            best = Quads((corners + 0.5) / scale - 0.5)
    return best


def _quads_at(image: Image8) -> FloatArray:
    mask = white_mask(image)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        if len(contour) < 2 * LONG_SIDE_PX[0]:
            continue
        quad = _as_quad(contour[:, 0].astype(np.float64))
        if quad is not None:
            found.append(quad)
    # On a bright table the rim round a card closes into a larger outline than the card's own.
    by_size = sorted([*found, *_inner_contours(mask)], key=_area)
    kept: list[FloatArray] = []
    for quad in by_size:
        if _is_new(quad, kept):
            kept.append(quad)
    return np.array(kept).reshape(-1, 4, 2)


def _area(quad: FloatArray) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def _inner_contours(mask: Image8) -> list[FloatArray]:
    """Quads among pieces that lie inside others, as cards on a white table do."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    quads = []
    for contour in contours:
        if len(contour) < 2 * LONG_SIDE_PX[0] or cv2.contourArea(contour, oriented=True) > 0:
            continue
        quad = _as_quad(contour[:, 0].astype(np.float64))
        if quad is not None:
            quads.append(quad)
    return quads


def _is_new(quad: FloatArray, others: list[FloatArray]) -> bool:
    middle = quad.mean(axis=0)
    return all(np.hypot(*(other.mean(axis=0) - middle)) > 8 for other in others)


def white_mask(image: Image8) -> Image8:
    """255 where a pixel is white against the darkest within a window; small pictures."""
    b, g, r = cv2.split(image)
    least = cv2.GaussianBlur(cv2.min(cv2.min(b, g), r), (0, 0), 0.7)
    kernel = np.ones((WINDOW_PX, WINDOW_PX), np.uint8)
    darkest = cv2.erode(least, kernel)
    contrast = cv2.subtract(cv2.dilate(least, kernel), darkest)
    quiet, usual = (float(v) for v in np.percentile(contrast[::6, ::6], [15, 95]))
    floor = min(max(12.0, 1.5 * quiet, 0.15 * usual), max(12.0, 0.4 * usual))
    share = cv2.divide(cv2.subtract(least, darkest), cv2.max(contrast, floor), scale=255)
    enough = cv2.compare(contrast, floor, cv2.CMP_GT)
    return np.asarray(cv2.bitwise_and(cv2.compare(share, 115.0, cv2.CMP_GT), enough), np.uint8)


def _as_quad(points: FloatArray) -> FloatArray | None:
    """The quadrilateral that an outline fills, or None."""
    hull = cv2.convexHull(points.astype(np.float32))
    longest = float(np.hypot(*np.ptp(hull[:, 0], axis=0)))
    if not LONG_SIDE_PX[0] < longest < 1.3 * LONG_SIDE_PX[1]:
        return None
    perimeter = cv2.arcLength(hull, True)
    rough = cv2.approxPolyDP(hull, 0.04 * perimeter, True)
    if len(rough) != 4:
        return None
    quad = rough[:, 0].astype(np.float64)
    if not _card_like(quad) or _covered_share(quad, points) < LEAST_COVER:
        return None
    return _sharpened(quad, points)


def _card_like(quad: FloatArray) -> bool:
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    long_, short = sorted([(sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2], reverse=True)
    opposite = (
        min(sides[0], sides[2]) / max(sides[0], sides[2]),
        min(sides[1], sides[3]) / max(sides[1], sides[3]),
    )
    return bool(
        LONG_SIDE_PX[0] < long_ < LONG_SIDE_PX[1]
        and 1.15 < long_ / short < 2.3
        and min(opposite) > 0.75
    )


def _covered_share(quad: FloatArray, points: FloatArray) -> float:
    """Share of the quad's sides that have an outline point within 2.5 pixels."""
    near = np.zeros(0)
    for k in range(4):
        start, end = quad[k], quad[(k + 1) % 4]
        way = (end - start) / np.hypot(*(end - start))
        along = (points - start) @ way
        off = np.abs((points - start) @ np.array([-way[1], way[0]]))
        length = np.hypot(*(end - start))
        bins = np.unique((along[(off < 2.5) & (along > 0) & (along < length)] / 3).astype(int))
        near = np.append(near, len(bins) / max(int(length / 3), 1))
    return float(near.min())


def _sharpened(quad: FloatArray, points: FloatArray) -> FloatArray | None:
    """Corners where straight lines through each side's outline points meet."""
    lines = []
    for k in range(4):
        start, end = quad[k], quad[(k + 1) % 4]
        way = (end - start) / np.hypot(*(end - start))
        share = (points - start) @ way / np.hypot(*(end - start))
        off = np.abs((points - start) @ np.array([-way[1], way[0]]))
        side = points[(off < 2.5) & (share > 0.08) & (share < 0.92)]
        if len(side) < 8:
            return None
        vx, vy, x, y = np.ravel(cv2.fitLine(side.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01))
        lines.append((np.array([x, y], np.float64), np.array([vx, vy], np.float64)))
    corners = []
    for k in range(4):
        (p, u), (q, v) = lines[k - 1], lines[k]
        if abs(u[0] * v[1] - u[1] * v[0]) < 0.3:
            return None
        share = np.linalg.solve(np.column_stack([u, -v]), q - p)[0]
        corners.append(p + share * u)
    out = np.array(corners)
    # Clockwise in the picture (y down): the signed area is then positive.
    area = float(np.sum(out[:, 0] * np.roll(out[:, 1], -1) - np.roll(out[:, 0], -1) * out[:, 1]))
    return out if area > 0 else out[::-1]
