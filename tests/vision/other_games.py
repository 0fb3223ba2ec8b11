"""Photographs of tables with cards of other games, drawn by code."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Rgb = tuple[int, int, int]
DENSITY = 4
"""Pixels per millimetre of what is drawn."""
TABLE_MM = (620, 460)
PICTURE_WH = (2000, 1500)
WHITE, RED, INK = (232, 234, 236), (40, 30, 190), (34, 32, 30)
BLACK = (44, 42, 40)
COLOURS = ((200, 130, 20), (60, 150, 60), (40, 140, 235), (150, 60, 220))
PIPS = {
    1: ((0, 0),), 2: ((0, -2), (0, 2)), 3: ((0, -2), (0, 0), (0, 2)),
    4: ((-1, -2), (1, -2), (-1, 2), (1, 2)),
    6: ((-1, -2), (1, -2), (-1, 0), (1, 0), (-1, 2), (1, 2)),
    8: ((-1, -2), (1, -2), (-1, 0), (1, 0), (-1, 2), (1, 2), (0, -1), (0, 1)),
}  # fmt: skip


def _blank(width_mm: float, height_mm: float, ground: Rgb) -> Image:
    card = np.full((round(height_mm * DENSITY), round(width_mm * DENSITY), 3), 255, np.uint8)
    card[:] = ground
    return card


def _at(card: Image, x_mm: float, y_mm: float) -> tuple[int, int]:
    height, width = card.shape[:2]
    return round(width / 2 + x_mm * DENSITY), round(height / 2 + y_mm * DENSITY)


def playing_card(rng: np.random.Generator) -> Image:
    """A white card with red or black pips and an index in two corners."""
    card = _blank(63, 88, WHITE)
    ink = RED if rng.random() < 0.5 else INK
    value = int(rng.choice(list(PIPS)))
    round_pips = rng.random() < 0.5
    for x, y in PIPS[value]:
        middle = _at(card, 14 * x, 14 * y)
        if round_pips:
            cv2.circle(card, middle, 5 * DENSITY, ink, cv2.FILLED, cv2.LINE_AA)
        else:
            tip = np.array([[0, -7], [5, 0], [0, 7], [-5, 0]]) * DENSITY + middle
            cv2.fillPoly(card, [tip.astype(np.int32)], ink, cv2.LINE_AA)
    for turn in (0, 1):
        card = np.ascontiguousarray(card[::-1, ::-1]) if turn else card
        cv2.putText(card, str(value), (10, 44), cv2.FONT_HERSHEY_DUPLEX, 1.4, ink, 4, cv2.LINE_AA)
    cv2.rectangle(card, (0, 0), (card.shape[1] - 1, card.shape[0] - 1), (150, 150, 150), 1)
    return card


def black_card(rng: np.random.Generator) -> Image:
    """A black card with a white border, a leaning coloured oval and a large white number."""
    card = _blank(56, 87, BLACK)
    height, width = card.shape[:2]
    colour = COLOURS[rng.integers(len(COLOURS))]
    cv2.rectangle(card, (0, 0), (width - 1, height - 1), WHITE, 2 * 3 * DENSITY)
    cv2.ellipse(card, (width // 2, height // 2), (68, 130), 25, 0, 360, colour, -1, cv2.LINE_AA)
    number = str(rng.integers(10))
    at = (width // 2 - 46, height // 2 + 50)
    cv2.putText(card, number, at, cv2.FONT_HERSHEY_DUPLEX, 4.6, WHITE, 12, cv2.LINE_AA)
    for turn in (0, 1):
        card = np.ascontiguousarray(card[::-1, ::-1]) if turn else card
        cv2.putText(card, number, (24, 60), cv2.FONT_HERSHEY_DUPLEX, 1.4, WHITE, 4, cv2.LINE_AA)
    return card


def framed_card(rng: np.random.Generator) -> Image:
    """A black card of the published size with a coloured band and a white frame: stars and rays
    inside, nothing in its middle.
    """
    card = _blank(58.2, 89, BLACK)
    height, width = card.shape[:2]
    colour = COLOURS[rng.integers(len(COLOURS))]
    cv2.rectangle(card, (0, 0), (width - 1, height - 1), colour, 2 * 3 * DENSITY)
    inset = round(3.5 * DENSITY)
    cv2.rectangle(card, (inset, inset), (width - inset, height - inset), WHITE, 3, cv2.LINE_AA)
    for _ in range(int(rng.integers(2, 6))):
        x, y = rng.uniform(-18, 18), rng.uniform(-32, 32)
        rays = np.array(
            [
                (x + r * np.cos(a), y + r * np.sin(a))
                for r, a in zip([9, 3.5] * 5, np.arange(10) * np.pi / 5, strict=True)
            ]
        )
        points = np.array([_at(card, *ray) for ray in rays], np.int32)
        cv2.fillPoly(card, [points], colour, cv2.LINE_AA)
        cv2.polylines(card, [points], True, WHITE, 2, cv2.LINE_AA)
    return card


CARDS: dict[str, Callable[[np.random.Generator], Image]] = {
    "playing cards": playing_card,
    "other black cards": black_card,
    "another art in the same frame": framed_card,
}


def table_of(kind: str, seed: int, cards: int = 30) -> Image:
    """A photograph (H, W, 3) BGR of cards of a kind, laid over one another as they come."""
    rng = np.random.default_rng(seed)
    width, height = (side * DENSITY for side in TABLE_MM)
    grain = cv2.resize(rng.normal(0, 7, (60, 9, 1)), (width, height))[..., None]
    table = np.array([72.0, 104.0, 142.0]) + grain
    for _ in range(cards):
        card = CARDS[kind](rng)
        x, y = rng.uniform(90, TABLE_MM[0] - 90), rng.uniform(80, TABLE_MM[1] - 80)
        _lay(table, card, x, y, float(rng.uniform(0, 360)))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    wide, high = PICTURE_WH
    seen = np.array(
        [[90, 60], [wide - 60, 30], [wide - 10, high - 20], [20, high - 40]], np.float32
    )
    plane = cv2.getPerspectiveTransform(corners, seen)
    picture = cv2.warpPerspective(
        table.astype(np.float32), plane, PICTURE_WH, flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 2.0, picture.shape)
    return np.asarray(np.clip(np.rint(soft), 0, 255), np.uint8)


def _lay(table: NDArray[np.float64], card: Image, x_mm: float, y_mm: float, angle: float) -> None:
    height, width = card.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle, 1.0)
    turn[:, 2] += np.array([x_mm, y_mm]) * DENSITY - [width / 2, height / 2]
    size = table.shape[1::-1]
    laid = cv2.warpAffine(card, turn, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpAffine(np.full((height, width), 255, np.uint8), turn, size)[..., None] / 255
    table[:] = table * (1 - cover) + laid * cover
