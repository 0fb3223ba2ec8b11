"""A picture of a lens fit: what it bends, where it was seen, and by how much it misses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.lens.lens_fit import LensFit
from calibration.printed.svg import Drawing, Xy
from vision.lens import Lens

FloatArray = NDArray[np.float64]

PANEL = 460.0
GAP = 40.0
TOP = 70.0
ENLARGED = 150.0
"""Residuals are drawn so many times as long as they are."""


def lens_plot(fit: LensFit, verdict: str) -> str:
    """An SVG: left the lens's distortion, right all held-out residuals, below the `verdict`."""
    width, height = fit.lens.size_wh
    tall = height * PANEL / width
    drawing = Drawing(2 * PANEL + 3 * GAP, TOP + tall + 90)
    drawing.text((GAP, 40), "Distortion: a straight grid as this lens shows it", 15)
    drawing.text((2 * GAP + PANEL, 40), f"Held-out residuals, {ENLARGED:.0f} times enlarged", 15)
    _distortion(_Panel(drawing, (GAP, TOP), fit.lens.size_wh), fit.lens)
    _residuals(_Panel(drawing, (2 * GAP + PANEL, TOP), fit.lens.size_wh), fit)
    for number, line in enumerate(_lines(verdict, 120)):
        drawing.text((GAP, TOP + tall + 30 + 20 * number), line)
    return drawing.as_svg()


def distortion_drawing(fit: LensFit) -> str:
    """An SVG without words: a straight grid in grey, and in blue as this lens shows it."""
    drawing = _bare(fit.lens.size_wh)
    _distortion(_Panel(drawing, (0.0, 0.0), fit.lens.size_wh), fit.lens)
    return drawing.as_svg()


def residuals_drawing(fit: LensFit) -> str:
    """An SVG without words: what held-out corners miss by, `ENLARGED` times as long."""
    drawing = _bare(fit.lens.size_wh)
    _residuals(_Panel(drawing, (0.0, 0.0), fit.lens.size_wh), fit)
    return drawing.as_svg()


def _bare(size_wh: tuple[int, int]) -> Drawing:
    return Drawing(PANEL, PANEL * size_wh[1] / size_wh[0])


class _Panel:
    """A picture's pixels as a frame of width `PANEL` at a place of the drawing."""

    def __init__(self, drawing: Drawing, at: Xy, size_wh: tuple[int, int]) -> None:
        self._drawing, self._at = drawing, at
        self._scale = PANEL / size_wh[0]
        drawing.rectangle(at, (PANEL, size_wh[1] * self._scale), "#fafafa", "#999")

    def line(self, px: FloatArray, colour: str, width: float) -> None:
        """A line through pixels (N, 2)."""
        if len(px) > 1:
            places = np.array(self._at) + px * self._scale
            self._drawing.line([(float(x), float(y)) for x, y in places], colour, width)


def _distortion(panel: _Panel, lens: Lens) -> None:
    width, height = lens.size_wh
    focal, centre = lens.matrix[0, 0], lens.matrix[:2, 2]
    for steps, along in ((17, 0), (13, 1)):
        for place in np.linspace(0, (width, height)[along] - 1, steps):
            way = np.linspace(0, (width, height)[1 - along] - 1, 60)
            px = np.empty((60, 2))
            px[:, along], px[:, 1 - along] = place, way
            rays = (px - centre) / focal
            bent = lens.to_px(rays)
            inside = np.all((bent >= 0) & (bent <= [width - 1, height - 1]), axis=1)
            panel.line(px, "#dddddd", 0.8)
            panel.line(bent[inside], "#1f6fb4", 0.8)


def _residuals(panel: _Panel, fit: LensFit) -> None:
    for view, off in zip(fit.views, fit.chosen.held_out_px, strict=True):
        for corner, missed in zip(view.corners_px, off, strict=True):
            ends = np.array([corner, corner + missed * ENLARGED])
            panel.line(ends, _heat(float(np.linalg.norm(missed))), 0.7)


def _heat(length_px: float) -> str:
    share = min(length_px / 0.6, 1.0)
    return f"#{round(40 + 200 * share):02x}{round(130 * (1 - share)):02x}40"


def _lines(text: str, width: int) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [*lines, line]
