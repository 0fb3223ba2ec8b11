"""Cards that show the symbols of a deck's colours, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from geometry.deck import Deck
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import draw_templates
from vision.naming.faces import Patches
from vision.naming.symbols import SymbolLooks, symbol_looks


def looks_of(cards: Sequence[Mapping[str, float]], deck: Deck) -> SymbolLooks:
    """What cards show of which each has so much of some colours' symbols, or none."""
    templates = draw_templates(deck)
    pixels = np.zeros((len(cards), len(templates.grid_mm), 4), np.uint8)
    for card, shares in zip(pixels, cards, strict=True):
        for name, share in shares.items():
            symbol = templates.symbols[templates.colours.index(name)]
            card[:, 3] += np.rint(255 * share * np.where(templates.symbol, symbol, 0)).astype("u1")
    shown = np.ones(pixels.shape[:2], np.float32)
    return symbol_looks(Patches(pixels, shown), shown, PrintedDeck(deck, templates))
