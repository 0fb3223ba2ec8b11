"""Our own plain drawing of a card face, as labels and as a raster.

A raster shows the card as it lies, seen from above: x right, y down, the
card's middle in the middle of the raster. A mirrored card is drawn with its
shapes, dots and symbol mirrored and its digit readable, as it is printed.
Pixel centres are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from geometry.deck import Badges, Colour, Deck, Face, Point, Suit

Labels = NDArray[np.uint8]
Rgb = tuple[float, float, float]

_SHIFT = 8
_TOUCHED_PX = 0.8
_AROUND = np.arange(48) * np.pi / 24
_CIRCLE = np.column_stack([np.cos(_AROUND), np.sin(_AROUND)])
_BADGE_RIM = 0.085
_DIGIT_HEIGHT = 0.56
_DIGIT_WIDTH = 1.12
_TRIANGLE_DIGIT_DROP = 0.105


class Part(IntEnum):
    """What a point of a card is. OUTSIDE is not on the card at all."""

    OUTSIDE = 0
    BLACK = 1
    BAND = 2
    FILL = 3
    LINE = 4
    DOT = 5
    BADGE = 6
    MARK = 7
    """White marks that are no line and no dot: the badge's rim, the digit, the symbol."""


class CardSide(NamedTuple):
    """What a card shows: a face's id, a colour's name, and whether it lies `mirrored`.

    `mirror_symbol` says whether this printing mirrors the symbol on mirrored cards, `half_turned`
    whether the card is turned by 180 degrees: edges in the middle of a pixel go one way.
    """

    face: str
    colour: str
    mirrored: bool = False
    mirror_symbol: bool = True
    half_turned: bool = False


# Digits as strokes of (x, y, width) in units of the digit's height, drawn by us.
_Stroke = tuple[tuple[float, float, float], ...]
_SIX: tuple[_Stroke, ...] = (
    ((0.2, -0.34, 0.15), (0.12, -0.44, 0.1), (0.0, -0.455, 0.09), (-0.13, -0.38, 0.14),
     (-0.2, -0.2, 0.18), (-0.22, 0.05, 0.2), (-0.19, 0.28, 0.18), (-0.08, 0.44, 0.1),
     (0.03, 0.455, 0.09), (0.16, 0.36, 0.16), (0.21, 0.18, 0.19), (0.15, 0.0, 0.15),
     (0.03, -0.08, 0.09), (-0.1, -0.03, 0.08), (-0.19, 0.08, 0.08)),
)  # fmt: skip
_DIGITS: Mapping[str, tuple[_Stroke, ...]] = {
    "0": (
        ((0.0, -0.455, 0.09), (0.14, -0.36, 0.16), (0.2, -0.15, 0.2), (0.2, 0.15, 0.2),
         (0.14, 0.36, 0.16), (0.0, 0.455, 0.09), (-0.14, 0.36, 0.16), (-0.2, 0.15, 0.2),
         (-0.2, -0.15, 0.2), (-0.14, -0.36, 0.16), (0.0, -0.455, 0.09)),
    ),
    "1": (
        ((0.03, -0.4, 0.19), (0.03, 0.42, 0.19)),
        ((-0.23, 0.45, 0.1), (0.28, 0.45, 0.1)),
        ((-0.22, -0.37, 0.1), (-0.06, -0.43, 0.12), (0.05, -0.44, 0.12)),
    ),
    "2": (
        ((-0.23, -0.26, 0.15), (-0.2, -0.38, 0.1), (-0.08, -0.45, 0.09), (0.06, -0.44, 0.12),
         (0.17, -0.34, 0.18), (0.18, -0.2, 0.2), (0.1, -0.04, 0.16), (-0.04, 0.12, 0.12),
         (-0.18, 0.26, 0.1), (-0.25, 0.38, 0.1)),
        ((-0.22, 0.41, 0.18), (0.2, 0.41, 0.18)),
        ((0.25, 0.45, 0.1), (0.28, 0.24, 0.09)),
    ),
    "3": (
        ((-0.22, -0.3, 0.15), (-0.16, -0.42, 0.1), (0.0, -0.455, 0.09), (0.13, -0.39, 0.16),
         (0.17, -0.25, 0.19), (0.12, -0.1, 0.14), (0.0, -0.03, 0.09), (-0.08, -0.03, 0.09)),
        ((-0.02, -0.03, 0.09), (0.14, 0.04, 0.14), (0.2, 0.2, 0.2), (0.14, 0.38, 0.16),
         (0.0, 0.455, 0.09), (-0.16, 0.43, 0.11), (-0.24, 0.3, 0.15)),
    ),
    "4": (
        ((0.09, -0.4, 0.19), (0.09, 0.42, 0.19)),
        ((0.05, -0.43, 0.1), (-0.28, 0.18, 0.09)),
        ((-0.28, 0.2, 0.1), (0.29, 0.2, 0.1)),
        ((-0.1, 0.455, 0.09), (0.26, 0.455, 0.09)),
    ),
    "5": (
        ((-0.14, -0.42, 0.15), (0.19, -0.42, 0.15)),
        ((-0.19, -0.45, 0.09), (-0.2, -0.04, 0.09)),
        ((-0.2, -0.06, 0.09), (-0.08, -0.13, 0.09), (0.05, -0.13, 0.12), (0.17, -0.02, 0.18),
         (0.2, 0.15, 0.2), (0.14, 0.35, 0.16), (0.0, 0.455, 0.09), (-0.16, 0.43, 0.11),
         (-0.23, 0.3, 0.15)),
    ),
    "6": _SIX,
    "7": (
        ((-0.22, -0.41, 0.17), (0.2, -0.41, 0.17)),
        ((-0.26, -0.45, 0.09), (-0.27, -0.24, 0.09)),
        ((0.22, -0.36, 0.1), (0.1, -0.05, 0.16), (-0.02, 0.25, 0.18), (-0.05, 0.42, 0.18)),
    ),
    "8": (
        ((0.0, -0.455, 0.09), (0.15, -0.38, 0.15), (0.17, -0.24, 0.17), (0.1, -0.09, 0.13),
         (0.0, -0.03, 0.1), (-0.1, -0.09, 0.13), (-0.17, -0.24, 0.17), (-0.15, -0.38, 0.15),
         (0.0, -0.455, 0.09)),
        ((0.0, -0.03, 0.1), (0.16, 0.06, 0.15), (0.2, 0.22, 0.19), (0.14, 0.39, 0.15),
         (0.0, 0.455, 0.09), (-0.14, 0.39, 0.15), (-0.2, 0.22, 0.19), (-0.16, 0.06, 0.15),
         (0.0, -0.03, 0.1)),
    ),
    "9": tuple(tuple((-x, -y, w) for x, y, w in stroke) for stroke in _SIX),
}  # fmt: skip


class _Pen:
    """Draws millimetres into a label map whose middle is the card's middle, half turned or not."""

    def __init__(self, labels: Labels, px_per_mm: float, half_turned: bool = False) -> None:
        self._labels = labels
        self._scale = px_per_mm
        self._way = -1.0 if half_turned else 1.0
        self._middle = ((labels.shape[1] - 1) / 2, (labels.shape[0] - 1) / 2)

    def _fixed(self, points_mm: NDArray[np.float64]) -> NDArray[np.int32]:
        """Points (..., 2) in OpenCV's fixed-point pixels."""
        px = points_mm * (self._way * self._scale) + self._middle
        return np.asarray(np.round(px * (1 << _SHIFT)), dtype=np.int32)

    def _fill(self, polygons: NDArray[np.int32], part: Part) -> None:
        """Fill each polygon (K, V, 2); together they would be holes in one another."""
        for polygon in polygons:
            cv2.fillPoly(self._labels, [polygon], int(part), cv2.LINE_8, _SHIFT)

    def polygon(self, points_mm: Sequence[Point], part: Part) -> None:
        """Fill a polygon."""
        self._fill(self._fixed(np.asarray(points_mm, dtype=np.float64)[None]), part)

    def disc(self, middle_mm: Point, diameter_mm: float, part: Part) -> None:
        """Fill a circle."""
        self.stroke([(*middle_mm, diameter_mm)], part)

    def outline(self, points_mm: Sequence[Point], width_mm: float, part: Part) -> None:
        """Stroke a closed polygon with round joints."""
        ring = [*points_mm, points_mm[0]]
        self.stroke([(x, y, width_mm) for x, y in ring], part)

    def stroke(self, points_mm: Sequence[tuple[float, float, float]], part: Part) -> None:
        """Stroke a polyline of (x, y, width) with round ends."""
        points = np.asarray(points_mm, dtype=np.float64)
        middles, widths = points[:, :2], points[:, 2]
        # OpenCV fills all pixels that are touched: at this width it draws the one that is meant.
        half = np.maximum(widths - _TOUCHED_PX / self._scale, 0.1 * widths)[:, None] / 2
        self._fill(self._fixed(middles[:, None] + half[:, None] * _CIRCLE), part)
        along = np.diff(middles, axis=0)
        length = np.hypot(along[:, 0], along[:, 1])[:, None]
        some = length[:, 0] > 0
        across = np.stack([-along[some, 1], along[some, 0]], axis=1) / length[some]
        start, end = middles[:-1][some], middles[1:][some]
        wide, wide_end = across * half[:-1][some], across * half[1:][some]
        corners = [start + wide, end + wide_end, end - wide_end, start - wide]
        self._fill(self._fixed(np.stack(corners, axis=1)), part)


def raster_size(deck: Deck, px_per_mm: float) -> tuple[int, int]:
    """Width and height in pixels of a raster that holds the whole card."""
    card = deck.card
    width = int(np.ceil(card.width_mm * px_per_mm))
    height = int(np.ceil(card.height_mm * px_per_mm))
    return width, height


@lru_cache(maxsize=256)
def face_labels(deck: Deck, side: CardSide, px_per_mm: float) -> Labels:
    """What each point of a card is: (H, W) uint8 of `Part`, hard edges, read-only."""
    width, height = raster_size(deck, px_per_mm)
    labels = np.zeros((height, width), dtype=np.uint8)
    _draw(_Pen(labels, px_per_mm, side.half_turned), deck, side)
    labels.setflags(write=False)
    return labels


def _draw(pen: _Pen, deck: Deck, side: CardSide) -> None:
    face, flip = deck.face(side.face), -1.0 if side.mirrored else 1.0
    _draw_body(pen, deck)
    _draw_shapes(pen, deck, face, flip)
    _draw_whole_badge(pen, deck.badge_mm, deck.badges, face)
    symbol_flip = -1.0 if side.mirrored and side.mirror_symbol else 1.0
    _draw_symbol(pen, deck, deck.colour(side.colour), flip, symbol_flip)


def _draw_whole_badge(pen: _Pen, badge_mm: float, badges: Badges, face: Face) -> None:
    if face.suit is not None:
        _draw_badge(pen, badge_mm, face.suit, badges)
        if face.value:
            _draw_value(pen, badge_mm * badges.circle, face)


def badge_labels(
    badge_mm: float, badges: Badges, face: Face, size_wh: tuple[int, int], px_per_mm: float
) -> Labels:
    """A face's badge alone, in the middle of so many black pixels, as in `face_labels`, drawn the
    one way up and the other (H, W, 2), both as it is seen the one way up.
    """
    ways = np.full((2, *size_wh[::-1]), Part.BLACK, np.uint8)
    for labels, half_turned in zip(ways, (False, True), strict=True):
        _draw_whole_badge(_Pen(labels, px_per_mm, half_turned), badge_mm, badges, face)
    return np.stack([ways[0], ways[1, ::-1, ::-1]], axis=-1)


def _draw_body(pen: _Pen, deck: Deck) -> None:
    card = deck.card
    radius = card.corner_radius_mm
    x, y = card.width_mm / 2 - radius, card.height_mm / 2 - radius
    body = Part.BAND if deck.art.band else Part.BLACK
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    for corner in corners:
        pen.disc(corner, 2 * radius, body)
    full_x, full_y = card.width_mm / 2, card.height_mm / 2
    pen.polygon([(-full_x, -y), (full_x, -y), (full_x, y), (-full_x, y)], body)
    pen.polygon([(-x, -full_y), (x, -full_y), (x, full_y), (-x, full_y)], body)
    frame = _frame(deck)
    pen.polygon(frame, Part.BLACK)


def _frame(deck: Deck) -> list[Point]:
    x, y = deck.card.frame_width_mm / 2, deck.card.frame_height_mm / 2
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def _draw_shapes(pen: _Pen, deck: Deck, face: Face, flip: float) -> None:
    outlines = [[(flip * x, y) for x, y in shape.outline_mm] for shape in face.shapes]
    for shape, outline in zip(face.shapes, outlines, strict=True):
        if shape.filled and deck.art.fill:
            pen.polygon(outline, Part.FILL)
    for outline in (*outlines, _frame(deck)):
        pen.outline(outline, deck.card.line_mm, Part.LINE)
    for x, y in face.dots_mm:
        pen.disc((flip * x, y), deck.dot_diameter_mm, Part.DOT)


def _badge_outline(badge_mm: float, suit: Suit, badges: Badges) -> list[Point]:
    """The middle of the badge's rim, round the card's middle."""
    rim = badge_mm * badges.circle * _BADGE_RIM / 2
    if suit == "circle":
        radius = badge_mm * badges.circle / 2 - rim
        return [(x * radius, y * radius) for x, y in _CIRCLE.tolist()]
    round_ = badges.corner * badge_mm
    if suit == "square":
        half = badges.square * badge_mm / 2 - max(round_, rim)
        corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    else:
        side = badges.triangle_width * badge_mm / 2 - max(round_, rim)
        top = -badges.triangle_above * badge_mm + max(round_, rim)
        bottom = badges.triangle_below * badge_mm - max(round_, rim)
        corners = [(0.0, top), (side, bottom), (-side, bottom)]
    if round_ <= rim:
        return corners
    outline = Polygon(corners).buffer(round_ - rim)
    return [(float(x), float(y)) for x, y in outline.exterior.coords[:-1]]


def _draw_badge(pen: _Pen, badge_mm: float, suit: Suit, badges: Badges) -> None:
    outline = _badge_outline(badge_mm, suit, badges)
    pen.polygon(outline, Part.BADGE)
    pen.outline(outline, badge_mm * badges.circle * _BADGE_RIM, Part.MARK)


def _draw_value(pen: _Pen, circle_mm: float, face: Face) -> None:
    text = str(face.value)
    size = circle_mm * _DIGIT_HEIGHT / (1 + 0.25 * (len(text) - 1))
    drop = circle_mm * _TRIANGLE_DIGIT_DROP if face.suit == "triangle" else 0.0
    for index, digit in enumerate(text):
        shift = (index - (len(text) - 1) / 2) * 0.66 * size
        for stroke in _DIGITS[digit]:
            placed = [
                (x * size * _DIGIT_WIDTH + shift, y * size + drop, w * size * 1.05)
                for x, y, w in stroke
            ]
            pen.stroke(placed, Part.MARK)


def _draw_symbol(pen: _Pen, deck: Deck, colour: Colour, side: float, flip: float) -> None:
    dx, dy = deck.symbol_offset_mm
    for polygon in colour.symbol_mm:
        pen.polygon([(flip * x + side * dx, y + dy) for x, y in polygon], Part.MARK)


def rgb_of(hex_colour: str) -> Rgb:
    """An sRGB colour such as "#0d93d0" as red, green, blue from 0 to 1."""
    value = hex_colour.lstrip("#")
    red, green, blue = (int(value[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def palette(
    deck: Deck,
    colour: str,
    black: Rgb = (0.09, 0.09, 0.09),
    white: Rgb = (0.9, 0.894, 0.878),
    ink: Rgb | None = None,
) -> NDArray[np.float32]:
    """Colour of each `Part`: (8, 3) float32, sRGB red green blue from 0 to 1.

    `ink` replaces the deck's typical colour, for other printings.
    """
    tint = ink if ink is not None else rgb_of(deck.colour(colour).hex)
    table = np.zeros((len(Part), 3), dtype=np.float32)
    table[Part.BLACK] = black
    table[[Part.BAND, Part.FILL, Part.BADGE]] = tint
    table[Part.LINE] = white if deck.art.lines == "white" else tint
    table[Part.DOT] = white if deck.art.dots == "white" else tint
    table[Part.MARK] = white
    return table


def paint(
    deck: Deck, side: CardSide, px_per_mm: float, colours: NDArray[np.float32]
) -> NDArray[np.float32]:
    """A side with smooth edges: (H, W, 4) float32, the palette's channels times coverage,
    and coverage (0 outside the card).

    Averaging is done on the palette's own values: give a palette in linear
    light where light is meant. `H, W` are those of `raster_size`.
    """
    fine = 3
    width, height = raster_size(deck, px_per_mm)
    labels = np.zeros((height * fine, width * fine), dtype=np.uint8)
    _draw(_Pen(labels, px_per_mm * fine, side.half_turned), deck, side)
    lut = np.zeros((len(Part), 4), dtype=np.uint16)
    lut[1:, :3] = np.round(np.clip(colours[1:], 0, 1) * 65535)
    lut[1:, 3] = 65535
    # One 64-bit word a label: looking up whole words is several times faster.
    fine_rgba = lut.view(np.uint64)[:, 0][labels].view(np.uint16).reshape(*labels.shape, 4)
    rgba = cv2.resize(fine_rgba, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(rgba.astype(np.float32) * np.float32(1 / 65535))
