"""The joined table in the first photograph's pixels, and in the frame in which it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from geometry.layout import Layout
from geometry.pose import Pose
from vision.reading import Corners
from vision.together.photographs import Floats, Member
from vision.together.sides import is_same_side


def outlines_px(layout: Layout, members: Sequence[Member]) -> Mapping[int, Corners]:
    """Where each card's corners lie in the first photograph: as it was read there, else as its
    other cards have it, be that outside the picture.
    """
    first, out = members[0], dict[int, Corners]()
    for card in layout.cards:
        read = first.read.get(card.id)
        if read is not None and is_same_side(first.poses[card.id], card.pose):
            out[card.id] = read.outline_px
        else:
            out[card.id] = first.places.outline_px(card)
    return out


def final_turns_deg(members: Sequence[Member]) -> Sequence[float]:
    """By how much each photograph's frame is turned to come to that in which the table is told."""
    framed = next((one for one in members if one.photo.reading.play_area_mm is not None), None)
    last = 0.0 if framed is None else framed.alignment.turn_deg
    return [one.alignment.turn_deg - last for one in members]


def in_final_frame(layout: Layout, members: Sequence[Member]) -> Layout:
    """The layout, from the first photograph's millimetres to the frame in which it is told: that of
    the first photograph that knows the play area. Where none does, the starting card's middle is
    the origin if one shows it.
    """
    framed = next((one for one in members if one.photo.reading.play_area_mm is not None), None)
    if framed is not None:
        area, way = framed.photo.reading.play_area_mm, framed.alignment
        turned = replace(layout, play_area_mm=area)
        return _moved(turned, way.back, -way.turn_deg)
    start = layout.deck.starting_face.id
    origin = next((card.pose for card in layout.cards if card.face == start), None)
    if origin is None:
        return layout
    shift = np.array([origin.x_mm, origin.y_mm])
    return _moved(layout, lambda at: at - shift, 0.0)


def _moved(layout: Layout, places: Callable[[Floats], Floats], turn_deg: float) -> Layout:
    def pose(old: Pose) -> Pose:
        x, y = places(np.array([[old.x_mm, old.y_mm]]))[0].tolist()
        return replace(old, x_mm=x, y_mm=y, angle_deg=(old.angle_deg + turn_deg) % 360)

    def area(
        corners: tuple[tuple[float, float], ...] | None,
    ) -> tuple[tuple[float, float], ...] | None:
        if not corners:
            return corners
        return tuple((float(x), float(y)) for x, y in places(np.array(corners)))

    cards = tuple(
        replace(card, pose=pose(card.pose), in_sight_mm=area(card.in_sight_mm))
        for card in layout.cards
    )
    return replace(layout, cards=cards)
