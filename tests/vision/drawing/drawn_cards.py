"""Drawn cards and the evidence that they give."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from tests.decks import OLDER_DECK
from tests.vision.drawing.rasters import seen_mm_to_raster
from vision.drawing.face_art import CardSide, paint, palette
from vision.drawing.pose_fit import turns
from vision.evidence import Evidence, observe
from vision.raster import Raster

FloatArray = NDArray[np.float64]
DECK = OLDER_DECK
DENSITY = 2.4
ORIGIN_MM = (-30.0, 12.0)
GROUND = 0.55


@dataclass(frozen=True)
class DrawnCard:
    """A card at (x mm, y mm, radians) on the drawn table, drawn larger where it lies high."""

    face: str
    colour: str
    pose: tuple[float, float, float]
    mirrored: bool = False
    scale: float = 1.0


def drawn_evidence(
    *bottom_up: DrawnCard, size_mm: tuple[int, int] = (200, 160), deck: Deck = DECK
) -> Evidence:
    """What a perfectly flat, grey table with these cards looks like from straight above."""
    finer = 3
    density = DENSITY * finer
    width, height = (round(side * density) // finer * finer for side in size_mm)
    canvas = np.full((height, width, 3), GROUND, np.float32)
    for card in bottom_up:
        side = CardSide(card.face, card.colour, card.mirrored)
        rgba = paint(deck, side, density, palette(deck, card.colour))
        _lay(canvas, rgba, _to_canvas(card, density))
    small = cv2.resize(canvas, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 0.25 * DENSITY)
    image = np.asarray(np.rint(np.clip(small, 0.02, 1) * 235), np.uint8)
    return observe(Raster(image, ORIGIN_MM, DENSITY))


def _lay(canvas: NDArray[np.float32], rgba: NDArray[np.float32], to_canvas: FloatArray) -> None:
    """Draw a card's picture onto the part of the canvas that it covers, in place."""
    high, wide = rgba.shape[:2]
    corners = np.array([[0, 0, 1], [wide, 0, 1], [wide, high, 1], [0, high, 1]]) @ to_canvas.T
    size = np.array(canvas.shape[1::-1])
    low = np.clip(np.floor(corners.min(axis=0)).astype(int) - 1, 0, size)
    top = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 2, 0, size)
    if (low >= top).any():
        return
    shifted = to_canvas.copy()
    shifted[:, 2] -= low
    drawn = cv2.warpAffine(rgba, shifted, (top - low).tolist())
    part = canvas[low[1] : top[1], low[0] : top[0]]
    part[...] = part * (1 - drawn[..., 3:]) + drawn[..., 2::-1]


def _to_canvas(card: DrawnCard, density: float) -> FloatArray:
    x, y, angle = card.pose
    turn = turns(np.array([angle]))[0] * density * card.scale
    # Pixel (0, 0) of the picture that is left after averaging 3 x 3 has its middle one further in.
    shift = (np.array([x, y]) - ORIGIN_MM) * density + 1
    onto = np.vstack([np.column_stack([turn, shift]), [0, 0, 1]])
    own = np.vstack([seen_mm_to_raster(DECK, density), [0, 0, 1]])
    return np.asarray((onto @ np.linalg.inv(own))[:2])


def off(pose: FloatArray, card: DrawnCard) -> tuple[float, float]:
    """How far a pose is from the card's, in mm and degrees, up to half a turn."""
    x, y, angle = card.pose
    turned = np.rad2deg(np.arcsin(np.sin(pose[2] - angle)))
    return float(np.hypot(pose[0] - x, pose[1] - y)), float(abs(turned))


CARD = DrawnCard("circle-4", "green", (62.0, 81.0, 0.3))
