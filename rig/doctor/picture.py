"""What a picture of the table says: whether it is seen whole, and the light on it."""

from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.doctor.finding import Finding
from vision.locating.markers import MARKER_MM, Marker, find_markers
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


LEAST_PX_PER_MM = 1.4
ENOUGH_PX_PER_MM = 1.7
"""The reading is exact from 1.7 pixels per mm on the cards. The markers lie outside them,
where a wide lens sees smaller, so that less at the markers need not be too little."""


def check_table(image_bgr: NDArray[np.uint8]) -> Finding:
    """Look for the markers in a full picture (H, W, 3) uint8."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    markers = find_markers(grey)
    scale = median(map(marker_scale, markers)) if markers else None
    return judge_table([marker.id for marker in markers], scale)


def judge_table(ids: list[int], px_per_mm: float | None) -> Finding:
    """Judge which of the markers 0 to 3 were seen, and the scale in their middle."""
    missing = [number for number in range(4) if number not in ids]
    facts: dict[str, float | int | str | bool] = {"markers": len(ids)}
    if px_per_mm is None:
        found, advice = Reason("table-no-markers"), Reason("table-print-markers")
        return Finding("table", "look", found, advice, facts)
    facts["px_per_mm"] = round(px_per_mm, 2)
    found = Reason("table-markers", {"count": len(ids), "px_per_mm": px_per_mm})
    if px_per_mm < LEAST_PX_PER_MM:
        advice = Reason("table-nearer", {"needed": ENOUGH_PX_PER_MM})
        return Finding("table", "bad", found, advice, facts)
    if missing:
        names = ", ".join(map(str, missing))
        advice = Reason("table-bring-marker", {"names": names})
        return Finding("table", "look", found, advice, facts)
    if px_per_mm < ENOUGH_PX_PER_MM:
        advice = Reason("table-a-little-nearer", {"needed": ENOUGH_PX_PER_MM})
        return Finding("table", "look", found, advice, facts)
    return Finding("table", "good", found, None, facts)


def marker_scale(marker: Marker) -> float:
    """Pixels per mm of a marker: root of its area in the picture over its true area."""
    area = cv2.contourArea(marker.corners_px.astype(np.float32))
    return float(np.sqrt(area)) / MARKER_MM
