"""Densities over the cells of an observation, of what was counted."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from vision.arrays import FloatArray, Ints
from vision.observe.observation import cells_of
from vision.reading_config import ReadingConfig


def learned_densities(counts: FloatArray | Ints, config: ReadingConfig) -> FloatArray:
    """Shares (N, cells), each row's sum 1, of counts (N, cells): smoothed finely, broadly, and to a
    little anywhere.

    The fewer places were seen, the more likely is anything.
    """
    return densities_of(smoothed(counts, config), config)


def smoothed(counts: FloatArray | Ints, config: ReadingConfig) -> FloatArray:
    """Counts (N, cells) smoothed finely and broadly; those of sums are the sums of these."""
    sides = cells_of(config)
    grid = np.asarray(counts, np.float64).reshape(-1, *sides)
    out = np.zeros(grid.shape)
    shares = (1 - config.broad_share, config.fine_cells), (config.broad_share, config.broad_cells)
    for share, sigma in shares:
        part = grid
        for side in sides:  # the first axis of cells becomes the last, once for each
            spread = gaussian_filter1d(np.eye(side), sigma, axis=0, mode="nearest")
            part = np.moveaxis(part, 1, -1) @ spread.T
        out += share * part
    return out.reshape(len(grid), -1)


def densities_of(smooth: FloatArray, config: ReadingConfig) -> FloatArray:
    """Shares (N, cells) of smoothed counts."""
    mixed = smooth + config.unseen_places / smooth.shape[-1]
    return np.asarray(mixed / mixed.sum(axis=-1, keepdims=True))


def with_outliers(densities: FloatArray, anything: FloatArray, config: ReadingConfig) -> FloatArray:
    """The log densities (..., cells) with their share of outliers."""
    return np.asarray(np.log((1 - config.outliers) * densities + config.outliers * anything))
