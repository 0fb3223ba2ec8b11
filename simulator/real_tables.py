"""Conditions of real evenings: phones held over large tables, stray light, glasses, rulebooks."""

import numpy as np

from simulator.conditions import Conditions
from simulator.draws import between, cast, often, one, some

THINGS = (
    "glass", "bottle", "rulebook", "lit phone", "patterned sleeve", "hand", "coaster",
    "cup", "sleeve", "counters", "paper",
)  # fmt: skip
_FAULTS = ("misaligned", "two_cards", "mismatched", "overhang")
_WOODS = ("oak", "walnut", "orange wood", "white", "slate", "cloth", "felt", "navy")
LEAST_PX_PER_MM = 1.3
MOST_TILT_DEG = 45.0


def real_table(rng: np.random.Generator) -> Conditions:
    """A round of two to five players, photographed by one of them with a phone."""
    players = one(rng, (2, 3, 4, 4, 5, 5))
    veil = between(rng, 0.2, 0.45) if often(rng, 0.7) else 0.0
    # Where stray light lies over a shadow nothing can be seen by eye either.
    deepest = 0.25 if veil > 0 else 0.45
    return Conditions(
        players=players,
        cards=int(rng.integers(9, 19)) * players + 1,
        slip_mm=between(rng, 0.15, 0.4),
        slip_deg=between(rng, 0.15, 0.4),
        faults=some(rng, _FAULTS, 1.5) + some(rng, ("slipped", "free"), 0.5),
        past_mm=between(rng, 0.5, 2.5),
        disturbed=int(rng.integers(0, 3)),
        loops=often(rng, 0.6),
        px_per_mm=between(rng, LEAST_PX_PER_MM, 2.0),
        least_px_per_mm=LEAST_PX_PER_MM,
        most_pixels=9_000_000,
        aspect=one(rng, (4 / 3, 4 / 3, 3 / 4, 3 / 4, 16 / 9)),
        margin=between(rng, 0.015, 0.1),
        tilt_deg=between(rng, 10, MOST_TILT_DEG),
        turn_deg=float(rng.normal(0, 5)),
        held=True,
        lens="phone",
        lens_known=False,
        exif=True,
        markers="none",
        light=one(rng, ("panel", "window", "lamp", "lamp")),
        white_level=between(rng, 0.8, 0.97),
        dimmest=between(rng, 0.45, 0.95),
        cast=cast(rng, 0.45),
        shadows=int(rng.integers(0, 3)),
        shadow_depth=between(rng, 0.1, deepest),
        haze=between(rng, 0, 0.12) if often(rng, 0.3) else 0.0,
        burnt_share=between(rng, 0, 0.006) if often(rng, 0.4) else 0.0,
        veil=veil,
        table=one(rng, _WOODS),
        table_shape=one(rng, ("endless", "round", "oval", "oval")),
        seam=often(rng, 0.5),
        clutter=some(rng, THINGS, 4.0),
        gap_mm=between(rng, 0, 0.3),
        curl_mm=between(rng, 0, 1.5),
        symbols_mirrored=often(rng, 0.7),
        printing="random",
        blur_mm=between(rng, 0.12, 0.35),
        noise=between(rng, 0.003, 0.02),
        grain_px=between(rng, 0, 1.0),
        fringe_px=between(rng, 0, 0.8),
        sharpen=between(rng, 0, 1.0) if often(rng, 0.5) else 0.0,
        vignette=between(rng, 0, 0.3),
        jpeg_quality=int(rng.integers(80, 97)),
    )
