"""Photographs in which frame lines are found."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.locating.plane_views import CARD, SIZE_WH, rectangle
from vision.view import TableView


def fine_photo(
    view: TableView, poses: tuple[tuple[float, float, float], ...], ground: int
) -> NDArray[np.uint8]:
    """Blank cards as in `photo`, drawn four times as large: OpenCV draws half a pixel too wide."""
    fine, times = np.full((SIZE_WH[1] * 4, SIZE_WH[0] * 4), ground, np.uint8), 4
    width, height, line = CARD.frame_width_mm, CARD.frame_height_mm, CARD.line_mm
    for pose in poses:
        for wide, high, level in (
            (CARD.width_mm, CARD.height_mm, 60),
            (width + line, height + line, 225),
            (width - line, height - line, 25),
        ):
            px = (view.to_px(rectangle(wide, high, pose)) + 0.5) * times - 0.5
            middle = px.mean(axis=0)
            inwards = 0.5 / np.abs(px - middle).mean()
            px = middle + (px - middle) * (1 - inwards)
            cv2.fillConvexPoly(fine, np.rint(px * 16).astype(np.int32), (level,), cv2.LINE_AA, 4)
    small = cv2.resize(fine, SIZE_WH, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 0.7)
    return np.asarray(np.repeat(small[..., None], 3, axis=2), np.uint8)
