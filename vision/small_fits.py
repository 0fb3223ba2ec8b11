"""Small least-squares fits: a few parameters, a few hundred residuals, a millisecond."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.arrays import FloatArray

STEP = 1e-5
"""Of a parameter's scale: the difference from which slopes are taken."""
STILL = 1e-7
"""Of a parameter's scale: smaller moves end the fit."""
ENOUGH = 1e-7
"""Of the cost: smaller gains end the fit."""
_CROSS = np.array([
    [[0, 0, 0], [0, 0, -1], [0, 1, 0]],
    [[0, 0, 1], [0, 0, 0], [-1, 0, 0]],
    [[0, -1, 0], [1, 0, 0], [0, 0, 0]],
], np.float64).reshape(3, 9)  # fmt: skip
"""What multiplies an axis (3,) to the matrix of its cross product, row by row."""


def fit_least_squares(
    residuals: Callable[[FloatArray], FloatArray],
    start: FloatArray,
    scale: FloatArray,
    rounds: int = 30,
) -> tuple[FloatArray, float]:
    """Levenberg's method: the parameters (N,) of the least cost near `start`, and that cost.

    `residuals` takes many sets of parameters at once, (B, N) to (B, M); `scale` (N,) says how
    far each parameter may usually move. The cost is half the sum of squares.
    """
    values = np.array(start, np.float64)
    left = residuals(values[None])[0]
    cost, damping = _cost(left), 1e-4
    moves = np.concatenate([np.eye(len(values)), -np.eye(len(values))]) * STEP
    for _ in range(rounds):
        near = residuals(values + moves * scale)
        slopes = ((near[: len(values)] - near[len(values) :]) / (2 * STEP)).T
        normal, pull = slopes.T @ slopes, slopes.T @ left
        floor = _floor(normal)
        while damping < 1e9:
            held = normal + damping * np.diag(np.diag(normal)) + floor
            step = -np.linalg.solve(held, pull)
            trial = values + step * scale
            after = residuals(trial[None])[0]
            if np.isfinite(after).all() and _cost(after) <= cost:
                break
            damping *= 8
        else:
            break
        values, left, damping = trial, after, max(damping / 20, 1e-12)
        gained, cost = cost - _cost(after), _cost(after)
        if np.abs(step).max() < STILL or gained <= ENOUGH * cost:
            break
    return values, cost


def _cost(left: FloatArray) -> float:
    return float(left @ left) / 2


def _floor(normal: FloatArray) -> FloatArray:
    """Keeps parameters that nothing depends on where they are."""
    return np.asarray(np.eye(len(normal)) * 1e-9 * max(float(np.trace(normal)), 1e-12))


def rotations(vectors: FloatArray) -> FloatArray:
    """Rodrigues for many at once: axes times angles (..., 3) to rotations (..., 3, 3)."""
    angle = np.sqrt((vectors * vectors).sum(axis=-1))[..., None, None]
    cross = (vectors @ _CROSS).reshape(*vectors.shape, 3)
    small = angle < 1e-6
    safe = np.where(small, 1.0, angle)
    first = np.where(small, 1.0, np.sin(safe) / safe)
    second = np.where(small, 0.5, (1 - np.cos(safe)) / safe**2)
    return np.asarray(np.eye(3) + first * cross + second * (cross @ cross))
