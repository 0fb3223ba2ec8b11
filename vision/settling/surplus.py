"""Cards that the colours' numbers speak against: print on a table may look like a covered card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.drawing.templates import Templates
from vision.evidence import Evidence
from vision.finding.look_again import seen_again
from vision.naming.colours import Naming
from vision.naming.name_cards import Named, badge_fit
from vision.settling.card_counts import missing_cards
from vision.settling.lacking import lacking_cards
from vision.settling.settling import Settled, coloured, settle

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Map32 = NDArray[np.float32]
BADGE_SHOWN, CLEAR_BADGE = 0.5, 0.5
"""A card that shows less of its badge, or nothing that looks so much like one, may be none."""
FEWEST_MISSED, PLAINLY_MISSED = 2, 3
"""So many others would have had to be missed if the card were one."""
POOR_FIT = 0.3
"""True cards without a badge fit better. One that fits worse, and is the only one of a colour of
which three and more would be missing, is none; else one player may be a card ahead of all."""


def surplus_card(
    evidence: Evidence, named: Named, naming: Naming, visible: Map32, deck: Deck,
    templates: Templates,
) -> tuple[int, bool] | None:  # fmt: skip
    """The card without a badge with which several cards would be missing, and without which none
    would; and whether it plainly is none. None where there is no such card.

    `visible` (N, P): where each card shows. Of several the one that fits worst.
    """
    played = named.rows < 2 * len(deck.faces)
    missed = missing_cards(naming.colour[played])
    if missed < FEWEST_MISSED:
        return None
    even = np.array([_even_without(naming.colour, played, card) for card in range(len(named))])
    shown = (visible[:, templates.badge] > 0.5).mean(axis=1)
    badged = (shown >= BADGE_SHOWN) & (badge_fit(evidence, named.poses, templates) >= CLEAR_BADGE)
    cards = np.flatnonzero(even & ~badged)
    if len(cards) == 0:
        return None
    worst = int(cards[named.fit[cards].argmax()])
    alone = (naming.colour[played] == naming.colour[worst]).sum() == 1
    plainly = missed >= PLAINLY_MISSED and alone and named.fit[worst] > POOR_FIT
    return worst, bool(plainly)


def _even_without(colour: Ints, played: NDArray[np.bool_], card: int) -> bool:
    """Whether all colours have equally many cards if this one is none."""
    left = played.copy()
    left[card] = False
    return bool(played[card]) and missing_cards(colour[left]) == 0


def without_surplus(
    evidence: Evidence, settled: Settled, deck: Deck, templates: Templates
) -> tuple[Settled, FloatArray]:
    """The same without a card that the colours' numbers speak against, and its pose (1, 3) where
    it may be one all the same; else no pose (0, 3).
    """
    named, stack = settled.named, settled.stack
    none = np.empty((0, 3))
    found = surplus_card(evidence, named, settled.naming, settled.visible, deck, templates)
    if found is None:
        return settled, none
    card, plainly = found
    left = named.take(np.arange(len(named)) != card)
    again, stack, visible = seen_again(evidence, left, stack.patches, deck, templates)
    naming = coloured(again, stack.patches, visible, deck, templates, True)
    more = settle(evidence, again, naming, stack, visible, deck, templates, True)
    if lacking_cards(more.named, more.naming, deck):
        return settled, none
    return more, none if plainly else named.poses[card : card + 1, :3]
