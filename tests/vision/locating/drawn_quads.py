"""Photographs with quadrilaterals drawn in."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.locating.plane_views import CARD, SIZE_WH, outline, rectangle
from vision.view import TableView

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]


def filled(image: Image, view: TableView, corners_mm: FloatArray, level: int) -> None:
    """Fill a quadrilateral of the table with a grey, as finely as OpenCV can."""
    px = np.rint(view.to_px(corners_mm) * 16).astype(np.int32)
    cv2.fillConvexPoly(image, px, (level,) * 3, cv2.LINE_AA, 4)


def photo(view: TableView, poses: tuple[tuple[float, float, float], ...], ground: int) -> Image:
    """Blank cards: a dark body, a white line round black."""
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), ground, np.uint8)
    for pose in poses:
        filled(image, view, rectangle(CARD.width_mm, CARD.height_mm, pose), 60)
        filled(image, view, outline(pose), 225)
        inside = rectangle(
            CARD.frame_width_mm - CARD.line_mm, CARD.frame_height_mm - CARD.line_mm, pose
        )
        filled(image, view, inside, 25)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)


def nearest_gap(quad: FloatArray, others: FloatArray) -> float:
    """How far the corners are from the nearest of others (Q, 4, 2), begun anywhere."""
    turned = np.stack([np.roll(others, k, axis=1) for k in range(4)])
    return float(np.linalg.norm(turned - quad, axis=3).max(axis=2).min())
