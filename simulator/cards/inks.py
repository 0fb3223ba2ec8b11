"""Inks of other printings: anywhere in the hue ranges in which the game's colours were seen."""

import colorsys
from collections.abc import Mapping, Sequence
from itertools import combinations

import cv2
import numpy as np

from geometry.deck import Colour

Rgb = tuple[float, float, float]

HUES: Mapping[str, tuple[float, float]] = {
    "blue": (190.0, 210.0),
    "green": (80.0, 149.0),
    "orange": (30.0, 45.0),
    "pink": (325.0, 345.0),
    "purple": (228.0, 270.0),
    "red": (0.0, 14.0),
}
"""Degrees, lowest and highest."""
_UNLISTED_DEG = 8.0
_CLOSEST_HUE_DEG = 18.0
_CLOSEST = 22.0
"""Distance in CIELAB that the inks of one game keep at least."""
_DRAWS = 200


def choose_inks_of_printing(rng: np.random.Generator, colours: Sequence[Colour]) -> dict[str, Rgb]:
    """An ink (sRGB from 0 to 1) for every colour, all of them well apart."""
    best: dict[str, Rgb] = {}
    widest = -1.0
    for _ in range(_DRAWS):
        inks = {colour.name: _ink(rng, colour) for colour in colours}
        apart = _apart(list(inks.values()))
        if apart > widest:
            best, widest = inks, apart
        if widest >= 1.0:
            break
    return best


def rgb_of(hex_colour: str) -> Rgb:
    """An sRGB colour such as "#0d93d0" as red, green, blue from 0 to 1."""
    red, green, blue = (int(hex_colour.lstrip("#")[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def _ink(rng: np.random.Generator, colour: Colour) -> Rgb:
    hue, saturation, value = colorsys.rgb_to_hsv(*rgb_of(colour.hex))
    low, high = HUES.get(colour.name, (hue * 360 - _UNLISTED_DEG, hue * 360 + _UNLISTED_DEG))
    drawn = float(rng.uniform(low, high)) % 360 / 360
    saturation = float(np.clip(saturation + rng.normal(0, 0.08), 0.4, 1.0))
    value = float(np.clip(value * np.exp(rng.normal(0, 0.1)), 0.38, 0.95))
    return colorsys.hsv_to_rgb(drawn, saturation, value)


def _apart(inks: Sequence[Rgb]) -> float:
    """How far apart the two closest inks are, as a share of what is asked; 1 is enough."""
    lab = cv2.cvtColor(np.array([inks], dtype=np.float32), cv2.COLOR_RGB2Lab)[0]
    hues = [colorsys.rgb_to_hsv(*ink)[0] * 360 for ink in inks]
    least = np.inf
    for i, j in combinations(range(len(inks)), 2):
        turn = abs((hues[i] - hues[j] + 180) % 360 - 180)
        distance = float(np.linalg.norm(lab[i] - lab[j]))
        least = min(least, turn / _CLOSEST_HUE_DEG, distance / _CLOSEST)
    return float(least)
