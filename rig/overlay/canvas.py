"""Lines and rings that can be read on any ground: each has a dark and a light casing."""

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ImageFont

Bgr = tuple[int, int, int]
DARK: Bgr = (20, 20, 20)
LIGHT: Bgr = (250, 250, 250)
_SHIFT = 4
_ONE = 1 << _SHIFT


def colour_bgr(code: str) -> Bgr:
    """The colour of a code like '#0d93d0', blue green red."""
    red, green, blue = (int(code[i : i + 2], 16) for i in (1, 3, 5))
    return blue, green, red


def draw_line(
    image_bgr: NDArray[np.uint8], points_px: NDArray[np.float64], colour: Bgr, width_px: float
) -> None:
    """Draw an open line through (N, 2) points into the image, cased dark and light."""
    for casing, extra in ((DARK, 2.2), (LIGHT, 1.1), (colour, 0.0)):
        _polyline(image_bgr, points_px, casing, width_px * (1 + extra))


def draw_plain_line(
    image_bgr: NDArray[np.uint8], points_px: NDArray[np.float64], colour: Bgr, width_px: float
) -> None:
    """Draw an open line through (N, 2) points into the image, without casing."""
    _polyline(image_bgr, points_px, colour, width_px)


def draw_ring(
    image_bgr: NDArray[np.uint8],
    middle_px: tuple[float, float],
    radius_px: float,
    colour: Bgr,
    width_px: float,
) -> None:
    """Draw a circle into the image, cased dark."""
    middle = (round(middle_px[0] * _ONE), round(middle_px[1] * _ONE))
    for casing, width in ((DARK, 2.2 * width_px), (colour, width_px)):
        cv2.circle(
            image_bgr, middle, round(radius_px * _ONE), casing, _px(width), cv2.LINE_AA, _SHIFT
        )


def load_font(size_px: float) -> ImageFont.FreeTypeFont:
    """The font of labels, at a height in pixels."""
    font = ImageFont.load_default(max(8.0, size_px))
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise ValueError("expected a Pillow with FreeType")
    return font


def _polyline(
    image_bgr: NDArray[np.uint8], points_px: NDArray[np.float64], colour: Bgr, width_px: float
) -> None:
    fixed = np.round(points_px * _ONE).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(image_bgr, [fixed], False, colour, _px(width_px), cv2.LINE_AA, _SHIFT)


def _px(width: float) -> int:
    return max(1, round(width))
