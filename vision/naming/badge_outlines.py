"""Which suit the outline of a badge tells, whatever stands in it and in whichever typeface."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32, unit_rows
from vision.drawing.templates import Templates
from vision.naming.badge_correlation import (
    BADGE_LEAD,
    LEAST_APART,
    PLAINLY_ALIKE,
    SHIFT_MM,
    Drawn,
    compared,
)
from vision.naming.faces import Patches

LEAST_SHOWN = 0.5
"""Of an outline and what lies about it: half a circle is like no half square."""


@dataclass(frozen=True, eq=False)
class Outlines:
    """How well (K, S) what K cards show is like the outlines of the deck's S suits, -1 where fewer
    than two cards show one, and how alike (S, S) those are.
    """

    like: FloatArray
    alike: FloatArray

    def take(self, some: Ints) -> Outlines:
        """Those of some of the cards."""
        return Outlines(self.like[some], self.alike)

    def leads(self, own: Ints, templates: Templates) -> FloatArray:
        """By how much (K, H) outlines are more like those of the hypotheses `own` (K,) than like
        other suits', as a share of what a perfect one would be, or of what its own drawing leaves
        open where that is more; NaN within a suit, where one is no witness, and for starting
        cards.
        """
        suit = _suits(templates)
        mine = self.like[np.arange(len(own)), suit[own]][:, None]
        unlike = 1 - self.alike[suit[own]]
        leads = (mine - self.like) / np.maximum(np.maximum(unlike, LEAST_APART), 1 - mine)
        told = (mine >= PLAINLY_ALIKE) & (suit[own] >= 0)[:, None]
        told = told & (suit[own][:, None] != suit) & (suit >= 0) & (self.like[:, suit] >= 0)
        return np.asarray(np.where(told, leads[:, suit], np.nan))

    def others(self, templates: Templates) -> Bools:
        """Which hypotheses (K, H) are of another suit than their card's outline plainly tells."""
        suit = _suits(templates)
        first = np.array([np.flatnonzero(suit == one)[0] for one in range(suit.max() + 1)])
        return self.leads(first[self.like.argmax(axis=1)], templates) >= BADGE_LEAD


def outlines_seen(patches: Patches, visible: Map32, cards: Ints, templates: Templates) -> Outlines:
    """How like the suits' outlines, as this table's cards show them, these cards are round
    what stands in their badges; like none that fewer than two cards show.
    """
    number = int(_suits(templates).max()) + 1
    like, alike = np.full((len(cards), number), -1.0), np.eye(number)
    twice = () if templates.learned is None else _seen_twice(templates.learned)
    if templates.learned is not None and len(twice):
        drawn = _shown(templates.learned)
        sought = Drawn(drawn, templates.outline, templates.shape_hw, LEAST_SHOWN)
        seen = compared(patches, visible, cards, sought, SHIFT_MM)
        like[:, twice] = _either_way(seen)
        alike[np.ix_(twice, twice)] = _either_way(drawn[::2] @ drawn.T)
    return Outlines(like, alike)


def _either_way(like: FloatArray | Map32) -> FloatArray:
    """Likenesses (K, 2 S) to outlines the way up that they are likeliest (K, S)."""
    return np.asarray(like.reshape(len(like), -1, 2).max(axis=2), np.float64)


@lru_cache(maxsize=4)
def _seen_twice(learned: Templates) -> Ints:
    """The numbers of the suits of which two cards or more show badges."""
    suit, rows = _suits(learned)[::2], slice(0, learned.start_row, 2)
    number = np.where(learned.badge_often, 2, learned.badge_known)[rows]
    return np.flatnonzero(np.bincount(suit[rows], number) >= 2)


@lru_cache(maxsize=4)
def _shown(learned: Templates) -> Map32:
    """Outlines (2 S, O) of suits as cards show them, either way up, of length 1."""
    suit, known = _suits(learned)[::2], learned.badge_known
    suits = [learned.white[known & (suit == one)].mean(axis=0) for one in _seen_twice(learned)]
    both = np.stack([suits, np.array(suits)[:, ::-1]], axis=1).astype(np.float32)
    return unit_rows(both.reshape(-1, both.shape[2])[:, learned.outline])


@lru_cache(maxsize=4)
def _suits(templates: Templates) -> Ints:
    """The number of each hypothesis's suit (H,), starting cards' -1."""
    suit = templates.suit.copy()
    played = slice(0, templates.start_row)
    suit[played] = np.unique(suit[played], return_inverse=True)[1]
    suit[templates.start_row :] = -1
    return np.repeat(suit, 2)
