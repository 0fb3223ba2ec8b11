"""A picture of a lens fit: what it bends, where it was seen, and by how much it misses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.lens_fit import LensFit
from calibration.lens_quality import LensQuality, verdict
from calibration.svg import Drawing
from vision.lens import Lens

FloatArray = NDArray[np.float64]

PANEL = 460.0
GAP = 40.0
TOP = 70.0
ENLARGED = 150.0
"""Residuals are drawn so many times as long as they are."""


def lens_plot(fit: LensFit, quality: LensQuality) -> str:
    """An SVG: left the lens's distortion, right all held-out residuals, below the verdict."""
    width, height = fit.lens.size_wh
    scale = PANEL / width
    drawing = Drawing(2 * PANEL + 3 * GAP, TOP + height * scale + 90)
    drawing.text((GAP, 40), "Distortion: a straight grid as this lens shows it", 15)
    drawing.text((2 * GAP + PANEL, 40), f"Held-out residuals, {ENLARGED:.0f} times enlarged", 15)
    for left in (GAP, 2 * GAP + PANEL):
        drawing.rectangle((left, TOP), (PANEL, height * scale), "#fafafa", "#999")
    _grid(drawing, fit.lens, scale)
    _residuals(drawing, fit, scale)
    for number, line in enumerate(_lines(verdict(quality), 120)):
        drawing.text((GAP, TOP + height * scale + 30 + 20 * number), line)
    return drawing.as_svg()


def _grid(drawing: Drawing, lens: Lens, scale: float) -> None:
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
            _panel_line(drawing, px, scale, "#dddddd")
            _panel_line(drawing, bent[inside], scale, "#1f6fb4")


def _panel_line(drawing: Drawing, px: FloatArray, scale: float, colour: str) -> None:
    if len(px) > 1:
        drawing.line([(GAP + x * scale, TOP + y * scale) for x, y in px], colour, 0.8)


def _residuals(drawing: Drawing, fit: LensFit, scale: float) -> None:
    left = 2 * GAP + PANEL
    for view, off in zip(fit.views, fit.chosen.held_out_px, strict=True):
        for (x, y), (dx, dy) in zip(view.corners_px, off, strict=True):
            start = (left + x * scale, TOP + y * scale)
            end = (start[0] + dx * scale * ENLARGED, start[1] + dy * scale * ENLARGED)
            drawing.line([start, end], _heat(float(np.hypot(dx, dy))), 0.7)


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
