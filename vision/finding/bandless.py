"""Which cards have no ink on their band and in their badge: of all cards the starting card alone.

Its lines may be drawn in other ways by other printings, paler too, and its edge black or white;
what every printing keeps is that it has no colour beside the other cards. Of a card that another
one covers exactly, which is not known yet, the band may seem black, as that one is there.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates, on_grid_of, thinned
from vision.evidence import Evidence

INKLESS, PALEST = 0.45, 0.1
"""How coloured what has no ink is at most, as a share of what the palest tenth of the table's cards
have at most, the palest card left out: of 221 starting cards 0.39 and less, of 10,353 players'
cards all but two 0.49 and more, under a veil too; of these one's band lay under another card."""
FEWEST_PLACES = 10
"""Square millimetres, one place each, below which nothing is told."""
EDGE_MM, LINE_MM = 0.7, 1.1
"""What lies so near the cut edge, or the middle of the frame line, is left out."""


def band_tint(
    evidence: Evidence, poses: FloatArray, shows: Bools, printed: PrintedDeck
) -> FloatArray:
    """How coloured (N,) the bands of cards at poses (N, 3 or 9) are, as `_tints` has it."""
    return np.asarray(_tints(evidence, poses, shows, printed)[0])


def _tints(evidence: Evidence, poses: FloatArray, shows: Bools, printed: PrintedDeck) -> FloatArray:
    """How coloured (2, N) the bands and the badges of cards at poses (N, 3 or 9) are beside the
    black of their middles, grey levels from one channel to another; NaN where too little `shows`
    (N, P) of them and is not washed out: a lamp takes the colour from all bands. NaN as well where
    no card of the deck has a band.

    Where a middle does not show the others' black stands for its own; where none does, the darkest
    quarter of what shows inside, though that may be ink.
    """
    if not printed.deck.art.band:
        return np.full((2, len(poses)), np.nan)
    band, badge, middle, inner = _parts(printed.deck.card, printed.templates)
    pixels = on_grid_of(evidence.with_white, evidence.raster, poses, printed.templates)[..., :3]
    if evidence.washed.any():
        washed = on_grid_of(evidence.washed, evidence.raster, poses, printed.templates)
        shows = shows & (washed == 0)
    black = _levels(pixels, shows, middle, 25)
    if np.isfinite(black).any():
        black = np.where(np.isnan(black), np.nanmedian(black, axis=0), black)
    else:
        black = _levels(pixels, shows, inner, 25)
    # In a badge there is white as well, which has the light's colour.
    parts = (band, 50), (badge, 25)
    return np.stack([np.ptp(_levels(pixels, shows, *part) - black, axis=1) for part in parts])


def _levels(pixels: NDArray[np.uint8], shows: Bools, part: Ints, percent: int) -> FloatArray:
    """Such a percentile (N, 3) of what each card shows (N, P, 3) of a part, by channel; NaN where
    that is too little.
    """
    out = np.full((len(pixels), 3), np.nan)
    for card in range(len(pixels)):
        own = part[shows[card, part]]
        if len(own) >= FEWEST_PLACES:
            out[card] = np.sort(pixels[card, own], axis=0)[len(own) * percent // 100]
    return out


def palest(
    evidence: Evidence, poses: FloatArray, shows: Bools, printed: PrintedDeck
) -> tuple[Ints, FloatArray]:
    """Which cards (K,) of those at poses (N, 3 or 9) have no ink on their band, beside those that
    have, and no badge that is half as coloured as the others', the palest first, and how coloured
    (K,) their bands are: in a haze a player's may be so, too.
    """
    tint, badge = _tints(evidence, poses, shows, printed)
    inked = badge > _usual(badge) / 2
    bare = np.flatnonzero((tint < pale_beside(np.fmax(tint, badge))) & ~inked)
    bare = bare[np.argsort(tint[bare], kind="stable")]
    return bare, tint[bare]


def pale_beside(tint: FloatArray) -> float:
    """Up to how coloured a band is pale beside cards as coloured as these (N,), of which one may be
    the starting card, grey levels: of the table and of other cards some colour runs into that. NaN
    where none of them tells.
    """
    told = np.sort(tint[~np.isnan(tint)])
    if len(told) == 0:
        return np.nan
    palest = max(1, int(PALEST * len(told)))
    return INKLESS * float(told[min(palest, len(told) - 1)])


def _usual(tint: FloatArray) -> float:
    """How coloured the middle one of those (N,) is that tell; NaN where none does."""
    told = tint[~np.isnan(tint)]
    return float(np.median(told)) if len(told) else np.nan


@lru_cache(maxsize=4)
def _parts(card: CardSize, templates: Templates) -> tuple[Ints, Ints, Ints, Ints]:
    """Places of the grid, one a mm², on the band, where most faces' badges have ink, where no face
    has any, whichever way up, and inside the frame.
    """
    half = np.array([card.width_mm, card.height_mm]) / 2
    deep = (half - np.abs(templates.grid_mm)).min(axis=1)
    line, some = card.frame_inset_mm, thinned(templates)
    black = templates.clear_of_ink[: templates.start_row].all(axis=0) & ~templates.marks
    inked = np.median(templates.ink[: templates.start_row], axis=0) > 0.5
    return (
        np.flatnonzero(some & (deep > EDGE_MM) & (deep < line - LINE_MM)),
        np.flatnonzero(some & templates.badge & inked),
        np.flatnonzero(some & black & black[::-1]),
        np.flatnonzero(some & (deep > line + LINE_MM)),
    )
