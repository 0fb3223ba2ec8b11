"""How exactly a card's place is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from geometry.pose import Pose

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PoseSpread:
    """The covariance of a card's place in the table frame: x and y in mm, the angle in degrees.

    Only what may be off against the cards near by: what moves all of them alike changes no
    verdict.
    """

    xx: float
    xy: float
    yy: float
    x_deg: float = 0.0
    y_deg: float = 0.0
    deg_deg: float = 0.0

    @property
    def matrix(self) -> Floats:
        """It as a matrix (3, 3)."""
        return np.array(
            [
                [self.xx, self.xy, self.x_deg],
                [self.xy, self.yy, self.y_deg],
                [self.x_deg, self.y_deg, self.deg_deg],
            ]
        )


Spreads = Mapping[int, PoseSpread]
"""By a card's id; a card that is left out lies exactly where it is said to."""


def spread_of(matrix: Floats) -> PoseSpread:
    """The spread of a covariance (3, 3)."""
    xx, xy, x_deg, yy, y_deg, deg_deg = (float(v) for v in matrix[np.triu_indices(3)])
    return PoseSpread(xx, xy, yy, x_deg, y_deg, deg_deg)


def even_spread(mm: float, deg: float) -> PoseSpread:
    """As far off any way: sigma along x and y, and of the angle."""
    return PoseSpread(mm**2, 0.0, mm**2, 0.0, 0.0, deg**2)


SCALES, SHARES = (0.8, 1.3, 2.2), (0.6, 0.35, 0.05)
"""Errors have longer tails than a normal of their spread: a mixture of three, this many times as
wide, with these shares of all errors. By it the errors that `vision/heights/pose_spread.py` was
fitted on are e^18 times as likely as by one normal, and no less than by a fourth of 4.0."""
POINTS = 64
"""Of each of the three."""


def shaken(pose: Pose, spread: PoseSpread | None, stream: int) -> list[Pose]:
    """Places as likely as their `weights` where a card said to lie at a pose may lie, the same for
    the same `stream`; those of other streams are independent of them.
    """
    if spread is None:
        return [pose] * (POINTS * len(SCALES))
    values, vectors = np.linalg.eigh(spread.matrix)
    moves = _moves(stream) * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    return [
        Pose(pose.x_mm + x, pose.y_mm + y, pose.angle_deg + turn, pose.mirrored)
        for x, y, turn in moves.tolist()
    ]


def weights() -> Floats:
    """How likely each of the places is."""
    return np.repeat(np.array(SHARES) / POINTS, POINTS)


@lru_cache(maxsize=32)
def _moves(stream: int) -> Floats:
    """Moves (M, 3) along independent ways. Of each scale every way has the same lengths, spread as
    a normal is, in an order of its own.
    """
    rng = np.random.default_rng(stream)
    lengths = _normal_lengths()
    parts = [scale * np.stack([rng.permutation(lengths) for _ in range(3)], 1) for scale in SCALES]
    out = np.concatenate(parts)
    out.setflags(write=False)
    return out


def _normal_lengths() -> Floats:
    """Middles of as many equally likely parts of a normal, of variance one."""
    normal = NormalDist()
    lengths = np.array([normal.inv_cdf((k + 0.5) / POINTS) for k in range(POINTS)])
    return np.asarray(lengths / np.sqrt((lengths**2).mean()))
