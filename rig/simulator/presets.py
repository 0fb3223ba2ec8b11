"""The mixes that scenes are drawn from; docs/simulator.md writes them down."""

from __future__ import annotations

import numpy as np

from rig.simulator.conditions import Conditions

PRESETS = ("easy", "ordinary")


def draw_conditions(rng: np.random.Generator, preset: str) -> Conditions:
    """Conditions of a scene of this mix. ValueError for an unknown name."""
    if preset == "easy":
        return Conditions()
    if preset == "ordinary":
        return _ordinary(rng)
    raise ValueError(f"no such preset: {preset}; there are {', '.join(PRESETS)}")


def _ordinary(rng: np.random.Generator) -> Conditions:
    players = int(rng.integers(2, 5))
    return Conditions(
        name="ordinary",
        players=players,
        cards=int(rng.integers(12, 19)) * players + 1 if rng.random() < 0.8 else None,
        px_per_mm=float(rng.uniform(2.05, 3.0)),
        tilt_deg=float(rng.uniform(0, 10)),
        turn_deg=float(rng.uniform(-12, 12)),
        lens=str(rng.choice(["plain", "mild", "mild", "wide"])),
        light=str(rng.choice(["panel", "window", "lamp"])),
        white_level=float(rng.uniform(0.6, 0.95)),
        dimmest=float(rng.uniform(0.4, 0.95)),
        table=str(rng.choice(["white", "oak", "walnut", "slate", "navy", "felt"])),
        ink_shift=float(rng.uniform(0, 0.3)),
        black_level=float(rng.uniform(0.02, 0.05)),
        blur_mm=float(rng.uniform(0.15, 0.3)),
        noise=float(rng.uniform(0.003, 0.02)),
        vignette=float(rng.uniform(0, 0.25)),
        jpeg_quality=int(rng.integers(85, 96)),
    )
