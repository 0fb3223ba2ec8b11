"""The symbols as this printing draws them: averaged over the cards of one ink.

A printing may draw the deck's symbols turned, larger, bolder or a millimetre off their place, and
one card's is a smear of ten pixels; eighteen cards' mean is clear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32, unit_rows
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.symbol_art import centred, looks_of_symbols, unlike_symbols
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.naming.faces import Patches

REACH_MM = 3.6
"""So far round a symbol's place nothing but the badge is printed, wherever a printing has it."""
LEAST_SHOWN, PALEST = 0.8, 0.15
"""Of what lies within reach, and how white some of it is, for a card to show a symbol."""
UNLIKE = 0.02
"""How much of a symbol the likest look of its own colour leaves unexplained: 0.02 to 0.05 of the
mean of a colour's cards; that of a neighbour on the colour circle 0.03 to 0.2 more."""


@dataclass(frozen=True, eq=False)
class SymbolLooks:
    """The white (N, S) of cards' symbols on squares of one size, each symbol's middle in the
    square's, and whether each card shows one (N,). `drawn` (C, B, S): so many looks of each
    colour's symbol in the deck, less their means, of length 1.
    """

    white: Map32
    shown: Bools
    drawn: Map32

    def take(self, cards: Ints) -> SymbolLooks:
        """Of some of the cards."""
        return SymbolLooks(self.white[cards], self.shown[cards], self.drawn)

    @cached_property
    def each(self) -> FloatArray:
        """Log-likelihoods (N, C), their mean 0, of each colour's symbol for each card alone: all 0
        where it shows none.
        """
        return self._told(unlike_symbols(self.white, self.drawn))

    def of_group(self, cards: Ints) -> FloatArray | None:
        """Log-likelihoods (C,), 0 at best, of each colour's symbol for the one that cards (K,) of
        one ink show in the mean. None where no card shows one.
        """
        mean = self._mean(cards)
        if mean is None:
            return None
        # Some printings have a symbol on its head.
        either = np.stack([mean, mean[::-1]])
        return np.asarray(-unlike_symbols(either, self.drawn).min(axis=0) / UNLIKE)

    def of_each(self, groups: Sequence[Ints]) -> FloatArray:
        """Log-likelihoods (N, G), their mean 0, of the mean symbol of each group's cards for each
        card alone: all 0 where it shows none, or a group none.
        """
        known = [mean for mean in map(self._mean, groups) if mean is not None]
        if len(known) < len(groups):
            return np.zeros((len(self.white), len(groups)))
        return self._told(unlike_symbols(self.white, unit_rows(np.stack(known))[:, None]))

    def _told(self, unlike: FloatArray) -> FloatArray:
        """Log-likelihoods (N, K), their mean 0, of looks that leave so much (N, K) unexplained."""
        out = -unlike / UNLIKE
        out -= out.mean(axis=1, keepdims=True)
        out[~self.shown] = 0
        return out

    def _mean(self, cards: Ints) -> Map32 | None:
        """The median (S,) of the symbols that cards (K,) show, None where no card shows one."""
        seen = self.white[cards[self.shown[cards]]]
        return np.median(seen, axis=0) if len(seen) else None


def symbol_looks(patches: Patches, visible: Map32, printed: PrintedDeck) -> SymbolLooks:
    """What cards show where the deck has their symbols, at places that show (N, P)."""
    index, inside = _square(printed.templates, printed.deck.symbol_offset_mm)
    near = inside.ravel()
    weight = patches.weight[:, index[near]] * visible[:, index[near]]
    white = patches.white[:, index].astype(np.float32) / 255
    white = np.clip(white - np.median(white[:, near], axis=1, keepdims=True), 0, None) * near
    shown = (weight.mean(axis=1) > LEAST_SHOWN) & (white.max(axis=1) > PALEST)
    drawn = _drawn(printed.templates, printed.deck.symbol_offset_mm)
    squares = [centred(one.reshape(inside.shape)) for one in white]
    flat = np.array(squares, np.float32).reshape(len(white), drawn.shape[2])
    return SymbolLooks(flat, shown, drawn)


@lru_cache(maxsize=4)
def _drawn(templates: Templates, at_mm: tuple[float, float]) -> Map32:
    """Looks (C, B, S) of all colours' symbols, less their means, of length 1."""
    index, inside = _square(templates, at_mm)
    symbols = templates.symbols[:-1, index].reshape(-1, *inside.shape) * inside
    return looks_of_symbols(symbols, TEMPLATE_DENSITY)


@lru_cache(maxsize=4)
def _square(templates: Templates, at_mm: tuple[float, float]) -> tuple[Ints, Bools]:
    """The grid's places (S,) in a square round a place, row by row, and which of them (side, side)
    lie within reach of it and on no badge.
    """
    reach = int(REACH_MM * TEMPLATE_DENSITY) + 1
    steps = np.arange(-reach, reach + 1)
    middle = int(templates.nearest(np.array([at_mm]))[0])
    index = (middle + templates.shape_hw[1] * steps[:, None] + steps).ravel()
    off = (templates.grid_mm[index] - at_mm).reshape(len(steps), len(steps), 2)
    near = np.hypot(*np.moveaxis(off, -1, 0)) <= REACH_MM
    return index, near & ~templates.badge[index].reshape(near.shape)
