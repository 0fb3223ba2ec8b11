"""Scenes grouped by one condition at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from measuring.accuracy.sample import OUTCOMES, Outcome, Sample


@dataclass(frozen=True, slots=True)
class Band:
    """The scenes of one condition: how many came out how."""

    name: str
    outcomes: dict[Outcome, int]

    @property
    def scenes(self) -> int:
        """How many there are."""
        return sum(self.outcomes.values())

    @property
    def exact(self) -> int:
        """With both scores right, sure or not."""
        return self.outcomes["sure"] + self.outcomes["unsure"]


@dataclass(frozen=True, slots=True)
class Axis:
    """A condition by which scenes are told apart: its title and each scene's band."""

    key: str
    title: str
    bands: tuple[str, ...] | None
    """In order; None: as they come, in alphabetical order."""
    band_of: Callable[[Sample], str]


@dataclass(frozen=True, slots=True)
class Confidence:
    """Cards said with a confidence between `low` and `high`: how sure, and how often right."""

    low: float
    high: float
    cards: int
    right: int
    mean: float


def count(name: str, samples: Sequence[Sample]) -> Band:
    """How many of the scenes came out how."""
    outcomes = [sample.outcome for sample in samples]
    return Band(name, {outcome: outcomes.count(outcome) for outcome in OUTCOMES})


def grouped(axis: Axis, samples: Sequence[Sample]) -> list[Band]:
    """The bands that have scenes, in the axis' order."""
    by_name: dict[str, list[Sample]] = {}
    for sample in samples:
        by_name.setdefault(axis.band_of(sample), []).append(sample)
    names = sorted(by_name) if axis.bands is None else [n for n in axis.bands if n in by_name]
    return [count(name, by_name[name]) for name in names]


def _steps(
    key: str, title: str, value: Callable[[Sample], float], edges: Sequence[float], unit: str
) -> Axis:
    """Bands between ascending edges, and one below and one above them."""
    inner = [f"{low:g} to {high:g}{unit}" for low, high in pairwise(edges)]
    names = (f"under {edges[0]:g}{unit}", *inner, f"from {edges[-1]:g}{unit}")

    def band_of(sample: Sample) -> str:
        return names[sum(value(sample) >= edge for edge in edges)]

    return Axis(key, title, names, band_of)


MARKERS = {
    "all": "all markers", "some": "some markers", "covered": "covered markers",
    "none": "no markers",
}  # fmt: skip

AXES = (
    Axis("light", "Light", None, lambda s: s.conditions.light),
    _steps("burnt", "Burnt-out share of the cards, %", lambda s: 100 * s.burnt_share,
           (0.01, 0.3, 0.6, 1.0), ""),
    _steps("white", "Darkest white line, % of full scale", lambda s: 100 * s.darkest_white,
           (15.0, 25.0, 40.0, 60.0), ""),
    Axis("table", "Table", None, lambda s: s.conditions.table),
    _steps("tilt", "Tilt, degrees", lambda s: s.tilt_deg, (5, 10, 20, 30, 35), ""),
    _steps("scale", "Pixels per millimetre at the smallest card", lambda s: s.px_per_mm,
           (1.1, 1.7, 2.0, 2.4, 2.8), ""),
    _steps("blur", "Blur, sigma in mm", lambda s: s.conditions.blur_mm,
           (0.2, 0.3, 0.4, 0.5, 1.0), ""),
    _steps("noise", "Noise, % of full scale", lambda s: 100 * s.conditions.noise,
           (0.5, 1, 2, 3, 6), ""),
    _steps("cards", "Cards on the table", lambda s: float(s.cards), (14, 28, 50, 80), ""),
    Axis("markers", "Markers and lens", None, lambda s: f"{MARKERS[s.conditions.markers]}, "
         f"lens {'known' if s.conditions.lens_known else 'unknown'}"),
)  # fmt: skip

HIDDEN = {
    "nothing": "all that a score hangs on",
    "undetermined": "not a face, a side or who lies on top",
    "outside": "not all dots: some lie outside it",
}  # fmt: skip
SHOWN = Axis("shown", "What the picture shows", tuple(HIDDEN.values()), lambda s: HIDDEN[s.hides])

CONFIDENCE_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)


def reliability(samples: Sequence[Sample]) -> list[Confidence]:
    """Of the cards said with about the same confidence, how many were right."""
    said = [card for sample in samples for card in sample.said]
    out = []
    for low, high in pairwise(CONFIDENCE_EDGES):
        last = high == CONFIDENCE_EDGES[-1]
        here = [c for c in said if low <= c.confidence and (c.confidence < high or last)]
        if here:
            mean = sum(c.confidence for c in here) / len(here)
            out.append(Confidence(low, high, len(here), sum(c.right for c in here), mean))
    return out


def interval(right: int, total: int) -> tuple[float, float]:
    """Wilson's interval in which the true share lies, 19 times in 20."""
    if total == 0:
        return 0.0, 1.0
    z = 1.96
    share, width = right / total, z * z / total
    middle = (share + width / 2) / (1 + width)
    reach = z / (1 + width) * (share * (1 - share) / total + width / (4 * total)) ** 0.5
    return max(0.0, middle - reach), min(1.0, middle + reach)
