"""Dots in a card's shapes: round marks, be they alone or grown together with a line."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrolment.card_picture import DENSITY, CardPicture

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

LEAST_DOT_MM, LARGEST_DOT_MM = 1.2, 9.0
DISC_MM = 2.8
"""A blurred line, and where lines meet at 45 degrees, is narrower than this; a dot that touches a
line is wider."""
LEAST_ROUND = 0.7
"""The largest circle in a disc is as wide as this share of the circle round it at least."""
BEYOND_MM, RING_MM = 0.7, 1.1
"""How far round its rough disc a dot is weighed, and how far from it the ground is taken."""


@dataclass(frozen=True, eq=False)
class SeenDot:
    """A dot: middle in card mm, diameter, and its light against white and black (3,)."""

    middle_mm: FloatArray
    diameter_mm: float
    share: FloatArray


@dataclass(frozen=True, eq=False)
class CardMarks:
    """Where lines, dots and other marks are: `mask` (H, W) uint8 is 255 there, `signal` (H, W)
    is how strong they are, about 0 on the ground and 1 on white; `discs` (H, W) is 255 on the marks
    of the mask that are discs of a dot's size, cut off the lines that they touch.
    """

    mask: Mask
    signal: FloatArray
    discs: Mask


def discs_of(mask: Mask) -> Mask:
    """The marks (H, W) that are round and of a dot's size, without the lines they touch."""
    side = round(DISC_MM * DENSITY) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    wide = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc), np.uint8)
    contours, _ = cv2.findContours(wide, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    deep = cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    discs = np.zeros_like(mask)
    for contour in contours:
        if max(cv2.boundingRect(contour)[2:]) > LARGEST_DOT_MM * DENSITY:
            continue
        _, around = cv2.minEnclosingCircle(contour)
        own = cv2.drawContours(np.zeros_like(mask), [contour], -1, 255, cv2.FILLED)
        _, within, _, at = cv2.minMaxLoc(deep, own)
        # With a line's piece on it a disc is longer than wide; what is drawn is the disc alone.
        if within > LEAST_ROUND * around:
            cv2.circle(discs, at, round(within), 255, cv2.FILLED)
    return discs


def dots_in(picture: CardPicture, region: Mask, marks: CardMarks) -> list[SeenDot]:
    """Round marks inside a region, by their light's centre of mass and its sum."""
    inner = cv2.erode(region, np.ones((5, 5), np.uint8))
    alone = cv2.bitwise_and(marks.mask, cv2.bitwise_or(inner, marks.discs & region))
    count, _, stats, middles = cv2.connectedComponentsWithStats(alone)
    dots = []
    for number in range(1, count):
        _, _, width, height, area = stats[number]
        size = np.sqrt(area * 4 / np.pi) / DENSITY
        if not LEAST_DOT_MM < size < LARGEST_DOT_MM or max(width, height) > 1.5 * min(
            width, height
        ):
            continue
        dots.append(_dot(picture, region, marks.signal, middles[number], float(size)))
    return dots


def _dot(
    picture: CardPicture,
    region: Mask,
    whole: FloatArray,
    middle_px: FloatArray,
    rough_mm: float,
) -> SeenDot:
    """Weighed over a disc somewhat wider than the dot, against the ring round it; both only
    inside the region, where no line is.
    """
    reach = int((rough_mm / 2 + 2.5) * DENSITY)
    left, top = (max(0, int(v) - reach) for v in middle_px)
    part = (slice(top, top + 2 * reach), slice(left, left + 2 * reach))
    share, signal, inside = picture.share[part], whole[part], region[part] > 0
    ys, xs = np.mgrid[top : top + signal.shape[0], left : left + signal.shape[1]]
    for _ in range(2):
        away = np.hypot(xs - middle_px[0], ys - middle_px[1]) / DENSITY
        ring = (away > rough_mm * 0.5 + BEYOND_MM) & (away < rough_mm * 0.5 + RING_MM) & inside
        disc = (away < rough_mm * 0.5 + BEYOND_MM) & inside
        core = np.percentile(signal[away < rough_mm * 0.25], 50)
        ground = np.median(signal[ring])
        weight = np.clip((signal - ground) / max(core - ground, 1e-6), 0, 1.2) * disc
        middle_px = np.array([np.sum(xs * weight), np.sum(ys * weight)]) / np.sum(weight)
    diameter = float(np.sqrt(np.sum(weight) * 4 / np.pi) / DENSITY)
    core_share = np.median(share[away < rough_mm * 0.25], axis=0)
    return SeenDot(picture.to_mm(middle_px), diameter, core_share)
