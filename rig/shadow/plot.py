"""The shadow's plot, as SVG text: who finds how many wrong cards at how many false alarms, and how
far each can be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import log10
from typing import Any

from rig.accuracy.bands import interval
from rig.shadow.figures import (
    FloatArray,
    Way,
    cards_of,
    curve,
    probability,
    reliability,
    told,
    trusted,
)
from rig.shadow.tables import EDGES

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
        parts += _curve(curve(said, cards.wrong), colour)
        for mean, number, wrong in reliability(said, cards.wrong, EDGES):
            parts += _reliable(mean, number, wrong, colour)
    width, height = 2 * LEFT + 2 * SIZE + APART, TOP + SIZE + 60
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


def _along(share: float) -> float:
    return 1 - log10(max(share, LEAST)) / log10(LEAST)


def _frame(left: float, title: str, below: str, *, log_y: bool) -> Iterator[str]:
    yield _text(left, TOP - 28, title, "start", "bold")
    for tick in TICKS:
        x = left + SIZE * _along(tick)
        yield _line((x, TOP), (x, TOP + SIZE), "#ddd")
        yield _text(x, TOP + SIZE + 16, f"{100 * tick:g} %", "middle")
    for tick in TICKS if log_y else (0.0, 0.25, 0.5, 0.75, 1.0):
        y = TOP + SIZE * (1 - (_along(tick) if log_y else tick))
        yield _line((left, y), (left + SIZE, y), "#ddd")
        yield _text(left - 6, y + 4, f"{100 * tick:g} %", "end")
    if log_y:
        yield _line((left, TOP + SIZE), (left + SIZE, TOP), "#888")
    yield _text(left + SIZE / 2, TOP + SIZE + 36, below, "middle")


def _legend() -> Iterator[str]:
    for k, (name, colour) in enumerate(COLOURS.items()):
        yield _line((LEFT + 110 * k, TOP - 10), (LEFT + 110 * k + 20, TOP - 10), colour, 3)
        yield _text(LEFT + 110 * k + 26, TOP - 6, name, "start")


def _curve(shares: tuple[FloatArray, FloatArray], colour: str) -> Iterator[str]:
    points, before = [], ""
    for right, wrong in zip(*shares, strict=True):
        point = f"{LEFT + SIZE * _along(float(right)):.1f},{TOP + SIZE * (1 - float(wrong)):.1f}"
        if point != before:
            points.append(point)
        before = point
    yield f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _reliable(mean: float, number: int, wrong: int, colour: str) -> Iterator[str]:
    left = LEFT + SIZE + APART
    low, high = interval(wrong, number)
    x = left + SIZE * _along(mean)
    at = [TOP + SIZE * (1 - _along(share)) for share in (low, high, wrong / number)]
    yield _line((x, at[0]), (x, at[1]), colour)
    yield f'<circle cx="{x:.1f}" cy="{at[2]:.1f}" r="4" fill="{colour}"/>'


def _text(x: float, y: float, words: str, anchor: str, weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="#222">{escape(words)}</text>'
    )


def _line(
    start: tuple[float, float], end: tuple[float, float], colour: str, width: float = 1
) -> str:
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="{colour}" stroke-width="{width:g}"/>'
    )
