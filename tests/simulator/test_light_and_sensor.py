"""Light, glare, blur and noise are as strong in the picture as the conditions say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simulator import Conditions, simulate_scene
from simulator.camera.sensor import add_noise, blur, fringe, noise_scale, sharpening_gain
from simulator.lighting.light import to_encoded, to_linear

SMALL = Conditions(cards=13, px_per_mm=2.0, markers="none")


def test_encoding_there_and_back() -> None:
    values = np.linspace(0, 1, 50)
    assert np.allclose(to_encoded(to_linear(values)), values, atol=1e-5)


@pytest.mark.parametrize("noise", [0.005, 0.02, 0.03])
def test_noise_reaches_what_is_asked_at_its_worst_tone(noise: float) -> None:
    black, white = 0.01, 0.6
    shot, read = noise_scale(noise, black, white)
    rng = np.random.default_rng(0)
    spread = []
    for tone in np.geomspace(black, white, 12):
        flat = np.full((100, 100, 1), tone, dtype=np.float32)
        spread.append(float(to_encoded(add_noise(flat, shot, read, 0.0, rng)).std()))
    assert max(spread) == pytest.approx(noise, rel=0.12)


def test_where_even_black_is_burnt_out_no_noise_shows() -> None:
    assert noise_scale(0.02, 1.7, 4.4) == (0.0, 0.0)


def test_grain_keeps_the_strength_and_ties_neighbours() -> None:
    flat = np.full((200, 200, 1), 0.2, dtype=np.float32)
    fine = add_noise(flat, 1e-4, 0.0, 0.0, np.random.default_rng(0))[..., 0] - 0.2
    coarse = add_noise(flat, 1e-4, 0.0, 1.0, np.random.default_rng(0))[..., 0] - 0.2
    assert coarse.std() == pytest.approx(float(fine.std()), rel=0.05)
    assert abs(np.corrcoef(fine[:, 1:].ravel(), fine[:, :-1].ravel())[0, 1]) < 0.05
    assert np.corrcoef(coarse[:, 1:].ravel(), coarse[:, :-1].ravel())[0, 1] > 0.5
    assert sharpening_gain(1.0, 1.0) < sharpening_gain(1.0, 0.0)


@pytest.mark.parametrize("sigma", [0.8, 2.0])
def test_blur_is_as_wide_as_asked(sigma: float) -> None:
    step = np.zeros((60, 60, 1), dtype=np.float32)
    step[:, 30:] = 1.0
    slope = np.diff(blur(step, sigma, 0.0, 0.0).reshape(60, 60)[30])
    middle = (slope * np.arange(59)).sum()
    measured = np.sqrt((slope * (np.arange(59) - middle) ** 2).sum())
    # What averaging over a pixel adds is not in this step, so it is a little less.
    assert measured == pytest.approx(np.sqrt(sigma**2 - 0.4**2), rel=0.05)


def test_shake_blurs_along_one_way_only() -> None:
    point = np.zeros((41, 41, 1), dtype=np.float32)
    point[20, 20] = 1.0
    shaken = blur(point, 0.0, 9.0, 0.0).reshape(41, 41)
    assert shaken.sum() == pytest.approx(1.0, abs=1e-4)
    assert (shaken[20] > 0.01).sum() >= 9
    assert (shaken[:, 20] > 0.01).sum() <= 3


def test_fringe_moves_red_and_blue_apart_at_the_corners() -> None:
    square = np.zeros((101, 101, 3), dtype=np.float32)
    square[90:95, 90:95] = 1.0
    rows = np.arange(101)[:, None]
    moved = fringe(square, 2.0)
    middles = [(moved[..., c] * rows).sum() / moved[..., c].sum() for c in range(3)]
    assert middles[0] > middles[1] > middles[2]


def test_white_is_as_bright_and_as_uneven_as_asked() -> None:
    even: Any = simulate_scene(4, replace(SMALL, white_level=0.8, dimmest=0.95, vignette=0.0))
    uneven: Any = simulate_scene(4, replace(SMALL, white_level=0.8, dimmest=0.2, light="lamp"))
    brightest = np.percentile(even.image_bgr.min(axis=2), 99.5) / 255
    assert brightest == pytest.approx(0.8, abs=0.05)
    assert even.truth["photo"]["darkest_white"] > 0.7
    assert uneven.truth["photo"]["darkest_white"] < 0.5


@pytest.mark.parametrize("share", [0.004, 0.05])
def test_glare_burns_out_the_share_that_is_asked_for(share: float) -> None:
    scene: Any = simulate_scene(6, replace(SMALL, cards=29, burnt_share=share))
    assert 0.2 * share < scene.truth["photo"]["burnt_share"] < 1.3 * share


def test_haze_turns_black_to_grey() -> None:
    clear = simulate_scene(6, SMALL).image_bgr
    hazy = simulate_scene(6, replace(SMALL, haze=0.4)).image_bgr
    assert np.percentile(hazy, 5) > np.percentile(clear, 5) or hazy.mean() > clear.mean()


def test_a_coloured_light_colours_the_white() -> None:
    warm = simulate_scene(6, replace(SMALL, cast=(1.0, 0.7, 0.4), noise=0.0, table="black"))
    picture = warm.image_bgr.astype(float)
    white = picture[picture[..., 2] > np.percentile(picture[..., 2], 99.5)].mean(axis=0)
    assert white[2] - white[1] > 15
    assert white[1] - white[0] > 15
