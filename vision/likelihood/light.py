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
from scipy.special import expit

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.drawing import INK_AT, WHITE_AT
from vision.medians import SIGMA_OF_MEDIAN

OPPONENT = np.array([[1, 1, 1], [-1, 0, 1], [-0.5, 1, -0.5]], np.float32) / [[3], [1], [1]]
"""From BGR to grey and two differences, whose errors are nearly independent."""


@dataclass(frozen=True, eq=False)
class Places:
    """What is seen at K places: grey and two colour differences, `values` (K, 3), and where that is
    `burnt` (K,): at least so bright, and of whatever colour. Where every guess is about a card of
    its own these are (H, K, 3) and (H, K), and a place is `worth` (H, 1) so many.
    """

    values: Map32
    burnt: Bools
    worth: FloatArray | float = 1.0

    def take(self, some: Bools | Ints | slice) -> Places:
        """Some of the places of one card."""
        return Places(self.values[some], self.burnt[some])

    def joined(self, more: Places) -> Places:
        """Places of one card and more of them."""
        values, burnt = np.concatenate([self.values, more.values]), [self.burnt, more.burnt]
        return Places(values, np.concatenate(burnt))


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

    def take(self, some: slice) -> DrawnColumns:
        """The same at some of the places."""
        return DrawnColumns(self.columns[:, some], self.spread[:, some])


@dataclass(frozen=True, eq=False)
class Solving:
    """How a light is solved for: with the prior's noise on a `scale`, in so many `rounds`, from
    coefficients to `start` with (C, 3) or (H, C, 3), else from all that the prior allows.
    """

    scale: float = 1.0
    rounds: int | None = None
    start: FloatArray | None = None


ANEW = Solving()


def fit_light(
    seen: Places, drawn: DrawnColumns, prior: Prior, config: LikelihoodConfig,
    solving: Solving = ANEW,
) -> Light:  # fmt: skip
    """Solve the light for H guesses by what they draw, by reweighted least squares: of many places
    by some of them first, spread evenly.
    """
    step = drawn.columns.shape[1] // config.light_places
    if step > 1 and solving.start is None:
        some = slice(None, None, step)
        rough = _solved(seen.take(some), drawn.take(some), prior, config, solving)
        solving = Solving(solving.scale, config.more_rounds, rough.coefficients)
    return _solved(seen, drawn, prior, config, solving)


def _solved(
    seen: Places, drawn: DrawnColumns, prior: Prior, config: LikelihoodConfig, solving: Solving
) -> Light:
    (columns, spread), start = drawn, solving.start
    noise = prior.noise * solving.scale
    # In a picture of one grey nothing spreads.
    precision = 1 / np.square(np.maximum(prior.sigma, np.finfo(np.float32).eps))
    errors = Errors.of(spread, prior, noise, config)
    rest = seen.values - columns @ prior.mean.astype(np.float32)
    left, bound = _bounded(rest, seen.burnt)
    if start is None:
        # What light like the neighbours' cannot make lies on the card, or is another face's.
        likely = np.square(columns) @ np.square(prior.sigma / noise).astype(np.float32)
        left = left / np.sqrt(1 + likely)
    else:
        left, bound = _bounded(seen.values - columns @ start.astype(np.float32), seen.burnt)
    # The same places tell of all three channels; each has its own noise and prior.
    power = 1 / np.square(noise)
    for _ in range(solving.rounds or config.fine_rounds):
        weight = seen.worth * errors.inlier(left) / errors.variance
        weight = np.where(bound, 0, weight).astype(np.float32)
        weighed = (columns * weight[..., None]).transpose(0, 2, 1)
        normal = np.matmul(weighed, columns).astype(np.float64)
        right = np.matmul(weighed, rest).astype(np.float64)
        full = normal[:, None] * power[:, None, None]
        full += precision.T[..., None] * np.eye(len(precision))
        found = np.linalg.solve(full, (right * power).transpose(0, 2, 1)[..., None])[..., 0]
        found = found.transpose(0, 2, 1)
        left, bound = _bounded(rest - columns @ found.astype(np.float32), seen.burnt)
    whitened = np.abs(left[..., 0]) / np.sqrt(errors.variance) / prior.noise[0]
    misfit = np.median(whitened, axis=1).astype(np.float64) * SIGMA_OF_MEDIAN
    cost = -0.5 * (np.square(found) * precision).sum(axis=(1, 2))
    ink_sigma = (
        np.sqrt(np.linalg.inv(full)[..., INK_AT, INK_AT]) if len(precision) > INK_AT else None
    )
    return Light(found + prior.mean, errors.density(left), cost, misfit, ink_sigma)


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
    errors = Errors.of(drawn.spread, prior, prior.noise, config)
    return np.asarray(errors.density(left)[0], np.float64)


@dataclass(frozen=True, eq=False)
class Errors:
    """What places (H, K) may be off by. The covariance is the noise's, and the misprint's: most of
    it in one direction of colour. All in sigmas of the `noise` (3,): `misprint` (H, K, 3), its
    squared length and what it leaves `around` it; `peak` (H, K) is the log-density of no error,
    `outer` that of an outlier.
    """

    noise: Map32
    misprint: Map32
    variance: Map32
    around: Map32
    along: Map32
    peak: Map32
    outer: np.float32

    @staticmethod
    def of(spread: Map32, prior: Prior, noise: FloatArray, config: LikelihoodConfig) -> Errors:
        """Those of a print that may be off by so much (H, K, 2) of white and of ink."""
        if len(prior.mean) <= INK_AT:
            misprint = np.zeros((*spread.shape[:2], 3), np.float32)
        else:
            inks = prior.mean[[WHITE_AT, INK_AT]] / noise
            misprint = np.asarray(spread @ inks.astype(np.float32))
        along = np.einsum("hkc,hkc->hk", misprint, misprint)
        around = 1 + np.float32(config.misprint_around**2) * along
        peak = np.log1p(-config.outliers) - np.log(noise).sum() - 1.5 * np.log(2 * np.pi)
        peak = np.float32(peak) - np.log(around) - 0.5 * np.log(around + along)
        outer = np.float32(np.log(config.outliers) - np.log(config.ranges).sum())
        own = noise.astype(np.float32)
        return Errors(own, misprint, 1 + along, around, around + along, peak, outer)

    def _inner(self, left: Map32) -> Map32:
        """The log-density (H, K) of what is left (H, K, 3) where that is no outlier's."""
        left = left / self.noise
        squares = np.einsum("hkc,hkc->hk", left, left)
        squares -= np.square(np.einsum("hkc,hkc->hk", left, self.misprint)) / self.along
        return np.asarray(self.peak - 0.5 * squares / self.around, np.float32)

    def inlier(self, left: Map32) -> Map32:
        """How likely (H, K) each place is no outlier."""
        return np.asarray(expit(self._inner(left) - self.outer))

    def density(self, left: Map32) -> Map32:
        """The log-density (H, K) of what is left (H, K, 3)."""
        return np.asarray(np.logaddexp(self._inner(left), self.outer))


def _bounded(left: Map32, burnt: Bools) -> tuple[Map32, Bools]:
    """What is left (H, K, 3) where saturated places are bounds: their colour says nothing, and no
    more their grey where it should be brighter still; and where (H, K) that is so.
    """
    bound = burnt & (left[..., 0] < 0)
    if burnt.any():
        left = left.copy()
        left[..., 1:] *= ~burnt[..., None]
        left[..., 0] *= ~bound
    return left, bound
