"""Where the neighbours of a card lie: a card is laid so that one shape exactly covers another."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely

from geometry.deck import Deck, Face
from geometry.fitting import congruent, four_corners, turn_deg, turning_right
from geometry.rectangles import Floats

MOST_PAST = 0.05
"""Of a shape's area: what two frames share beyond it, where they fit. A deck file is inexact."""
SAME_MM, SAME_DEG = 1.0, 1.0


@lru_cache(maxsize=8)
def neighbour_places(deck: Deck, overhanging: bool = False) -> tuple[Floats, ...]:
    """For every face, the starting face last: the places (K, 3) in its card frame of all cards
    that fit it, over it or under it, one shape of equal kind and size on the other.

    x and y of the other card's middle in mm and its clockwise angle in degrees, half turns
    aside. The card shows its front; for its back, negate x and the angle. With `overhanging`
    ones also those that cover more than the shape, as no card should and some do.
    """
    faces = (*deck.faces, deck.starting_face)
    others = _either_side(faces)
    frame = np.array(deck.card.frame_corners_mm)
    of_outline = {
        outline: _fitting(turning_right(np.array(outline)), others, frame, overhanging)
        for outline in {shape.outline_mm for face in faces for shape in face.shapes}
    }
    return tuple(_once([of_outline[shape.outline_mm] for shape in face.shapes]) for face in faces)


@lru_cache(maxsize=8)
def places_beside_any(deck: Deck, overhanging: bool = False) -> Floats:
    """The same places (K, 3) beside a card of which neither face nor side is known."""
    faces = neighbour_places(deck, overhanging)
    return _once([own * [flip, 1.0, flip] for own in faces for flip in (1.0, -1.0)])


def _either_side(faces: tuple[Face, ...]) -> list[Floats]:
    """All different outlines (C, 2) of shapes, as the front and as the back shows them."""
    found: dict[bytes, Floats] = {}
    for shape in (shape for face in faces for shape in face.shapes):
        for flip in (1.0, -1.0):
            outline = turning_right(np.array(shape.outline_mm) * [flip, 1.0])
            key = np.array(sorted(np.round(outline).tolist())) + 0.0
            found.setdefault(key.tobytes(), outline)
    return list(found.values())


def _fitting(on: Floats, others: list[Floats], frame: Floats, overhanging: bool) -> Floats:
    """Places (K, 3) of frames (4, 2) of which one of the `others` lies on the outline `on`, and
    which, unless they may overhang, share nothing else with this card's frame.
    """
    places: list[Floats] = []
    shared: list[shapely.Polygon] = []
    below = shapely.Polygon(frame)
    area = shapely.Polygon(on).area
    for other in others:
        if len(other) != len(on) or abs(shapely.Polygon(other).area - area) > MOST_PAST * area:
            continue
        for corners in congruent(on, other):
            angle = turn_deg(four_corners(corners), four_corners(on))
            turned = _turned(corners, angle).mean(axis=0)
            middle = on.mean(axis=0) - turned
            places.append(np.array([*middle, angle]))
            shared.append(shapely.Polygon(_turned(frame, angle) + middle))
    if not places:
        return np.empty((0, 3))
    past = shapely.area(shapely.intersection(np.array(shared), below)) - area
    return np.array(places)[overhanging | (past < MOST_PAST * area)]


def _once(places: list[Floats]) -> Floats:
    """Places of which no two are one, half turns aside."""
    found = np.concatenate([np.empty((0, 3)), *places])
    keys = np.column_stack([found[:, :2] / SAME_MM, found[:, 2] % 180 / SAME_DEG])
    out = found[np.sort(np.unique(np.round(keys), axis=0, return_index=True)[1])]
    out.setflags(write=False)
    return out


def _turned(points: Floats, angle_deg: float) -> Floats:
    angle = np.deg2rad(angle_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))
