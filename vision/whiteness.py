"""Where a picture is white: what is thin and bright, against its ground and beyond the noise."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Ints
from vision.strips import Part, in_strips, to_be_filled

Image8 = NDArray[np.uint8]

WINDOW_MM = 6.5
"""Wide enough to hold white and black or ink around any line or dot, narrow enough for glare."""
CONTRAST_MM = 9.0
"""So far around, the clearest white thing says what white is: from a card's edge to its line."""
WHITE_SHARE = 0.45
LEAST_CONTRAST = 12.0
LEAST_SHARE, MOST_SHARE = 0.15, 0.4
"""Of the contrast that white lines usually have in this picture: what is asked is no less, and, be
the picture as noisy as it may, no more."""
EVERY, QUIET_AND_USUAL = 8, (15, 95)
"""Places of a picture that are asked, and per cent of them: what is quiet there, and usual."""
GRAIN_MM, GRAIN_STEP_MM = 12.0, 2.4
"""Noise is measured over so far around, a place every so many: on a card's black and ink."""
GRAIN_RANGES = 2.5
"""Times what noise leaves of the top-hat as a rule: so far beyond that its clearest grains lie."""
QUIET_RANGES = 1.4
"""Times the range over a window in the quietest parts of the picture, where only noise is."""
MOST_NOISE = 18.0
"""Nothing is quiet where all the table is print: in the sigma of the picture's own noise."""


def local_white(
    least: Image8, density: float, noise: float, columns: Ints | None = None
) -> tuple[Image8, Image8, Image8]:
    """Three maps (H, W) of the smallest channel, smoothed, at `density` px per mm.

    How white each place is as a share of the clearest near by, 0 to 255; 255 where that says white
    and the contrast is beyond the noise; and the ground that white things stand out from.
    `noise` is the smallest channel's sigma, in grey levels; `columns`: where it is not 0, as in
    `in_strips`.
    """
    size = round(WINDOW_MM * density) | 1
    kernel = np.ones((size, size), np.uint8)
    ground, hat = (to_be_filled(least.shape, columns) for _ in range(2))

    # A top-hat: what is brighter than all that is as wide as the window. A pale table, a lamp's
    # soft mirror image and a shadow's edge are wider, and so are not white.
    def stand_out(part: Part, around: Part, inner: Part) -> None:
        ground[part] = cv2.morphologyEx(least[around], cv2.MORPH_OPEN, kernel)[inner]
        cv2.subtract(least[part], ground[part], dst=hat[part])

    in_strips(stand_out, len(least), size, columns)
    # The ground follows the bottom of the noise: half of what stands out from it is none.
    grain = _grain(hat, density)
    reach = round(CONTRAST_MM * density) | 1
    kernel_around = np.ones((reach, reach), np.uint8)
    contrast, white, mask = (to_be_filled(least.shape, columns) for _ in range(3))

    def compare(part: Part, around: Part, inner: Part) -> None:
        left = cv2.subtract(hat[around], grain[around])
        contrast[part] = cv2.dilate(left, kernel_around)[inner]

    in_strips(compare, len(least), reach, columns)
    some, lit = contrast[::EVERY, ::EVERY], least[::EVERY, ::EVERY] > 0
    # Beside the photograph all is quiet.
    quiet, usual = np.percentile(some[lit] if lit.any() else some, QUIET_AND_USUAL).tolist()
    most = max(LEAST_CONTRAST, MOST_SHARE * usual)
    noisy = min(QUIET_RANGES * quiet, MOST_NOISE * noise)
    floor = min(max(LEAST_CONTRAST, noisy, LEAST_SHARE * usual), most)

    def tell(part: Part, _around: Part, _inner: Part) -> None:
        floors = cv2.max(cv2.convertScaleAbs(grain[part], alpha=GRAIN_RANGES), floor)
        floors = cv2.min(floors, most)
        left = cv2.subtract(hat[part], grain[part])
        cv2.divide(left, cv2.max(contrast[part], floors), dst=white[part], scale=255)
        enough = cv2.compare(contrast[part], floors, cv2.CMP_GT)
        bright = cv2.compare(white[part], WHITE_SHARE * 255, cv2.CMP_GT)
        cv2.bitwise_and(bright, enough, dst=mask[part])

    in_strips(tell, len(least), columns=columns)
    return white, mask, ground


def _grain(hat: Image8, density: float) -> Image8:
    """What noise alone leaves of a top-hat (H, W), as a rule: lines and dots are less than half
    of what is near.
    """
    height, width = hat.shape
    step = max(1, round(GRAIN_STEP_MM * density))
    size = round(GRAIN_MM * density / step) | 1
    usual = cv2.medianBlur(np.ascontiguousarray(hat[::step, ::step]), size)
    usual = cv2.erode(usual, np.ones((size, size), np.uint8))
    return np.asarray(cv2.resize(usual, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
