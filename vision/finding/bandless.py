"""Which cards have no ink on their band: of all cards the starting card alone.

Its lines may be drawn in other ways by other printings, paler too, and its edge black or white;
what every printing keeps is that its band has no colour beside the other cards' bands.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates, on_grid_of, thinned
from vision.evidence import Evidence

INKLESS = 0.12
"""How coloured what has no ink is at most, as a share of what the table's cards usually have: of 45
starting cards 0.12 and less but for three into which other colours ran, of 2,132 players' cards
0.146 and more, under a veil too; in a lamp's haze one had 0.09."""
FEWEST_PLACES = 10
"""Square millimetres, one place each, below which nothing is told."""
EDGE_MM, LINE_MM = 0.7, 1.1
"""What lies so near the cut edge, or the middle of the frame line, is left out."""


def band_tint(
    evidence: Evidence, poses: FloatArray, shows: Bools, printed: PrintedDeck
) -> FloatArray:
    """How coloured (N,) the bands of cards at poses (N, 3 or 9) are beside the black of their
    middles, grey levels from one channel to another; NaN where too little `shows` (N, P) of a band,
    or of that black, and is not washed out: a lamp takes the colour from all bands. NaN as well
    where no card of the deck has a band.
    """
    out = np.full(len(poses), np.nan)
    if not printed.deck.art.band:
        return out
    band, middle = _parts(printed.deck.card, printed.templates)
    pixels = on_grid_of(evidence.with_white, evidence.raster, poses, printed.templates)[..., :3]
    if evidence.washed.any():
        washed = on_grid_of(evidence.washed, evidence.raster, poses, printed.templates)
        shows = shows & (washed == 0)
    for card in range(len(poses)):
        own = [part[shows[card, part]] for part in (band, middle)]
        if min(len(part) for part in own) < FEWEST_PLACES:
            continue
        ink, black = (
            np.sort(pixels[card, part], axis=0)[len(part) * share // 100].astype(np.float64)
            for part, share in zip(own, (50, 25), strict=True)
        )
        out[card] = np.ptp(ink - black)
    return out


def palest(
    evidence: Evidence, poses: FloatArray, shows: Bools, printed: PrintedDeck
) -> tuple[Ints, FloatArray]:
    """Which cards (K,) of those at poses (N, 3 or 9) have no ink on their band, beside those that
    have, the palest first, and how coloured (K,) these are: in a haze a player's may be so, too.
    """
    tint = band_tint(evidence, poses, shows, printed)
    bare = np.flatnonzero(tint < pale_beside(tint))
    bare = bare[np.argsort(tint[bare], kind="stable")]
    return bare, tint[bare]


def pale_beside(tint: FloatArray) -> float:
    """Up to how coloured a band is pale beside those of cards (N,), grey levels: of the table and
    of other cards some colour runs into a starting card's. NaN where none of them tells.
    """
    told = tint[~np.isnan(tint)]
    return float(INKLESS * np.median(told)) if len(told) else np.nan


@lru_cache(maxsize=4)
def _parts(card: CardSize, templates: Templates) -> tuple[Ints, Ints]:
    """Places of the grid, one a mm², on the band, and where no face has ink, whichever way up."""
    half = np.array([card.width_mm, card.height_mm]) / 2
    deep = (half - np.abs(templates.grid_mm)).min(axis=1)
    line, some = card.frame_inset_mm, thinned(templates)
    black = templates.clear_of_ink[: templates.start_row].all(axis=0) & ~templates.marks
    return (
        np.flatnonzero(some & (deep > EDGE_MM) & (deep < line - LINE_MM)),
        np.flatnonzero(some & black & black[::-1]),
    )
