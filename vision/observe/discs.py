"""The least of a picture within discs."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def eroded(image: NDArray[np.uint8], disc: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What `cv2.erode` makes of one channel (H, W) with a disc, an odd number of places wide.

    OpenCV looks at each place of a disc. Here each of its rows is the least of a run of places, and
    the wider runs are made from the narrower ones: of a disc of 61 in a fifth of the time.
    """
    radius = len(disc) // 2
    height, width = image.shape
    run = cv2.copyMakeBorder(image, *(radius,) * 4, cv2.BORDER_CONSTANT, value=255)
    out = np.full_like(image, 255)
    reach = 0  # of a run either way
    for row, wanted in enumerate((disc[: radius + 1].sum(axis=1) // 2).tolist()):
        while reach < wanted:
            step = min(wanted - reach, reach + 1)
            least = cv2.min(run[:, : -2 * step], run[:, 2 * step :])
            run = least if step <= reach else cv2.min(least, run[:, step:-step])
            reach += step
        left = radius - reach
        for top in {row, 2 * radius - row}:
            cv2.min(out, run[top : top + height, left : left + width], dst=out)
    return np.asarray(out, np.uint8)
