"""Without the colour of a veil: what it adds to a card it adds to the black near by."""

from __future__ import annotations

import cv2
import numpy as np

from geometry.deck import CardSize
from geometry.pose import Pose
from vision.arrays import Bools, FloatArray, Map32
from vision.observe.observation import Observation, observe_balanced
from vision.reading_config import ReadingConfig


def against_black(
    seen: Observation, places: FloatArray, size: CardSize, config: ReadingConfig
) -> Observation:
    """What is seen, less the colour of the black near by, which cards that plainly lie at places
    (N, 3: x, y in mm, degrees) show: within its frame about half of a card is black, and nothing of
    it is darker. Farther from all of them it is less what their black is on average.
    """
    black = _black(seen, places, size)
    if not black.any():
        return seen
    side = int(config.veil_mm * seen.density) | 1
    there: Map32 = black.astype(np.float32)
    own = seen.image * there[..., None]
    mean = own.sum(axis=(0, 1)) / there.sum()
    for _ in range(2):
        there, own = (cv2.blur(some, (side, side)) for some in (there, own))
    share = config.veil_share
    near = (own + share * mean.astype(np.float32)) / (there[..., None] + share)
    colour = np.rint(near - near.min(axis=2, keepdims=True)).astype(np.uint8)
    image = cv2.subtract(seen.image, colour)
    return observe_balanced(image, seen.says, seen.origin_mm, seen.lens_mm, config)


def _black(seen: Observation, places: FloatArray, size: CardSize) -> Bools:
    """Where (H, W) cards at places show black."""
    out = np.zeros(seen.cell.shape, np.bool_)
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
        light = seen.image[y0:y1, x0:x1].max(axis=2)
        if card.any():
            out[y0:y1, x0:x1] |= card & (light <= np.median(light[card]))
    return out
