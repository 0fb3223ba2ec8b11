"""Which colours' symbols the cards of one ink show.

A printing may draw the deck's symbols turned, larger, bolder or a millimetre off their place, and
one card's is a smear of a dozen places; the median of an ink's cards is plain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.face_art import CardSide, Part, face_labels
from vision.drawing.symbol_art import centred, looks_of_symbols, unlike_symbols
from vision.model.drawing import FINE, DrawnFaces
from vision.model.score import TableScore
from vision.model.table import PlacedCard, Table
from vision.observe.observation import FULL_WHITE
from vision.reading_config import ReadingConfig

SHOWS, PALEST = 0.8, 0.15
"""A card shows a symbol where so much of what lies round it is seen, and some is so white."""


@dataclass(frozen=True, eq=False)
class SymbolArt:
    """The symbols of a deck's C colours, on squares of (side, side) places of the drawn grid whose
    middle is the symbol's.

    `looks` (C, B, S) are so many looks of each, less their means, of length 1. `near` (side, side)
    is where nothing but a symbol is drawn, wherever a printing has it. `at_mm` (S, 2) is where the
    square lies on the front of a card, the right way up.
    """

    looks: Map32
    near: Bools
    at_mm: FloatArray


@lru_cache(maxsize=4)
def symbol_art(deck: Deck, config: ReadingConfig) -> SymbolArt:
    """Draw the symbols of a deck's colours."""
    reach = int(config.symbol_reach_mm * config.density) + 1
    ticks = np.arange(-reach, reach + 1) / config.density
    offset = np.stack(np.meshgrid(ticks, ticks), axis=-1)
    middle = np.rint(np.array(deck.symbol_offset_mm) * config.density) / config.density
    at_mm = offset + middle
    near = np.hypot(*np.moveaxis(at_mm - deck.symbol_offset_mm, -1, 0)) <= config.symbol_reach_mm
    near &= np.hypot(*np.moveaxis(at_mm, -1, 0)) > config.mark_mm
    symbols = [_symbol(deck, colour.name, at_mm, config) * near for colour in deck.colours]
    looks = looks_of_symbols(np.array(symbols, np.float32), config.density)
    return SymbolArt(looks, near, at_mm.reshape(-1, 2))


def _symbol(deck: Deck, colour: str, at_mm: FloatArray, config: ReadingConfig) -> Map32:
    """How white one colour's symbol is (side, side) at places (side, side, 2) of a card."""
    labels = face_labels(deck, CardSide(deck.faces[0].id, colour), FINE)
    white = cv2.GaussianBlur(
        (labels == Part.MARK).astype(np.float32), (0, 0), FINE / config.density / 2
    )
    x, y = np.moveaxis(at_mm * FINE + (np.array(labels.shape[::-1]) - 1) / 2, -1, 0)
    drawn = cv2.remap(white, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(drawn, np.float32)


def symbols_tell(score: TableScore, table: Table, deck: Deck) -> Mapping[str, FloatArray]:
    """For each ink how much (C,) less likely the symbol that its cards show is as each colour's
    than as the likeliest one's, nats, 0 or less. Inks are lacking of which no card shows one.
    """
    art = symbol_art(deck, score.config)
    shown = score.prints.shown(table)
    seen: dict[str, list[Map32]] = {}
    for card in table.cards:
        if card.ink is not None:
            window = _window(score, card, shown[card.id], art)
            if window is not None:
                seen.setdefault(card.ink, []).append(window)
    return {
        ink: _told(np.median(windows, axis=0), art, score.config) for ink, windows in seen.items()
    }


def _told(mean: Map32, art: SymbolArt, config: ReadingConfig) -> FloatArray:
    """How likely (C,) a symbol (S,) is as each colour's, nats, 0 at best."""
    # Some printings have it on its head.
    unlike = unlike_symbols(np.stack([mean, mean[::-1]]), art.looks).min(axis=0)
    return np.asarray((unlike.min() - unlike) / config.symbol_unlike)


def _window(score: TableScore, card: PlacedCard, shows: Bools, art: SymbolArt) -> Map32 | None:
    """How white (S,) a card is round its symbol, as if it lay with its front up, its white in the
    middle; None where it shows none.
    """
    seen, taken = score.seen, score.prints.of(card.place)
    way = -1.0 if card.hypothesis.turned else 1.0
    at_mm = art.at_mm * [-way if card.hypothesis.mirrored else way, way]
    visible = np.zeros(len(score.faces.covers), np.bool_)
    visible[taken.on[shows]] = True
    if visible[_on_grid(at_mm, score.faces)][art.near.reshape(-1)].mean() < SHOWS:
        return None
    at = card.place.pose.to_table(at_mm)
    eye, high = np.array(seen.lens_mm[:2]), seen.lens_mm[2]
    at = eye + (at - eye) * high / (high - card.place.height_mm)
    x, y = ((at - seen.origin_mm) * seen.density).T.astype(np.float32)
    white = cv2.remap(seen.white, x[None], y[None], cv2.INTER_LINEAR)[0].astype(np.float32)
    white /= FULL_WHITE
    white = np.clip(white - np.median(white[art.near.reshape(-1)]), 0, None)
    square = np.asarray(white.reshape(art.near.shape) * art.near, np.float32)
    return centred(square).reshape(-1) if square.max() > PALEST else None


def _on_grid(at_mm: FloatArray, faces: DrawnFaces) -> Ints:
    """Which places of the drawn grid lie at points (S, 2) of a card."""
    rows, columns = faces.shape_hw
    x, y = np.rint(at_mm * faces.density).astype(np.int64).T
    return np.asarray((y + rows // 2) * columns + x + columns // 2, np.int64)
