"""The game's printed rules lying open: text, and pictures of cards that are no cards."""

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.camera.canvas import Image, Sheet
from simulator.cards.card_art import Side, paint_face
from simulator.lighting.light import to_linear
from simulator.tabletop.sheets import CardPrint, colours_of_parts

_PX_PER_MM = 5.0
_PAPER = 0.72


def rulebook(rng: np.random.Generator, prints: CardPrint) -> Sheet:
    """An open rulebook with its middle at the table's origin, turned any way."""
    wide, high = float(rng.uniform(90, 150)), float(rng.uniform(130, 210))
    pages = [_page(rng, prints, wide, high) for _ in range(2)]
    page = np.concatenate(pages, axis=1)
    fold = np.abs(np.arange(page.shape[1]) - page.shape[1] / 2) / _PX_PER_MM
    page *= (1 - 0.35 * np.exp(-fold / 5))[None, :, None].astype(np.float32)
    texture = np.dstack([page, np.ones(page.shape[:2], dtype=np.float32)])
    angle = float(rng.uniform(0, 360))
    return Sheet(texture, _PX_PER_MM, 0.0, 0.0, angle, 1.0)


def _page(rng: np.random.Generator, prints: CardPrint, wide_mm: float, high_mm: float) -> Image:
    size = (round(high_mm * _PX_PER_MM), round(wide_mm * _PX_PER_MM), 3)
    page = np.full(size, _PAPER, dtype=np.float32)
    if rng.random() < 0.2:
        page *= to_linear(rng.uniform(0.1, 0.9, 3))
    edge, y = 8 * _PX_PER_MM, 8 * _PX_PER_MM
    title = str(rng.choice(["RULES", "SET-UP", "SCORING", "PLAY"]))
    at = (round(edge), round(y + 30))
    ink = np.zeros(size[:2], dtype=np.uint8)
    cv2.putText(ink, title, at, cv2.FONT_HERSHEY_DUPLEX, 1.1, 255, 2, cv2.LINE_AA)
    page *= 1 - (ink[..., None] / np.float32(265))
    y += 10 * _PX_PER_MM
    while y < size[0] - edge:
        if rng.random() < 0.12:
            y += _figure(rng, page, prints, round(y)) + 3 * _PX_PER_MM
        else:
            _line_of_text(rng, page, round(y), round(edge))
            y += 3.6 * _PX_PER_MM
    return page


def _line_of_text(rng: np.random.Generator, page: Image, y: int, edge: int) -> None:
    x, last = edge, page.shape[1] - edge
    while x < last:
        word = round(rng.uniform(3, 11) * _PX_PER_MM)
        page[y : y + round(1.5 * _PX_PER_MM), x : min(x + word, last)] *= 0.35
        x += word + round(1.4 * _PX_PER_MM)


def _figure(rng: np.random.Generator, page: Image, prints: CardPrint, top: int) -> float:
    """A row of small cards, some over one another; returns its height in pixels."""
    scale = float(rng.uniform(0.25, 0.5))
    high = prints.deck.card.height_mm * scale * _PX_PER_MM
    if top + high > page.shape[0] - 3 * _PX_PER_MM:
        return 0.0
    x = rng.uniform(8, 16) * _PX_PER_MM
    while x < page.shape[1] - 45 * scale * _PX_PER_MM - 6 * _PX_PER_MM:
        small = _small_card(rng, prints, scale * _PX_PER_MM)
        _put(page, small, top, round(x))
        x += small.shape[1] * float(rng.choice([0.75, 1.15, 1.6]))
    return high


def _small_card(rng: np.random.Generator, prints: CardPrint, px_per_mm: float) -> Image:
    deck = prints.deck
    face = deck.faces[int(rng.integers(len(deck.faces)))]
    colour = deck.colours[int(rng.integers(len(deck.colours)))].name
    colours = colours_of_parts(prints, colour, 0.04, 1.0)
    return paint_face(deck, prints.printing, Side(face, colour), px_per_mm, colours)


def _put(page: Image, card: NDArray[np.float32], top: int, left: int) -> None:
    high = min(card.shape[0], page.shape[0] - top)
    wide = min(card.shape[1], page.shape[1] - left)
    area = page[top : top + high, left : left + wide]
    part = card[:high, :wide]
    area *= 1 - part[..., 3:]
    area += part[..., :3] * np.float32(0.93)
