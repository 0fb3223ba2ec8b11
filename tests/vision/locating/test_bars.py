"""Bars along the sides of a picture, as telephones show a photo with them, are told from it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.locating.bars import between_bars


@pytest.mark.parametrize("grey", [12, 255])
def test_what_lies_between_bars_with_words_in_them(grey: int) -> None:
    photo = np.random.default_rng(1).integers(40, 200, (300, 500, 3)).astype(np.uint8)
    shown = cv2.copyMakeBorder(
        photo, 200, 260, 0, 30, borderType=cv2.BORDER_CONSTANT, value=(grey, grey, grey)
    )
    cv2.putText(shown, "21:47", (40, 60), 0, 0.6, (128, 128, 128), 2)
    assert between_bars(np.asarray(shown, np.uint8)) == (0, 200, 500, 500)


def test_without_bars_all_of_the_picture_is_the_photo() -> None:
    photo = np.random.default_rng(1).integers(40, 200, (300, 500, 3)).astype(np.uint8)
    assert between_bars(photo) == (0, 0, 500, 300)
