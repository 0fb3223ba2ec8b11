"""A lens for pictures it was not measured for: the same camera at another size, or a usual one."""

from __future__ import annotations

import numpy as np

from vision.lens import FocalLength, Lens, LensKnown

USUAL_FOCAL_WIDTHS = 0.85
"""Between the usual webcam (0.7) and phone (0.75) and the Pi's cameras (0.77 to 0.95)."""
LARGEST_STRETCH = 0.01
"""Rounding to whole pixels changes a small picture's proportions by less."""


def guessed_lens(size_wh: tuple[int, int], told: FocalLength | None = None) -> Lens:
    """A plain lens for pictures of this size, with the focal length that the picture tells of
    where it does; what is measured with it can be off by a percent.
    """
    width, height = size_wh
    focal = USUAL_FOCAL_WIDTHS * max(width, height) if told is None else told.px
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    return Lens(size_wh, matrix, np.zeros(5))


def lens_or_guess(known: LensKnown, size_wh: tuple[int, int]) -> Lens:
    """The lens as it was measured, else a guess with what is known of it."""
    return known if isinstance(known, Lens) else guessed_lens(size_wh, known)


def lens_for_size(lens: Lens | None, size_wh: tuple[int, int]) -> Lens:
    """The same lens for the whole picture made smaller or larger; a guess where that is not so.

    `lens` None, or one whose pictures have other proportions: nothing is known.
    """
    if lens is None:
        return guessed_lens(size_wh)
    across, down = size_wh[0] / lens.size_wh[0], size_wh[1] / lens.size_wh[1]
    if abs(across / down - 1) > LARGEST_STRETCH:
        return guessed_lens(size_wh)
    matrix = np.diag([across, down, 1.0]) @ lens.matrix
    matrix[:2, 2] += (np.array([across, down]) - 1) / 2  # pixel centres are whole numbers
    return Lens(size_wh, matrix, lens.distortion.copy(), lens.model)
