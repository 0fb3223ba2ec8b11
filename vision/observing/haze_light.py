"""White told from ink through a lamp's haze, in linear light.

What a lamp mirrors in a card adds its own light to the card's, in linear light and in one tint,
here more and there less. Whatever it does, places of one ink lie on a straight line, from the ink
on towards the lamp: what lies beside that line is not that ink.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray
from vision.evidence import Evidence, sample
from vision.medians import medians

Where = Callable[[FloatArray], Bools]
GAMMA = 2.2
LIT = 253.0
"""Grey levels of the brightest channel from which on a place tells no tint."""
INNER, RING_MM, STEP_MM = 0.83, (0.4, 1.4), 0.35
"""Of a disc's radius, and beyond it: clear of what blur mixes, and near enough to be its ink."""
FEWEST = (12, 25)
"""Places of the disc, and of the ring: with fewer nothing is said."""
EVEN, INDEPENDENT = 0.1, 8.0
"""Of a ring's brightness: a haze that varies less tells nothing of its tint. A ring has about so
many places that err by themselves: a JPEG's colour is coarse."""
ROUNDING = 0.3
"""Grey levels: what a camera's rounding alone leaves."""


def linear_light(evidence: Evidence, seen: NDArray[Any]) -> FloatArray:
    """The light (..., 3), white balanced, 0 to 1, that grey levels (..., 3) of a picture stand for:
    in it a haze adds as much to everything.
    """
    return np.asarray((seen / 255 * evidence.gains) ** GAMMA)


@dataclass(frozen=True, eq=False)
class InkedDiscs:
    """Discs of one size at (K, 2), table mm, on inks whose directions away from grey are (K, 3)."""

    at_mm: FloatArray
    inks: FloatArray
    size_mm: float


def paler_by(
    evidence: Evidence, discs: InkedDiscs, shown: Where, inked: Where, lit: float = LIT
) -> FloatArray:
    """How much paler discs are than the ink round them under the same haze: (K,), in standard
    deviations of one place of their rings.

    `shown` and `inked` tell of places
    (K, M, 2) whether they are seen, and whether what is drawn there is ink; places whose brightest
    channel reaches `lit` grey levels are left out. A white dot on its ink is 3 and more, of a
    lamp's reflection no place is paler than its surroundings. NaN where too little is left to tell.
    """
    inks = discs.inks
    offsets, disc, ring = _window(discs.size_mm / 2)
    places = discs.at_mm[:, None] + offsets
    seen = sample(evidence.raster.image_bgr, evidence.raster.to_raster(places)).astype(np.float64)
    asked = (seen.max(axis=2) < lit) & shown(places)
    light = 255 * linear_light(evidence, seen)
    grey = light.mean(axis=2)
    along = inks / np.maximum(np.linalg.norm(inks, axis=1, keepdims=True), 1e-9)
    # The direction adds up to nothing over the channels: grey drops out by itself.
    tint = np.einsum("kmc,kc->km", light, along - along.mean(axis=1, keepdims=True))
    inside, around = asked & disc, asked & ring & inked(places)
    enough = (inside.sum(axis=1) >= FEWEST[0]) & (around.sum(axis=1) >= FEWEST[1])
    middle, mean = _mean(grey, around), _mean(tint, around)
    away, off = grey - middle[:, None], tint - mean[:, None]
    varied = _mean(away**2, around) + (EVEN * middle) ** 2
    slope = _mean(away * off, around) / np.maximum(varied, 1e-6)
    left = off - slope[:, None] * away
    rounding = ROUNDING * GAMMA * (_mean(seen.mean(axis=2), around) / 255) ** (GAMMA - 1)
    spread = np.hypot(np.sqrt(_mean(left**2, around)), np.maximum(rounding, 1e-3))
    # What lies far beyond the ring's own brightness is told the less surely.
    beyond = _mean(away, inside) ** 2 / np.maximum(INDEPENDENT * varied, 1e-6)
    spread = spread * np.sqrt(1 + beyond)
    return np.where(enough, -_mean(left, inside) / spread, np.nan)


def tint_kept(evidence: Evidence, at_mm: FloatArray, size_mm: float) -> FloatArray:
    """How coloured discs at (K, 2), table mm, are for their brightness, as a share of what the
    rings round them are, along the rings' colour: (K,).

    About 0 for a white dot on ink; 1 for what is but brighter than its ring, as a lamp's
    reflection and a speck of noise are.
    """
    offsets, disc, ring = _window(size_mm / 2)
    seen = sample(evidence.raster.image_bgr, evidence.raster.to_raster(at_mm[:, None] + offsets))
    light = linear_light(evidence, seen)
    inner, outer = (medians(light[:, part], 1) for part in (disc, ring))
    inside, around = (
        (one - (grey := one.mean(axis=1, keepdims=True))) / np.maximum(grey, 1e-9)
        for one in (inner, outer)
    )
    square = np.maximum((around**2).sum(axis=1), 1e-9)
    return np.asarray((inside * around).sum(axis=1) / square, np.float64)


def _window(radius_mm: float) -> tuple[FloatArray, Bools, Bools]:
    """Places (M, 2) round a disc's middle, and which of them are its inside and which its ring."""
    reach = radius_mm + RING_MM[1]
    axis = np.arange(-reach, reach + STEP_MM, STEP_MM)
    offsets = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    far = np.hypot(offsets[:, 0], offsets[:, 1])
    ring = (far > radius_mm + RING_MM[0]) & (far < reach)
    return np.asarray(offsets, np.float64), far < INNER * radius_mm, ring


def _mean(values: FloatArray, where: Bools) -> FloatArray:
    return np.asarray((values * where).sum(axis=1) / np.maximum(where.sum(axis=1), 1))
