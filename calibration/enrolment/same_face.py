"""Whether two readings are of one face, whichever side up, and their mean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Face, Point, Shape

FloatArray = NDArray[np.float64]

SAME_MM = 2.0
"""Corners and dots of the same face lie no farther apart than this in two readings."""


def same_side(face: Face, other: Face) -> Face | None:
    """The face as it is or mirrored, whichever agrees with the other; None if neither does."""
    for side in (face, mirrored(face)):
        if same_shapes(side, other) is not None:
            return side
    return None


def mirrored(face: Face) -> Face:
    """The face's back."""
    shapes = tuple(
        Shape(s.kind, tuple((-x, y) for x, y in s.outline_mm), tuple((-x, y) for x, y in s.dots_mm))
        for s in face.shapes
    )
    return replace(face, shapes=shapes)


def same_shapes(face: Face, other: Face) -> list[int] | None:
    """For each shape of `other` the index of the shape of `face` that is the same."""
    if len(face.shapes) != len(other.shapes):
        return None
    found = []
    for shape in other.shapes:
        index = next((i for i, s in enumerate(face.shapes) if _same_shape(s, shape)), None)
        if index is None:
            return None
        found.append(index)
    return found


def _same_shape(one: Shape, other: Shape) -> bool:
    return (
        one.kind == other.kind
        and len(one.dots_mm) == len(other.dots_mm)
        and shape_distance_mm(one, other) < SAME_MM
    )


def shape_distance_mm(one: Shape, other: Shape) -> float:
    """The largest distance of a corner or a dot of `other` from its nearest in `one`."""
    far = 0.0
    for mine, theirs in ((one.outline_mm, other.outline_mm), (one.dots_mm, other.dots_mm)):
        for point in theirs:
            near = [float(np.hypot(point[0] - x, point[1] - y)) for x, y in mine]
            far = max(far, min(near, default=1e9))
    return far


def paired(face: Face, other: Face) -> Face:
    """The face with shapes, corners and dots in the other's order."""
    index = same_shapes(face, other)
    if index is None:
        raise ValueError(f"{face.id} and {other.id} are not the same face")
    shapes = tuple(
        Shape(
            theirs.kind,
            _ordered(face.shapes[i].outline_mm, theirs.outline_mm),
            _ordered(face.shapes[i].dots_mm, theirs.dots_mm),
        )
        for i, theirs in zip(index, other.shapes, strict=True)
    )
    return Face(other.id, other.suit, other.value, shapes)


def _ordered(points: tuple[Point, ...], like: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple(min(points, key=lambda p: np.hypot(p[0] - x, p[1] - y)) for x, y in like)


def mean_face(faces: list[Face]) -> Face:
    """The mean of several readings of one face, whose points are in the same order."""
    first = faces[0]
    shapes = []
    for number, shape in enumerate(first.shapes):
        outline = np.mean([face.shapes[number].outline_mm for face in faces], axis=0)
        dots = [face.shapes[number].dots_mm for face in faces]
        shapes.append(Shape(shape.kind, rounded_points(outline), _mean_dots(dots)))
    return replace(first, shapes=tuple(shapes))


def _mean_dots(dots: list[tuple[Point, ...]]) -> tuple[Point, ...]:
    return rounded_points(np.mean(np.array(dots), axis=0)) if dots[0] else ()


def rounded(value: float) -> float:
    """A figure as deck files have it."""
    return round(float(value), 3)


def rounded_points(points: FloatArray | list[FloatArray]) -> tuple[Point, ...]:
    """The same of points (N, 2) in mm."""
    return tuple((rounded(x), rounded(y)) for x, y in points)
