"""What counts as a change, and what is only light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rig.watcher.change import change_between, glance_of, shows_cards
from tests.rig.watcher.sequences import bare, played, with_card, with_hand
from tests.scenes import NAMES

RNG = np.random.default_rng(8)


def grey(image: NDArray[np.float64], noise: float = 2.0) -> NDArray[np.uint8]:
    noisy = image + RNG.normal(0, noise, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def cells(before: NDArray[np.float64], after: NDArray[np.float64], noise: float = 2.0) -> int:
    change = change_between(glance_of(grey(before, noise), 0), glance_of(grey(after, noise), 1))
    return change.cells


@pytest.mark.parametrize("noise", [0.0, 2.0, 8.0, 15.0])
def test_noise_is_no_change(noise: float) -> None:
    for _ in range(20):
        assert cells(played(), played(), noise) == 0


@pytest.mark.parametrize("noise", [0.0, 2.0, 8.0])
def test_one_more_card_is_a_change(noise: float) -> None:
    assert cells(bare(), with_card(bare(), 300, 200), noise) >= 6
    assert cells(played(), with_card(played(), 80, 400), noise) >= 6


def test_a_hand_is_seen_where_it_is_and_at_the_edge() -> None:
    before = glance_of(grey(played()), 0)
    change = change_between(before, glance_of(grey(with_hand(played(), 0.7, 0.5)), 1))
    assert change.moved
    assert change.at_edge
    assert not change.light
    assert change.middle is not None
    assert change.middle[0] == pytest.approx(0.8, abs=0.1)
    assert change.middle[1] == pytest.approx(0.52, abs=0.1)


def test_a_card_in_the_middle_is_not_at_the_edge() -> None:
    before, after = glance_of(grey(bare()), 0), glance_of(grey(with_card(bare(), 300, 200)), 1)
    assert not change_between(before, after).at_edge


@pytest.mark.parametrize("gain", [0.82, 0.95, 1.06, 1.2])
@pytest.mark.parametrize("name", ["panel-oak", "full-felt", "lamp-white"])
def test_exposure_is_no_change(gain: float, name: str) -> None:
    before = played(name) * 0.8
    after = glance_of(grey(before * gain), 1)
    assert not change_between(glance_of(grey(before), 0), after).moved


@pytest.mark.parametrize("phase", [0.0, 1.0, 2.0])
def test_flicker_in_rows_is_no_change(phase: float) -> None:
    rows = np.arange(played().shape[0])[:, None]
    flicker = 1 + 0.08 * np.sin(rows / 60 + phase)
    assert cells(played() * 0.8, played() * 0.8 * flicker) < 6


def test_a_lamp_switched_on_is_light() -> None:
    lit = bare() * np.linspace(0.5, 1.9, 640)[None, :]
    change = change_between(glance_of(grey(bare()), 0), glance_of(grey(lit), 1))
    assert change.light
    assert change.moved


@pytest.mark.parametrize("name", NAMES)
def test_cards_are_seen(name: str) -> None:
    assert shows_cards(glance_of(grey(played(name)), 0))


@pytest.mark.parametrize("noise", [0.0, 6.0, 14.0])
def test_a_bare_table_shows_none(noise: float) -> None:
    assert not shows_cards(glance_of(grey(bare(), noise), 0))


def test_a_card_is_seen_although_the_exposure_follows() -> None:
    before = played() * 0.75
    for gain in (0.85, 1.18):
        change = change_between(
            glance_of(grey(before), 0), glance_of(grey(with_card(before, 80, 400) * gain), 1)
        )
        assert 6 <= change.cells <= 40


def test_lone_sparks_are_no_change() -> None:
    sparks = played() * 0.8
    for x, y in ((101, 51), (211, 151), (321, 251), (431, 351), (541, 151), (141, 401), (581, 91)):
        sparks[y : y + 8, x : x + 8] += 150
    assert cells(played() * 0.8, sparks) == 0


def test_blotchy_noise_of_a_dark_room_is_no_change() -> None:
    def blotches() -> NDArray[np.float64]:
        coarse = RNG.normal(0, 3.5, (24, 32))
        big = cv2.resize(coarse, (640, played().shape[0]), interpolation=cv2.INTER_NEAREST)
        return np.asarray(big, np.float64)

    dim = played() * 0.5
    for _ in range(5):
        assert cells(dim + blotches(), dim + blotches()) == 0


@pytest.mark.parametrize("name", ["lamp-white", "panel-oak"])
def test_a_hand_in_the_shade_is_seen_although_the_exposure_follows(name: str) -> None:
    before = played(name) * 0.75
    shaded = before + 0.15 * (with_hand(before, 0.5, 0.5) - before)
    assert cells(before, shaded) >= 40
    assert cells(before, shaded * 1.2) >= 40
