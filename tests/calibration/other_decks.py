"""Decks in other arts and proportions, and photographs of them: all faces spread, and rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Point as ShapelyPoint
from shapely import Polygon
from shapely.ops import nearest_points

from geometry.deck import Art, CardSize, Deck, Face, Point, Shape
from geometry.layout import Card, Layout
from geometry.pose import Pose
from simulator import Conditions
from simulator.camera.camera import PlacedLens
from simulator.camera.photograph import photograph
from simulator.camera.viewpoint import choose_camera
from simulator.play.rounds import play_round
from vision.lens import Lens

_EDGE_MM = 0.3
_ACROSS = 5


def in_proportions(deck: Deck, card: CardSize, art: Art, colours: int) -> Deck:
    """The same faces on cards of another size, by the rule that shapes are measured by.

    That is from the frame, in units of its width (C3), so that they fit each other as
    before. Of the colours the first few are kept.
    """
    scale = card.frame_width_mm / deck.card.frame_width_mm
    half, was = card.frame_height_mm / 2, deck.card.frame_height_mm / 2

    def moved(shape: Shape, points: tuple[Point, ...]) -> tuple[Point, ...]:
        ys = [y for _, y in shape.outline_mm]
        top, bottom = min(ys) < _EDGE_MM - was, max(ys) > was - _EDGE_MM
        if top and bottom:
            return tuple((x * scale, y * half / was) for x, y in points)
        if top or bottom:
            side = -1 if top else 1
            return tuple((x * scale, side * (half - scale * (was - side * y))) for x, y in points)
        return tuple((x * scale, y * scale) for x, y in points)

    def face(one: Face) -> Face:
        shapes = (Shape(s.kind, moved(s, s.outline_mm), moved(s, s.dots_mm)) for s in one.shapes)
        return replace(one, shapes=tuple(shapes))

    return replace(
        deck, name="other", art=art, card=card, colours=deck.colours[:colours],
        faces=tuple(map(face, deck.faces)), starting_face=face(deck.starting_face),
    )  # fmt: skip


def dots_at_lines(deck: Deck, diameter_mm: float) -> Deck:
    """The deck with dots of another size, each moved until it touches its shape's nearest line."""
    away = (diameter_mm + deck.card.line_mm) / 2

    def moved(shape: Shape, dot: Point) -> Point:
        line = nearest_points(Polygon(shape.outline_mm).boundary, ShapelyPoint(dot))[0]
        share = away / line.distance(ShapelyPoint(dot))
        return (line.x + (dot[0] - line.x) * share, line.y + (dot[1] - line.y) * share)

    def face(one: Face) -> Face:
        shapes = (replace(s, dots_mm=tuple(moved(s, d) for d in s.dots_mm)) for s in one.shapes)
        return replace(one, shapes=tuple(shapes))

    return replace(deck, dot_diameter_mm=diameter_mm, faces=tuple(map(face, deck.faces)))


@dataclass(frozen=True, eq=False)
class Taken:
    """A photograph as its file, its lens, and the layout that it shows."""

    jpeg: bytes
    lens: Lens
    layout: Layout

    @property
    def image_bgr(self) -> NDArray[np.uint8]:
        """The picture as decoded."""
        image = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        return np.asarray(image, np.uint8)


def spreads(deck: Deck, seed: int, conditions: Conditions) -> list[Taken]:
    """A photograph a colour: all its faces side by side, and the starting card. One camera."""
    rng = np.random.default_rng(seed)
    layouts = [_side_by_side(rng, deck, colour.name) for colour in deck.colours]
    camera = choose_camera(rng, layouts[0], conditions)
    return [_taken(rng, layout, camera, conditions) for layout in layouts]


def played(deck: Deck, seed: int, conditions: Conditions) -> Taken:
    """A photograph of a round."""
    play, look, picture = np.random.default_rng(seed).spawn(3)
    layout = play_round(play, deck, conditions).layout
    return _taken(picture, layout, choose_camera(look, layout, conditions), conditions)


def _side_by_side(rng: np.random.Generator, deck: Deck, colour: str) -> Layout:
    cards = [(colour, face.id) for face in deck.faces]
    cards.append((deck.starting_colour.name, deck.starting_face.id))
    step = np.array([deck.card.height_mm + 46, deck.card.height_mm + 30])
    laid = []
    for number, (name, face) in enumerate(cards):
        x, y = (np.array([number % _ACROSS, number // _ACROSS]) + 0.5) * step
        angle = float((90 * rng.integers(4) + rng.normal(0, 6)) % 360)
        laid.append(Card(number, name, face, Pose(float(x), float(y), angle)))
    rows = -(-len(cards) // _ACROSS)
    return Layout(deck, tuple(laid), (_ACROSS * float(step[0]), rows * float(step[1])))


def _taken(
    rng: np.random.Generator, layout: Layout, camera: PlacedLens, conditions: Conditions
) -> Taken:
    return Taken(photograph(rng, layout, camera, conditions).jpeg, camera.lens, layout)
