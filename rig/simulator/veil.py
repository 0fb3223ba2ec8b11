"""Stray light that lifts black to grey from one side of the picture to the other."""

from __future__ import annotations

import numpy as np

from rig.simulator.camera import FloatArray
from rig.simulator.canvas import Canvas, Image
from rig.simulator.light import to_linear

_ON_THE_TABLE = 0.5
"""How much of it lies on what is no card: a table shines less."""


def veil_strength(black_seen: float, black_direct: float) -> float:
    """Linear light of a veil under which black is seen as bright as this (as encoded), where its
    own light is `black_direct`, linear.
    """
    return max(0.0, float(to_linear(black_seen)) - black_direct)


def lay_veil(
    rng: np.random.Generator, linear: Image, canvas: Canvas, middles_mm: FloatArray, strength: float
) -> None:
    """Add a veil (linear light) that grows from one side of the cards to the other."""
    way = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(way), np.sin(way)])
    reach = middles_mm @ along
    low, high = float(reach.min()), float(reach.max())
    share = np.clip((canvas.grid_on_table() @ along - low) / max(high - low, 60.0), 0, 1)
    ramp = canvas.from_grid(share**2 * (3 - 2 * share))
    ramp *= _ON_THE_TABLE + (1 - _ON_THE_TABLE) * canvas.cards
    warmth = float(rng.normal(0, 0.08))
    for channel, tint in enumerate((1 + warmth, 1.0, 1 - warmth)):
        linear[..., channel] += ramp * np.float32(strength * tint)
