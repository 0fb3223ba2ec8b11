"""How the shapes of two cards come to lie on one another.

Shapes of equal kind and size can be laid on one another in a few ways: one for
each order of the corners that a move of the card without bending it allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from geometry.deck import Face, Shape
from geometry.pose import Pose
from geometry.rectangles import Floats

SAME_SIZE_MM = 1.0
"""Shapes are of equal size when all their lengths differ by less: above what a measured deck
file is off by, far below the 12 mm between the nearest sizes of the printed game."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairings:
    """All K ways in which shapes of card B can lie on shapes of card A, corner on corner.

    `shapes[k]` holds the indices (of A's shape, of B's shape); `on_mm` and `of_mm` (K, 4, 2)
    the corners in A's and in B's card frame, in such an order that they belong together. A
    triangle's last corner stands twice.
    """

    shapes: tuple[tuple[int, int], ...]
    on_mm: Floats
    of_mm: Floats


@dataclass(frozen=True, slots=True)
class Fit:
    """The nearest pair of equal shapes of two cards: A's shape lies below B's.

    `offset_mm` is the largest distance between two corners that belong together,
    `offset_deg` the angle between the two shapes, 0 to 180.
    """

    shape_on: int
    shape_of: int
    offset_mm: float
    offset_deg: float


@lru_cache(maxsize=4096)
def pairings(on: Face, of: Face, same_side: bool) -> Pairings:
    """All ways to lay shapes of face `of` on shapes of face `on`.

    `same_side`: both cards show the front, or both the back.
    """
    found: list[tuple[tuple[int, int], Floats, Floats]] = []
    for i, below in enumerate(on.shapes):
        corners_on = _turning_right(below, True)
        for j, above in enumerate(of.shapes):
            corners_of = _turning_right(above, same_side)
            if below.kind == above.kind:
                found += [((i, j), corners_on, c) for c in _congruent(corners_on, corners_of)]
    empty = np.zeros((0, 4, 2))
    return Pairings(
        shapes=tuple(shapes for shapes, _, _ in found),
        on_mm=np.stack([_four(on_mm) for _, on_mm, _ in found]) if found else empty,
        of_mm=np.stack([_four(of_mm) for _, _, of_mm in found]) if found else empty,
    )


def nearest_fit(on: Face, on_pose: Pose, of: Face, of_pose: Pose) -> Fit | None:
    """The pair of equal shapes whose corners lie closest; None where no shapes are equal."""
    ways = pairings(on, of, on_pose.mirrored == of_pose.mirrored)
    if not ways.shapes:
        return None
    below = _to_table(ways.on_mm, on_pose)
    above = _to_table(ways.of_mm, of_pose)
    gaps = np.sqrt(((above - below) ** 2).sum(axis=2)).max(axis=1)
    best = int(gaps.argmin())
    shape_on, shape_of = ways.shapes[best]
    return Fit(shape_on, shape_of, float(gaps[best]), abs(turn_deg(below[best], above[best])))


def turn_deg(below_mm: Floats, above_mm: Floats) -> float:
    """The clockwise turn, -180 to 180, that takes one congruent outline (4, 2) best to another."""
    count = 3 if np.array_equal(below_mm[2], below_mm[3]) else 4
    one = below_mm[:count] - below_mm[:count].mean(axis=0)
    other = above_mm[:count] - above_mm[:count].mean(axis=0)
    cross = float((one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]).sum())
    return float(np.rad2deg(np.arctan2(cross, float((one * other).sum()))))


def _to_table(corners_mm: Floats, pose: Pose) -> Floats:
    return pose.to_table(corners_mm.reshape(-1, 2)).reshape(corners_mm.shape)


def _turning_right(shape: Shape, right: bool) -> Floats:
    """The outline in the order that turns right on the table (y down), or left."""
    outline = np.array(shape.outline_mm)
    x, y = outline.T
    turns_right = float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) > 0
    return outline if turns_right == right else outline[::-1]


def _congruent(fixed: Floats, other: Floats) -> list[Floats]:
    """The orders of `other`, started at each of its corners, that have the lengths of `fixed`."""
    lengths = _lengths(fixed)
    orders = [np.roll(other, -start, axis=0) for start in range(len(other))]
    return [o for o in orders if np.abs(_lengths(o) - lengths).max() < SAME_SIZE_MM]


def _lengths(outline: Floats) -> Floats:
    return np.asarray(np.linalg.norm(outline[:, None] - outline[None], axis=2))


def _four(outline: Floats) -> Floats:
    return outline if len(outline) == 4 else np.concatenate([outline, outline[-1:]])
