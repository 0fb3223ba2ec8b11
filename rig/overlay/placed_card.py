"""One card cut out of its picture and enlarged: where it lies, and where it should."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.overlay.canvas import Bgr, draw_line, draw_plain_line
from vision.reading import Corners

LONGER_PX = 900
"""The longer side of the picture that is made."""
AROUND = 0.45
"""So much of the card's longer side is shown around it."""
_COLOURS: dict[str, Bgr] = {
    "illegal": (40, 30, 200),
    "borderline": (60, 215, 255),
    "legal": (60, 160, 40),
}
_TARGET: Bgr = (60, 160, 40)
_OTHER: Bgr = (200, 140, 30)
_DASHES = 24


def placed_card(
    image_bgr: NDArray[np.uint8], outline_px: Corners, target_px: Corners | None, status: str | None
) -> NDArray[np.uint8]:
    """The part of the (H, W, 3) picture around a card, its longer side `LONGER_PX`.

    The card's outline is drawn unbroken, the place where it would be legal dashed.
    """
    shown = [np.array(outline_px)] + ([] if target_px is None else [np.array(target_px)])
    points = np.concatenate(shown)
    size = float(np.ptp(np.array(outline_px), axis=0).max())
    low, high = points.min(axis=0) - AROUND * size, points.max(axis=0) + AROUND * size
    scale = LONGER_PX / max(float((high - low).max()), 1.0)
    width, height = (max(1, round(float(side) * scale)) for side in high - low)
    to_cut = np.array([[scale, 0.0, -scale * low[0]], [0.0, scale, -scale * low[1]]])
    cut = cv2.warpAffine(image_bgr, to_cut, (width, height), flags=cv2.INTER_CUBIC)
    picture = np.asarray(cut, np.uint8)
    line_px = LONGER_PX / 220
    if target_px is not None:
        _draw_dashed(picture, _closed(target_px, to_cut), _TARGET, line_px)
    colour = _COLOURS.get(status or "", _OTHER)
    draw_line(picture, _closed(outline_px, to_cut), colour, line_px)
    return picture


def _closed(corners: Corners, to_cut: NDArray[np.float64]) -> NDArray[np.float64]:
    points = np.column_stack([np.array([*corners, corners[0]]), np.ones(5)])
    return np.asarray(points @ to_cut.T)


def _draw_dashed(
    picture: NDArray[np.uint8], line: NDArray[np.float64], colour: Bgr, width_px: float
) -> None:
    for start, end in pairwise(line):
        steps = np.linspace(start, end, _DASHES)
        for place in range(0, _DASHES - 1, 2):
            draw_plain_line(picture, steps[place : place + 2], (250, 250, 250), 2 * width_px)
            draw_plain_line(picture, steps[place : place + 2], colour, width_px)
