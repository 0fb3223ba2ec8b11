"""Which cards have no ink on their band: of all cards the starting card alone.

Its lines may be drawn in other ways by other printings, and its edge black or white; what every
printing keeps is that its band has no colour. Measured between the card's own black and white, so
that neither veil nor light counts.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates, on_grid_of
from vision.evidence import Evidence

INKLESS = 0.08
"""Chroma of a band, as a share of the step from black to white: of 24 starting cards at most 0.05,
of 950 printed cards 0.12 and more, under a veil too."""
FEWEST_PLACES = 40
"""Places of half a millimetre of the band, below which it tells nothing."""
EDGE_MM, LINE_MM = 0.7, 1.1
"""What lies so near the cut edge, or the middle of the frame line, is left out."""
LEAST_STEP = 8.0
"""Grey levels from black to white, below which there is no telling."""


def band_chroma(
    evidence: Evidence, poses: FloatArray, shows: Bools, printed: PrintedDeck
) -> FloatArray:
    """How coloured (N,) the bands of cards at poses (N, 3 or 9) are, as a share of white; NaN where
    too little `shows` (N, P) of a band, of the black inside it, or of the lines, and is not washed
    out: a lamp takes the colour from all bands.
    """
    band, line, inner = _parts(printed.deck.card, printed.templates)
    pixels = on_grid_of(evidence.with_white, evidence.raster, poses, printed.templates)[..., :3]
    shows = shows & (on_grid_of(evidence.washed, evidence.raster, poses, printed.templates) == 0)
    out = np.full(len(poses), np.nan)
    for card in range(len(poses)):
        own = [part[shows[card, part]] for part in (band, line, inner)]
        if min(len(part) for part in own) < FEWEST_PLACES:
            continue
        ink, white, black = (
            np.percentile(pixels[card, part], share, axis=0)
            for part, share in zip(own, (50, 75, 25), strict=True)
        )
        step = white - black
        if step.max() < LEAST_STEP:
            continue
        tint = (ink - black) / np.maximum(step, LEAST_STEP)
        out[card] = float(tint.max() - tint.min())
    return out


def inkless(evidence: Evidence, poses: FloatArray, shows: Bools, printed: PrintedDeck) -> Bools:
    """Which cards (N,) plainly have no ink on their band."""
    return np.asarray(band_chroma(evidence, poses, shows, printed) < INKLESS)


@lru_cache(maxsize=4)
def _parts(card: CardSize, templates: Templates) -> tuple[Ints, Ints, Ints]:
    """Places of the grid on the band, on the frame line, and inside the frame."""
    half = np.array([card.width_mm, card.height_mm]) / 2
    deep = (half - np.abs(templates.grid_mm)).min(axis=1)
    line = card.frame_inset_mm
    return (
        np.flatnonzero((deep > EDGE_MM) & (deep < line - LINE_MM)),
        np.flatnonzero(np.abs(deep - line) <= card.line_mm / 4),
        np.flatnonzero(deep > line + LINE_MM),
    )
