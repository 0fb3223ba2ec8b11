"""What makes a well-formed deck unusable: shapes, dots and badges that cannot be so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from shapely import Point as ShapelyPoint
from shapely import Polygon, box

from geometry.deck import CardSize, Deck, Face, Shape

LARGEST_SHARED_PART = 1 / 20
"""Shapes may share this part of the smaller one: printed outlines lie side by side."""
ROUNDING_MM = 0.01
"""Deck files give thousandths, so figures that should be equal differ by about this much."""


class DeckError(ValueError):
    """A deck that cannot be used. The text is one sentence that names the place."""


def refuse_faults(deck: Deck) -> None:
    """Raise DeckError for the first fault of a well-formed deck; return if there is none."""
    _refuse_colours_twice(deck)
    _refuse_faces_twice(deck)
    for face, where in _faces(deck):
        _refuse_face(deck, face, where)


def _faces(deck: Deck) -> Iterator[tuple[Face, str]]:
    yield deck.starting_face, "starting_face"
    for index, face in enumerate(deck.faces):
        yield face, f"faces[{index}]"


def _refuse_colours_twice(deck: Deck) -> None:
    seen = {deck.starting_colour.name: "starting_colour"}
    for index, colour in enumerate(deck.colours):
        where = f"colours[{index}]"
        if colour.name in seen:
            _refuse(where, f"the colour {colour.name!r} is already at {seen[colour.name]}")
        seen[colour.name] = where


def _refuse_faces_twice(deck: Deck) -> None:
    ids: dict[str, str] = {}
    drawings: dict[object, str] = {}
    for face, where in _faces(deck):
        if face.id in ids:
            _refuse(f"{where}.id", f"the face {face.id!r} is already at {ids[face.id]}")
        ids[face.id] = where
        drawing = _drawing(face)
        if drawing in drawings:
            _refuse(where, f"the same face is already at {drawings[drawing]} under another id")
        drawings[drawing] = where


def _drawing(face: Face) -> object:
    """What a player sees of a face; equal for a face and its mirror image, its back."""
    sides = [
        frozenset(
            (
                shape.kind,
                frozenset(_rounded(flip * x, y) for x, y in shape.outline_mm),
                frozenset(_rounded(flip * x, y) for x, y in shape.dots_mm),
            )
            for shape in face.shapes
        )
        for flip in (1, -1)
    ]
    return (face.suit, face.value, frozenset(sides))


def _rounded(x: float, y: float) -> tuple[int, int]:
    return (round(10 * x), round(10 * y))


def _refuse_face(deck: Deck, face: Face, where: str) -> None:
    """The starting face's shapes may overlap one another and its badge: any card fits it."""
    starting = face is deck.starting_face
    outlines: list[Polygon] = []
    for index, shape in enumerate(face.shapes):
        place = f"{where}.shapes[{index}]"
        outline = _outline(shape, deck.card, place)
        _refuse_dots(shape, outline, deck, place)
        if not starting:
            _refuse_shared(outlines, outline, place, where)
        outlines.append(outline)
    if face.suit is not None and not starting:
        _refuse_badge(deck.badge_mm, outlines, where)
    dots = len(face.dots_mm)
    if dots != face.value:
        _refuse(f"{where}.value", f"the value is {face.value}, but the shapes have {dots} dots")


def _outline(shape: Shape, card: CardSize, place: str) -> Polygon:
    outline = Polygon(shape.outline_mm)
    where = f"{place}.outline_mm"
    if not outline.is_valid or outline.area <= ROUNDING_MM:
        _refuse(where, "the outline crosses itself or encloses nothing")
    if outline.convex_hull.area - outline.area > ROUNDING_MM:
        _refuse(where, "the outline is dented")
    width, height = card.width_mm / 2 + ROUNDING_MM, card.height_mm / 2 + ROUNDING_MM
    if not box(-width, -height, width, height).covers(outline):
        _refuse(where, "the shape reaches past the card's edge")
    return outline


def _refuse_dots(shape: Shape, outline: Polygon, deck: Deck, place: str) -> None:
    """A dot may lie on its shape's line, but not beyond it."""
    inside_mm = (deck.dot_diameter_mm - deck.card.line_mm) / 2
    for index, dot in enumerate(shape.dots_mm):
        where = f"{place}.dots_mm[{index}]"
        centre = ShapelyPoint(dot)
        if not outline.covers(centre):
            _refuse(where, "the dot lies outside its shape")
        if outline.boundary.distance(centre) < inside_mm - ROUNDING_MM:
            _refuse(where, "the dot lies partly outside its shape")
        if any(centre.distance(ShapelyPoint(d)) < ROUNDING_MM for d in shape.dots_mm[:index]):
            _refuse(where, "the dot lies where another one is")


def _refuse_shared(earlier: list[Polygon], outline: Polygon, place: str, where: str) -> None:
    for index, other in enumerate(earlier):
        part = outline.intersection(other).area / min(outline.area, other.area)
        if part > LARGEST_SHARED_PART:
            _refuse(
                place,
                f"the shape overlaps {where}.shapes[{index}] by {part:.0%} of the smaller one",
            )


def _refuse_badge(badge_mm: float, outlines: list[Polygon], where: str) -> None:
    """The badge stands in the card's middle; its least extent in any suit is a circle."""
    middle = ShapelyPoint(0.0, 0.0)
    for index, outline in enumerate(outlines):
        if outline.distance(middle) < badge_mm / 2 - ROUNDING_MM:
            _refuse(f"{where}.shapes[{index}]", "the value's badge lies under the shape")


def _refuse(where: str, reason: str) -> NoReturn:
    raise DeckError(f"{where}: {reason}")
