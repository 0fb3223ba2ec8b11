"""What the light on a card should be before it is looked at: as on the cards near by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.drawing import COLUMNS, INK_AT, MOVED_AT, WHITE_AT
from vision.likelihood.light import Prior
from vision.medians import SIGMA_OF_MEDIAN

LEAST_CONTRAST = 10.0
"""Levels from black to white, below which shares of it say nothing."""


def broad_prior(greys: Map32, config: LikelihoodConfig) -> Prior:
    """For a card by itself, of whose picture only all cards' greys (K,) are known."""
    low, high = np.percentile(greys, [5, 95]).tolist() if len(greys) else (0.0, 255.0)
    mean = np.zeros((COLUMNS, 3))
    mean[0, 0], mean[WHITE_AT, 0], mean[INK_AT, 0] = low, high - low, 0.3 * (high - low)
    wide = high - low + 2 * config.light_levels
    sigma = _sigmas(wide, config)
    sigma[[0, WHITE_AT, INK_AT]] = wide
    return Prior(mean, sigma, np.full(3, config.first_noise))


@dataclass(frozen=True, eq=False)
class KnownLights:
    """The light on J cards of N, which `own` (J,) says, coefficients `found` (J, COLUMNS, 3);
    all cards' `middles_mm` (N, 2) and `colour` (N,); and the `noise` (3,), levels.
    """

    own: Ints
    middles_mm: FloatArray
    colour: Ints
    found: FloatArray
    noise: FloatArray


def near_prior(i: int, colour: int, known: KnownLights, config: LikelihoodConfig) -> Prior:
    """For card i: black and white by the other cards, the nearer the more, and ink by those of a
    colour. Without others the card's own light is all that is known.
    """
    others = known.own != i
    if not others.any():
        others[:] = True
    if len(others) == 0:
        return broad_prior(np.empty(0, np.float32), config)
    own, found = known.own[others], known.found[others]
    gap = np.linalg.norm(known.middles_mm[own] - known.middles_mm[i], axis=1)
    near = np.exp(-0.5 * np.square(gap / config.neighbour_mm)) + 1e-3
    mean = np.zeros((COLUMNS, 3))
    sigma = _sigmas(float(np.median(found[:, WHITE_AT, 0])), config)
    for at in (0, WHITE_AT):
        mean[at] = _middle(found[:, at], near)
        spread = _middle(np.abs(found[:, at] - mean[at]), near) * SIGMA_OF_MEDIAN
        sigma[at] = np.maximum(config.light_levels, spread)
    ink, spread = _ink(found, known.colour[own] == colour, config)
    contrast = max(float(mean[WHITE_AT, 0]), LEAST_CONTRAST)
    mean[INK_AT], sigma[INK_AT] = ink * contrast, spread * contrast
    return Prior(mean, sigma, known.noise)


def _sigmas(contrast: float, config: LikelihoodConfig) -> FloatArray:
    sigma = np.full((COLUMNS, 3), config.slope_levels)
    # A line moved by so much changes by its slope, which is a share of white less black per mm.
    sigma[MOVED_AT:] = config.misprint_mm * contrast
    return sigma


def _ink(
    found: FloatArray, alike: Bools, config: LikelihoodConfig
) -> tuple[FloatArray, FloatArray]:
    """A colour's ink (3,) and its sigma (3,) as shares of white less black, by the lights of cards
    of which some are `alike`.
    """
    shares = found[:, INK_AT] / np.maximum(found[:, WHITE_AT, :1], LEAST_CONTRAST)
    if np.count_nonzero(alike) < config.fewest_alike:
        return np.median(shares, axis=0), np.full(3, config.unknown_ink_share)
    middle = np.median(shares[alike], axis=0)
    spread = np.median(np.abs(shares[alike] - middle), axis=0) * SIGMA_OF_MEDIAN
    return middle, np.maximum(spread, config.ink_share)


def _middle(values: FloatArray, weight: FloatArray) -> FloatArray:
    """The weighted median (3,) of values (J, 3)."""
    out = []
    for column in values.T:
        order = np.argsort(column)
        share = np.cumsum(weight[order])
        out.append(column[order][np.searchsorted(share, share[-1] / 2)])
    return np.array(out)
