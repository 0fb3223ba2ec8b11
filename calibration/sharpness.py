"""How blurred a picture is, and whether anything is in it at all."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

REBLUR_PX = 1.5
LEAST_GRADIENT = 4.0
"""Grey levels per pixel: below this nothing in a picture is an edge."""


def edge_blur_px(grey: NDArray[np.uint8]) -> float | None:
    """Gaussian blur, sigma in px, of the sharpest edges of an (H, W) picture; None without edges.

    The ratio of an edge's gradient before and after a known further blur tells
    its own blur: Zhuo and Sim, "Defocus map estimation from a single image",
    Pattern Recognition 44 (2011).
    """
    picture = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.8)  # noise is no edge
    slope = _gradient(picture)
    strong = slope > max(LEAST_GRADIENT, float(np.percentile(slope, 99.5)) * 0.4)
    if strong.sum() < 200:
        return None
    again = _gradient(cv2.GaussianBlur(picture, (0, 0), REBLUR_PX))
    ratio = slope[strong] / np.maximum(again[strong], 1e-3)
    sharp = float(np.percentile(ratio, 70))
    if sharp <= 1.001:
        return 20.0
    total = REBLUR_PX / np.sqrt(sharp**2 - 1)
    return float(np.sqrt(max(total**2 - 0.8**2, 0.0)))


def contrast(grey: NDArray[np.uint8]) -> float:
    """Grey levels between the darkest and the brightest twentieth, (H, W) uint8."""
    low, high = np.percentile(grey[::4, ::4], [5, 95])
    return float(high - low)


def _gradient(picture: NDArray[np.generic]) -> NDArray[np.float32]:
    across = cv2.Sobel(picture, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(picture, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(cv2.magnitude(across, down), dtype=np.float32)
