"""Badges whose rim is in pieces or runs into noise: sought by what they look like as a whole.

Where a picture has little more than a pixel a millimetre, a badge's rim runs into its digit and its
outline tells nothing; but that something bright of its size stands alone on black still does.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from geometry.deck import Deck
from vision.arrays import FloatArray, Map32
from vision.drawing.templates import TEMPLATE_DENSITY, draw_templates
from vision.evidence import Evidence, Image8

SEARCH_DENSITY = 1.25
"""Pixels per mm of the map that is searched: a rim is a pixel wide and still stands out."""
TURN_DEG = 15
"""Turned by half of this a badge still looks alike."""
SAME_LOOK = 0.85
"""A mean over turns that correlates so much with one of them stands for all."""
LEAST_LIKENESS = 0.42
"""Correlation with a badge of another value, roughly turned, from which a place is looked at."""
APART_MM = 5.0
"""Of two places nearer than this the likelier one counts."""
KNOWN_MM = 6.0
"""As near as this to a known card's middle it is that card's badge."""
LEAST_POWER = 0.5
"""Of the squares of grey levels about their mean: a single one that differs has more."""
TILE_MM = 64.0
"""Where in a square of this side, and in those round it, nothing is white beyond doubt, there is no
card's line either, and no card that would be believed."""
BLOB_DENSITY = 1.0
"""The same of the map that is searched for what stands alone on black."""
INNER, RING = 0.4, (0.68, 0.86)
"""Radii, as shares of a badge's diameter, of what should be bright and of what should be black."""
LEAST_CONTRAST = 0.12
"""Of both together: a badge of dark ink in a veil has 0.15 and more."""
DARK = 8.0
"""Grey levels that noise and veil leave of black at least."""


def likely_badges(evidence: Evidence, deck: Deck, known_mm: FloatArray, most: int) -> FloatArray:
    """Middles (K, 2) in table mm, likeliest first, of what looks like a badge.

    At most so many; none within `KNOWN_MM` of the places `known_mm` (N, 2).
    """
    ratio = SEARCH_DENSITY / evidence.raster.density
    small = cv2.resize(evidence.white, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    looks = _badge_looks(deck)
    side = len(looks[0])
    if min(small.shape) < side:
        return np.empty((0, 2))
    likeness = np.full((small.shape[0] - side + 1, small.shape[1] - side + 1), -1.0, np.float32)
    mask = cv2.resize(evidence.mask, small.shape[::-1], interpolation=cv2.INTER_AREA)
    for rows, columns in _tiles(np.asarray(mask, np.uint8)):
        out = likeness[rows, columns]
        some = small[rows.start :, columns.start :][
            : len(out) + side - 1, : out.shape[1] + side - 1
        ]
        if out.size:
            np.copyto(out, _most_like(some, looks))
    reach = round(APART_MM * SEARCH_DENSITY) | 1
    highest = likeness >= cv2.dilate(likeness, np.ones((reach, reach), np.uint8))
    y, x = np.nonzero(highest & (likeness > LEAST_LIKENESS))
    order = np.argsort(-likeness[y, x], kind="stable")
    at = np.stack([x, y], axis=1)[order] + (side - 1) / 2
    # Pixel centres are whole numbers in either map.
    spots = evidence.raster.to_mm(np.asarray((at + 0.5) / ratio - 0.5, np.float64))
    if len(known_mm) and len(spots):
        spots = spots[np.asarray(cKDTree(known_mm).query(spots)[0]) > KNOWN_MM]
    return np.asarray(spots[:most])


def _most_like(some: Image8, looks: tuple[Map32, ...]) -> Map32:
    """Highest correlation (h, w), -1 to 1, with any of the looks (side, side), each of mean 0 and
    length 1; 0 where there is nothing to see. By the corners of each look's place on `some`.
    """
    seen = some.astype(np.float32)
    # How much there is to see at a place is the same for all looks.
    best = cv2.matchTemplate(seen, looks[0], cv2.TM_CCORR)
    for look in looks[1:]:
        cv2.max(best, cv2.matchTemplate(seen, look, cv2.TM_CCORR), dst=best)
    side = len(looks[0])
    total, squares = (
        ahead[side:, side:] - ahead[:-side, side:] - ahead[side:, :-side] + ahead[:-side, :-side]
        for ahead in cv2.integral2(some, sdepth=cv2.CV_64F, sqdepth=cv2.CV_64F)
    )
    power = squares - total * total / side**2
    return np.where(power > LEAST_POWER, best / np.sqrt(np.maximum(power, LEAST_POWER)), 0.0)


def _tiles(mask: Image8) -> Iterable[tuple[slice, slice]]:
    """Rows and columns of a map in which cards may lie, by what is white beyond doubt on it: tiles
    that are next to each other in a row are one.
    """
    side = round(TILE_MM * SEARCH_DENSITY)
    count = -(-np.array(mask.shape) // side)
    whole = np.zeros(count * side, np.bool_)
    whole[: mask.shape[0], : mask.shape[1]] = mask > 0
    white = whole.reshape(count[0], side, count[1], side).any(axis=(1, 3))
    near = cv2.dilate(white.astype(np.uint8), np.ones((3, 3), np.uint8))
    for row, tiles in enumerate(np.pad(near, ((0, 0), (1, 1))).astype(np.int8)):
        for first, end in np.flatnonzero(np.diff(tiles)).reshape(-1, 2).tolist():
            yield slice(row * side, (row + 1) * side), slice(first * side, end * side)


@lru_cache(maxsize=4)
def _badge_looks(deck: Deck) -> tuple[Map32, ...]:
    """What the badges of each suit look like on the whole (side, side), in every turn that
    differs: of mean 0 and length 1.
    """
    templates = draw_templates(deck)
    suits = [face.suit for face in deck.faces]
    looks: list[Image8] = []
    for suit in dict.fromkeys(suits):
        of_suit = [2 * k for k, other in enumerate(suits) if other == suit]
        mean = templates.white[of_suit].mean(axis=0).reshape(templates.shape_hw)
        turned = [_turned(mean, angle, deck.badge_mm) for angle in range(0, 360, TURN_DEG)]
        looks += _every_turn(turned)
    plain = (look - look.mean() for look in looks)
    return tuple((look / np.linalg.norm(look)).astype(np.float32) for look in plain)


def _every_turn(turned: list[Image8]) -> list[Image8]:
    """The turns that differ, each the mean of all that look the same: digits aside, a disc has
    one, a square six.
    """
    count = len(turned)
    for step in (1, count // 4, count // 3):
        means = [
            np.asarray(np.mean(turned[k::step], axis=0), np.uint8) for k in range(min(step, count))
        ]
        if _likeness(means[0], turned[0]) > SAME_LOOK:
            return means
    return turned


def _turned(face: NDArray[np.float32], angle_deg: float, badge_mm: float) -> Image8:
    """The middle of a face, a little more than a badge wide, turned and on the searched map."""
    side = round(1.25 * badge_mm * SEARCH_DENSITY) | 1
    scale = SEARCH_DENSITY / TEMPLATE_DENSITY
    rows, columns = face.shape
    fine = cv2.GaussianBlur(face, (0, 0), 0.4 / scale)
    matrix = cv2.getRotationMatrix2D(((columns - 1) / 2, (rows - 1) / 2), angle_deg, scale)
    matrix[:, 2] += (side - 1) / 2 - np.array([(columns - 1) / 2, (rows - 1) / 2])
    return np.asarray(cv2.warpAffine(fine, matrix, (side, side)) * 255, np.uint8)


def _likeness(one: Image8, other: Image8) -> float:
    return float(cv2.matchTemplate(one, other, cv2.TM_CCOEFF_NORMED)[0, 0])


def badge_blobs(evidence: Evidence, deck: Deck, most: int) -> FloatArray:
    """Middles (K, 2), table mm, of at most so many places, the plainest first."""
    raster = evidence.raster
    scale = BLOB_DENSITY / raster.density
    small = cv2.resize(raster.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    inner, ring = _kernels(deck.badge_mm)
    level = small.max(axis=2).astype(np.float32)
    middle = cv2.filter2D(level, cv2.CV_32F, inner, borderType=cv2.BORDER_REPLICATE)
    around = cv2.filter2D(level, cv2.CV_32F, ring, borderType=cv2.BORDER_REPLICATE)
    contrast = (middle - around) / (middle + around + DARK)
    reach = round(APART_MM * BLOB_DENSITY) | 1
    highest = contrast >= cv2.dilate(contrast, np.ones((reach, reach), np.uint8))
    y, x = np.nonzero(highest & (contrast > LEAST_CONTRAST))
    order = np.argsort(-contrast[y, x], kind="stable")[:most]
    at = np.stack([x, y], axis=1)[order]
    return raster.to_mm(np.asarray((at + 0.5) / scale - 0.5, np.float64))


@lru_cache(maxsize=4)
def _kernels(badge_mm: float) -> tuple[Map32, Map32]:
    """Means over what should be bright, and over the ring that should be black."""
    half = int(np.ceil(RING[1] * badge_mm * BLOB_DENSITY))
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    far = np.hypot(x, y) / (badge_mm * BLOB_DENSITY)
    inner, ring = far <= INNER, (far >= RING[0]) & (far <= RING[1])
    return (
        np.asarray(inner / inner.sum(), np.float32), np.asarray(ring / ring.sum(), np.float32)
    )  # fmt: skip
