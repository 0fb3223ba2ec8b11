"""The light on a card, solved from its own pixels, and how likely these then are.

What is seen at a place p of a card is y(p) = X(p) c + noise, for all but a share of outliers that
may be anything. X are the print's columns (vision/likelihood/drawing.py): a smooth veil, white and
ink with a gain that changes along the card, and a small misprint. c has a Gaussian prior, from the
neighbours' light and the colour's ink. The noise is the picture's, and more where a line may be
printed elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.drawing import INK_AT, WHITE_AT

NORMAL_MEDIAN = 0.6745
"""The median absolute value of a normal variable of sigma 1."""
OPPONENT = np.array([[1, 1, 1], [-1, 0, 1], [-0.5, 1, -0.5]], np.float32) / [[3], [1], [1]]
"""From BGR to grey and two differences, whose errors are nearly independent."""


@dataclass(frozen=True, eq=False)
class Places:
    """What is seen at K places: grey and two colour differences, `values` (K, 3), and where that is
    `burnt` (K,): at least so bright, and of whatever colour.
    """

    values: Map32
    burnt: Bools

    def take(self, some: Bools | Ints) -> Places:
        """Some of the places."""
        return Places(self.values[some], self.burnt[some])


@dataclass(frozen=True, eq=False)
class Prior:
    """Of the coefficients: mean and sigma (C, 3), and the noise's sigma (3,), levels."""

    mean: FloatArray
    sigma: FloatArray
    noise: FloatArray

    def noisier(self, scale: float) -> Prior:
        """With noise so many times as strong."""
        return replace(self, noise=self.noise * scale)


@dataclass(frozen=True, eq=False)
class Light:
    """Fits of H guesses: coefficients (H, C, 3), the logarithm of the probability density (H, K) at
    each place, the coefficients' own, `prior` (H,), but for a constant, and `misfit` (H,), the
    robust sigma of what is left in that of the prior's noise. `ink_sigma` (H, 3): how exactly the
    ink is known.
    """

    coefficients: FloatArray
    places: Map32
    prior: FloatArray
    misfit: FloatArray
    ink_sigma: FloatArray | None

    @property
    def total(self) -> FloatArray:
        """What was maximised (H,)."""
        return np.asarray(self.places.sum(axis=1, dtype=np.float64) + self.prior)

    def or_better(self, other: Light) -> Light:
        """Of each guess the likelier fit."""
        take = other.total > self.total
        return Light(
            np.where(take[:, None, None], other.coefficients, self.coefficients),
            np.where(take[:, None], other.places, self.places),
            np.where(take, other.prior, self.prior),
            np.where(take, other.misfit, self.misfit),
            self.ink_sigma,
        )


def opponent(pixels_bgr: NDArray[np.uint8], saturated: int = 250) -> Places:
    """What pixels (K, 3) show; burnt where any channel is `saturated`."""
    values = np.asarray(pixels_bgr.astype(np.float32) @ OPPONENT.T.astype(np.float32))
    return Places(values, np.asarray(pixels_bgr.max(axis=-1) >= saturated))


class DrawnColumns(NamedTuple):
    """What H guesses draw at K places: `columns` (H, K, C), and by how much white and ink of a
    place may both be off, `spread` (H, K, 2).
    """

    columns: Map32
    spread: Map32


@dataclass(frozen=True, eq=False)
class Solving:
    """How a light is solved for: with the prior's noise on a `scale`, in so many `rounds`, from
    coefficients to `start` with (C, 3), else from all that the prior allows.
    """

    scale: float = 1.0
    rounds: int | None = None
    start: FloatArray | None = None


ANEW = Solving()


def fit_light(
    seen: Places, drawn: DrawnColumns, prior: Prior, config: LikelihoodConfig,
    solving: Solving = ANEW,
) -> Light:  # fmt: skip
    """Solve the light for H guesses by what they draw, by reweighted least squares."""
    (columns, spread), start = drawn, solving.start
    noise = prior.noise * solving.scale
    precision = 1 / np.square(prior.sigma)
    misprint = _misprint(spread, prior, noise)
    variance = 1 + np.square(misprint).sum(axis=-1)
    rest = seen.values - columns @ prior.mean.astype(np.float32)
    left, bound = _bounded(rest, seen.burnt)
    if start is None:
        # What light like the neighbours' cannot make lies on the card, or is another face's.
        likely = np.square(columns) @ np.square(prior.sigma / noise).astype(np.float32)
        left = left / np.sqrt(1 + likely)
    else:
        left, bound = _bounded(seen.values - columns @ start.astype(np.float32), seen.burnt)
    _, inlier = _density(left, misprint, noise, config)
    for _ in range(solving.rounds or config.fine_rounds):
        weight = np.where(bound, 0, inlier / variance).astype(np.float32)
        weighed = (columns * weight[..., None]).transpose(0, 2, 1)
        normal = np.matmul(weighed, columns).astype(np.float64)
        right = np.matmul(weighed, rest).astype(np.float64)
        # The same places tell of all three channels; each has its own noise and prior.
        power = 1 / np.square(noise)
        full = normal[:, None] * power[:, None, None]
        full += precision.T[..., None] * np.eye(len(precision))
        found = np.linalg.solve(full, (right * power).transpose(0, 2, 1)[..., None])[..., 0]
        found = found.transpose(0, 2, 1)
        left, bound = _bounded(rest - columns @ found.astype(np.float32), seen.burnt)
        density, inlier = _density(left, misprint, noise, config)
    whitened = np.abs(left[..., 0]) / np.sqrt(variance) / prior.noise[0]
    misfit = np.median(whitened, axis=1).astype(np.float64) / NORMAL_MEDIAN
    cost = -0.5 * (np.square(found) * precision).sum(axis=(1, 2))
    ink_sigma = (
        np.sqrt(np.linalg.inv(full)[..., INK_AT, INK_AT]) if len(precision) > INK_AT else None
    )
    return Light(found + prior.mean, density, cost, misfit, ink_sigma)


def left_over(seen: Places, columns: Map32, light: Light) -> Map32:
    """What is seen less what is predicted (H, K, 3)."""
    left = seen.values - columns @ light.coefficients.astype(np.float32)
    return _bounded(left, seen.burnt)[0]


def predicted(
    seen: Places, drawn: DrawnColumns, coefficients: FloatArray, prior: Prior,
    config: LikelihoodConfig,
) -> FloatArray:  # fmt: skip
    """The log-density (K,) of what is seen by one guess whose light is known already."""
    left, _ = _bounded(seen.values - drawn.columns @ coefficients.astype(np.float32), seen.burnt)
    density, _ = _density(left, _misprint(drawn.spread, prior, prior.noise), prior.noise, config)
    return np.asarray(density[0], np.float64)


def _misprint(spread: Map32, prior: Prior, noise: FloatArray) -> Map32:
    """By how much (H, K, 3) in sigmas of the noise a place is off where its print is."""
    if len(prior.mean) <= INK_AT:
        return np.zeros((*spread.shape[:2], 3), np.float32)
    inks = prior.mean[[WHITE_AT, INK_AT]] / noise
    return np.asarray(spread @ inks.astype(np.float32))


def _bounded(left: Map32, burnt: Bools) -> tuple[Map32, Bools]:
    """What is left (H, K, 3) where saturated places are bounds: their colour says nothing, and no
    more their grey where it should be brighter still; and where (H, K) that is so.
    """
    bound = burnt & (left[..., 0] < 0)
    if burnt.any():
        left = left.copy()
        left[:, burnt, 1:] = 0
        left[bound, 0] = 0
    return left, bound


def _density(
    left: Map32, misprint: Map32, noise: FloatArray, config: LikelihoodConfig
) -> tuple[Map32, Map32]:
    """The log-density of what is left (H, K, 3), and how likely each place is no outlier.

    The covariance is the noise's, and the misprint's: most of it in one direction of colour.
    """
    left = np.asarray(left / noise.astype(np.float32), np.float32)
    along = np.square(misprint).sum(axis=-1)
    around = 1 + np.float32(config.misprint_around**2) * along
    more = around + along
    squares = np.square(left).sum(axis=-1) - np.square((left * misprint).sum(axis=-1)) / more
    squares /= around
    peak = np.log1p(-config.outliers) - np.log(noise).sum() - 1.5 * np.log(2 * np.pi)
    inner = np.float32(peak) - 0.5 * (squares + 2 * np.log(around) + np.log(more))
    outer = np.float32(np.log(config.outliers) - np.log(config.ranges).sum())
    density = np.logaddexp(inner, outer)
    return density, np.exp(inner - density)
