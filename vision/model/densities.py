"""Densities over the cells of an observation, of what was counted."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.ndimage import gaussian_filter1d

from vision.arrays import FloatArray, Ints, Map32
from vision.observe.observation import cells_of
from vision.reading_config import ReadingConfig


def learned_densities(counts: FloatArray | Ints, config: ReadingConfig) -> FloatArray:
    """Shares (N, cells), each row's sum 1, of counts (N, cells): smoothed finely, broadly, and to a
    little anywhere.

    The fewer places were seen, the more likely is anything.
    """
    return densities_of(smoothed(counts, config), config)


def smoothed(counts: FloatArray | Ints, config: ReadingConfig) -> Map32:
    """Counts (N, cells) smoothed finely and broadly; those of sums are the sums of these."""
    grid = np.asarray(counts, np.float32).reshape(-1, *cells_of(config))
    fine, broad = (spread(grid, sigma) for sigma in (config.fine_cells, config.broad_cells))
    share = np.float32(config.broad_share)
    return np.asarray((1 - share) * fine + share * broad)


def spread(counts: Map32, sigma: float) -> Map32:
    """Counts (N, sides of four axes) spread by a normal of so many cells along each axis, as
    (N, cells).
    """
    number, across, along, *whites = counts.shape
    out = normal(across, sigma) @ counts.reshape(number, across, -1)
    out = normal(along, sigma) @ out.reshape(number * across, along, -1)
    white = np.kron(*(normal(side, sigma) for side in whites))
    return np.asarray((out.reshape(-1, len(white)) @ white.T).reshape(number, -1))


@lru_cache(maxsize=32)
def normal(side: int, sigma: float, *, ends: bool = True) -> Map32:
    """The matrix (side, side) that spreads numbers by a normal of so many places; what goes beyond
    the `ends` is as good as there, or lost.
    """
    mode: Literal["nearest", "constant"] = "nearest" if ends else "constant"
    return np.asarray(gaussian_filter1d(np.eye(side), sigma, axis=0, mode=mode), np.float32)


def densities_of(smooth: Map32, config: ReadingConfig) -> FloatArray:
    """Shares (N, cells) of smoothed counts."""
    mixed = smooth.astype(np.float64) + config.unseen_places / smooth.shape[-1]
    return np.asarray(mixed / mixed.sum(axis=-1, keepdims=True))


def with_outliers(densities: FloatArray, anything: FloatArray, config: ReadingConfig) -> FloatArray:
    """The log densities (..., cells) with their share of outliers."""
    return np.asarray(np.log((1 - config.outliers) * densities + config.outliers * anything))
