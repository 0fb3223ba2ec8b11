from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.small_fits import fit_least_squares, rotations
from vision.view import rotation_from_vector

FloatArray = NDArray[np.float64]


def test_a_curved_valley_is_followed_to_its_end() -> None:
    def rosenbrock(sets: FloatArray) -> FloatArray:
        return np.stack([10 * (sets[:, 1] - sets[:, 0] ** 2), 1 - sets[:, 0]], axis=1)

    values, cost = fit_least_squares(rosenbrock, np.array([-1.2, 1.0]), np.ones(2), rounds=100)
    np.testing.assert_allclose(values, [1, 1], atol=1e-4)
    assert cost < 1e-8


def test_a_parameter_that_nothing_depends_on_stays() -> None:
    def first_only(sets: FloatArray) -> FloatArray:
        return sets[:, :1] - 3.0

    values, _ = fit_least_squares(first_only, np.array([0.0, 7.0]), np.ones(2))
    np.testing.assert_allclose(values, [3, 7], atol=1e-6)


def test_parameters_of_different_size() -> None:
    x = np.linspace(0, 1, 20)

    def line(sets: FloatArray) -> FloatArray:
        return sets[:, :1] * 1e4 * x + sets[:, 1:] - (2e-3 * 1e4 * x + 500)

    values, cost = fit_least_squares(line, np.zeros(2), np.array([1e-3, 100.0]))
    np.testing.assert_allclose(values, [2e-3, 500], rtol=1e-6)
    assert cost < 1e-6


@pytest.mark.parametrize(
    "vector", [(0, 0, 0), (1e-9, 0, 0), (0.3, -0.2, 1.1), (0, 3.1, 0)], ids=str
)
def test_rotations_are_rodrigues(vector: tuple[float, float, float]) -> None:
    one = np.array(vector, np.float64)
    many = rotations(np.stack([one, -one])[None])
    assert many.shape == (1, 2, 3, 3)
    np.testing.assert_allclose(many[0, 0], rotation_from_vector(one), atol=1e-9)
    np.testing.assert_allclose(many[0, 1], rotation_from_vector(one).T, atol=1e-9)
