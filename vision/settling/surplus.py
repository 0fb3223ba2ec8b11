"""Cards that the colours' numbers speak against: print on a table may look like a covered card."""

from __future__ import annotations

import numpy as np

from vision.arrays import FloatArray, Map32
from vision.drawing.pose_fit import place
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import TEMPLATE_DENSITY
from vision.evidence import Evidence
from vision.finding.belief import CLEAR_BADGE, UNLIKELY_FIT
from vision.naming.colours import Naming
from vision.naming.name_cards import Named, badge_fit
from vision.ordering.stacking import tops
from vision.settling.card_counts import even_without, missing_cards
from vision.settling.lacking import lacking_cards
from vision.settling.settling import Settled, settled_again

BADGE_SHOWN = 0.5
"""A card that shows less of its badge, or nothing that clearly looks like one, may be none."""
FEWEST_MISSED, PLAINLY_MISSED = 2, 3
"""So many others would have had to be missed if the card were one: else one player may be a card
ahead of all, unless it shows no ink or hardly fits at all."""
POOR_FIT = 0.3
"""True cards without a badge fit better. One that fits worse, and is the only one of a colour of
which three and more would be missing, is none; else one player may be a card ahead of all."""
FULL_INK, FEWEST_INKED = 0.9, 200
LIKE_INK, STRONG_INK, MOST_HAZE = 0.94, 0.6, 0.5
NOT_OWN, NOT_ANY = 0.05, 0.3
"""Of where a card draws its ink so little has its colour, or any colour in play: it is none. Of 530
true cards outside a lamp's glare 0.29 and more did (0.03 of one washed out), of three others 0.02
at most."""


def surplus_card(
    evidence: Evidence, named: Named, naming: Naming, visible: Map32, printed: PrintedDeck
) -> tuple[int, bool] | None:
    """The card without a badge with which others would be missing, and without which none would;
    and whether it plainly is none. None where there is no such card.

    `visible` (N, P): where each card shows. Of several the one that fits worst.
    """
    played = named.rows < printed.start_row
    missed = missing_cards(naming.colour[played])
    if missed == 0:
        return None
    even = np.array([even_without(naming.colour, played, card) for card in range(len(named))])
    shown = (visible[:, printed.templates.badge] > 0.5).mean(axis=1)
    badged = (shown >= BADGE_SHOWN) & (
        badge_fit(evidence, named.poses, printed.templates) >= CLEAR_BADGE
    )
    cards = np.flatnonzero(even & ~badged)
    if missed < FEWEST_MISSED:
        cards = cards[named.fit[cards] > POOR_FIT]
    if len(cards) == 0:
        return None
    worst = int(cards[named.fit[cards].argmax()])
    alone = (naming.colour[played] == naming.colour[worst]).sum() == 1
    plainly = missed >= PLAINLY_MISSED and alone and named.fit[worst] > POOR_FIT
    return worst, bool(plainly)


def without_surplus(
    evidence: Evidence, settled: Settled, printed: PrintedDeck
) -> tuple[Settled, FloatArray]:
    """The same without a card that the colours' numbers speak against, and its pose, and over how
    much of the others it was seen, mm² (1, 4), where it may be one all the same; else none (0, 4).
    """
    named, none = settled.named, np.empty((0, 4))
    found = surplus_card(evidence, named, settled.naming, settled.visible, printed)
    if found is None:
        return settled, none
    card, plainly = found
    inkless = without_ink(settled, card, printed)
    played = named.rows < printed.start_row
    one_missed = missing_cards(settled.naming.colour[played]) < FEWEST_MISSED
    if one_missed and not inkless and named.fit[card] < UNLIKELY_FIT:
        return settled, none
    # As likely the card of another colour that is missing then was missed.
    plainly |= inkless and not one_missed
    left = named.take(np.arange(len(named)) != card)
    more = settled_again(evidence, left, settled.stack.patches, printed, True)
    if lacking_cards(more.named, more.naming, printed):
        return settled, none
    if plainly:
        return more, none
    over_mm2 = _over_others_mm2(evidence, settled, card, more, printed)
    return more, np.append(named.poses[card, :3], over_mm2)[None]


def _over_others_mm2(
    evidence: Evidence, settled: Settled, card: int, left: Settled, printed: PrintedDeck
) -> float:
    """Over how much of the cards that are `left` a card was seen."""
    shown = settled.visible[card] > 0.5
    places = place(settled.named.poses[card : card + 1], printed.templates.grid_mm[shown])
    top = tops(evidence, left.named, left.stack.order, printed.deck)
    return float(np.count_nonzero(top.at(places))) / TEMPLATE_DENSITY**2


def without_ink(settled: Settled, card: int, printed: PrintedDeck) -> bool:
    """Whether where a card should show its ink neither this nor, mostly, any other in play is seen,
    and no lamp's haze lies there.
    """
    named, naming, patches = settled.named, settled.naming, settled.stack.patches
    drawn = printed.templates.ink[named.rows[card]] > FULL_INK
    drawn = np.flatnonzero(drawn & (settled.visible[card] > 0.5) & (patches.weight[card] > 0.5))
    others = (named.rows < printed.start_row) & (np.arange(len(named)) != card)
    if len(drawn) < FEWEST_INKED or not others.any():
        return False
    colours = np.unique(naming.colour[others])
    inks = np.array([np.median(named.ink[others & (naming.colour == c)], axis=0) for c in colours])
    strength = np.linalg.norm(inks, axis=1)
    if np.linalg.norm(named.haze[card]) > MOST_HAZE * strength.min():
        return False
    seen = patches.colour[card, drawn].astype(np.float64)
    seen -= seen.mean(axis=1, keepdims=True)
    shares = np.max([_inked(seen - haze, inks) for haze in (0.0, named.haze[card])], axis=0)
    own = shares[colours == naming.colour[card]]
    return bool(shares.max() < NOT_ANY and own.max(initial=0.0) < NOT_OWN)


def _inked(away: FloatArray, inks: FloatArray) -> FloatArray:
    """Which share (C,) of places, `away` (K, 3) from grey, has the colour of each ink (C, 3)."""
    length, own = np.linalg.norm(away, axis=1), np.linalg.norm(inks, axis=1)
    like = away @ inks.T > LIKE_INK * length[:, None] * own
    return np.asarray((like & (length[:, None] > STRONG_INK * own)).mean(axis=0))
