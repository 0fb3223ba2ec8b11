"""Two small plots as SVG text: stacked bars of outcomes, and how far confidences can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import log10

from rig.accuracy.bands import Band, Confidence, interval
from rig.accuracy.sample import OUTCOMES, Outcome

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
    parts = [_text(10, 18, title, bold=True), *_legend(34)]
    left = max([LEFT, *(18 + LETTER_PX * len(band.name) for band in bands)])
    for k, band in enumerate(bands):
        parts += _bar(left, TOP + ROW * k, band)
    return _svg(WIDTH, height, parts)


def _bar(left: float, top: float, band: Band) -> Iterator[str]:
    yield _text(left - 8, top + 15, band.name, anchor="end")
    whole = WIDTH - left - RIGHT
    for outcome in OUTCOMES:
        wide = whole * band.outcomes[outcome] / max(band.scenes, 1)
        if wide > 0:
            yield _rect(left, top + 3, wide, ROW - 6, COLOURS[outcome])
            left += wide
    yield _text(WIDTH - RIGHT + 8, top + 15, str(band.scenes))


def _legend(y: float) -> Iterator[str]:
    left = 10.0
    for outcome in OUTCOMES:
        yield _rect(left, y - 9, 10, 10, COLOURS[outcome])
        yield _text(left + 14, y, LEGEND[outcome])
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

    parts = [_text(10, 18, "How far confidences can be trusted", bold=True)]
    for tick in ticks:
        parts += [
            _line(x(tick), y(0), x(tick), y(1), "#ddd"),
            _line(x(0), y(tick), x(1), y(tick), "#ddd"),
        ]
        parts.append(_text(x(tick), top + size + 16, f"{100 * tick:g} %", anchor="middle"))
        parts.append(_text(left - 6, y(tick) + 4, f"{100 * tick:g} %", anchor="end"))
    parts.append(_line(x(0), y(0), x(1), y(1), "#888"))
    for one in found:
        low, high = interval(one.right, one.cards)
        parts.append(_line(x(one.mean), y(low), x(one.mean), y(high), COLOURS["sure"]))
        parts.append(_dot(x(one.mean), y(one.right / one.cards)))
    parts.append(_text(left + size / 2, top + size + 36, "said", anchor="middle"))
    parts.append(_text(10, top + size / 2, "right"))
    return _svg(left + size + 40, top + size + 48, parts)


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


def _text(x: float, y: float, words: str, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#222"{weight}>'
        f"{escape(words)}</text>"
    )


def _rect(x: float, y: float, width: float, height: float, colour: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'
    )


def _line(x0: float, y0: float, x1: float, y1: float, colour: str) -> str:
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{colour}"/>'


def _dot(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{COLOURS["sure"]}"/>'
