"""Inks told through a lamp's haze: by what white gives more light than the ink beside it.

In linear light a haze adds as much to a white dot as to the ink round it. What the one gives more
than the other is so what the ink swallows, whatever lies over both, as long as neither is burnt
out. Of some 3900 dots in every light it leaned to a wrong colour in 32, nearly all in dim pictures.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.evidence import Evidence, sample
from vision.observing.dots import circle
from vision.observing.haze_light import LIT, linear_light

FloatArray = NDArray[np.float64]
INNER_MM, RING_MM = (0.7, 1.2), (1.0, 1.4)
"""From a dot's middle, and beyond its edge: clear of what blur and a JPEG's colour mix."""
LEAST_LIGHT = 0.03
"""Of full scale, of white more than of ink: less is noise."""
FEWEST_KNOWN = 3
"""Dots of a colour that say what its ink swallows."""


def swallowed(evidence: Evidence, dots_mm: FloatArray, size_mm: float) -> FloatArray:
    """What light the ink round white dots at (K, 2) swallows: directions (K, 3) of length 1.

    NaN where dot or ink is burnt out, or where too little is between them.
    """
    disc = np.concatenate([circle(radius, 8) for radius in INNER_MM])
    ring = np.concatenate([circle(size_mm / 2 + beyond, 24) for beyond in RING_MM])
    white, ink = (_light(evidence, dots_mm[:, None] + places) for places in (disc, ring))
    more = white - ink
    length = np.linalg.norm(more, axis=1, keepdims=True)
    return np.asarray(np.where(length > LEAST_LIGHT, more / np.maximum(length, 1e-9), np.nan))


def lead(directions: FloatArray, own: FloatArray, other: FloatArray) -> FloatArray:
    """How much nearer (K,) what inks swallow (K, 3) is to one ink's (3,) than to another's: 1 where
    it is the one's, -1 where it is the other's. NaN where either is not known.
    """
    apart = 1 - float(own @ other)
    return np.asarray((directions @ own - directions @ other) / max(apart, 1e-6), np.float64)


def usual(directions: FloatArray) -> FloatArray:
    """What an ink swallows (3,), by some of its dots (K, 3); NaN where too few tell."""
    told = directions[np.isfinite(directions).all(axis=1)]
    if len(told) < FEWEST_KNOWN:
        return np.full(3, np.nan)
    middle = np.median(told, axis=0)
    return np.asarray(middle / np.linalg.norm(middle))


def _light(evidence: Evidence, places_mm: FloatArray) -> FloatArray:
    """The median light (K, 3) at places (K, M, 2), 0 to 1, linear; NaN where that is burnt out."""
    at = evidence.raster.to_raster(places_mm)
    seen = np.median(sample(evidence.raster.image_bgr, at).astype(np.float64), axis=1)
    seen[seen.max(axis=1) >= LIT] = np.nan
    return linear_light(evidence, seen)
