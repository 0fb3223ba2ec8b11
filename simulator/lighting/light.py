"""Light on the table: how much arrives where, and what the cards mirror."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.camera.camera import FloatArray
from simulator.conditions import Conditions


@dataclass(frozen=True, eq=False)
class Lamp:
    """A lamp over the table, mm (height positive), and the share of light that is not its."""

    x_mm: float
    y_mm: float
    height_mm: float
    ambient: float

    def falls_on(self, table_mm: FloatArray) -> FloatArray:
        """Light (rows, columns) on the table, 1 right below the lamp."""
        away = (table_mm[..., 0] - self.x_mm) ** 2 + (table_mm[..., 1] - self.y_mm) ** 2
        direct = (1 + away / self.height_mm**2) ** -1.5
        return np.asarray(self.ambient + (1 - self.ambient) * direct)


def choose_lamp(rng: np.random.Generator, conditions: Conditions, where_mm: FloatArray) -> Lamp:
    """A lamp whose light on the points (N, 2) varies as the conditions ask."""
    low, high = where_mm.min(axis=0), where_mm.max(axis=0)
    size = max(float(np.hypot(*(high - low))), 200.0)
    heights = {"panel": 3.0, "window": 1.0, "lamp": 0.7}
    height = size * heights.get(conditions.light, 1.0) * rng.uniform(0.8, 1.3)
    around = rng.uniform(0, 2 * np.pi)
    out = {"panel": 0.3, "window": 1.2, "lamp": 0.4}.get(conditions.light, 0.5)
    x, y = (low + high) / 2 + size * out * np.array([np.cos(around), np.sin(around)])
    bare = Lamp(float(x), float(y), height, 0.0).falls_on(where_mm)
    dark, bright = float(bare.min()), float(bare.max())
    # ambient a solves (a + (1 - a) dark) / (a + (1 - a) bright) = wanted.
    wanted = conditions.dimmest
    slack = (1 - wanted) + wanted * bright - dark
    ambient = float(np.clip((wanted * bright - dark) / max(slack, 1e-6), 0.0, 1.0))
    return Lamp(float(x), float(y), height, ambient)


def to_linear(encoded: ArrayLike) -> NDArray[np.float32]:
    """Take sRGB values from 0 to 1 to linear light."""
    value = np.asarray(encoded, dtype=np.float32)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(
        np.float32
    )


def to_encoded(linear: ArrayLike) -> NDArray[np.float32]:
    """Linear light from 0 to 1 to sRGB values."""
    value = np.clip(np.asarray(linear, dtype=np.float32), 0, 1)
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1 / 2.4) - 0.055).astype(
        np.float32
    )
