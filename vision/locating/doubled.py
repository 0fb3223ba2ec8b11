"""The table in a picture of few pixels, as it is found once those are twice as many each way."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lens import FocalLength, Lens, LensKnown
from vision.locating.locate import Located
from vision.view import TableView

MOST_PIXELS = 12_500_000
"""No larger than a photograph of 12 megapixels: what has more shows cards in enough of them."""


def doubled(
    image_bgr: NDArray[np.uint8], lens: LensKnown
) -> tuple[NDArray[np.uint8], LensKnown] | None:
    """A picture (H, W, 3) twice as large each way, and what is known of its lens; None of a large
    one, and where the lens was measured.
    """
    if isinstance(lens, Lens) or 4 * image_bgr.shape[0] * image_bgr.shape[1] > MOST_PIXELS:
        return None
    image = cv2.resize(image_bgr, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    return np.asarray(image, np.uint8), None if lens is None else FocalLength(2 * lens.px)


def halved(located: Located) -> Located:
    """What was located in a doubled picture, in the picture as it is."""
    view, lens = located.view, located.view.lens
    matrix = lens.matrix.copy()
    matrix[:2, :2] /= 2
    matrix[:2, 2] = _halved(matrix[:2, 2])
    width, height = lens.size_wh
    small = replace(lens, size_wh=(width // 2, height // 2), matrix=matrix)
    markers = tuple(replace(one, corners_px=_halved(one.corners_px)) for one in located.markers)
    view = TableView(small, view.rotation, view.translation_mm)
    return replace(located, view=view, markers=markers)


def _halved(px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixels of the doubled picture as those of the picture: centres are whole numbers."""
    return np.asarray((px + 0.5) / 2 - 0.5)
