"""The reader on one score, where no player's card lies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.deck_file import published_deck
from geometry.rules import Rules
from simulator import Conditions, simulate_scene
from vision.read_one import read_one
from vision.reading import NotSeen, Reading

DECK = published_deck()
ALONE = Conditions(cards=1, px_per_mm=2.1)

pytestmark = pytest.mark.slow


def test_the_starting_card_alone_is_read_without_markers() -> None:
    scene = simulate_scene(4, replace(ALONE, markers="none", lens_known=False, margin=0.3))
    reading = read_one(scene.image_bgr, DECK, scene.lens, Rules())
    assert isinstance(reading, Reading)
    assert [card.face for card in reading.cards] == [DECK.starting_face.id]
    assert reading.sure


def test_beside_something_that_may_hide_a_card_it_is_not_sure() -> None:
    scene = simulate_scene(4, ALONE)
    image = scene.image_bgr.copy()
    height, width = image.shape[:2]
    image[height // 12 : height // 3, width // 3 : width // 3 + height // 4] = 240
    reading = read_one(image, DECK, scene.lens, Rules())
    assert isinstance(reading, Reading)
    assert not reading.sure


def _in_grey(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.repeat(image_bgr.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)


def test_a_picture_in_shades_of_grey_is_refused_for_that() -> None:
    scene = simulate_scene(5, Conditions(cards=5, px_per_mm=2.0))
    refused = read_one(_in_grey(scene.image_bgr), DECK, scene.lens, Rules())
    assert isinstance(refused, NotSeen)
    assert refused.reason.code == "no-cards-in-grey"


def test_a_picture_in_the_dark_is_refused_for_that() -> None:
    scene = simulate_scene(4, ALONE)
    refused = read_one((scene.image_bgr // 12 + 1).astype(np.uint8), DECK, scene.lens, Rules())
    assert isinstance(refused, NotSeen)
    assert refused.reason.code in ("too-dark", "no-cards-in-the-dark")
