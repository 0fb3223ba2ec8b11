"""Flat things that are no cards of ours: other games' cards, paper, newspaper."""

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.camera.camera import FloatArray
from simulator.camera.canvas import Image, Sheet
from simulator.lighting.light import to_linear

_PX_PER_MM = 6.0


def flat_thing(rng: np.random.Generator, name: str, at_mm: FloatArray) -> Sheet:
    """A flat thing by name, turned any way, with its middle at a point of the table."""
    pictures = {
        "other cards": other_card,
        "paper": _paper,
        "dotted paper": _dotted_paper,
        "newspaper": newspaper,
    }
    picture = pictures[name](rng)
    cover = np.ones(picture.shape[:2], dtype=np.float32)
    if name == "other cards":
        cover = _rounded(picture.shape[:2], 3.0 * _PX_PER_MM)
    texture = np.dstack([picture * cover[..., None], cover])
    angle = float(rng.uniform(0, 360))
    return Sheet(texture, _PX_PER_MM, float(at_mm[0]), float(at_mm[1]), angle, 0.3)


def other_card_over(rng: np.random.Generator, at_mm: FloatArray) -> Sheet:
    """A card of another game lying over something, with its middle a little beside a point."""
    way = float(rng.uniform(0, 2 * np.pi))
    beside = 36 * np.array([np.cos(way), np.sin(way)])
    return flat_thing(rng, "other cards", at_mm + beside)


def _canvas(width_mm: float, height_mm: float, tone: NDArray[np.floating]) -> NDArray[np.uint8]:
    size = (round(height_mm * _PX_PER_MM), round(width_mm * _PX_PER_MM), 3)
    return np.full(size, np.round(np.asarray(tone) * 255), dtype=np.uint8)


def _linear(picture: NDArray[np.uint8]) -> Image:
    table = to_linear(np.arange(256) / 255).astype(np.float32)
    return np.asarray(table[picture])


def _rounded(shape: tuple[int, int], radius: float) -> Image:
    height, width = shape
    y, x = np.mgrid[:height, :width].astype(np.float32)
    dx = np.maximum(np.abs(x - (width - 1) / 2) - (width / 2 - radius), 0)
    dy = np.maximum(np.abs(y - (height - 1) / 2) - (height / 2 - radius), 0)
    return np.asarray(np.clip(radius - np.hypot(dx, dy) + 0.5, 0, 1), dtype=np.float32)


def other_card(rng: np.random.Generator) -> Image:
    """A card of another game: light or dark, with a border, discs and figures."""
    dark = rng.random() < 0.5
    ground = rng.uniform(0.05, 0.25, 3) if dark else rng.uniform(0.75, 0.95, 3)
    picture = _canvas(57.0, 88.0, ground)
    height, width = picture.shape[:2]
    ink = rng.uniform(0.1, 0.95, 3) * 255
    inset = int(rng.uniform(2, 5) * _PX_PER_MM)
    corner = (width - inset, height - inset)
    cv2.rectangle(picture, (inset, inset), corner, ink.tolist(), int(rng.integers(3, 24)))
    for _ in range(int(rng.integers(1, 8))):
        at = (int(rng.uniform(0.2, 0.8) * width), int(rng.uniform(0.15, 0.85) * height))
        pale = [235.0] * 3 if rng.random() < 0.5 else (rng.uniform(0, 1, 3) * 255).tolist()
        radius = int(rng.uniform(1.5, 9) * _PX_PER_MM)
        cv2.circle(picture, at, radius, pale, -1, cv2.LINE_AA)
    text = str(rng.choice(["7", "A", "K", "Q", "12", "+2", "5"]))
    cv2.putText(picture, text, (width // 3, height // 2), cv2.FONT_HERSHEY_DUPLEX,
                float(rng.uniform(2, 5)), ink.tolist(), 6, cv2.LINE_AA)  # fmt: skip
    return _linear(picture)


def _paper(rng: np.random.Generator) -> Image:
    """A score pad with writing."""
    picture = _canvas(105.0, 148.0, rng.uniform(0.85, 0.97, 3))
    height, width = picture.shape[:2]
    pen = (rng.uniform(0, 0.5, 3) * 255).tolist()
    for y in range(60, height - 30, 48):
        cv2.line(picture, (20, y), (width - 20, y), (190, 200, 215), 1)
        if rng.random() < 0.7:
            text = " ".join(str(n) for n in rng.integers(0, 60, 4))
            at = (30, y - 8)
            cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 1.3, pen, 3)
    return _linear(picture)


def _dotted_paper(rng: np.random.Generator) -> Image:
    """Coloured paper with white dots of a card dot's size."""
    picture = _canvas(100.0, 100.0, rng.uniform(0.05, 0.8, 3))
    return _linear(_with_dots(rng, picture, float(rng.uniform(7, 14)), _PX_PER_MM))


def _with_dots(
    rng: np.random.Generator, picture: NDArray[np.uint8], step_mm: float, px_per_mm: float
) -> NDArray[np.uint8]:
    height, width = picture.shape[:2]
    columns, rows = (max(1, round(n / (step_mm * px_per_mm))) for n in (width, height))
    radius = float(rng.uniform(1.6, 2.6)) * px_per_mm
    for row in range(rows):
        for column in range(columns):
            shift = 0.25 if row % 2 else 0.75
            at = ((column + shift) * width / columns, (row + 0.5) * height / rows)
            fixed = (round(at[0] * 16), round(at[1] * 16))
            cv2.circle(picture, fixed, round(radius * 16), (236, 236, 232), -1, cv2.LINE_AA, 4)
    return picture


def newspaper(rng: np.random.Generator, side_mm: float = 170.0, px_per_mm: float = 6.0) -> Image:
    """Columns of text, headlines, and dark boxes with white dots."""
    side = round(side_mm * px_per_mm)
    picture = np.full((side, side, 3), (226, 224, 216), dtype=np.uint8)
    column = side // 3
    for left in range(0, side - column // 2, column):
        _column(rng, picture, left, min(column, side - left), px_per_mm)
    return _linear(picture)


def _column(
    rng: np.random.Generator, picture: NDArray[np.uint8], left: int, width: int, scale: float
) -> None:
    side = picture.shape[0]
    edge, y = round(2 * scale), round(2 * scale)
    while y < side - round(4 * scale):
        kind = rng.random()
        if kind < 0.06:
            tall = min(round(rng.uniform(15, 35) * scale), side - y)
            box = picture[y : y + tall, left + edge : left + width - edge]
            box[:] = rng.uniform(0, 180, 3)
            if rng.random() < 0.7:
                _with_dots(rng, box, float(rng.uniform(8, 14)), scale)
            y += tall + edge
        elif kind < 0.12:
            words = str(rng.choice(["NEWS", "ROUND", "TODAY", "1 2 3", "OOOO"]))
            at = (left + edge, y + round(7 * scale))
            cv2.putText(picture, words, at, cv2.FONT_HERSHEY_TRIPLEX, 0.27 * scale, (25,) * 3, 3)
            y += round(10 * scale)
        else:
            x = left + edge
            while x < left + width - edge:
                word = round(rng.uniform(2, 8) * scale)
                end = min(x + word, left + width - edge)
                picture[y : y + round(1.3 * scale), x:end] = rng.uniform(60, 150)
                x += word + round(1.2 * scale)
            y += round(2.9 * scale)
