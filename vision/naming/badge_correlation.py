"""How like a drawing what a card shows at some of its places is, wherever its curl has put it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.cores import shared_out
from vision.drawing.templates import TEMPLATE_DENSITY
from vision.naming.faces import Patches

PLAINLY_ALIKE = 0.75
"""Badges that are seen well correlate with their own drawing by 0.8 to 0.97."""
BADGE_LEAD = 0.4
"""Of what two badges differ by: right ones lead by more in nine cases of ten, wrong ones never by
more than 0.2."""
LEAST_APART = 0.03
"""Two drawings that correlate by all but this look the same."""
SHIFT_MM = 2.0
"""A curl of 2 mm lifts a badge about so far off its place."""
LEAST_SHOWN = 0.85
"""Of a badge, for its value to be told."""
OFTEN = 2
"""Cards of which one cannot be smeared, or half turned, without the other telling."""
FEWEST_COMPARED = 48
"""Badges compared by one thread."""
LEAST_VARIED = 0.05
"""Of a drawing's whole variance: where so little of it shows, it is like anything."""
COMPARED_AT_ONCE = 128
"""Badges, each in all its places, compared in one go."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """What is drawn (D, B) at those B places that are `on` a card (P,), the rows and columns of the
    grid that they are on, and which share of them must show for it to be compared.
    """

    drawn: Map32
    on: Bools
    shape_hw: tuple[int, int]
    least_shown: float


def compared(
    patches: Patches, visible: Map32, cards: Ints, sought: Drawn, shift_mm: float
) -> FloatArray:
    """How well (K, D), by correlation, these cards look like what is sought, up to `shift_mm` off
    its place, as far as they show; 0 where too little does.
    """
    drawn, shape_hw, least_shown = sought.drawn, sought.shape_hw, sought.least_shown
    places_on = np.flatnonzero(sought.on)

    def shown(some: Ints, places: Ints) -> Bools:
        """Where (n, ...) cards show at places of the grid."""
        at = np.add.outer(some * visible.shape[1], places)
        return np.asarray((np.take(visible, at) > 0.5) & (np.take(patches.weight, at) > 0))

    out = np.zeros((len(cards), len(drawn)))
    places = places_on + moves(shape_hw, shift_mm)[:, None]
    witnesses = np.flatnonzero(shown(cards, places_on).mean(axis=1) > least_shown)
    at_once = max(1, COMPARED_AT_ONCE // len(places))

    def compare(part: slice) -> None:
        for first in range(part.start, part.stop, at_once):
            some = witnesses[first : min(first + at_once, part.stop)]
            here = shown(cards[some], places).astype(np.float32)
            at = np.add.outer(cards[some] * visible.shape[1], places)
            seen = (
                np.take(patches.pixels.view(np.uint32), at)
                .view(np.uint8)[..., 3::4]
                .astype(np.float32)
            )
            likeness = correlation(
                seen.reshape(-1, len(places_on)), here.reshape(-1, len(places_on)), drawn
            )
            likeness = likeness.reshape(*here.shape[:2], -1)
            likeness[here.mean(axis=2) < least_shown] = 0
            out[some] = likeness.max(axis=1)

    shared_out(compare, len(witnesses), FEWEST_COMPARED)
    return out


def moves(shape_hw: tuple[int, int], shift_mm: float) -> Ints:
    """How far (M,) places of a grid's middle lie behind those that are up to `shift_mm` off them
    along either side.
    """
    reach = round(shift_mm * TEMPLATE_DENSITY)
    steps = np.arange(-reach, reach + 1)
    return np.add.outer(steps * shape_hw[1], steps).ravel()


def correlation(seen: Map32, weight: Map32, drawn: Map32) -> FloatArray:
    """Of what is seen (M, B) with each drawing (H, B), where `weight` (M, B) is 1: (M, H)."""
    number = np.maximum(weight.sum(axis=1, keepdims=True), 1.0)
    away = (seen - (seen * weight).sum(axis=1, keepdims=True) / number) * weight
    own = np.sqrt((away**2).sum(axis=1, keepdims=True))
    other = np.empty((len(seen), len(drawn)), np.float32)
    whole = weight.all(axis=1)
    other[whole] = np.square(drawn).sum(axis=1) - drawn.sum(axis=1) ** 2 / drawn.shape[1]
    part = weight[~whole]
    other[~whole] = part @ (drawn**2).T - (part @ drawn.T) ** 2 / number[~whole]
    like = away @ drawn.T / np.maximum(own * np.sqrt(np.maximum(other, LEAST_VARIED)), 1e-6)
    return np.asarray(np.where(other > LEAST_VARIED, like, 0))
