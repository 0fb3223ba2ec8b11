"""Decks of cards: faces, shapes, dots, colours (`tacta-deck/1`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Point = tuple[float, float]
ShapeKind = Literal["triangle", "square", "rectangle"]
Suit = Literal["circle", "square", "triangle"]


@dataclass(frozen=True, slots=True)
class CardSize:
    """Lengths of one card, in millimetres. The frame is the middle of the white line."""

    width_mm: float
    height_mm: float
    corner_radius_mm: float
    frame_inset_mm: float
    line_mm: float
    thickness_mm: float

    @property
    def frame_width_mm(self) -> float:
        """Width of the rectangle on the middle of the white frame line."""
        return self.width_mm - 2 * self.frame_inset_mm

    @property
    def frame_height_mm(self) -> float:
        """Height of the rectangle on the middle of the white frame line."""
        return self.height_mm - 2 * self.frame_inset_mm

    @property
    def corners_mm(self) -> tuple[Point, ...]:
        """The card's corners round its middle, as if they were not rounded, clockwise as seen."""
        return _rectangle(self.width_mm, self.height_mm)

    @property
    def frame_corners_mm(self) -> tuple[Point, ...]:
        """The same of the rectangle on the middle of the white frame line."""
        return _rectangle(self.frame_width_mm, self.frame_height_mm)


def _rectangle(width_mm: float, height_mm: float) -> tuple[Point, ...]:
    x, y = width_mm / 2, height_mm / 2
    return (-x, -y), (x, -y), (x, y), (-x, y)


@dataclass(frozen=True, slots=True)
class Art:
    """How a printing draws its cards."""

    band: bool
    dots: Literal["white", "colour"]
    lines: Literal["white", "colour"]
    fill: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape of a face: outline on the white line's middle, card frame, mm. Hollow: no dots."""

    kind: ShapeKind
    outline_mm: tuple[Point, ...]
    dots_mm: tuple[Point, ...]

    @property
    def filled(self) -> bool:
        """Whether the shape carries the colour and dots."""
        return bool(self.dots_mm)


@dataclass(frozen=True, slots=True)
class Face:
    """One printed face, seen from the front. The back is its mirror image."""

    id: str
    suit: Suit | None
    value: int
    shapes: tuple[Shape, ...]

    def __hash__(self) -> int:
        """By its id alone: faces are asked for far more often than they differ by more."""
        return hash(self.id)

    @property
    def dots_mm(self) -> tuple[Point, ...]:
        """All dots of the face, shape by shape, card frame, mm."""
        return tuple(dot for shape in self.shapes for dot in shape.dots_mm)


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour of the deck: name, a typical sRGB colour, and its symbol as polygons (mm)."""

    name: str
    hex: str
    symbol_mm: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True, slots=True)
class Badges:
    """How a printing draws the badges of the suits, as shares of `badge_mm`, the circle's diameter.

    All lengths are of the outlines with their rims: the square's side; the triangle's width, and
    how far it reaches above and below the card's middle; the radius of their corners (0: sharp);
    and, where that is not the deck's, the circle's diameter, to which values and rims are drawn.
    """

    square: float
    triangle_width: float
    triangle_above: float
    triangle_below: float
    corner: float
    circle: float = 1.0

    def scaled(self, circle: float = 1.0, square: float = 1.0, triangle: float = 1.0) -> Badges:
        """The badges of each suit so many times as large."""
        return Badges(
            self.square * square,
            self.triangle_width * triangle,
            self.triangle_above * triangle,
            self.triangle_below * triangle,
            self.corner * circle,
            self.circle * circle,
        )


PRINTED_BADGES = Badges(1.0, 1.17, 0.575, 0.415, 0.118)
"""Of the printed game, measured on photographs of about 700 cards, to 0.02."""
PRINTED_EITHER_WAY = frozenset({"square-1", "square-6"})
"""Of the printed game: its colours differ in which way up they have these."""
DRAWN_BADGES = Badges(0.92, 1.065, 0.54, 0.4725, 0.0)
"""Of a plain drawing: the square and the triangle fit into the circle's square."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A printing of the game. `faces` excludes the starting face.

    `either_way` names the faces whose badge and symbol some colours have half turned against the
    shapes: they do not tell how such a card lies.
    """

    name: str
    card: CardSize
    art: Art
    dot_diameter_mm: float
    badge_mm: float
    symbol_offset_mm: Point
    colours: tuple[Colour, ...]
    starting_colour: Colour
    starting_face: Face
    faces: tuple[Face, ...]
    badges: Badges = PRINTED_BADGES
    either_way: frozenset[str] = PRINTED_EITHER_WAY

    def __hash__(self) -> int:
        """By its name and its faces' ids, as they."""
        return hash((self.name, self.faces))

    def face(self, face_id: str) -> Face:
        """The face with this id, the starting face included. KeyError if there is none."""
        for face in (*self.faces, self.starting_face):
            if face.id == face_id:
                return face
        raise KeyError(face_id)

    def colour(self, name: str) -> Colour:
        """The colour with this name, the starting colour included. KeyError if there is none."""
        for colour in (*self.colours, self.starting_colour):
            if colour.name == name:
                return colour
        raise KeyError(name)
