"""Where reading ends: too few pixels, too little light, too much blur."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray
from vision.evidence import Evidence, sample
from vision.finding.line_looks import white_levels
from vision.observing.dots import SeenDots
from vision.reading import NotSeen
from vision.reason import Reason
from vision.reconstruct import Reconstruction
from vision.view import TableView

NO_CARDS = "no-cards"
SMALLEST_PX = 200
NEEDED_PX_PER_MM = 1.2
LEAST_PX_PER_MM = 0.8
NEEDED_WHITE = 0.15
"""Of full scale: the darkest white that is still read with trust."""
LEAST_WHITE, LEAST_LINE = 0.93, 0.55
"""Of that, as measured: of white as wide as a dot, and of a line, which blur makes darker."""
USUAL_LINE_SHARE = 0.86
"""Of a dot's brightness, where too few dots are seen to tell."""
NEEDED_LINE_SHARE = 0.42
"""Of a dot's brightness: a line of 0.9 mm keeps 0.6 of it under a blur of 0.5 mm."""
LEAST_COLOURFUL = 4.0
"""Grey levels between a pixel's channels: a camera's noise alone makes more."""


def no_cards(evidence: Evidence, scale_px_per_mm: float) -> NotSeen:
    """Why no card was found, as far as the picture tells."""
    bright = float(np.percentile(evidence.least[::8, ::8], 99)) / 255
    if bright < NEEDED_WHITE:
        return NotSeen(Reason("no-cards-in-the-dark", {"share": bright, "needed": NEEDED_WHITE}))
    if _colourless(evidence.raster.image_bgr):
        return NotSeen(Reason("no-cards-in-grey"))
    return NotSeen(Reason("no-cards", _scales(scale_px_per_mm)))


def _scales(px_per_mm: float) -> Mapping[str, float]:
    return {"px_per_mm": px_per_mm, "needed": NEEDED_PX_PER_MM}


def without_colours(image_bgr: NDArray[np.uint8]) -> NotSeen | None:
    """A refusal of a photograph (H, W, 3) in shades of grey, which tells no colours apart."""
    return NotSeen(Reason("no-cards-in-grey")) if _colourless(image_bgr) else None


def _colourless(image_bgr: NDArray[np.uint8]) -> bool:
    """Whether a picture (H, W, 3) is one in shades of grey."""
    some = image_bgr[::8, ::8].astype(np.int16)
    return float(np.percentile(np.ptp(some, axis=2), 99.5)) < LEAST_COLOURFUL


def too_poor(table: Reconstruction, view: TableView) -> NotSeen | None:
    """A refusal where dots are too small to be counted at all."""
    scale = least_scale(table, view)
    if scale >= LEAST_PX_PER_MM:
        return None
    return NotSeen(Reason("cards-too-small", _scales(scale)))


def least_scale(table: Reconstruction, view: TableView) -> float:
    """Picture pixels per mm on the card that is seen smallest."""
    return float(view.scales_px_per_mm(table.named.poses[:, :2]).min())


def shortcomings(table: Reconstruction, evidence: Evidence, view: TableView) -> list[Reason]:
    """What is outside the range in which readings are trusted."""
    out = []
    scale = least_scale(table, view)
    if scale < NEEDED_PX_PER_MM * 0.97:
        out.append(Reason("smallest-card-too-small", _scales(scale)))
    lines = white_levels(evidence, table.named, table.templates)
    share = _line_share(evidence, table.dots, lines)
    line = float(np.percentile(lines, 5)) / 255 if len(lines) else 1.0
    if too_dark(line, share):
        out.append(Reason("lines-too-dark", {"share": line, "needed": NEEDED_WHITE}))
    if share is not None and share < NEEDED_LINE_SHARE:
        out.append(Reason("blurred", {"share": share, "needed": NEEDED_LINE_SHARE}))
    return out


def too_dark(line: float, share: float | None) -> bool:
    """Whether the darkest line, as a share of full scale, is darker than is read with trust.

    `share` is a line's brightness over a dot's: what blur has spread is darker than the white it
    is printed in.
    """
    white = line / min(share or USUAL_LINE_SHARE, 1.0)
    return white < NEEDED_WHITE * LEAST_WHITE or line < NEEDED_WHITE * LEAST_LINE


def _line_share(evidence: Evidence, dots: SeenDots, lines: FloatArray) -> float | None:
    """Brightness of thin lines over that of dots; None with too few of either."""
    if len(dots.middle_mm) < 5 or len(lines) == 0:
        return None
    bright = sample(evidence.least, evidence.raster.to_raster(dots.middle_mm))
    return float(np.median(lines) / max(float(np.median(bright)), 1.0))


def too_small(image_bgr: NDArray[np.uint8]) -> NotSeen | None:
    """A refusal of a picture that has hardly any pixels."""
    height, width = image_bgr.shape[:2]
    if min(height, width) >= SMALLEST_PX:
        return None
    return NotSeen(Reason("too-few-pixels", {"width": width, "height": height}))
