"""Drawn pictures of one table, read and joined."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.deck_file import published_deck
from geometry.rules import Rules
from measuring.scenes.truth import Truth, parse_truth
from simulator import Conditions, simulate_scene
from vision.read import read_table
from vision.reading import Reading
from vision.together.joining import joined
from vision.together.photographs import Photograph

SEED = 13
GLARE = Conditions(
    cards=7, px_per_mm=2.2, table="slate", markers="none", lens_known=False, burnt_share=0.12,
    haze=0.2, tilt_deg=15,
)  # fmt: skip


@cache
def view(number: int) -> tuple[NDArray[np.uint8], Truth]:
    """The table under its lamp, from one place or another."""
    scene = simulate_scene(SEED, GLARE, view=number)
    return scene.image_bgr, parse_truth(scene.truth)


@cache
def read(number: int) -> Photograph:
    return photograph(view(number)[0])


def photograph(image_bgr: NDArray[np.uint8]) -> Photograph:
    reading = read_table(image_bgr, published_deck(), None, Rules())
    assert isinstance(reading, Reading)
    return Photograph(reading, (image_bgr.shape[1], image_bgr.shape[0]))


@pytest.mark.slow
def test_a_lamp_s_mirror_image_elsewhere_makes_sure_what_it_hid() -> None:
    first, truth = read(0), view(0)[1]
    assert not first.reading.sure
    reading = joined([first, read(1)], Rules())
    assert isinstance(reading, Reading)
    assert dict(reading.scores) == dict(truth.scores)
    assert reading.sure
    assert reading.sure_without_illegal


@pytest.mark.slow
def test_a_copy_that_was_pressed_harder_makes_nothing_sure() -> None:
    image = view(0)[0]
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 60])
    copy = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    reading = joined([read(0), photograph(copy)], Rules())
    assert isinstance(reading, Reading)
    assert not reading.sure
