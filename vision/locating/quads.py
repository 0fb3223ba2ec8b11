"""Wholly seen cards in the photograph itself: white frames as four-cornered outlines."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray
from vision.locating.bent_outlines import bent_quad
from vision.locating.frame_lines import meetings
from vision.raster import reduced

Image8 = NDArray[np.uint8]
WIDTHS_PX = (1500, 2200, 1050, 3200, 750)
"""Picture widths at which frames are sought, in turn: the scale is not known beforehand."""
GOOD_SIDE_PX = (95, 200)
"""A card's long side where its frame is best found; the next width is chosen by it."""
WANTED_SIDE_PX = 120
WINDOW_PX = 15
LONG_SIDE_PX = (70, 330)
LEAST_COVER = 0.88
"""Of each side: so much of it has the outline beside it."""
LEAST_QUADS = 2
ENOUGH_QUADS = 6
"""With fewer, further scales and ways are tried."""
NEAR_SHARE = 0.08
"""Of the long side: outlines whose middles are nearer are of one card."""
CLEARLY_SMALLER = 0.88
THREAD_PX = 9


@dataclass(frozen=True, eq=False)
class Quads:
    """Four-cornered outlines (Q, 4, 2) in photograph pixels, clockwise from any corner, on
    the outer edge of the white line; `on_lines`: on its middle.
    """

    corners_px: FloatArray
    on_lines: bool = False

    def __len__(self) -> int:
        return len(self.corners_px)


def find_quads(image_bgr: Image8, on_pale: bool = False, bent: bool = False) -> Quads:
    """Outlines of pieces of white line that close round a quadrilateral.

    A card that nothing covers has its frame and shapes in one such piece, 3.5 mm
    of band away from any other white. Looks at one scale after the other until
    two cards are seen, then at the scale that suits their size; keeps the one
    with the most outlines. `on_pale`: white is what is brighter than all that is as
    wide as a window, as where haze makes whole cards brighter than a dark table. `bent`: sides
    may be bent, and have something attached to them.
    """
    longest = max(image_bgr.shape[:2])
    found: list[tuple[float, FloatArray]] = []
    tried: set[float] = set()
    for width in WIDTHS_PX:
        wanted: float = min(width, longest)
        while wanted not in tried:
            tried.add(wanted)
            small, scale = reduced(image_bgr, wanted)
            corners = quads_in(small, on_pale=on_pale, bent=bent)
            unsuited = np.abs(np.log(np.array([_side(q) for q in corners]) / WANTED_SIDE_PX))
            found += list(zip(unsuited, (corners + 0.5) / scale - 0.5, strict=True))
            if len(corners) >= LEAST_QUADS:
                wanted = _better_width(corners, wanted, longest)
        best = _one_each([quad for _, quad in sorted(found, key=lambda one: one[0])])
        if len(best) >= ENOUGH_QUADS:
            break
    return Quads(np.array(best).reshape(-1, 4, 2))


def _better_width(corners: FloatArray, width: float, longest: int) -> float:
    """The picture width at which outlines of this size (Q, 4, 2) are best found; this one if so."""
    side = float(np.median([_side(quad) for quad in corners]))
    if GOOD_SIDE_PX[0] <= side <= GOOD_SIDE_PX[1]:
        return width
    return min(round(width * WANTED_SIDE_PX / side), longest)


def quads_in(
    image: Image8, enough: int = ENOUGH_QUADS, on_pale: bool = False, bent: bool = False
) -> FloatArray:
    """Outlines (Q, 4, 2) in a picture as it is, where cards are 70 to 330 pixels long.

    With fewer than `enough`, those to which something thin is attached are cut free.
    """
    mask = white_mask(image, on_pale)
    found = _outlined(mask, bent)
    if len(found) < enough:
        found += _outlined(_without_threads(mask), bent)
    return np.array(_one_each(found)).reshape(-1, 4, 2)


def _outlined(mask: Image8, bent: bool) -> list[FloatArray]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        # Outer edges of pieces run the other way round than their holes'.
        if len(contour) < 2 * LONG_SIDE_PX[0] or cv2.contourArea(contour, oriented=True) > 0:
            continue
        _, _, wide, high = cv2.boundingRect(contour)
        if not LONG_SIDE_PX[0] < float(np.hypot(wide, high)) < 1.3 * LONG_SIDE_PX[1]:
            continue
        quad = bent_quad(contour) if bent else _as_quad(contour)
        if quad is not None:
            found.append(quad)
    return found


def _without_threads(mask: Image8) -> Image8:
    """The pieces filled, and what is thinner than `THREAD_PX` cut off."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    filled = np.zeros_like(mask)
    cv2.drawContours(filled, contours, -1, 255, cv2.FILLED)
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((THREAD_PX,) * 2, np.uint8)))


def _area(quad: FloatArray) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def _side(quad: FloatArray) -> float:
    return float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).max())


def _one_each(quads: list[FloatArray]) -> list[FloatArray]:
    """Of those with the same middle one: the first, unless another is clearly smaller.

    On a bright table the rim round a card closes into a larger outline than the card's own.
    """
    kept: list[FloatArray] = []
    for quad in quads:
        near = NEAR_SHARE * _side(quad)
        gaps = [float(np.hypot(*(other.mean(axis=0) - quad.mean(axis=0)))) for other in kept]
        same = [k for k, gap in enumerate(gaps) if gap <= near]
        if not same:
            kept.append(quad)
        elif _area(quad) < CLEARLY_SMALLER * _area(kept[same[0]]):
            kept[same[0]] = quad
    return kept


def edges_round(outlines: Quads, frames: Quads) -> int:
    """How many of the outlines have one of the frames in them, with the same middle and clearly
    smaller.
    """
    return sum(
        any(
            np.hypot(*(frame.mean(axis=0) - outline.mean(axis=0))) < NEAR_SHARE * _side(outline)
            and _area(frame) < CLEARLY_SMALLER * _area(outline)
            for frame in frames.corners_px
        )
        for outline in outlines.corners_px
    )


def white_mask(image: Image8, on_pale: bool = False) -> Image8:
    """255 where a pixel is white against the darkest within a window; small pictures.

    `on_pale`: against all that is as wide as the window.
    """
    b, g, r = cv2.split(image)
    least = cv2.GaussianBlur(cv2.min(cv2.min(b, g), r), (0, 0), 0.7)
    kernel = np.ones((WINDOW_PX, WINDOW_PX), np.uint8)
    darkest = cv2.erode(least, kernel)
    ground = cv2.dilate(darkest, kernel) if on_pale else darkest
    above = cv2.subtract(least, ground)
    contrast = cv2.dilate(above, kernel) if on_pale else cv2.dilate(least, kernel) - darkest
    quiet, usual = (float(v) for v in np.percentile(contrast[::6, ::6], [15, 95]))
    floor = min(max(12.0, 1.5 * quiet, 0.15 * usual), max(12.0, 0.4 * usual))
    share = cv2.divide(above, cv2.max(contrast, floor), scale=255)
    enough = cv2.compare(contrast, floor, cv2.CMP_GT)
    return np.asarray(cv2.bitwise_and(cv2.compare(share, 115.0, cv2.CMP_GT), enough), np.uint8)


def _as_quad(contour: NDArray[np.int32]) -> FloatArray | None:
    """The quadrilateral that an outline (P, 1, 2) fills, or None."""
    hull = cv2.convexHull(contour)
    rough = cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True)
    if len(rough) != 4:
        return None
    quad = rough[:, 0].astype(np.float64)
    # Clockwise in the picture (y down): the signed area is then positive.
    if cv2.contourArea(rough, oriented=True) < 0:
        quad = quad[::-1]
    return _sharpened(quad, contour[:, 0]) if _card_like(quad) else None


def _card_like(quad: FloatArray) -> bool:
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    long_, short = sorted([(sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2], reverse=True)
    opposite = (
        min(sides[0], sides[2]) / max(sides[0], sides[2]),
        min(sides[1], sides[3]) / max(sides[1], sides[3]),
    )
    return bool(
        LONG_SIDE_PX[0] < long_ < LONG_SIDE_PX[1]
        and 1.05 < long_ / short < 2.8
        and min(opposite) > 0.65
    )


def _sharpened(quad: FloatArray, points: NDArray[np.int32]) -> FloatArray | None:
    """Corners where straight lines through each side's outline points (P, 2) meet.

    None where a side has too few of them within 2.5 pixels.
    """
    way = np.roll(quad, -1, axis=0) - quad
    length = np.hypot(way[:, 0], way[:, 1])
    way = way / length[:, None]
    normal = np.stack([-way[:, 1], way[:, 0]], axis=1)
    along = points @ way.T - (quad * way).sum(axis=1)
    off = points @ normal.T - (quad * normal).sum(axis=1)
    near = (np.abs(off) < 2.5) & (along > 0) & (along < length)
    bins = np.maximum((length / 3).astype(int), 1)
    hit = np.zeros((4, int(bins.max()) + 1), bool)
    index, side = np.nonzero(near)
    hit[side, (along[index, side] / 3).astype(int)] = True
    if (hit.sum(axis=1) / bins).min() < LEAST_COVER:
        return None
    share = along / length
    used = near & (share > 0.08) & (share < 0.92)
    level, slope = np.zeros(4), np.zeros(4)
    for within in (2.5, 1.2):
        weight = used & (np.abs(off - level - slope * share) < within)
        total = weight.sum(axis=0)
        if total.min() < 8:
            return None
        x = share - (weight * share).sum(axis=0) / total
        slope = (weight * x * off).sum(axis=0) / np.maximum((weight * x * x).sum(axis=0), 1e-9)
        level = (weight * (off - slope * share)).sum(axis=0) / total
    start = quad + level[:, None] * normal
    end = np.roll(quad, -1, axis=0) + (level + slope)[:, None] * normal
    corners = meetings(start[None], end[None])[0]
    return corners if np.isfinite(corners).all() else None
