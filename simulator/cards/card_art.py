"""Faces drawn as a printing draws them, by the simulator's own brush.

A picture shows the card as it lies, seen from above: x right, y down. A mirrored card has its
shapes, dots and (in most printings) symbol mirrored and its digit readable, as it is printed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from geometry.deck import CardSize, Deck, Face, Point, Suit
from simulator.cards.brush import CIRCLE, Brush, FloatArray, Part, averaged, rounded
from simulator.cards.printing import Printing
from simulator.cards.start_designs import start_outlines
from simulator.cards.typefaces import glyph

_FINE = 3
"""Points a pixel, each way, over which a picture is averaged."""
_DIGIT_WIDTH = 1.12
_DIGIT_BOLD = 1.05
_TRIANGLE_DIGIT_DROP = 0.105


@dataclass(frozen=True, eq=False)
class Misprint:
    """How one card differs from its printing: its print moved (2, 3) against the cut card, and
    badge and symbol off their places.
    """

    move: FloatArray
    badge_mm: Point
    symbol_mm: Point

    @property
    def middle_mm(self) -> FloatArray:
        """The middle of the cut card as the print has it, mm from the print's middle (2,)."""
        turn = self.move[:, :2]
        return np.asarray(-turn.T @ self.move[:, 2])

    @property
    def turn_deg(self) -> float:
        """By how much the print is turned against the cut card."""
        return float(np.rad2deg(np.arctan2(self.move[1, 0], self.move[0, 0])))


def draw_misprint(rng: np.random.Generator, printing: Printing) -> Misprint:
    """What goes wrong with one card of a printing."""
    way, by = rng.uniform(0, 2 * np.pi), printing.misprint_mm * np.sqrt(rng.uniform(0, 1))
    turn = np.deg2rad(rng.uniform(-1, 1) * printing.misprint_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    move = np.array([[cos, -sin, by * np.cos(way)], [sin, cos, by * np.sin(way)]])
    badge, symbol = rng.uniform(-1, 1, (2, 2)) * printing.play_mm
    return Misprint(move, (float(badge[0]), float(badge[1])), (float(symbol[0]), float(symbol[1])))


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """Which side of which face is drawn."""

    face: Face
    colour: str
    mirrored: bool = False
    mirror_symbol: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    deck: Deck
    printing: Printing
    side: Side
    misprint: Misprint | None

    @property
    def starting(self) -> bool:
        return self.side.face.id == self.deck.starting_face.id

    @property
    def flip(self) -> float:
        return -1.0 if self.side.mirrored else 1.0


def paint_face(
    deck: Deck,
    printing: Printing,
    side: Side,
    px_per_mm: float,
    colours: NDArray[np.float32],
    misprint: Misprint | None = None,
) -> NDArray[np.float32]:
    """A face with smooth edges: (H, W, 4) float32, colours (8, 3, by `Part`) times coverage,
    and coverage (0 outside the card). The middle of the cut card is the picture's.
    """
    card = deck.card
    width = int(np.ceil((card.width_mm + 2 * printing.cut_mm) * px_per_mm))
    height = int(np.ceil((card.height_mm + 2 * printing.cut_mm) * px_per_mm))
    labels = np.zeros((height * _FINE, width * _FINE), dtype=np.uint8)
    sheet = _Sheet(deck, printing, side, misprint)
    _cut(Brush(labels, px_per_mm * _FINE), sheet)
    move = misprint.move if misprint is not None else None
    _print(Brush(labels, px_per_mm * _FINE, move), sheet)
    rgba = averaged(labels, colours, (width, height))
    return np.asarray(rgba.astype(np.float32) * np.float32(1 / 65535))


def _cut(brush: Brush, sheet: _Sheet) -> None:
    """The cut card, all of it in the colour of its edge."""
    card, more = sheet.deck.card, sheet.printing.cut_mm
    radius = card.corner_radius_mm
    full_x, full_y = card.width_mm / 2 + more, card.height_mm / 2 + more
    x, y = full_x - radius, full_y - radius
    band = sheet.printing.start_band if sheet.starting else sheet.deck.art.band
    body = Part.BAND if band else Part.BLACK
    for corner in ((-x, -y), (x, -y), (x, y), (-x, y)):
        brush.disc(corner, 2 * radius, body)
    brush.polygon([(-full_x, -y), (full_x, -y), (full_x, y), (-full_x, y)], body)
    brush.polygon([(-x, -full_y), (x, -full_y), (x, full_y), (-x, full_y)], body)


def _print(brush: Brush, sheet: _Sheet) -> None:
    gap = sheet.printing.band_gap_mm
    inner = rounded(_frame(sheet.deck.card, gap), sheet.printing.line_corner_mm)
    brush.polygon(inner, Part.BLACK)
    if sheet.starting:
        _print_start(brush, sheet)
        return
    _print_shapes(brush, sheet)
    if (sheet.side.face.id, sheet.side.colour) in sheet.printing.half_turned:
        brush = brush.half_turned()
    if sheet.side.face.suit is not None:
        _print_badge(brush, sheet, sheet.side.face.suit)
        _print_value(brush, sheet, sheet.side.face.suit)
    _print_symbol(brush, sheet)


def _print_start(brush: Brush, sheet: _Sheet) -> None:
    printing, deck = sheet.printing, sheet.deck
    width = printing.line_mm if printing.start_line_mm is None else printing.start_line_mm
    for outline in (*start_outlines(printing.start_design, deck), _frame(deck.card)):
        _draw_outline(brush, sheet, outline, width)
    if printing.start_badge is not None:
        _print_badge(brush, sheet, printing.start_badge)
    _print_symbol(brush, sheet)


def _frame(card: CardSize, more_mm: float = 0.0) -> list[Point]:
    x, y = card.frame_width_mm / 2 + more_mm, card.frame_height_mm / 2 + more_mm
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def _draw_outline(brush: Brush, sheet: _Sheet, outline: Sequence[Point], width_mm: float) -> None:
    flipped = [(sheet.flip * x, y) for x, y in outline]
    corner = sheet.printing.line_corner_mm if len(flipped) > 2 else 0.0
    brush.outline(rounded(flipped, corner), width_mm, Part.LINE)


def _print_shapes(brush: Brush, sheet: _Sheet) -> None:
    face, printing = sheet.side.face, sheet.printing
    for shape in face.shapes:
        if shape.filled and sheet.deck.art.fill:
            flipped = [(sheet.flip * x, y) for x, y in shape.outline_mm]
            brush.polygon(rounded(flipped, printing.line_corner_mm), Part.FILL)
    outlines = [shape.outline_mm for shape in face.shapes]
    for outline in (*outlines, _frame(sheet.deck.card)):
        _draw_outline(brush, sheet, outline, printing.line_mm)
    for x, y in face.dots_mm:
        brush.disc((sheet.flip * x, y), printing.dot_mm, Part.DOT)


def _badge_place(sheet: _Sheet) -> FloatArray:
    place = np.array(sheet.printing.badge_shift_mm)
    return place if sheet.misprint is None else place + sheet.misprint.badge_mm


def _badge_outline(printing: Printing, suit: Suit) -> FloatArray:
    """The middle of the badge's rim, round the badge's middle."""
    size, badges = printing.badge_mm, printing.badges
    rim = size * printing.badge_rim / 2
    if suit == "circle":
        return CIRCLE * (size / 2 - rim)
    soft = max(badges.corner * size, rim)
    if suit == "square":
        half = size * badges.square / 2 - soft
        corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    else:
        side = size * badges.triangle_width / 2 - soft
        top, bottom = -size * badges.triangle_above + soft, size * badges.triangle_below - soft
        corners = np.array([(0.0, top), (side, bottom), (-side, bottom)])
    if soft == rim:
        return corners
    return np.asarray(shapely.Polygon(corners).buffer(soft - rim).exterior.coords)[:-1]


def _print_badge(brush: Brush, sheet: _Sheet, suit: Suit) -> None:
    printing = sheet.printing
    outline = _badge_outline(printing, suit) + _badge_place(sheet)
    brush.polygon(outline, Part.BLACK if sheet.starting else Part.BADGE)
    brush.outline(outline, printing.badge_mm * printing.badge_rim, Part.MARK)


def _print_value(brush: Brush, sheet: _Sheet, suit: Suit) -> None:
    text, printing = str(sheet.side.face.value), sheet.printing
    badge = printing.badge_mm
    size = badge * printing.digit_height / (1 + 0.25 * (len(text) - 1))
    x, y = _badge_place(sheet)
    y += badge * _TRIANGLE_DIGIT_DROP if suit == "triangle" else 0.0
    for index, digit in enumerate(text):
        shift = (index - (len(text) - 1) / 2) * 0.66 * size
        _print_digit(brush, printing, digit, size, (float(x) + shift, float(y)))


def _print_digit(
    brush: Brush, printing: Printing, digit: str, size_mm: float, at_mm: Point
) -> None:
    drawn = glyph(printing.typeface, digit)
    bold = _DIGIT_BOLD * printing.digit_weight
    for line in drawn.lines:
        placed = [
            (x * size_mm * _DIGIT_WIDTH + at_mm[0], y * size_mm + at_mm[1], w * size_mm * bold)
            for x, y, w in line
        ]
        brush.stroke(placed, Part.MARK)
    if drawn.contours:
        brush.glyph([contour * size_mm + at_mm for contour in drawn.contours], Part.MARK)


def _print_symbol(brush: Brush, sheet: _Sheet) -> None:
    polygons, (dx, dy) = sheet.printing.symbol(sheet.side.colour)
    if sheet.misprint is not None:
        dx, dy = dx + sheet.misprint.symbol_mm[0], dy + sheet.misprint.symbol_mm[1]
    turned = sheet.side.mirrored and sheet.side.mirror_symbol
    flip = -1.0 if turned else 1.0
    for polygon in polygons:
        brush.polygon([(flip * x + sheet.flip * dx, y + dy) for x, y in polygon], Part.MARK)
