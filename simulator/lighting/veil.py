"""Stray light that lifts black to grey towards the side from which the light comes."""

from dataclasses import dataclass

import numpy as np

from simulator.camera.camera import FloatArray
from simulator.camera.canvas import Canvas, Image
from simulator.lighting.light import Lamp, to_linear

_ON_THE_TABLE = 0.5
"""How much of it lies on what is no card: a table shines less."""


@dataclass(frozen=True, slots=True)
class Veil:
    """Linear light that a lamp strays over the picture at most."""

    strength: float
    lamp: Lamp


def choose_veil(black_seen: float, black_direct: float, lamp: Lamp) -> Veil:
    """The veil of a lamp under which black is seen as bright as this (as encoded), where its own
    light is `black_direct`, linear.
    """
    return Veil(max(0.0, float(to_linear(black_seen)) - black_direct), lamp)


def lay_veil(
    rng: np.random.Generator, linear: Image, canvas: Canvas, middles_mm: FloatArray, veil: Veil
) -> None:
    """Add a veil to the light on the sensor; it grows towards the lamp, give or take."""
    away = np.array([veil.lamp.x_mm, veil.lamp.y_mm]) - middles_mm.mean(axis=0)
    way = np.arctan2(away[1], away[0]) + rng.normal(0, 0.5)
    along = np.array([np.cos(way), np.sin(way)])
    reach = middles_mm @ along
    low, high = float(reach.min()), float(reach.max())
    share = np.clip((canvas.grid_on_table() @ along - low) / max(high - low, 60.0), 0, 1)
    ramp = canvas.from_grid(share**2 * (3 - 2 * share))
    ramp *= _ON_THE_TABLE + (1 - _ON_THE_TABLE) * canvas.cards
    warmth = float(rng.normal(0, 0.08))
    for channel, tint in enumerate((1 + warmth, 1.0, 1 - warmth)):
        linear[..., channel] += ramp * np.float32(veil.strength * tint)
