"""Which photographs were taken from the same place: what they show alike is seen once.

A lamp's mirror image, a shadow and what a camera makes of them are the same in both; a copy of a
photograph, made smaller, cut or pressed harder, is one too. The place is told from the cards'
outlines alone, with a lens as cameras usually have: a wrong one is wrong for both alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.lens import Lens
from vision.together.photographs import Member
from vision.together.sides import is_same_side
from vision.view import view_from_homography

SAME_VIEW_DEG = 5.0
"""Between the directions from the table to two cameras: 9 cm at a distance of a metre, by which a
lamp's mirror image moves by half of that or less, less than a card is wide. Readings of copies of
one photograph differ by under a degree."""
SAME_PICTURE = 0.004
"""Of how far the cards' corners spread: what readings of a part of a picture, or of a copy, differ
from it by once it is laid on it. A camera held 2 degrees otherwise makes 0.01."""
USUAL_FOCAL = 0.75
"""Of a picture's longer side: that of telephones and webcams, with or without a wide lens."""
Floats = NDArray[np.float64]


def same_views(members: Sequence[Member]) -> tuple[int, ...]:
    """For each photograph a number that it shares with those taken from the same place."""
    views = list(range(len(members)))
    for k, one in enumerate(members):
        for other in range(k):
            if _is_part(one, members[other]) or _angle_deg(one, members[other]) < SAME_VIEW_DEG:
                old, new = views[k], views[other]
                views = [new if view == old else view for view in views]
    return tuple(views)


def _is_part(one: Member, other: Member) -> bool:
    """Whether one picture shows the cards as a part of the other would, made larger or smaller."""
    both = [
        card
        for card in one.read
        if card in other.read and is_same_side(one.poses[card], other.poses[card])
    ]
    if not both:
        return False
    at, to = (np.concatenate([_corners(member, card) for card in both]) for member in (one, other))
    at, to = at - at.mean(), to - to.mean()
    factor = np.vdot(at, to) / np.vdot(at, at)
    off = np.sqrt(np.mean(np.abs(factor * at - to) ** 2))
    return bool(off < SAME_PICTURE * np.sqrt(np.mean(np.abs(to) ** 2)))


def _corners(member: Member, card: int) -> NDArray[np.complex128]:
    """A card's corners (4,) in the picture, as complex numbers."""
    return np.asarray(np.array(member.read[card].outline_px) @ np.array([1, 1j]))


def _angle_deg(one: Member, other: Member) -> float:
    """Between the ways from the middle of the cards that both show to the two cameras; 0 where that
    cannot be told.
    """
    both = [card for card in one.poses if card in other.poses] or list(one.poses)
    if not both or not other.poses:
        return 0.0
    middle = np.mean([[one.poses[k].x_mm, one.poses[k].y_mm] for k in both], axis=0)
    first, second = _camera_mm(one) - [*middle, 0], _camera_mm(other) - [*middle, 0]
    cos = first @ second / (np.linalg.norm(first) * np.linalg.norm(second))
    return float(np.rad2deg(np.arccos(np.clip(cos, -1, 1))))


def _camera_mm(member: Member) -> Floats:
    """Where the camera stood (3,): x and y in the first photograph's frame, and how high."""
    width, height = member.photo.size_wh
    focal = USUAL_FOCAL * max(width, height)
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    lens = Lens((width, height), matrix, np.zeros(5))
    view = view_from_homography(lens, np.linalg.inv(matrix) @ member.places.to_picture)
    x, y, z = view.lens_mm
    at = member.alignment.places(np.array([[x, y]]))[0]
    return np.array([at[0], at[1], z * member.alignment.scale])
