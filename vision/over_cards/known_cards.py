"""What the picture should show where cards are known: each place's part, and whose it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize, Deck
from vision.arrays import Bools, FloatArray
from vision.drawing.face_art import CardSide, face_labels

Image8 = NDArray[np.uint8]
Owners = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class KnownCard:
    """A card that is known to lie there. `outline_px` (4, 2): where its corners, as if not rounded,
    are in the picture, in the order top left, top right, bottom right, bottom left of the front.
    """

    face: str
    colour: str
    mirrored: bool
    outline_px: FloatArray


@dataclass(frozen=True, eq=False)
class Drawing:
    """A map (H, W) of what known cards draw: `part`, a `Part` (0 beside the cards), and `owner`,
    the index plus 1 of the card that shows there.
    """

    part: Image8
    owner: Owners

    @property
    def on_card(self) -> Bools:
        """Where (H, W) a card lies."""
        return self.owner > 0


def draw_known(
    cards: Sequence[KnownCard], outlines: FloatArray, deck: Deck, map_hw: tuple[int, int],
    density: float,
) -> Drawing:  # fmt: skip
    """Draw cards, the lowest first, with their corners at `outlines` (N, 4, 2), pixels of a map of
    `density` px per mm.
    """
    part, owner = np.zeros(map_hw, np.uint8), np.zeros(map_hw, np.int16)
    for index, (card, outline) in enumerate(zip(cards, outlines, strict=True)):
        if not np.isfinite(outline).all():
            continue
        low = np.maximum(np.floor(outline.min(axis=0)) - 1, 0).astype(int)
        high = np.minimum(np.ceil(outline.max(axis=0)) + 2, map_hw[::-1]).astype(int)
        if (high <= low).any():
            continue
        seen = _drawn(card, outline - low, deck, (high - low).tolist(), density)
        box = slice(low[1], high[1]), slice(low[0], high[0])
        np.copyto(part[box], seen, where=seen > 0)
        np.copyto(owner[box], np.int16(index + 1), where=seen > 0)
    return Drawing(part, owner)


def _drawn(
    card: KnownCard, outline: FloatArray, deck: Deck, size_wh: list[int], density: float
) -> Image8:
    """A card's parts on a map of so many pixels, its corners at `outline` (4, 2)."""
    labels = face_labels(deck, CardSide(card.face, card.colour, card.mirrored), density)
    ends = front_corners(deck.card) * density + (np.array(labels.shape[::-1]) - 1) / 2
    if card.mirrored:  # it is drawn as it lies, and its front's left corners then lie right
        ends = ends[[1, 0, 3, 2]]
    to_map = cv2.getPerspectiveTransform(
        np.asarray(ends, np.float32), np.asarray(outline, np.float32)
    )
    width, height = size_wh
    warped = cv2.warpPerspective(labels, to_map, (width, height), flags=cv2.INTER_NEAREST)
    return np.asarray(warped, np.uint8)


def front_corners(card: CardSize) -> FloatArray:
    """A card's corners (4, 2), mm from its middle, in the order of a known card's outline."""
    x, y = card.width_mm / 2, card.height_mm / 2
    return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
