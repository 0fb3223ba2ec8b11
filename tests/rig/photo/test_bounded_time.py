"""Whatever the picture, `tacta score` is done with it in a time that is known beforehand."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rig.scoring import SECONDS, Scored, Settings, load_settings, score_photo
from rig.trouble import PhotoTrouble
from tests.scenes import SCENES, scene

Image = NDArray[np.uint8]
MOST_READINGS = 30
"""12 s of the processor where the largest drawn table of `make bench` takes 0.4 s."""
WH_25_MP = (5800, 4300)


def noise() -> Image:
    return np.random.default_rng(1).integers(0, 255, (*WH_25_MP[::-1], 3), np.uint8)


def grid() -> Image:
    """Lines as of cards' edges everywhere."""
    image = np.full((*WH_25_MP[::-1], 3), 40, np.uint8)
    image[:, ::90], image[::140] = 255, 255
    image[:, 1::90], image[1::140] = 255, 255
    return image


def whole_decks() -> Image:
    """All cards of all colours, read with another printing's deck."""
    image = scene("full-felt").image_bgr
    return np.asarray(cv2.resize(image, WH_25_MP, interpolation=cv2.INTER_CUBIC), np.uint8)


def spent_s(
    path: Path, settings: Settings, seconds: float = SECONDS
) -> tuple[float, Scored | PhotoTrouble]:
    begun = time.process_time()
    try:
        found: Scored | PhotoTrouble = score_photo(path, settings, seconds=seconds)
    except PhotoTrouble as trouble:
        found = trouble
    return time.process_time() - begun, found


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("picture", [noise, grid, whole_decks])
def test_whatever_the_picture_it_is_read_in_bounded_time(
    tmp_path: Path, picture: Callable[[], Image]
) -> None:
    settings = load_settings(None, None, None)
    plain = SCENES / "window-felt" / "image.jpg"
    usual_s = min(spent_s(plain, settings)[0] for _ in range(3))
    path = tmp_path / "a.jpg"
    cv2.imwrite(str(path), picture())
    # On a slower machine a reading has as many times the time.
    took_s, found = spent_s(path, settings, 20 * usual_s)
    assert took_s < MOST_READINGS * usual_s
    if picture is not whole_decks:
        assert isinstance(found, PhotoTrouble)
