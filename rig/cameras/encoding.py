"""Pictures as JPEG, and small ones for the preview; for cameras that bring OpenCV with them."""

import cv2
import numpy as np
from numpy.typing import NDArray

PREVIEW_WIDTH = 640


def jpeg_of(image_bgr: NDArray[np.uint8], quality: int) -> bytes:
    """A picture (H, W, 3) uint8 as JPEG. Above quality 90 the colours keep their full size."""
    parameters = [cv2.IMWRITE_JPEG_QUALITY, quality]
    if quality > 90:
        full = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444
        parameters += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, full]
    ok, data = cv2.imencode(".jpg", image_bgr, parameters)
    if not ok:
        raise ValueError(f"a picture of shape {image_bgr.shape} cannot be encoded")
    return data.tobytes()


def small(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture at most 640 pixels wide."""
    height, width = image_bgr.shape[:2]
    if width <= PREVIEW_WIDTH:
        return image_bgr
    size = (PREVIEW_WIDTH, max(1, round(height * PREVIEW_WIDTH / width)))
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
