from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.colour_difference import ciede2000, lab_of_hex
from calibration.deck_colours import DeckColours, NoColours, look_at_colours
from geometry.deck_file import published_deck

FloatArray = NDArray[np.float64]

# Lab pairs and differences from the formula's published test data (Sharma, Wu, Dalal 2005).
PAIRS = [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]


@pytest.mark.parametrize(("one", "other", "expected"), PAIRS)
def test_ciede2000(one: tuple[float, ...], other: tuple[float, ...], expected: float) -> None:
    assert ciede2000(np.array(one), np.array(other)) == pytest.approx(expected, abs=1e-4)
    assert ciede2000(np.array(other), np.array(one)) == pytest.approx(expected, abs=1e-4)


def test_lab() -> None:
    assert lab_of_hex("#ffffff") == pytest.approx([100, 0, 0], abs=0.02)
    assert lab_of_hex("#ff0000") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)


def linear_bgr(hex_colour: str) -> FloatArray:
    code = np.array([int(hex_colour[i : i + 2], 16) for i in (5, 3, 1)]) / 255
    linear = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear, dtype=np.float64)


def looked(light_bgr: tuple[float, float, float], scatter: float = 0.02) -> DeckColours:
    rng, light = np.random.default_rng(2), np.array(light_bgr)

    def seen(linear: FloatArray) -> FloatArray:
        brightness = rng.normal(1, scatter, (24, 1))
        return np.asarray(np.clip(linear * light * brightness, 0, 1), dtype=np.float64)

    inks = {c.name: seen(linear_bgr(c.hex)) for c in published_deck().colours}
    found = look_at_colours(seen(np.full(3, 0.85)), inks)
    assert isinstance(found, DeckColours)
    return found


def test_gains_make_white_lines_grey() -> None:
    colours = looked((0.5, 0.8, 1.0))
    assert colours.red_gain == pytest.approx(0.8, rel=0.02)
    assert colours.blue_gain == pytest.approx(1.6, rel=0.02)


def test_daylight_needs_no_warning() -> None:
    assert looked((0.9, 0.9, 0.9)).warnings() == ()


def test_a_light_without_blue_and_green_is_warned_of() -> None:
    # Nearly monochromatic light with veiling glare, as no white balance mends it.
    rng = np.random.default_rng(4)
    names = {"red": 0.30, "pink": 0.29}
    inks = {n: rng.normal([0.06, 0.07, v], 0.004, (20, 3)) for n, v in names.items()}
    found = look_at_colours(rng.normal([0.2, 0.3, 0.9], 0.004, (20, 3)), inks)
    assert isinstance(found, DeckColours)
    close = found.warnings()[0]
    assert (close.code, close.facts["colour"], close.facts["rival"]) == (
        "colours-close", "pink", "red",
    )  # fmt: skip


def test_too_dark_and_burnt_out() -> None:
    ink = {"red": np.full((20, 3), 0.1)}
    assert isinstance(look_at_colours(np.full((20, 3), 0.004), ink), NoColours)
    assert isinstance(look_at_colours(np.full((20, 3), 1.0), ink), NoColours)
