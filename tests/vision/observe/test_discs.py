"""What lies within discs is found as OpenCV finds it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.observe.discs import eroded


@pytest.mark.parametrize("side", [1, 3, 5, 13, 61, 99])
def test_the_least_within_a_disc_is_opencvs(side: int) -> None:
    """At the picture's edges too, and where the picture is smaller than the disc."""
    image = np.random.default_rng(side).integers(0, 256, (70, 83), dtype=np.uint8)
    disc = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
    assert np.array_equal(eroded(image, disc), cv2.erode(image, disc))
