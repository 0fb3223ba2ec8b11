"""Two small plots as SVG text: stacked bars of outcomes, and how far confidences can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log10

from measuring.accuracy.bands import Band, Confidence, interval
from measuring.accuracy.sample import OUTCOMES, Outcome
from measuring.svg_plot import DIAGONAL, GRID, bar, document, dot, line, text

COLOURS: dict[Outcome, str] = {
    "sure": "#2e7d4f", "unsure": "#9ccc9c", "doubted": "#f0b84a", "refused": "#b8bcc4",
    "silent": "#c62828",
}  # fmt: skip
LEGEND: dict[Outcome, str] = {
    "sure": "exact and sure", "unsure": "exact, not sure", "doubted": "wrong, in doubt",
    "refused": "refused", "silent": "wrong, called sure",
}  # fmt: skip
WIDTH, LEFT, RIGHT = 640, 190, 60
LETTER_PX = 7.2
"""About as wide is a letter of a band's name at most."""
ROW, TOP = 24, 46
LEAST_DOUBT = 1e-3
"""Confidences are drawn by the logarithm of what is missing to 1, down to this."""


def bars(title: str, bands: Sequence[Band]) -> str:
    """One stacked bar a band, as wide as all its scenes."""
    height = TOP + ROW * len(bands) + 12
    parts = [text((10, 18), title, bold=True), *_legend(34)]
    left = max([LEFT, *(18 + LETTER_PX * len(band.name) for band in bands)])
    for k, band in enumerate(bands):
        parts += _bar(left, TOP + ROW * k, band)
    return document(WIDTH, height, parts)


def _bar(left: float, top: float, band: Band) -> Iterator[str]:
    yield text((left - 8, top + 15), band.name, "end")
    whole = WIDTH - left - RIGHT
    for outcome in OUTCOMES:
        wide = whole * band.outcomes[outcome] / max(band.scenes, 1)
        if wide > 0:
            yield bar((left, top + 3), (wide, ROW - 6), COLOURS[outcome])
            left += wide
    yield text((WIDTH - RIGHT + 8, top + 15), str(band.scenes))


def _legend(y: float) -> Iterator[str]:
    left = 10.0
    for outcome in OUTCOMES:
        yield bar((left, y - 9), (10, 10), COLOURS[outcome])
        yield text((left + 14, y), LEGEND[outcome])
        left += 26 + 6.4 * len(LEGEND[outcome])


def reliability_plot(found: Sequence[Confidence]) -> str:
    """Share that was right over confidence, both by what is missing to 1.

    Dots above the diagonal were right more often than they said.
    """
    size, left, top = 300, 70, 40
    ticks = (0.5, 0.9, 0.99, 0.999)

    def along(share: float) -> float:
        return -log10(max(1 - share, LEAST_DOUBT)) / -log10(LEAST_DOUBT)

    def x(share: float) -> float:
        return left + size * along(share)

    def y(share: float) -> float:
        return top + size * (1 - along(share))

    parts = [text((10, 18), "How far confidences can be trusted", bold=True)]
    for tick in ticks:
        parts += [
            line((x(tick), y(0)), (x(tick), y(1)), GRID),
            line((x(0), y(tick)), (x(1), y(tick)), GRID),
        ]
        parts.append(text((x(tick), top + size + 16), f"{100 * tick:g} %", "middle"))
        parts.append(text((left - 6, y(tick) + 4), f"{100 * tick:g} %", "end"))
    parts.append(line((x(0), y(0)), (x(1), y(1)), DIAGONAL))
    for one in found:
        low, high = interval(one.right, one.cards)
        parts.append(line((x(one.mean), y(low)), (x(one.mean), y(high)), COLOURS["sure"]))
        parts.append(dot((x(one.mean), y(one.right / one.cards)), COLOURS["sure"]))
    parts.append(text((left + size / 2, top + size + 36), "said", "middle"))
    parts.append(text((10, top + size / 2), "right"))
    return document(left + size + 40, top + size + 48, parts)
