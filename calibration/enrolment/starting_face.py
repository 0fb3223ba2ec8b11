"""The starting card as it was read, or, where its shapes overlap, as the known deck draws it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, MultiLineString, Point

from geometry.deck import CardSize, Deck, Face, Shape
from geometry.deck import Point as PointMm

FloatArray = NDArray[np.float64]

ON_FRAME_MM = 1.4
NEAR_LINE_MM = 1.5
LEAST_ALIKE = 0.8
"""Of the sides of what lies between the lines, so many lie on lines of the known starting card
where it is that one."""


def shapes_overlap(read: Face, card: CardSize) -> bool:
    """Whether lines cross: what they enclose lies in part away from the frame, as no shape does."""
    return any(not _reaches_frame(shape, card) for shape in read.shapes)


def known_starting_face(base: Deck, card: CardSize) -> Face:
    """The known deck's starting face on cards of another size.

    Shapes are measured from the frame, in units of the frame's width.
    """
    was = base.card
    shapes = tuple(_moved(shape, was, card) for shape in base.starting_face.shapes)
    return replace(base.starting_face, shapes=shapes)


def drawn_alike(read: Face, known: Face, card: CardSize) -> bool:
    """Whether what lies between the lines of a card as read has its sides on the known lines."""
    frame = [*card.frame_corners_mm, card.frame_corners_mm[0]]
    outlines = [[*shape.outline_mm, shape.outline_mm[0]] for shape in known.shapes]
    lines = MultiLineString([LineString(line) for line in (frame, *outlines)])
    middles = [middle for shape in read.shapes for middle in _middles(shape)]
    near = [lines.distance(Point(middle)) < NEAR_LINE_MM for middle in middles]
    return bool(near) and float(np.mean(near)) > LEAST_ALIKE


def _middles(shape: Shape) -> FloatArray:
    """The middles (K, 2) of a shape's sides."""
    corners = np.array(shape.outline_mm)
    return np.asarray((corners + np.roll(corners, -1, axis=0)) / 2)


def _reaches_frame(shape: Shape, card: CardSize) -> bool:
    """Whether one of its sides lies along the frame."""
    half = np.array([card.frame_width_mm, card.frame_height_mm]) / 2
    corners = np.array(shape.outline_mm)
    on = np.abs(np.abs(corners) - half) < ON_FRAME_MM
    sides = on & np.roll(on, -1, axis=0) & (np.sign(corners) == np.sign(np.roll(corners, -1, 0)))
    return bool(sides.any())


def _moved(shape: Shape, was: CardSize, card: CardSize) -> Shape:
    """A shape on a card of another size: it keeps the sides of the frame that it lies on."""
    scale = card.frame_width_mm / was.frame_width_mm
    half, half_was = card.frame_height_mm / 2, was.frame_height_mm / 2
    ys = [y for _, y in shape.outline_mm]
    at_top, at_bottom = min(ys) < ON_FRAME_MM - half_was, max(ys) > half_was - ON_FRAME_MM

    def moved(point: PointMm) -> PointMm:
        x, y = point
        if at_top and at_bottom:
            return round(x * scale, 3), round(y * half / half_was, 3)
        if at_top or at_bottom:
            side = -1.0 if at_top else 1.0
            y = side * (half - scale * (half_was - side * y))
            return round(x * scale, 3), round(y, 3)
        return round(x * scale, 3), round(y * scale, 3)

    return replace(
        shape,
        outline_mm=tuple(map(moved, shape.outline_mm)),
        dots_mm=tuple(map(moved, shape.dots_mm)),
    )
