"""The deck's own badges, as white as they are drawn, and the patch of a card that they lie in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.face_art import CardSide, Part, face_labels
from vision.reading_config import ReadingConfig

FINE = 8
"""Pixels a mm that badges are drawn with."""
SIZES = np.arange(0.65, 1.15, 0.05)
"""Badges of other printings over the deck's own."""


@dataclass(frozen=True, eq=False)
class BadgeArt:
    """The deck's badges in a disc round a card's middle, P places of the drawn grid, row by row:
    turned by 180 degrees the disc is the same in reverse.

    `own` (Z, F, P) is how white (0 to 1) each of the F `faces` has its badge, the right way up, in
    each of the `SIZES`. `groups` (F, 3) numbers the suit, the value and the face of each, one count
    for all. `either_way` (F,): some colours have it half turned. `places` (P, 2) are
    the disc's rows and columns from the middle of the drawn grid. A card is looked at twice as
    finely, on a square of `side` places: `windows` (S, P) are the disc's in it, a bit off each way.
    """

    faces: tuple[str, ...]
    own: Map32
    groups: Ints
    either_way: Bools
    places: Ints
    side: int
    windows: Ints


@lru_cache(maxsize=4)
def badge_art(deck: Deck, config: ReadingConfig) -> BadgeArt:
    """Draw all badges of a deck."""
    half, off = (
        round(config.badge_mm * config.density),
        round(config.badge_off_mm * 2 * config.density),
    )
    ticks = np.arange(-half, half + 1)
    rows, columns = (axis.reshape(-1) for axis in np.meshgrid(ticks, ticks, indexing="ij"))
    inside = np.hypot(rows, columns) <= config.badge_mm * config.density
    places = np.stack([rows[inside], columns[inside]], axis=1)
    middle = 2 * half + off
    side = 2 * middle + 1
    moves = np.arange(-off, off + 1)
    down, right = (axis.reshape(-1, 1) for axis in np.meshgrid(moves, moves, indexing="ij"))
    windows = (middle + 2 * places[:, 0] + down) * side + middle + 2 * places[:, 1] + right
    faces = tuple(face.id for face in deck.faces)
    own = np.stack([_own(deck, faces, places / config.density / size, config) for size in SIZES])
    suits = np.unique([face.suit for face in deck.faces], return_inverse=True)[1]
    values = np.unique([face.value for face in deck.faces], return_inverse=True)[1]
    groups = np.stack([suits, values, np.arange(len(faces))], axis=1)
    groups[:, 1] += suits.max() + 1
    groups[:, 2] += groups[:, 1].max() + 1
    either_way = np.array([face in deck.either_way for face in faces])
    return BadgeArt(faces, own, groups, either_way, places, side, windows)


def _own(
    deck: Deck, faces: tuple[str, ...], at_mm: FloatArray, config: ReadingConfig
) -> Map32:  # fmt: skip
    """How white (F, P) faces are at some places (P, 2: down, right) of a card."""
    out = []
    for face in faces:
        labels = face_labels(deck, CardSide(face, deck.colours[0].name), FINE)
        white = (labels == Part.MARK).astype(np.float32)
        middle = (np.array(labels.shape) - 1) / 2
        rows, columns = np.indices(labels.shape) - middle[:, None, None]
        across, along = np.array(deck.symbol_offset_mm) * FINE
        white[np.hypot(columns - across, rows - along) < config.symbol_mm * FINE] = 0
        white = cv2.GaussianBlur(white, (0, 0), FINE / config.density / 2)
        down, right = (at_mm * FINE + middle).T.astype(np.float32)
        out.append(cv2.remap(white, right[None], down[None], cv2.INTER_LINEAR)[0])
    return np.array(out)
