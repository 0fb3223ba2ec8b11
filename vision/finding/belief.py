"""Which of the cards that explain the picture are believed."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.coverage import cover
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.evidence import Evidence
from vision.finding.bandless import pale_beside
from vision.finding.frames import BESIDE_KNOWN_MM
from vision.finding.haze import washed_share
from vision.finding.hidden_search import blank_dots, mostly_blank
from vision.finding.start_search import inkless_cards
from vision.memo import Memo
from vision.naming.faces import Patches
from vision.naming.name_cards import Named, badge_fit
from vision.ordering.stacking import StackedCards

UNLIKELY_FIT = 0.55
CLEAR_BADGE = 0.5
POOR_FIT = 0.4
"""A card that fits this poorly and lacks most of its dots is none."""
RIGHT_FIT, RIGHT_LINES = 0.45, 0.6
"""A card that is the deck's fits so well (its misfit, as a share of what it draws), and its lines
are seen as white, 0 to 1."""
LEAST_RIGHT = 0.35
"""Of the players' cards: of readable tables nine in ten look right, of other games' and other
printings' a quarter at most."""
LINES_SHARE = 0.6
"""Of the whiteness that lines usually have in this picture; true cards' reach 0.75 and more."""
TRUE_BADGE, CURLED_LINES = 0.65, 0.45
"""Nothing but a badge looks so much like one. Where a card is missing, one that has it may have
paler lines: if it curls they are not where they should be."""
START_LINES = 0.45
"""Of the same, for the starting card: there is but one, and its band runs into pale tables."""
START_WHITE_MM2, START_PALE = 150.0, 0.7
"""White drawn by the starting card that shows, below which its place hangs on little: the one that
was found in a wrong place showed 54; and how white it is seen, as a share of the usual."""
LEAST_WITHIN_MM2, EDGE_SHARE = 40.0, 0.2
"""Lines of the starting card's shapes, or of its frame, that must show to speak for all; and what
is drawn on every face's edge."""
LEAST_INKED_MM2 = 40.0
"""Of a card's ink that must show to say that it has none."""
AS_BLACK_FIT = 0.95
"""Misfit of what explains hardly more of a card than plain black does. A curled card, or one in a
lamp's mirror image, fits poorly; its lines are seen all the same."""

_LINES_SEEN: Memo[Patches, FloatArray] = Memo()


def believed_cards(
    evidence: Evidence, stacked: StackedCards, printed: PrintedDeck, badged_lines: float
) -> Bools:
    """Cards (N,) whose lines are seen where they show, that have ink or show their badge, and of
    those that fit poorly most of their dots.
    """
    named, stack, visible = stacked.named, stacked.stack, stacked.visible
    start = named.rows >= printed.start_row
    badge = badge_fit(evidence, named.poses, printed.templates)
    lines = lines_seen(named, stack.patches, visible, printed.templates)
    usual = np.median(lines)
    lined = lines > np.where(badge > TRUE_BADGE, badged_lines, LINES_SHARE) * usual
    inky = inked(named, stack.patches, visible, start, printed.templates)
    fitting = (badge > CLEAR_BADGE) | (inky & (named.fit < AS_BLACK_FIT))
    believed = np.where(start, lines > START_LINES * usual, fitting & lined)
    if (start & ~believed).any():
        # Some printings draw it in grey.
        coverage = cover(evidence.raster, named.poses, printed.deck.card, BESIDE_KNOWN_MM)
        bare, frame = inkless_cards(evidence, named.poses, coverage, printed)
        believed |= start & np.isin(np.arange(len(named)), bare[frame > 0])
    for card in np.flatnonzero(believed & ~start & (named.fit > POOR_FIT)):
        blank, due = blank_dots(evidence, named, int(card), stack, printed)
        believed[card] = not mostly_blank(blank, due)
    return np.asarray(believed)


def hardly_told(evidence: Evidence, stacked: StackedCards, printed: PrintedDeck) -> Bools:
    """Players' cards (N,) that fit poorly where a lamp does not wash them out, and show no badge:
    something lies there, but which card, or that no dots are lost in the light, is not told.
    """
    named = stacked.named
    out = (named.fit >= UNLIKELY_FIT) & (named.rows < printed.start_row)
    if out.any():
        out &= washed_share(stacked.stack.patches, stacked.visible) > 0
    if out.any():
        out &= badge_fit(evidence, named.poses, printed.templates) <= CLEAR_BADGE
    return np.asarray(out)


def inked(
    named: Named, patches: Patches, visible: Map32, start: Bools, templates: Templates
) -> Bools:
    """Which cards (N,) have an ink where they draw it, or show too little of it to say."""
    strength = np.linalg.norm(named.ink, axis=1)
    out = ~(strength < pale_beside(strength[~start]))
    pale = np.flatnonzero(~out)
    shown = (visible[pale] > 0.5) & (patches.weight[pale] > 0.5)
    shown &= _inked_on(templates)[named.rows[pale]]
    out[pale] = shown.sum(axis=1) < LEAST_INKED_MM2 * TEMPLATE_DENSITY**2
    return np.asarray(out)


def hardly_seen(card: int, stacked: StackedCards, lines: FloatArray, templates: Templates) -> bool:
    """Whether the starting card shows too little of its white to tell where it lies; `lines` (N,)
    are how white all cards' lines are seen.
    """
    shown_mm2 = start_white_mm2(card, stacked, templates)
    return shown_mm2 < START_WHITE_MM2 or bool(lines[card] < START_PALE * np.median(lines))


def start_white_mm2(card: int, stacked: StackedCards, templates: Templates) -> float:
    """How much white that the starting card draws shows, not washed out."""
    lit = (stacked.visible[card] > 0.5) & (stacked.stack.patches.weight[card] > 0.5)
    white = lit & (templates.white[int(stacked.named.rows[card])] > 0.5)
    return float(white.sum()) / TEMPLATE_DENSITY**2


def lines_seen(named: Named, patches: Patches, visible: Map32, templates: Templates) -> FloatArray:
    """How white (N,), 0 to 1, the places are on which each card draws a line and shows."""

    def seen() -> FloatArray:
        lines = _lines_seen(named.rows, patches, visible, templates)
        lines.setflags(write=False)
        return lines

    return _LINES_SEEN.answer(patches, (visible, named.rows.tobytes()), seen)


def looking_right(named: Named, patches: Patches, visible: Map32, templates: Templates) -> Bools:
    """Which cards (N,) look as the deck draws them: their faces fit, and their lines are white."""
    lines = lines_seen(named, patches, visible, templates)
    return np.asarray((named.fit < RIGHT_FIT) & (lines > RIGHT_LINES))


def share_right(
    named: Named, patches: Patches, visible: Map32, templates: Templates
) -> float | None:
    """Which share of the players' cards look right, None without any: the starting card may look
    otherwise than in the deck file.
    """
    players = named.rows < len(templates.white) - 2
    if not players.any():
        return None
    return float(looking_right(named, patches, visible, templates)[players].mean())


def _lines_seen(rows: Ints, patches: Patches, visible: Map32, templates: Templates) -> FloatArray:
    seen, words = np.zeros(len(rows)), patches.pixels.view(np.uint32)[..., 0]
    start_row = templates.start_row

    def whiteness(card: int, lines: Ints) -> tuple[float, float]:
        weight = np.take(visible[card], lines) * (np.take(patches.weight[card], lines) > 0.5)
        white = np.take(words[card], lines).view(np.uint8)[3::4].astype(np.float32)
        shown = float(weight.sum())
        return float(weight @ white) / max(shown, 1.0) / 255, shown

    for i, row in enumerate(rows.tolist()):
        seen[i], _ = whiteness(i, _lines_of(templates, row))
        if row >= start_row:
            # On a pale table its band and its frame are no lines; of another printing's the frame
            # alone is known.
            for part in _within_and_frame(templates, row):
                white, shown = whiteness(i, part)
                if shown >= LEAST_WITHIN_MM2 * TEMPLATE_DENSITY**2:
                    seen[i] = max(seen[i], white)
    return seen


@lru_cache(maxsize=4)
def _inked_on(templates: Templates) -> Bools:
    """Places of the grid (T, P) on which each face draws its ink."""
    return np.asarray(templates.ink > 0.9)


@lru_cache(maxsize=256)
def _lines_of(templates: Templates, row: int) -> Ints:
    """Places of the grid on which a face draws lines, its badge left out."""
    return np.flatnonzero((templates.white[row] > 0.7) & ~templates.badge)


@lru_cache(maxsize=8)
def _within_and_frame(templates: Templates, row: int) -> tuple[Ints, Ints]:
    """Those of them that lie within what every face draws round its edge, band and frame; and
    those on the frame.
    """
    played = slice(0, len(templates.white) - 2)
    edge = (templates.white[played] + templates.ink[played]).min(axis=0) > EDGE_SHARE
    frame = templates.white[played].min(axis=0) > EDGE_SHARE
    lines = _lines_of(templates, row)
    return lines[~edge[lines]], lines[frame[lines]]
