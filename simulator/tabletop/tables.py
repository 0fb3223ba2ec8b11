"""Textures of tables: (H, W, 3) float32 in linear light, tileable, and their px per mm."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.camera.canvas import Image
from simulator.lighting.light import to_linear
from simulator.things.props import newspaper

_SIDE = 1024


@dataclass(frozen=True, eq=False)
class Ground:
    """A table's texture, its pixels per mm, and how strongly it mirrors."""

    texture: Image
    px_per_mm: float
    gloss: float


# Dark and light tone (sRGB from 0 to 1).
_WOODS = {
    "oak": ((0.36, 0.27, 0.20), (0.56, 0.44, 0.32)),
    "walnut": ((0.17, 0.12, 0.09), (0.33, 0.23, 0.17)),
    "orange wood": ((0.66, 0.40, 0.13), (0.87, 0.63, 0.24)),
}
_PLAIN = {
    "white": (0.80, 0.80, 0.78),
    "slate": (0.24, 0.245, 0.255),
    "black": (0.09, 0.09, 0.095),
    "navy": (0.07, 0.10, 0.22),
    "felt": (0.15, 0.40, 0.26),
}
_GLOSS = {"white": 0.3, "oak": 0.15, "walnut": 0.3, "orange wood": 0.3, "slate": 0.1, "glass": 1.0}
TABLES = (*_WOODS, *_PLAIN, "cloth", "dotted cloth", "glass", "newspaper")


def table_ground(rng: np.random.Generator, name: str) -> Ground:
    """The table called `name`. ValueError for an unknown name."""
    gloss = _GLOSS.get(name, 0.0)
    if name in _WOODS:
        return Ground(_wood(rng, *_WOODS[name]), 1.0, gloss)
    if name in _PLAIN:
        return Ground(_plain(rng, _PLAIN[name]), 1.0, gloss)
    if name == "glass":
        return Ground(_glass(rng), 1.0, gloss)
    if name == "newspaper":
        return Ground(newspaper(rng, 400.0, 4.0), 4.0, gloss)
    if name == "cloth":
        return Ground(_checked_cloth(rng), 4.0, gloss)
    if name == "dotted cloth":
        return Ground(_dotted_cloth(rng), 4.0, gloss)
    raise ValueError(f"no such table: {name}; there are {', '.join(TABLES)}")


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
    shifted = np.clip(np.array(tone) + rng.normal(0, 0.02, 3), 0.02, 0.9)
    weave = rng.uniform(0, 0.05) * smooth_noise(rng, 2, 2) + 0.03 * smooth_noise(rng, 24, 24)
    return np.asarray(to_linear(shifted) * np.exp(weave)[..., None], dtype=np.float32)


def _wood(
    rng: np.random.Generator, dark: tuple[float, float, float], light: tuple[float, float, float]
) -> Image:
    grain = 0.7 * smooth_noise(rng, 200, 12) + 0.5 * smooth_noise(rng, 400, 40)
    grain += 0.25 * smooth_noise(rng, 64, 2)
    if rng.random() < 0.5:
        _planks(rng, grain)
    share = 1 / (1 + np.exp(-1.5 * grain))[..., None]
    return np.asarray(to_linear(dark) * (1 - share) + to_linear(light) * share, dtype=np.float32)


def _planks(rng: np.random.Generator, grain: Image) -> None:
    """Boards of different tone with dark gaps between them."""
    width = _SIDE // int(rng.integers(6, 12))
    for top in range(0, _SIDE, width):
        grain[top : top + width] += rng.normal(0, 0.6)
        grain[top : top + 2] = -4


def _glass(rng: np.random.Generator) -> Image:
    """A glass plate over floor tiles out of focus."""
    tiles = np.zeros((_SIDE, _SIDE, 3), dtype=np.float32)
    step = _SIDE // 4
    for row in range(4):
        for column in range(4):
            tone = rng.uniform(0.25, 0.6) + rng.normal(0, 0.03, 3)
            tiles[row * step : (row + 1) * step, column * step : (column + 1) * step] = tone
    wrapped = np.pad(tiles, ((64, 64), (64, 64), (0, 0)), mode="wrap")
    soft = cv2.GaussianBlur(wrapped, (0, 0), 12)[64:-64, 64:-64]
    return np.asarray(to_linear(soft) * [0.8, 1.0, 0.95] * 0.7 + 0.05, dtype=np.float32)


def _checked_cloth(rng: np.random.Generator) -> Image:
    ink = to_linear(rng.uniform(0.1, 0.8, 3))
    pale = to_linear(rng.uniform(0.7, 0.9, 3))
    stripe = _SIDE // (2 * int(rng.integers(8, 30)))
    band = (np.arange(_SIDE) // stripe % 2).astype(np.float32)
    share = (band[:, None] + band[None]) / 2
    weave = np.exp(0.05 * smooth_noise(rng, 3, 3))
    cloth = (pale * (1 - share[..., None]) + ink * share[..., None]) * weave[..., None]
    return np.asarray(cloth, dtype=np.float32)


def _dotted_cloth(rng: np.random.Generator) -> Image:
    """White dots about as large as a card's on one of the cards' colours or on black."""
    grounds = np.array([[0.05, 0.58, 0.81], [0.18, 0.53, 0.34], [0.78, 0.24, 0.46],
                        [0.23, 0.24, 0.50], [0.82, 0.25, 0.19], [0.1, 0.1, 0.1]])  # fmt: skip
    tone = grounds[int(rng.integers(len(grounds)))] * 255
    cloth: NDArray[np.uint8] = np.full((_SIDE, _SIDE, 3), tone, dtype=np.uint8)
    count = int(rng.integers(12, 26))
    step = _SIDE / count
    radius = rng.uniform(1.5, 3.0) * 4
    for row in range(count):
        for column in range(count):
            at = ((column + 0.25 + 0.5 * (row % 2) * (count % 2 == 0)) * step, (row + 0.5) * step)
            fixed = (round(at[0] * 16), round(at[1] * 16))
            cv2.circle(cloth, fixed, round(radius * 16), (235,) * 3, -1, cv2.LINE_AA, 4)
    weave = np.exp(0.04 * smooth_noise(rng, 3, 3))
    return np.asarray(to_linear(cloth / 255) * weave[..., None], dtype=np.float32)
