"""Is it bright enough, and is nothing burnt out?"""

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.doctor.finding import Finding
from vision.reason import Reason

DIMMEST, ENOUGH = 0.15, 0.4
"""White, as a share of full scale: below the first dots cannot be told, below the second
noise begins to matter."""
BURNT_MOST, BURNT_MUCH = 0.01, 0.005
_BURNT = 252
_WHITE_PERCENTILE = 99.5


def check_light(image_bgr: NDArray[np.uint8]) -> Finding:
    """Judge the light from a full picture (H, W, 3) uint8 of a table with cards or markers."""
    step = max(1, image_bgr.shape[1] // 1500)
    image = image_bgr[::step, ::step]
    darkest_channel = image.min(axis=2)
    burnt = float((darkest_channel >= _BURNT).mean())
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.8)
    white = float(np.percentile(grey, _WHITE_PERCENTILE)) / 255
    return judge_light(white, burnt)


def judge_light(white: float, burnt: float) -> Finding:
    """Judge how bright white is, and how much of the picture is burnt out; both as shares."""
    facts: dict[str, float | int | str | bool] = {
        "white_percent": round(100 * white, 1),
        "burnt_percent": round(100 * burnt, 2),
    }
    found = Reason("light", {"white_percent": 100 * white, "burnt_percent": 100 * burnt})
    if white < DIMMEST:
        return Finding("light", "bad", found, Reason("light-too-dark"), facts)
    if burnt > BURNT_MOST:
        return Finding("light", "bad", found, Reason("light-mirrored"), facts)
    if burnt > BURNT_MUCH:
        return Finding("light", "look", found, Reason("light-aside"), facts)
    if white < ENOUGH:
        return Finding("light", "look", found, Reason("light-more"), facts)
    return Finding("light", "good", found, None, facts)
