"""Textures of tables: (H, W, 3) float32 in linear light, tileable, and their px per mm."""

from __future__ import annotations

import cv2
import numpy as np

from rig.simulator.canvas import Image
from rig.simulator.light import to_linear

_SIDE = 1024

# Dark and light tone (sRGB from 0 to 1).
_WOODS = {
    "oak": ((0.36, 0.27, 0.20), (0.56, 0.44, 0.32)),
    "walnut": ((0.17, 0.12, 0.09), (0.33, 0.23, 0.17)),
    "orange wood": ((0.62, 0.36, 0.12), (0.85, 0.58, 0.26)),
}
_PLAIN = {
    "white": (0.80, 0.80, 0.78),
    "slate": (0.24, 0.245, 0.255),
    "navy": (0.07, 0.10, 0.22),
    "felt": (0.15, 0.40, 0.26),
    "glass": (0.42, 0.48, 0.47),
}


def table_texture(rng: np.random.Generator, name: str) -> tuple[Image, float]:
    """The table called `name` and its pixels per mm."""
    if name in _WOODS:
        return _wood(rng, *_WOODS[name]), 1.0
    if name in _PLAIN:
        return _plain(rng, _PLAIN[name]), 1.0
    raise ValueError(f"no such table: {name}")


def smooth_noise(rng: np.random.Generator, cell_x: int, cell_y: int, side: int = _SIDE) -> Image:
    """Tileable noise (side, side), mean 0, deviation about 1, with blotches of these sizes."""
    coarse = rng.standard_normal((max(2, side // cell_y), max(2, side // cell_x)), dtype=np.float32)
    wrapped = np.pad(coarse, 2, mode="wrap")
    per_y, per_x = side / coarse.shape[0], side / coarse.shape[1]
    size = (round(wrapped.shape[1] * per_x), round(wrapped.shape[0] * per_y))
    fine = cv2.resize(wrapped, size, interpolation=cv2.INTER_CUBIC)
    top, left = round(2 * per_y), round(2 * per_x)
    part = fine[top : top + side, left : left + side]
    return np.asarray((part - part.mean()) / max(float(part.std()), 1e-6))


def _plain(rng: np.random.Generator, tone: tuple[float, float, float]) -> Image:
    weave = 0.03 * smooth_noise(rng, 2, 2) + 0.03 * smooth_noise(rng, 24, 24)
    return np.asarray(to_linear(np.array(tone)) * np.exp(weave)[..., None], dtype=np.float32)


def _wood(
    rng: np.random.Generator, dark: tuple[float, float, float], light: tuple[float, float, float]
) -> Image:
    grain = 0.7 * smooth_noise(rng, 200, 12) + 0.5 * smooth_noise(rng, 400, 40)
    grain += 0.25 * smooth_noise(rng, 64, 2)
    share = 1 / (1 + np.exp(-1.5 * grain))[..., None]
    return np.asarray(to_linear(dark) * (1 - share) + to_linear(light) * share, dtype=np.float32)
