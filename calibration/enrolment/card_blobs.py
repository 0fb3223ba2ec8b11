"""Where single cards lie on the table: whatever differs from the ground and is a rectangle."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.raster import Raster
from vision.reason import Reason

FloatArray = NDArray[np.float64]
Mask = NDArray[np.uint8]

GROUND_WINDOW_MM = 160.0
LEAST_DIFFERENCE = 14.0
"""Lab units between a card and the ground round it."""
LEAST_SIDE_MM, LARGEST_SIDE_MM = 25.0, 130.0
RECTANGULAR = 0.9
LONGEST_RATIO = 2.2


@dataclass(frozen=True, eq=False)
class CardBlob:
    """A card-like piece: its rectangle's corners (4, 2), table mm, the first side a short one."""

    corners_mm: FloatArray

    @property
    def middle_mm(self) -> FloatArray:
        """The rectangle's middle (2,)."""
        return np.asarray(self.corners_mm.mean(axis=0))

    @property
    def size_mm(self) -> tuple[float, float]:
        """Short and long side."""
        sides = np.linalg.norm(np.diff(self.corners_mm, axis=0), axis=1)
        return float(sides[0]), float(sides[1])


@dataclass(frozen=True, slots=True)
class Unusable:
    """Something on the table that cannot be read as a single card, where, and why."""

    at_mm: tuple[float, float]
    reason: Reason


def find_cards(
    raster: Raster, without_mm: list[FloatArray]
) -> tuple[list[CardBlob], list[Unusable]]:
    """Cards on a plain ground in a raster of the table; `without_mm` are polygons left out.

    What touches the raster's edge or is no rectangle of a card's size is not
    returned; what is about two cards large is reported.
    """
    outside = _outside(raster)
    mask = _differs(raster, outside)
    for polygon in without_mm:
        px = np.round(raster.to_raster(polygon)).astype(np.int32)
        cv2.fillPoly(mask, [px], 0)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    blobs: list[CardBlob] = []
    unusable: list[Unusable] = []
    for contour in contours:
        found = _judge(contour, raster, outside)
        if isinstance(found, CardBlob):
            blobs.append(found)
        elif found is not None:
            unusable.append(found)
    return _of_one_size(blobs, unusable)


def _outside(raster: Raster) -> Mask:
    """255 where the photograph does not reach, and at the raster's rim: (H, W)."""
    outside = (raster.image_bgr.max(axis=2) == 0).astype(np.uint8) * 255
    outside = cv2.morphologyEx(outside, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    outside = cv2.dilate(outside, np.ones((9, 9), np.uint8))
    outside[[0, 1, -2, -1]] = 255
    outside[:, [0, 1, -2, -1]] = 255
    return np.asarray(outside, np.uint8)


def _differs(raster: Raster, outside: Mask) -> Mask:
    """255 where the picture is not the ground: (H, W)."""
    inside = outside == 0
    image = raster.image_bgr.copy()
    image[~inside] = np.median(image[inside][::97], axis=0)
    lab = cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    step = max(1, int(raster.density * 4))
    share = 1 / step
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    window = int(GROUND_WINDOW_MM / 4) | 1
    ground = cv2.medianBlur(np.asarray(small, np.uint8), min(window, 41))
    smooth = cv2.GaussianBlur(ground, (0, 0), 6)
    whole = cv2.resize(smooth, lab.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    apart = lab - cv2.cvtColor(whole.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    far = (np.linalg.norm(apart, axis=2) > LEAST_DIFFERENCE).astype(np.uint8) * 255
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_odd(2.0 * raster.density),) * 2)
    closed = cv2.morphologyEx(far, cv2.MORPH_CLOSE, kernel)
    filled = _without_holes(np.asarray(closed, np.uint8))
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, kernel), np.uint8)


def _odd(value: float) -> int:
    return round(value) | 1


def _without_holes(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return np.asarray(
        cv2.drawContours(np.zeros_like(mask), contours, -1, 255, cv2.FILLED), np.uint8
    )


def _judge(contour: NDArray[np.int32], raster: Raster, outside: Mask) -> CardBlob | Unusable | None:
    points = contour.reshape(-1, 2)
    (cx, cy), (a, b), _ = cv2.minAreaRect(points)
    short, long = sorted((a / raster.density, b / raster.density))
    if short < LEAST_SIDE_MM * 0.7:
        return None
    middle = raster.to_mm(np.array([cx, cy]))
    at = (float(middle[0]), float(middle[1]))
    if long > 2.6 * LARGEST_SIDE_MM:
        return None
    if outside[points[:, 1], points[:, 0]].any():
        return Unusable(at, Reason("enrol-over-the-edge"))
    share = float(cv2.contourArea(points)) / (a * b)
    if share < RECTANGULAR or long > LARGEST_SIDE_MM or long > LONGEST_RATIO * short:
        return Unusable(at, Reason("enrol-no-rectangle"))
    if short < LEAST_SIDE_MM:
        return None
    corners = raster.to_mm(np.asarray(cv2.boxPoints(cv2.minAreaRect(points)), np.float64))
    first = np.linalg.norm(corners[1] - corners[0])
    second = np.linalg.norm(corners[2] - corners[1])
    return CardBlob(corners if first <= second else np.roll(corners, -1, axis=0))


def _of_one_size(
    blobs: list[CardBlob], unusable: list[Unusable]
) -> tuple[list[CardBlob], list[Unusable]]:
    """Cards are all of one size; a white card on white may show its black inside only."""
    if not blobs:
        return blobs, unusable
    short, long = np.median(np.array([blob.size_mm for blob in blobs]), axis=0)
    kept = []
    for blob in blobs:
        a, b = blob.size_mm
        if 0.8 * short < a < 1.1 * short and 0.84 * long < b < 1.1 * long:
            kept.append(blob)
        else:
            x, y = (float(v) for v in blob.middle_mm)
            code = "enrol-two-cards-size" if b > 1.1 * long else "enrol-no-cards-size"
            size = {"width_mm": float(a), "height_mm": float(b)}
            unusable.append(Unusable((x, y), Reason(code, size)))
    return kept, unusable
