"""Which suit the outline of a badge tells, whatever stands in it and in whichever typeface."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.templates import Templates
from vision.naming.badge_correlation import BADGE_LEAD, LEAST_APART, PLAINLY_ALIKE, Drawn, compared
from vision.naming.faces import Patches, unit_rows

LEAST_SHOWN = 0.5
"""Of an outline and what lies about it: half a circle is like no half square."""
OFF_MM = 1.0
"""As far off its place an outline is looked for: prints lie so far off the cut."""


@dataclass(frozen=True, eq=False)
class Outlines:
    """How well (K, S) what K cards show is like the outlines of the deck's S suits."""

    like: FloatArray

    def take(self, some: Ints) -> Outlines:
        """Those of some of the cards."""
        return Outlines(self.like[some])

    def leads(self, own: Ints, templates: Templates) -> FloatArray:
        """By how much (K, H) outlines are more like those of the hypotheses `own` (K,) than like
        other suits', as a share of what a perfect one would be, or of what its own drawing leaves
        open where that is more; NaN within a suit, where one is no witness, and for starting
        cards.
        """
        suit = _suits(templates)
        mine = self.like[np.arange(len(own)), suit[own]][:, None]
        unlike = 1 - _alike(templates)[suit[own]]
        leads = (mine - self.like) / np.maximum(np.maximum(unlike, LEAST_APART), 1 - mine)
        told = (mine >= PLAINLY_ALIKE) & (suit[own] >= 0)[:, None]
        told = told & (suit[own][:, None] != suit) & (suit >= 0)
        return np.asarray(np.where(told, leads[:, suit], np.nan))

    def others(self, templates: Templates) -> Bools:
        """Which hypotheses (K, H) are of another suit than their card's outline plainly tells."""
        suit = _suits(templates)
        first = np.array([np.flatnonzero(suit == one)[0] for one in range(suit.max() + 1)])
        return self.leads(first[self.like.argmax(axis=1)], templates) >= BADGE_LEAD


def outlines_seen(patches: Patches, visible: Map32, cards: Ints, templates: Templates) -> Outlines:
    """How like the suits' outlines are what these cards show round what stands in their badges."""
    sought = Drawn(_drawn(templates), templates.outline, templates.shape_hw, LEAST_SHOWN)
    like = compared(patches, visible, cards, sought, OFF_MM)
    return Outlines(like.reshape(len(cards), -1, 2).max(axis=2))


@lru_cache(maxsize=4)
def _drawn(templates: Templates) -> Map32:
    """Outlines (2 S, O) of the suits, either way up, of length 1."""
    suit = _suits(templates)[::2]
    suits = [templates.white[suit == one].mean(axis=0) for one in range(suit.max() + 1)]
    both = np.stack([suits, np.array(suits)[:, ::-1]], axis=1).astype(np.float32)
    return unit_rows(both.reshape(-1, both.shape[2])[:, templates.outline])


@lru_cache(maxsize=4)
def _suits(templates: Templates) -> Ints:
    """The number of each hypothesis's suit (H,), starting cards' -1."""
    suit = templates.suit.copy()
    played = slice(0, templates.start_row)
    suit[played] = np.unique(suit[played], return_inverse=True)[1]
    suit[templates.start_row :] = -1
    return np.repeat(suit, 2)


@lru_cache(maxsize=4)
def _alike(templates: Templates) -> FloatArray:
    """How alike (S, S) the outlines of suits are, the way up that they are most."""
    drawn = _drawn(templates)
    alike = (drawn[::2] @ drawn.T).reshape(len(drawn) // 2, -1, 2)
    return np.asarray(alike.max(axis=2), np.float64)
