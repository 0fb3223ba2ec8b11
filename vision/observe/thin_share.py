"""How sharp a picture of a table is: what is left of thin lines in the direction that has least."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray
from vision.observe.observation import Observation
from vision.reading_config import ReadingConfig

DIRECTIONS = 8
"""Of half a turn: shaking blurs along one of them alone."""


def thin_share(seen: Observation, config: ReadingConfig) -> float:
    """How much white differs from place to place within a line's reach, as a share of how much it
    does within a dot's: in the direction in which that is least.

    Whatever is printed, a sharp picture has edges, which differ within either; what blurs over more
    than a line's width leaves little of the first. It is a share of 1, or more; 1 where all is
    black.
    """
    white = np.where(seen.says, seen.white, np.uint8(0))
    shares = []
    for turn in np.arange(DIRECTIONS) * np.pi / DIRECTIONS:
        ahead = seen.density * np.array([np.cos(turn), np.sin(turn)])
        near, far = (_differs(white, mm * ahead) for mm in (config.thin_mm, config.wide_mm))
        shares.append(near / far if far > 0 else 1.0)
    return min(shares)


def _differs(white: NDArray[np.uint8], step: FloatArray) -> float:
    """The sum of the squares by which white (H, W) differs from that a step (2,), in places, on."""
    ahead = np.array([[1, 0, step[0]], [0, 1, step[1]]])
    other = cv2.warpAffine(white, ahead, white.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    return float(cv2.norm(white, other, cv2.NORM_L2SQR))
