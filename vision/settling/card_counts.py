"""What the colours' numbers of cards tell: all players lay equally many (S3, E1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.arrays import Bools, Ints
from vision.naming.colours import Naming

UNSURE = 0.5
"""How sure a colour is that only the numbers of cards tell: it stays in doubt."""
HARDLY_SURE = 0.8
"""A card's own ink then says less than the numbers of cards do."""


def missing_cards(colour: Ints) -> int:
    """How many cards the colours lack, by those (N,) of all cards, by the one that has most."""
    counts = np.unique(colour, return_counts=True)[1]
    return int((counts.max(initial=0) - counts).sum())


def even_without(colour: Ints, played: Bools, card: int) -> bool:
    """Whether all colours have equally many cards if this one is none."""
    left = played.copy()
    left[card] = False
    return bool(played[card]) and missing_cards(colour[left]) == 0


def counted_colours(naming: Naming, washed: Bools, played: Bools) -> Naming:
    """The colours where all have equally many cards: one that is washed out (N,), or of which its
    ink tells little, has that by which fewest are missing, of several its runner-up if that is one.
    It stays in doubt.
    """
    colour, runner = naming.colour.copy(), naming.runner_up.copy()
    confidence = naming.confidence.copy()
    cards = np.flatnonzero((washed | (confidence < HARDLY_SURE)) & played)
    for card in cards[np.argsort(confidence[cards], kind="stable")]:
        others = np.unique(colour[played])
        lacking = np.array([_missing_with(colour, card, other, played) for other in others])
        best = others[lacking == lacking.min()]
        if colour[card] in best or not (len(best) == 1 or runner[card] in best):
            continue
        own = colour[card]
        colour[card] = runner[card] if runner[card] in best else best[0]
        runner[card], confidence[card] = own, min(float(confidence[card]), UNSURE)
    return replace(naming, colour=colour, confidence=confidence, runner_up=runner)


def colours_left(naming: Naming, faces: Ints, washed: Bools, played: Bools) -> Naming:
    """The colours where players lay as many cards as they can: one that is washed out (N,), and of
    which its ink tells little, has none in which another card has its face (N,). Where one colour
    in play is left, or its runner-up is, it has that, and stays in doubt.
    """
    colour, runner = naming.colour.copy(), naming.runner_up.copy()
    confidence = naming.confidence.copy()
    for card in np.flatnonzero(washed & (confidence < HARDLY_SURE) & played):
        same = played & (faces == faces[card])
        same[card] = False
        taken = colour[same]
        if colour[card] not in taken:
            continue
        left = np.setdiff1d(colour[played], taken)
        if not (len(left) == 1 or runner[card] in left):
            continue
        own = colour[card]
        colour[card] = runner[card] if runner[card] in left else left[0]
        runner[card], confidence[card] = own, min(float(confidence[card]), UNSURE)
    return replace(naming, colour=colour, confidence=confidence, runner_up=runner)


def _missing_with(colour: Ints, card: int, other: int, played: Bools) -> int:
    """How many cards are missing if one has another colour."""
    moved = colour.copy()
    moved[card] = other
    return missing_cards(moved[played])
