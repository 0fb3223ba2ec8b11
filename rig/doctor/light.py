"""Is it bright enough, and is nothing burnt out?"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.doctor.finding import Finding

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
    found = f"White is at {100 * white:.0f} % of full scale, {100 * burnt:.1f} % is burnt out."
    if white < DIMMEST:
        advice = "It is too dark: switch a lamp on."
        return Finding("light", "bad", found, advice, facts)
    if burnt > BURNT_MOST:
        advice = (
            "A lamp is mirrored in the cards, or shines into the camera: move it to the side; "
            "see docs/build-the-rig.md."
        )
        return Finding("light", "bad", found, advice, facts)
    if burnt > BURNT_MUCH:
        return Finding("light", "look", found, "Move the lamp a little to the side.", facts)
    if white < ENOUGH:
        return Finding("light", "look", found, "More light makes readings surer.", facts)
    return Finding("light", "good", found, "", facts)
