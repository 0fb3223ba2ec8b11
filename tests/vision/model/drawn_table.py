"""A table drawn straight from above, with nothing of a camera: cards on a plain ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from vision.drawing.face_art import CardSide, Part, paint, palette, rgb_of
from vision.model.table import Table, table_of
from vision.observe.observation import Observation, observe
from vision.raster import Raster
from vision.reading_config import ReadingConfig

DECK = published_deck()
CONFIG = ReadingConfig()
FINE, SIZE_MM = 8, (260, 230)
INKED = [Part.BAND, Part.FILL, Part.BADGE]
OAK = (90, 130, 170)
CARDS = (
    Card(0, DECK.starting_colour.name, DECK.starting_face.id, Pose(130.0, 110.0, 0.0)),
    Card(1, "red", "square-5", Pose(95.0, 150.0, 90.0)),
    Card(2, "blue", "circle-4", Pose(165.0, 120.0, 45.0, mirrored=True)),
    Card(3, "red", "triangle-2", Pose(60.0, 95.0, 10.0)),
    Card(4, "blue", "circle-5", Pose(195.0, 170.0, 300.0, mirrored=True)),
)
DARK = (30, 34, 28)
"""A ground about as dark as the black of cards."""
CARDS_APART = (
    Card(0, DECK.starting_colour.name, DECK.starting_face.id, Pose(215.0, 60.0, 0.0)),
    Card(1, "red", "square-5", Pose(70.0, 80.0, 0.0)),
    Card(2, "blue", "circle-4", Pose(140.0, 80.0, 0.0, mirrored=True)),
    Card(3, "red", "triangle-2", Pose(215.0, 165.0, 0.0)),
    Card(4, "blue", "circle-5", Pose(130.0, 185.0, 90.0, mirrored=True)),
)
"""Cards of which none lies on another; the ground shows 13 mm wide between two, at x = 105."""
LENS_MM = (130.0, 115.0, 1e6)
"""Far above the table: heights show nowhere."""


@dataclass(frozen=True, eq=False)
class DrawnTable:
    """A drawn picture of cards, and the table that is true."""

    raster: Raster
    table: Table
    deck: Deck = DECK

    def seen(self, config: ReadingConfig = CONFIG) -> Observation:
        """The picture as it is observed."""
        shown = np.ones(self.raster.image_bgr.shape[:2], np.bool_)
        return observe(self.raster, shown, LENS_MM, config)


def drawn_table(
    cards: Sequence[Card] = CARDS, ground: tuple[int, int, int] = OAK, noise: float = 4.0,
    pale: Mapping[int, float] = MappingProxyType({}),
    hues: Mapping[int, str] = MappingProxyType({}), deck: Deck = DECK,
) -> DrawnTable:  # fmt: skip
    """Draw cards on a plain ground, the lowest first, with noise of so many grey levels; `pale`:
    the cards whose ink has only this share of its chroma, `hues` those that have another (hex).
    """
    image = np.empty((SIZE_MM[1] * FINE, SIZE_MM[0] * FINE, 3), np.float32)
    image[:] = np.array(ground) / 255
    for card in cards:
        _lay(image, card, pale.get(card.id, 1.0), hues.get(card.id), deck)
    coarse = cv2.resize(image, None, fx=2 / FINE, fy=2 / FINE, interpolation=cv2.INTER_AREA)
    noisy = 255 * coarse + np.random.default_rng(3).normal(0, noise, coarse.shape)
    middle = (FINE / 2 - 1) / 2 / FINE
    raster = Raster(np.clip(noisy, 0, 255).astype(np.uint8), (middle, middle), 2.0, LENS_MM)
    layout = Layout(deck, tuple(cards))
    return DrawnTable(raster, table_of(layout, [0.0] * len(cards)), deck)


def relit(drawn: DrawnTable, gain: NDArray[np.float64] | float, veil: float) -> DrawnTable:
    """The same table in other light: so many times as bright, and so many grey levels more."""
    raster = drawn.raster
    image = np.clip(raster.image_bgr * np.asarray(gain) + veil, 0, 255).astype(np.uint8)
    return DrawnTable(Raster(image, raster.origin_mm, 2.0, LENS_MM), drawn.table)


def patched(
    drawn: DrawnTable, rows: slice, columns: slice, bgr: tuple[int, int, int]
) -> DrawnTable:
    """The same table with a noisy patch of another colour, over rows and columns of its picture."""
    image = drawn.raster.image_bgr.copy()
    noise = np.random.default_rng(4).normal(0, 6, image[rows, columns].shape)
    image[rows, columns] = np.clip(np.array(bgr) + noise, 0, 255).astype(np.uint8)
    return replace(drawn, raster=replace(drawn.raster, image_bgr=image))


def _lay(
    image: NDArray[np.float32], card: Card, strength: float, ink: str | None, deck: Deck
) -> None:
    """Draw a card over what lies there, its ink so strong; writes the image."""
    side = CardSide(card.face, card.colour, card.pose.mirrored)
    white = (0.9, 0.9, 0.88)
    colours = palette(deck, card.colour, white=white, ink=rgb_of(ink) if ink else None)
    grey = colours[Part.BAND].mean()
    colours[INKED] = grey + strength * (colours[INKED] - grey)
    start = card.face == deck.starting_face.id
    if start:
        colours[2] = colours[1]
    rgba = paint(deck, side, FINE, colours)
    height, width = rgba.shape[:2]
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    angle = np.deg2rad(card.pose.angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    at = np.array([card.pose.x_mm, card.pose.y_mm]) * FINE - turn @ middle
    matrix = np.column_stack([turn, at])
    over = cv2.warpAffine(rgba, matrix, image.shape[1::-1], flags=cv2.INTER_LINEAR)
    image *= 1 - over[..., 3:]
    image += over[..., 2::-1]
