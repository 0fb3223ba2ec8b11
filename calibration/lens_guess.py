"""A lens for a camera of which nothing is known: a usual one without distortion."""

from __future__ import annotations

import numpy as np

from vision.lens import Lens

USUAL_FOCAL_WIDTHS = 0.85
"""Between the usual webcam (0.7) and phone (0.75) and the Pi's cameras (0.77 to 0.95)."""


def guessed_lens(size_wh: tuple[int, int]) -> Lens:
    """A plain lens for pictures of this size; what is measured with it can be off by a percent."""
    width, height = size_wh
    focal = USUAL_FOCAL_WIDTHS * max(width, height)
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    return Lens(size_wh, matrix, np.zeros(5))
