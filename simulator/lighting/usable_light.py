"""Light in which the darkest white line can still be read."""

from dataclasses import replace

import numpy as np

from simulator.conditions import Conditions
from simulator.lighting.light import to_linear

DARKEST_WHITE = 0.15
"""As encoded: the darkest white line inside the range in which reading must be exact."""


def in_range(conditions: Conditions) -> Conditions:
    """The conditions with the light evened out until no white line is too dark.

    Nor is any so bright that sharpening, which lifts thin lines, burns it out.
    """
    brightest = 0.97 / (1 + 0.55 * conditions.sharpen)
    conditions = replace(conditions, white_level=min(conditions.white_level, brightest))
    vignette = 1 - conditions.vignette
    # Clutter may throw a shadow on the cards, too.
    shade = (1 - conditions.shadow_depth) ** conditions.shadows * (0.7 if conditions.clutter else 1)
    gains = np.asarray(conditions.cast) / max(conditions.cast)
    luminance = float(gains @ [0.2126, 0.7152, 0.0722])
    least = float(to_linear(DARKEST_WHITE + 0.015))
    white = float(to_linear(conditions.white_level)) * luminance / (1 + conditions.haze)
    room = white / least
    if conditions.dimmest * vignette * shade * room >= 1:
        return conditions
    if vignette * shade * room >= 1.05:
        return replace(conditions, dimmest=min(1.0, 1 / (vignette * shade * room)))
    if conditions.shadows:
        return in_range(replace(conditions, shadows=0, dimmest=min(1.0, conditions.dimmest * 1.5)))
    if conditions.white_level >= brightest:
        return in_range(replace(conditions, cast=(1.0, 1.0, 1.0), haze=0.0, sharpen=0.0))
    return in_range(
        replace(conditions, white_level=min(brightest, conditions.white_level + 0.1), dimmest=0.9)
    )
