"""The ink of a card whose face is not known yet, by what is ink, and what black, on every face."""

from __future__ import annotations

import numpy as np

from vision.arrays import FloatArray, Map32

MOST_WHITE = 0.5
"""Whiter places are neither ink nor black."""
FEWEST_BLACK = 20.0
"""Places of black below which its tint is not measured."""
EVEN_LIGHT = 25.0
"""Grey levels, rms: where black is lit more evenly, a haze has one tint."""
_GREY = np.array([[1], [1], [1], [0]], np.float32) / 3


def plain_inks(
    pixels: Map32, weight: Map32, plain: Map32, slope: FloatArray | None = None,
    out: Map32 | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray, Map32]:  # fmt: skip
    """The ink's direction away from grey (N, 3), the haze's (N, 3), the ink's strength (N,), and
    each place's share of it (N, Q).

    `pixels` (N, Q, 4) are blue, green, red and white, `weight` (N, Q) how much each counts; `plain`
    (2, Q): 1 on what is ink, and what is black, on every face. Lamplight that the card mirrors
    tints black and ink alike: what every face leaves black says by how much; more by a `slope`
    (N, 3) the brighter it is, where that is given. The shares are written to `out` (N, Q), if any.
    """
    at = np.flatnonzero(plain.any(axis=0))
    some = np.take(pixels, at, axis=1)
    counts = np.take(weight, at, axis=1) * (some[..., 3] < MOST_WHITE * 255)
    seen = counts[:, None] * np.take(plain, at, axis=1)
    places = seen.sum(axis=2)
    both = np.asarray((seen @ some)[..., :3] / np.maximum(places, 1.0)[..., None], np.float64)
    grey = both.mean(axis=2)
    mean, haze = (both - grey[..., None]).transpose(1, 0, 2)
    haze[places[:, 1] < FEWEST_BLACK] = 0
    mean -= haze
    if slope is not None:
        mean -= slope * (grey[:, 0] - grey[:, 1])[:, None]
    length = np.linalg.norm(mean, axis=1)
    strength = np.maximum(length, 4.0)
    # The direction adds up to nothing over the channels, so a place's grey drops out by itself.
    along = mean / (np.maximum(length, 1e-6) * strength)[:, None]
    of_colour = np.zeros((len(along), 4, 1), np.float32)
    of_colour[:, :3, 0] = along
    share = (pixels @ of_colour)[..., 0]
    share -= np.einsum("nc,nc->n", haze, along).astype(np.float32)[:, None]
    if slope is not None:
        light = (pixels @ _GREY)[..., 0] - grey[:, 1:].astype(np.float32)
        share -= np.einsum("nc,nc->n", slope, along).astype(np.float32)[:, None] * light
    return mean, haze, strength, np.clip(share, -0.3, 1.3, out=share if out is None else out)


def haze_slope(pixels: Map32, weight: Map32, black: Map32) -> FloatArray:
    """By how much (N, 3) what is `black` (Q,) on every face is tinted more where it is lighter by a
    grey level; 0 where it is lit evenly. Pixels and weights are as above.
    """
    at = np.flatnonzero(black)
    some = np.take(pixels, at, axis=1)
    counts = np.take(weight, at, axis=1) * (some[..., 3] < MOST_WHITE * 255)
    number = counts.sum(axis=1)
    least = np.maximum(number, 1.0)
    grey = (some @ _GREY)[..., 0]
    light = grey - (np.einsum("nq,nq->n", counts, grey) / least)[:, None]
    varied = np.einsum("nq,nq->n", counts * light, light) / least
    slope = np.zeros((len(pixels), 3))
    uneven = np.flatnonzero((varied > EVEN_LIGHT**2) & (number >= FEWEST_BLACK))
    if len(uneven):
        tint = some[uneven, :, :3] - grey[uneven, :, None]
        both = np.einsum("nq,nq,nqc->nc", counts[uneven], light[uneven], tint)
        slope[uneven] = both / (varied[uneven] * number[uneven])[:, None]
    return slope
