"""Strips of ink that run beside one card, as another's under it would, and beside no other.

In a free-for-all cards are not counted, and where one colour is played alone it has no other to be
held against: what peeks out from almost exactly under another card, or from a pile of them, is a
doubt there even where it is not plain which ink it is.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import FloatArray
from vision.doubting.peeking_cards import (
    ANYWHERE,
    IF_ALONE,
    LEAST_LIKELY,
    PLAINLY_NO_SHADOW,
    Least,
    Strips,
    own_end,
)
from vision.doubting.strip_fit import (
    Peeking,
    StripWidths,
    Surroundings,
    peeking_out,
    printed,
    shaded,
    sides_likely,
    strips_likely,
    surroundings,
)
from vision.drawing.coverage import TopMap
from vision.evidence import Evidence

NOT_PLAIN = (Least(0.6, 9.0, 15.0, 1.0), Least(0.3, 25.0, 15.0, 1.0))
"""What leaves a doubt where a strip is likely beside one card only: in a lamp's haze an ink is not
as it is elsewhere and explains less, and most cards' strips gain more. Which ink it is, is open."""
LEAST_NARROW, NARROW = 2.5, Least(0.75, 12.0, 15.0, 1.0)
"""A narrow strip changes little of what is looked at across an edge: it may be less likely, where
it is of another ink, nearly all of it is explained, and nothing is as likely beside other cards. Of
100 tables none had such a strip by chance; of those likely beside one card no other explained half.
"""
LONELY_SHARE, FEWEST_LONELY = 0.4, 5
"""Beside no other card a strip may then be so likely, in shares; of a side so many places tell."""
STRIP_WIDTHS_MM, STRIP_LIKELY, STRIP_SHARE = (0.6, 1.2, 2.0, 3.0), 20.0, 0.33
PILE_WIDTHS_MM, PILE_LIKELY, PILE_SHARE = (2.0, 3.0, 4.0, 5.0), 30.0, 0.1
"""The same of one ink beside one side, whatever card of it, or several, make it: so likely, and
beside no other card in such a share. A pile's strip is wide, and so are dark boxes of print."""
OWN_WIDTHS_MM, OWN_NARROW_MM, OWN_WIDER = (1.2, 2.0, 3.0), (0.0, 0.6), 5.0
"""A card's own band shows beyond its place where it curls: a strip of its own ink is wider. Of 23
piles' strips narrower ones explained less by 10 and more, of one that curled more by 20."""
LEAST_CORE_MM, CLEAR_BLURS = 2.6, 1.2
"""A strip so wide shows its own colour, so far inside its edges as a share of the blur (sigma)."""
DIM_OR_BRIGHT, UNLIKE_INK = (0.5, 1.5), 0.22
"""A card under another lies in so much of its light; and how far, as a share of an ink, what is
seen may be off it: of twelve piles' strips some part was within 0.17, mostly 0.05, boxes of print
of an ink's hue never within 0.26."""
OWN_BEYOND_MM = (0.2, 0.4, 0.6, 0.8)
"""So far beyond its place a card's own band is plainly seen where it curls, and in all colours."""
TABLE_LIKE, TABLE_STRONG, TABLE_SHARE = 0.9, 0.5, 0.1
"""A table of an ink's hue and half its strength looks like wide strips of it: wood, a checked
cloth."""

ANY_WIDTH = StripWidths(fewest=FEWEST_LONELY)
STRIP_WIDTHS = StripWidths(STRIP_WIDTHS_MM, fewest=FEWEST_LONELY)
PILE_WIDTHS = StripWidths(PILE_WIDTHS_MM, fewest=FEWEST_LONELY)
OWN_WIDTHS = StripWidths(OWN_WIDTHS_MM, OWN_NARROW_MM, FEWEST_LONELY)
OWN_BEYOND = StripWidths(OWN_BEYOND_MM, fewest=FEWEST_LONELY)


def lonely_strip(strips: Strips) -> int | None:
    """The card beside which ink of some colour runs as a card's under it would, however like
    another's, where it does so beside no other card; None where there is none such.
    """
    around, looks, inks = strips.around, strips.looks, strips.inks
    likely = np.zeros(len(strips.poses))
    for ink in inks.inks:
        here = ink * inks.white[:, None]
        likely = np.maximum(likely, strips_likely(around, looks, here, ANY_WIDTH))
    card = _lone(likely, LEAST_NARROW, LONELY_SHARE)
    if card is None:
        return None
    narrow = likely[card] < LEAST_LIKELY
    found: dict[int, Peeking] = {}
    for colour, ink in zip(inks.colours.tolist(), inks.inks, strict=True):
        peeking = peeking_out(around, card, ink * inks.white[card], looks)
        if peeking is not None:
            found[colour] = peeking
    if not found:
        return None
    own = int(strips.colour[card])
    seen = found.get(own)
    # A card's own band often shows a little beyond its place.
    if not narrow and seen is not None and not own_end(seen, strips.poses[card], strips.card):
        told = any(least.holds(seen) for least in (ANYWHERE, IF_ALONE))
        if told and not is_shadow(strips, card, seen):
            return card
    colour = min(found, key=lambda one: found[one].misfit)
    enough = (NARROW,) if narrow else NOT_PLAIN
    told = colour != own and any(least.holds(found[colour]) for least in enough)
    return card if told and not is_shadow(strips, card, found[colour]) else None


def is_shadow(strips: Strips, card: int, seen: Peeking) -> bool:
    """Whether what seems to peek out under a card may be its shadow on the table."""
    return shaded(strips.around, card, strips.looks) < seen.misfit + PLAINLY_NO_SHADOW


def is_running_print(strips: Strips, card: int, seen: Peeking) -> bool:
    """Whether what seems to peek out under a card may be a box of print that runs on under it."""
    return printed(strips.around, card, strips.looks) < seen.misfit + PLAINLY_NO_SHADOW


def pile_strip(evidence: Evidence, strips: Strips, top: TopMap) -> int | None:
    """The card beside one side of which a strip of one ink plainly runs, and beside no other card;
    None where there is none such. Of a pile no one card need account for what peeks out.
    """
    around, inks = strips.around, strips.inks
    wide = surroundings(evidence, around.edges, top, piles=True)
    for colour, ink in zip(inks.colours.tolist(), inks.inks, strict=True):
        here = ink * inks.white[:, None]

        def likely(seen: Surroundings, widths: StripWidths, here: FloatArray = here) -> FloatArray:
            return strips_likely(seen, strips.looks, here, widths)

        card = _lone(likely(around, STRIP_WIDTHS), STRIP_LIKELY, STRIP_SHARE)
        if card is not None and _is_own(strips, card, colour):
            own = inks.inks[inks.colours == strips.colour[card]] * inks.white[:, None]
            wider = likely(around, OWN_WIDTHS, own)[card]
            card = card if wider > OWN_WIDER else None
        seen, widths = around, STRIP_WIDTHS
        if card is None and not _on_table(wide, here):
            seen, widths = wide, PILE_WIDTHS
            card = _lone(likely(wide, PILE_WIDTHS), PILE_LIKELY, PILE_SHARE)
            card = None if card is not None and strips.colour[card] == colour else card
        if card is not None and not _is_print(strips, seen, card, here, widths):
            return card
    return None


def _is_own(strips: Strips, card: int, colour: int) -> bool:
    """Whether a strip of ink of a `colour` beside a card may be the card's own band, a little of
    which, beyond its place, explains it as well.
    """
    inks, own = strips.inks, int(strips.colour[card])
    if colour == own:
        return True

    def gains(which: int, widths: StripWidths) -> FloatArray:
        here = inks.inks[inks.colours == which] * inks.white[:, None]
        gain, _ = sides_likely(strips.around, strips.looks, here, widths)
        return np.asarray(gain[card])

    if not (inks.colours == own).any():
        return False
    as_ink, as_own = gains(colour, STRIP_WIDTHS), gains(own, OWN_BEYOND)
    side = int(as_ink.argmax())
    return bool(as_own[side] >= as_ink[side])


def _is_print(
    strips: Strips, seen: Surroundings, card: int, ink: FloatArray, widths: StripWidths
) -> bool:
    """Whether what explains best as a strip of an ink (N, 3) of one of these widths beside one of a
    card's sides has, however far beyond its edge, no colour that is like any ink in play.

    Of narrow strips all is mixed with what lies on either side: they are not asked.
    """
    looks, inks = strips.looks, strips.inks
    gain, width = sides_likely(seen, looks, ink, widths)
    side = int(gain[card].argmax())
    clear = looks.off_mm + CLEAR_BLURS * looks.blur_mm, width[card, side] + looks.off_mm
    core = (seen.across_mm > clear[0]) & (seen.across_mm < clear[1] - CLEAR_BLURS * looks.blur_mm)
    if width[card, side] < LEAST_CORE_MM or not core.any():
        return False
    here = seen.bare[card] & (seen.edges.side == side)
    colours = np.median(seen.seen[card, here][:, core], axis=0)
    own = inks.inks * inks.white[card]
    light = (colours @ own.T / np.square(own).sum(axis=1)).clip(*DIM_OR_BRIGHT)[..., None] * own
    off = np.linalg.norm(colours[:, None] - light, axis=2) / np.linalg.norm(light, axis=2)
    return bool(off.min() > UNLIKE_INK)


def _lone(likely: FloatArray, least: float, share: float) -> int | None:
    """The card beside which a strip is so likely (N,), and beside no other in such a share."""
    card = int(likely.argmax())
    others = float(np.delete(likely, card).max(initial=0.0))
    return card if likely[card] >= least and others <= share * likely[card] else None


def _on_table(around: Surroundings, inks: FloatArray) -> bool:
    """Whether the table beside the cards has here and there an ink (N, 3), as it looks on each."""
    card, place = np.nonzero(around.bare)
    table, ink = around.table[card, place], inks[card]
    table, ink = (colour - colour.mean(axis=1, keepdims=True) for colour in (table, ink))
    strength, own = np.linalg.norm(table, axis=1), np.linalg.norm(ink, axis=1)
    like = (table * ink).sum(axis=1) > TABLE_LIKE * strength * own
    return bool((like & (strength > TABLE_STRONG * own)).sum() > TABLE_SHARE * len(card))
