"""How the shapes of two cards come to lie on one another.

Shapes of equal kind and size can be laid on one another in a few ways: one for
each order of the corners that a move of the card without bending it allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Face
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
    upper = [turning_right(np.array(shape.outline_mm), same_side) for shape in of.shapes]
    for i, below in enumerate(on.shapes):
        corners_on = turning_right(np.array(below.outline_mm))
        for j, (above, corners_of) in enumerate(zip(of.shapes, upper, strict=True)):
            if below.kind == above.kind:
                found += [((i, j), corners_on, c) for c in congruent(corners_on, corners_of)]
    empty = np.zeros((0, 4, 2))
    return Pairings(
        shapes=tuple(shapes for shapes, _, _ in found),
        on_mm=np.stack([four_corners(on_mm) for _, on_mm, _ in found]) if found else empty,
        of_mm=np.stack([four_corners(of_mm) for _, _, of_mm in found]) if found else empty,
    )


def nearest_fits(
    below: Sequence[tuple[Face, Pose]], above: Sequence[tuple[Face, Pose]]
) -> list[Fit | None]:
    """For each pair of cards (faces and poses) the pair of equal shapes whose corners lie
    closest; None where no shapes are equal.
    """
    ways = [
        pairings(on, of, on_pose.mirrored == of_pose.mirrored)
        for (on, on_pose), (of, of_pose) in zip(below, above, strict=True)
    ]
    found: list[Fit | None] = [None] * len(ways)
    count = np.array([len(way.shapes) for way in ways], np.int64)
    some = np.flatnonzero(count)
    if len(some) == 0:
        return found
    owner = np.repeat(np.arange(len(ways)), count)
    lower = _to_table([way.on_mm for way in ways], [pose for _, pose in below], owner)
    upper = _to_table([way.of_mm for way in ways], [pose for _, pose in above], owner)
    gaps = np.sqrt(((upper - lower) ** 2).sum(axis=2)).max(axis=1)
    first = (np.cumsum(count) - count)[some]
    least = np.zeros(len(ways))
    least[some] = np.minimum.reduceat(gaps, first)
    nearest = np.flatnonzero(gaps == least[owner])
    best = nearest[np.unique(owner[nearest], return_index=True)[1]]
    turns = np.abs(_turns_deg(lower[best], upper[best]))
    for pair, way, begin, turn in zip(some, best, first, turns, strict=True):
        shape_on, shape_of = ways[pair].shapes[way - begin]
        found[pair] = Fit(shape_on, shape_of, float(gaps[way]), float(turn))
    return found


def turn_deg(below_mm: Floats, above_mm: Floats) -> float:
    """The clockwise turn, -180 to 180, that takes one congruent outline (4, 2) best to another."""
    return float(_turns_deg(below_mm[None], above_mm[None])[0])


def _turns_deg(below_mm: Floats, above_mm: Floats) -> Floats:
    """The turns (K,) of outlines (K, 4, 2); a triangle's last corner, twice there, counts once."""
    counted = np.ones(below_mm.shape[:2])
    counted[:, 3] = (below_mm[:, 2] != below_mm[:, 3]).any(axis=1)
    counted /= counted.sum(axis=1, keepdims=True)
    one, other = (
        corners - (corners * counted[..., None]).sum(axis=1, keepdims=True)
        for corners in (below_mm, above_mm)
    )
    cross = ((one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]) * counted).sum(axis=1)
    along = ((one * other).sum(axis=2) * counted).sum(axis=1)
    return np.asarray(np.rad2deg(np.arctan2(cross, along)))


def _to_table(corners_mm: list[Floats], poses: list[Pose], owner: NDArray[np.int64]) -> Floats:
    """All ways' corners (M, 4, 2) in the table frame, each by its owner's (M,) pose."""
    matrices = np.stack([pose.matrix() for pose in poses])[owner]
    card = np.concatenate(corners_mm)
    return np.asarray(card @ matrices[:, :, :2].transpose(0, 2, 1) + matrices[:, None, :, 2])


def turning_right(outline: Floats, right: bool = True) -> Floats:
    """The outline (C, 2) in the order that turns right on the table (y down), or left."""
    (x, y), (after_x, after_y) = outline.T, outline[np.arange(1 - len(outline), 1)].T
    turns_right = float(x @ after_y - y @ after_x) > 0
    return outline if turns_right == right else outline[::-1]


def congruent(fixed: Floats, other: Floats) -> list[Floats]:
    """The orders of `other`, started at each of its corners, that have the lengths of `fixed`."""
    corners = np.arange(len(other))
    orders = other[(corners[:, None] + corners) % len(other)]
    off = np.abs(_lengths(orders) - _lengths(fixed)).max(axis=(1, 2))
    return list(orders[off < SAME_SIZE_MM])


def _lengths(outlines: Floats) -> Floats:
    """From each corner to each (..., C, C) of outlines (..., C, 2)."""
    return np.asarray(
        np.linalg.norm(outlines[..., :, None, :] - outlines[..., None, :, :], axis=-1)
    )


def four_corners(outline: Floats) -> Floats:
    """The outline (4, 2); a triangle's last corner stands twice."""
    return outline if len(outline) == 4 else np.concatenate([outline, outline[-1:]])
