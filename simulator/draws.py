"""Single random draws that the mixes of conditions are made of."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

_Choice = TypeVar("_Choice")


def one(rng: np.random.Generator, choices: Sequence[_Choice]) -> _Choice:
    """One of the choices."""
    return choices[int(rng.integers(len(choices)))]


def some(rng: np.random.Generator, choices: Sequence[_Choice], mean: float) -> tuple[_Choice, ...]:
    """So many of the choices in the mean, any of them repeated."""
    return tuple(one(rng, choices) for _ in range(int(rng.poisson(mean))))


def between(rng: np.random.Generator, low: float, high: float) -> float:
    """A number between two, uniform."""
    return float(rng.uniform(low, high))


def often(rng: np.random.Generator, share: float) -> bool:
    """True in this share of draws."""
    return bool(rng.random() < share)


def cast(rng: np.random.Generator, depth: float) -> tuple[float, float, float]:
    """Warm or cool light, or a white balance that is off; `depth` 0 neutral to 1 strong."""
    warmth = float(rng.normal(0, 0.45)) * depth
    tint = float(rng.normal(0, 0.12)) * depth
    gains = np.exp([0.5 * warmth, tint, -warmth])
    red, green, blue = (float(v) for v in np.clip(gains / gains.max(), 0.25, 1))
    return red, green, blue
