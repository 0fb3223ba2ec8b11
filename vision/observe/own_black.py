"""Without the colour of a veil: what it adds to a card it adds to the black near by."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from geometry.pose import Pose
from vision.arrays import Bools, FloatArray, Map32
from vision.observe.observation import Observation, observe_balanced
from vision.reading_config import ReadingConfig


def against_black(
    seen: Observation, places: FloatArray, size: CardSize, config: ReadingConfig
) -> Observation:
    """What is seen, less the colour of the black near by, which cards that plainly lie at places
    (N, 3: x, y in mm, degrees) show. Farther from all of them it is less what their black is on
    average.
    """
    black = _black(seen, places, size, config)
    if not black.any():
        return seen
    there = black.view(np.uint8)
    mean = np.array(cv2.mean(seen.image, there)[:3], np.float32)
    share, weight = np.float32(config.veil_share), _about(there, seen, config)
    weight += share
    channels = []
    for channel, grey in zip(cv2.split(seen.image), mean, strict=True):
        near = _about(cv2.bitwise_and(channel, channel, mask=there), seen, config)
        near += share * grey
        near /= weight
        channels.append(near)
    least = np.minimum(np.minimum(*channels[:2]), channels[2])
    colour = cv2.merge([np.rint(some - least).astype(np.uint8) for some in channels])
    image = np.asarray(cv2.subtract(seen.image, colour), np.uint8)
    return observe_balanced(image, seen.says, seen.origin_mm, seen.lens_mm, config)


def _about(some: NDArray[np.uint8], seen: Observation, config: ReadingConfig) -> Map32:
    """A map's mean round each place (H, W), of what is nearer more."""
    side = (int(config.veil_mm * seen.density) | 1,) * 2
    return np.asarray(cv2.blur(cv2.boxFilter(some, cv2.CV_32F, side), side), np.float32)


def _black(seen: Observation, places: FloatArray, size: CardSize, config: ReadingConfig) -> Bools:
    """Where (H, W) cards at places show black: the darkest third within a card's frame, and
    less where ink of cards above leaves less of it black.
    """
    out = np.zeros(seen.cell.shape, np.bool_)
    blue, green, red = cv2.split(seen.image)
    brightest = np.asarray(cv2.max(cv2.max(blue, green), red))
    half = np.array([size.frame_width_mm, size.frame_height_mm]) / 2
    corners = half * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    for x, y, degrees in places:
        at = (Pose(x, y, degrees).to_table(corners) - seen.origin_mm) * seen.density
        (x0, y0), (x1, y1) = np.clip(
            [np.floor(at.min(axis=0)), np.ceil(at.max(axis=0)) + 1], 0, seen.cell.shape[::-1]
        ).astype(int)
        if x1 <= x0 or y1 <= y0:
            continue
        within = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(within, np.rint(at - [x0, y0]).astype(np.int32), 1)
        card = (within > 0) & seen.says[y0:y1, x0:x1]
        light = brightest[y0:y1, x0:x1]
        if card.any():
            out[y0:y1, x0:x1] |= card & (light <= _darkest_level(light[card], config))
    return out


def _darkest_level(light: NDArray[np.uint8], config: ReadingConfig) -> float:
    """The grey level that the black of a card lies up to, of all that shows within its frame (N,).

    A third of a card is black at least, and nothing of it is darker. Ink of cards above may leave
    less: then the dark and the light part best where they differ most (Otsu). By that alone dark
    ink, or ink under a veil, may go with the black.
    """
    parted, _ = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return min(float(np.quantile(light, config.black_share)), parted)
