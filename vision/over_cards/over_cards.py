"""Something over the cards: found in a picture of a table whose cards are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints
from vision.cores import Meanwhile
from vision.over_cards.known_cards import Image8, KnownCard, draw_known
from vision.over_cards.regions import hidden_parts
from vision.over_cards.table_looks import table_colours, table_looks
from vision.over_cards.touching import may_touch, touching_parts
from vision.over_cards.witness import ask
from vision.raster import Raster, rectify
from vision.view import TableView

DENSITY = 2.0
"""Pixels per mm of the map that is looked at: a line is two of them wide."""
AROUND_MM = 60.0
"""What lies so far beyond the cards is looked at."""
SHOWN_STEP = 8
"""On every so manieth pixel of the map it is asked whether the photograph reaches there."""
WHOLLY = 0.999


@dataclass(frozen=True, eq=False)
class OverCards:
    """Where something lies over the cards: its outline (K, 2), in the picture and on the table
    plane, a place of it in the picture, and the indices of the cards that it hides in part.
    """

    outline_px: FloatArray
    outline_mm: FloatArray
    middle_px: tuple[float, float]
    cards: frozenset[int]


def find_over_cards(
    image_bgr: Image8, view: TableView, cards: Sequence[KnownCard], deck: Deck
) -> tuple[OverCards, ...]:
    """What lies over cards that are known, the lowest first, in a picture (H, W, 3).

    `view`: how the camera sees the plane in which the cards lie. Nothing is found where no card is
    known; nothing is said of cards outside the picture.
    """
    if not cards:
        return ()
    corners = np.concatenate([card.outline_px for card in cards])
    corners_mm = view.to_mm(corners)
    box = np.concatenate([corners_mm.min(axis=0) - AROUND_MM, corners_mm.max(axis=0) + AROUND_MM])
    if not np.isfinite(box).all():
        return ()
    raster = rectify(image_bgr, view, box, DENSITY)
    outlines = raster.to_raster(corners_mm).reshape(-1, 4, 2)
    drawing = draw_known(cards, outlines, deck, raster.image_bgr.shape[:2], DENSITY)
    shown = _shown(raster, view, image_bgr.shape[:2])
    meanwhile = Meanwhile(partial(_touching, raster.image_bgr, shown, drawing.on_card))
    witness = ask(raster.image_bgr, shown, drawing, _inks(cards, deck), DENSITY)
    touching = meanwhile.result()
    found = []
    for part in hidden_parts(drawing, witness, touching, DENSITY):
        outline_mm = raster.to_mm(part.outline)
        middle = view.to_px(raster.to_mm(part.middle[None]))[0]
        at_px = float(middle[0]), float(middle[1])
        found.append(OverCards(view.to_px(outline_mm), outline_mm, at_px, part.cards))
    return tuple(found)


def _touching(picture_bgr: Image8, shown: Bools, on_card: Bools) -> Bools:
    """Where (H, W), beside the cards, something shows that touches them."""
    colours = table_colours(picture_bgr, shown, on_card, DENSITY)
    if colours is None or not may_touch(colours):
        return np.zeros(on_card.shape, np.bool_)
    looks = table_looks(colours, picture_bgr, shown, on_card, DENSITY)
    return touching_parts(looks, shown, on_card, DENSITY)


def _shown(raster: Raster, view: TableView, photo_hw: tuple[int, ...]) -> Bools:
    """Where (H, W) the photograph reaches: all four of the nearest points that are looked at."""
    height, width = raster.image_bgr.shape[:2]
    columns = np.linspace(0, width - 1, max(2, width // SHOWN_STEP))
    rows = np.linspace(0, height - 1, max(2, height // SHOWN_STEP))
    points = np.stack(np.meshgrid(columns, rows), axis=-1)
    px = view.to_px(raster.to_mm(points.reshape(-1, 2)))
    inside = ((px >= 0) & (px <= np.array(photo_hw[::-1]) - 1.0)).all(axis=1)
    coarse = inside.reshape(points.shape[:2]).astype(np.float32)
    fine = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine > WHOLLY)


def _inks(cards: Sequence[KnownCard], deck: Deck) -> Ints:
    """The number (N,) of each card's colour; -1 for the starting card, which printings draw in
    their own ways.
    """
    names = [colour.name for colour in deck.colours]
    return np.array([names.index(c.colour) if c.colour in names else -1 for c in cards], np.int64)
