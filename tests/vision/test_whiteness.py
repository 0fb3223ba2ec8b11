from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.whiteness import local_white

Image = NDArray[np.uint8]
DENSITY = 2.4
SIDE = 480
MIDDLE = SIDE // 2
STEP = 60
NOISE = 0.5


def card_black(rise: int, level: int = 60) -> NDArray[np.float32]:
    """A plain ground with white lines 25 mm apart, smoothed as evidence is."""
    image = np.full((SIDE, SIDE), level, np.float32)
    for at in range(STEP, SIDE, STEP):
        image[at - 1 : at + 1] = level + rise
        image[:, at - 1 : at + 1] = level + rise
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.3 * DENSITY), np.float32)


def blotches(sigma: float, size_px: float = 1.5) -> NDArray[np.float32]:
    """Noise as a JPEG leaves it in a weak channel: spread over neighbours."""
    random = np.random.default_rng(7).standard_normal((SIDE, SIDE)).astype(np.float32)
    spread = cv2.GaussianBlur(random, (0, 0), size_px)
    return np.asarray(spread * (sigma / spread.std()), np.float32)


def as_levels(image: NDArray[np.float32]) -> Image:
    return np.asarray(np.clip(np.rint(image), 0, 255), np.uint8)


def between(values: Image) -> Image:
    """The inside of one of the squares."""
    return values[MIDDLE + 10 : MIDDLE + STEP - 10, MIDDLE + 10 : MIDDLE + STEP - 10]


@pytest.mark.parametrize("dark", [0, 200])
@pytest.mark.parametrize("sigma", [2.5, 4.5])
def test_noise_on_a_card_is_not_white_however_quiet_the_rest_is(sigma: float, dark: int) -> None:
    """A dark table hides its noise, and beside the photograph there is none."""
    image = card_black(70) + blotches(sigma)
    image[:, :dark] = 0
    _, mask, _ = local_white(as_levels(image), DENSITY, NOISE)
    assert (between(mask) > 0).mean() < 0.01
    assert (mask[MIDDLE, MIDDLE:] > 0).mean() > 0.97


def test_the_ground_is_the_middle_of_the_noise() -> None:
    white, _, _ = local_white(as_levels(card_black(70) + blotches(4.0)), DENSITY, NOISE)
    assert np.median(between(white)) < 0.1 * 255
    assert np.median(white[MIDDLE, MIDDLE:]) > 0.8 * 255


def test_a_glint_hides_no_line() -> None:
    image = card_black(40)
    cv2.circle(image, (MIDDLE + STEP // 2,) * 2, 3, 250.0, -1)
    _, mask, _ = local_white(as_levels(image), DENSITY, NOISE)
    assert (mask[MIDDLE, MIDDLE : MIDDLE + STEP] > 0).mean() > 0.95


def test_a_shadow_s_lines_are_white_beside_bright_ones() -> None:
    """Light that falls to a third at a shadow's edge."""
    image = card_black(120)
    image[:, : MIDDLE + 30] *= 0.33
    _, mask, _ = local_white(as_levels(image), DENSITY, NOISE)
    assert (mask[MIDDLE, 20 : MIDDLE + 20] > 0).mean() > 0.95


def test_lines_in_a_haze_are_white_though_all_the_table_is_strewn_with_bright_dots() -> None:
    """Nothing is quiet there, and nothing noisy."""
    image = np.full((SIDE, SIDE), 60.0, np.float32)
    for y in range(6, SIDE, 18):
        for x in range(6, SIDE, 18):
            cv2.circle(image, (x, y), 4, 200.0, -1)
    card = slice(MIDDLE - STEP, MIDDLE + STEP)
    image[card, card] = card_black(40)[card, card]
    _, mask, _ = local_white(as_levels(image), DENSITY, NOISE)
    assert (mask[MIDDLE, MIDDLE - STEP + 20 : MIDDLE + STEP - 20] > 0).mean() > 0.95
