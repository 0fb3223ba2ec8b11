"""Whole maps strip by strip: the same as at once."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.strips import STRIP, in_strips

KERNEL = np.ones((9, 9), np.uint8)


@pytest.mark.parametrize("height", [1, STRIP - 1, STRIP, 3 * STRIP + 5])
def test_strips_meet_without_a_seam(height: int) -> None:
    image = np.random.default_rng(height).integers(0, 256, (height, 40), np.uint8)
    out = np.zeros_like(image)

    def opened(rows: slice, around: slice, inner: slice) -> None:
        out[rows] = cv2.morphologyEx(image[around], cv2.MORPH_OPEN, KERNEL)[inner]

    in_strips(opened, height, 9)
    assert (out == cv2.morphologyEx(image, cv2.MORPH_OPEN, KERNEL)).all()


def test_no_map_no_strips() -> None:
    in_strips(lambda *_: pytest.fail("a strip of nothing"), 0)
