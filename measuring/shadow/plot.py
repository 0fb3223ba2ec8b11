"""The shadow's plot, as SVG text: who finds how many wrong cards at how many false alarms, and how
far each can be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log10
from typing import Any

from measuring.accuracy.bands import interval
from measuring.shadow import figures
from measuring.shadow.figures import (
    FloatArray,
    Way,
    cards_of,
    probability,
    reliability,
    told,
    trusted,
)
from measuring.shadow.tables import EDGES
from measuring.svg_plot import DIAGONAL, GRID, curve, document, dot, line, text

SIZE, LEFT, TOP, APART = 300, 60, 50, 90
COLOURS: Mapping[Way, str] = {"likelihood": "#2e7d4f", "confidence": "#c06000", "both": "#3050b0"}
LEAST = 1e-4
"""Shares are drawn by their logarithm down to this."""
TICKS = (0.0001, 0.001, 0.01, 0.1, 1.0)


def plot(records: Sequence[Mapping[str, Any]], known: Sequence[Mapping[str, Any]]) -> str:
    """Both plots of some scenes; probabilities as those `known` give them."""
    cards, before = cards_of(records), cards_of(known)
    parts = [
        *_frame(LEFT, "Wrong cards found", "right cards suspected", log_y=False),
        *_legend(),
        *_frame(LEFT + SIZE + APART, "Cards that were wrong", "said to be wrong", log_y=True),
    ]
    for way, colour in COLOURS.items():
        said = probability(told(cards, way), trusted(told(before, way), before.wrong))
        parts += _curve(figures.curve(said, cards.wrong), colour)
        for mean, number, wrong in reliability(said, cards.wrong, EDGES):
            parts += _reliable(mean, number, wrong, colour)
    width, height = 2 * LEFT + 2 * SIZE + APART, TOP + SIZE + 60
    return document(width, height, parts)


def _along(share: float) -> float:
    return 1 - log10(max(share, LEAST)) / log10(LEAST)


def _frame(left: float, title: str, below: str, *, log_y: bool) -> Iterator[str]:
    yield text((left, TOP - 28), title, bold=True)
    for tick in TICKS:
        x = left + SIZE * _along(tick)
        yield line((x, TOP), (x, TOP + SIZE), GRID)
        yield text((x, TOP + SIZE + 16), f"{100 * tick:g} %", "middle")
    for tick in TICKS if log_y else (0.0, 0.25, 0.5, 0.75, 1.0):
        y = TOP + SIZE * (1 - (_along(tick) if log_y else tick))
        yield line((left, y), (left + SIZE, y), GRID)
        yield text((left - 6, y + 4), f"{100 * tick:g} %", "end")
    if log_y:
        yield line((left, TOP + SIZE), (left + SIZE, TOP), DIAGONAL)
    yield text((left + SIZE / 2, TOP + SIZE + 36), below, "middle")


def _legend() -> Iterator[str]:
    for k, (name, colour) in enumerate(COLOURS.items()):
        yield line((LEFT + 110 * k, TOP - 10), (LEFT + 110 * k + 20, TOP - 10), colour, 3)
        yield text((LEFT + 110 * k + 26, TOP - 6), name)


def _curve(shares: tuple[FloatArray, FloatArray], colour: str) -> Iterator[str]:
    points = [
        (LEFT + SIZE * _along(float(right)), TOP + SIZE * (1 - float(wrong)))
        for right, wrong in zip(*shares, strict=True)
    ]
    yield curve(points, colour)


def _reliable(mean: float, number: int, wrong: int, colour: str) -> Iterator[str]:
    left = LEFT + SIZE + APART
    low, high = interval(wrong, number)
    x = left + SIZE * _along(mean)
    at = [TOP + SIZE * (1 - _along(share)) for share in (low, high, wrong / number)]
    yield line((x, at[0]), (x, at[1]), colour)
    yield dot((x, at[2]), colour)
