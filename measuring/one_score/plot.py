"""The plots of some records, as SVG text: how far the truth leads, and how far to trust that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from measuring.accuracy.bands import interval
from measuring.one_score.figures import KINDS, Record
from measuring.one_score.trust import came_true, leads
from measuring.svg_plot import DIAGONAL, GRID, curve, document, dot, frame, line, text

SIZE, LEFT, TOP, APART = 300, 60, 40, 90
COLOURS = ("#2e7d4f", "#c06000", "#3050b0", "#803080", "#505050")
NATS = (-1000, -100, -10, 0, 10, 100, 1000, 10000)
SHARES = (0.5, 0.9, 0.99, 0.999)
LEAST = 1e-3
"""Shares of cases that were lost are drawn by their logarithm down to this."""


def plot(records: Sequence[Record], share: float) -> str:
    """How far the truth leads over each kind of move; and how often what is said, leads taken by a
    share, comes true.
    """
    parts = [*_frame(LEFT, "The truth leads by less than", "nats"), *_leads(records)]
    parts += [*_frame(LEFT + SIZE + APART, "Came true", "said"), *_trust(records, share)]
    width, height = 2 * LEFT + 2 * SIZE + APART, TOP + SIZE + 60
    return document(width, height, parts)


def _leads(records: Sequence[Record]) -> Iterator[str]:
    for tick in NATS:
        x = LEFT + SIZE * _nats_along(tick)
        yield line((x, TOP), (x, TOP + SIZE), GRID)
        yield text((x, TOP + SIZE + 16), f"{tick:g}", "middle")
    for tick_share in (0.001, 0.01, 0.1, 1.0):
        y = TOP + SIZE * (1 - _lost_along(tick_share))
        yield line((LEFT, y), (LEFT + SIZE, y), GRID)
        yield text((LEFT - 6, y + 4), f"{tick_share:g}", "end")
    for row, ((kind, (name, _)), colour) in enumerate(zip(KINDS.items(), COLOURS, strict=True)):
        lead = np.sort(leads(records, [kind]))
        yield text((LEFT + 8, TOP + 18 + 16 * row), f"{name} ({len(lead)})", colour=colour)
        points = [
            (LEFT + SIZE * _nats_along(x), TOP + SIZE * (1 - _lost_along((k + 1) / len(lead))))
            for k, x in enumerate(lead.tolist())
        ]
        step = max(1, len(points) // 200)
        yield curve([*points[:20], *points[20::step]], colour, 1.5)


def _trust(records: Sequence[Record], share: float) -> Iterator[str]:
    left = LEFT + SIZE + APART
    for tick in SHARES:
        along = _odds_along(tick)
        x, y = left + SIZE * along, TOP + SIZE * (1 - along)
        yield line((x, TOP), (x, TOP + SIZE), GRID)
        yield line((left, y), (left + SIZE, y), GRID)
        yield text((x, TOP + SIZE + 16), f"{tick:g}", "middle")
        yield text((left - 6, y + 4), f"{tick:g}", "end")
    yield line((left, TOP + SIZE), (left + SIZE, TOP), DIAGONAL)
    for said, number, right in came_true(leads(records), share):
        low, high = interval(right, number)
        x = left + SIZE * _odds_along(said)
        ends = [TOP + SIZE * (1 - _odds_along(end)) for end in (low, high)]
        yield line((x, ends[0]), (x, ends[1]), COLOURS[0], 2)
        y = TOP + SIZE * (1 - _odds_along(right / number))
        yield dot((x, y), COLOURS[0])
        yield text((x - 5, y + 16), f"{right} of {number}", "end")


def _nats_along(nats: float) -> float:
    """Nats, by their logarithm on either side of 0, from 0 to 1 of an axis."""
    ends = [np.arcsinh(tick) for tick in (NATS[0], NATS[-1])]
    return float(np.clip((np.arcsinh(nats) - ends[0]) / (ends[1] - ends[0]), 0, 1))


def _lost_along(share: float) -> float:
    return float(1 - np.log10(max(share, LEAST)) / np.log10(LEAST))


def _odds_along(share: float) -> float:
    """A probability, by its log-odds, from 0 to 1 of an axis that begins at a half."""
    ends = [np.log(p / (1 - p)) for p in (0.4, 0.9999)]
    odds = np.log(np.clip(share, 0.4, 0.9999) / (1 - np.clip(share, 0.4, 0.9999)))
    return float((odds - ends[0]) / (ends[1] - ends[0]))


def _frame(left: float, title: str, below: str) -> Iterator[str]:
    yield frame((left, TOP), (SIZE, SIZE))
    yield text((left, TOP - 12), title, bold=True)
    yield text((left + SIZE / 2, TOP + SIZE + 36), below, "middle")
