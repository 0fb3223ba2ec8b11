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
from vision.drawing.templates import Templates, on_grid_of, thinned
from vision.evidence import Evidence

INKLESS = 0.08
"""Chroma of a band, as a share of the step from black to white: of 24 starting cards at most 0.05,
of 950 printed cards 0.12 and more, under a veil too."""
INKLESS_BESIDE = 1 / 3
"""The same as a share of what the table's other bands have: in a picture so dim that these are pale
a card's own ink may measure 0.06."""
FEWEST_PLACES = 10
"""Square millimetres of the band, one place each, below which it tells nothing."""
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
    if evidence.washed.any():
        washed = on_grid_of(evidence.washed, evidence.raster, poses, printed.templates)
        shows = shows & (washed == 0)
    out = np.full(len(poses), np.nan)
    for card in range(len(poses)):
        own = [part[shows[card, part]] for part in (band, line, inner)]
        if min(len(part) for part in own) < FEWEST_PLACES:
            continue
        ink, white, black = (
            np.sort(pixels[card, part], axis=0)[len(part) * share // 100].astype(np.float64)
            for part, share in zip(own, (50, 75, 25), strict=True)
        )
        step = white - black
        if step.max() < LEAST_STEP:
            continue
        tint = (ink - black) / np.maximum(step, LEAST_STEP)
        out[card] = float(tint.max() - tint.min())
    return out


def inkless(evidence: Evidence, poses: FloatArray, shows: Bools, printed: PrintedDeck) -> Bools:
    """Which cards (N,) plainly have no ink on their band, beside those that have."""
    chroma = band_chroma(evidence, poses, shows, printed)
    return np.asarray(chroma < min(INKLESS, pale_beside(chroma)))


def pale_beside(chroma: FloatArray) -> float:
    """Up to how coloured a band is pale beside those of cards (N,), `INKLESS` where none is inked:
    of the table and of other cards some colour runs into a starting card's.
    """
    inked = chroma[chroma >= INKLESS]
    return float(INKLESS_BESIDE * np.median(inked)) if len(inked) else INKLESS


@lru_cache(maxsize=4)
def _parts(card: CardSize, templates: Templates) -> tuple[Ints, Ints, Ints]:
    """Places of the grid, one a mm², on the band, on the frame line, and inside the frame."""
    half = np.array([card.width_mm, card.height_mm]) / 2
    deep = (half - np.abs(templates.grid_mm)).min(axis=1)
    line, some = card.frame_inset_mm, thinned(templates)
    return (
        np.flatnonzero(some & (deep > EDGE_MM) & (deep < line - LINE_MM)),
        np.flatnonzero(some & (np.abs(deep - line) <= card.line_mm / 4)),
        np.flatnonzero(some & (deep > line + LINE_MM)),
    )
