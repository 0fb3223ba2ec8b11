"""What of each card and of each dot shows, and which cards lie over which.

All polygons are in the table frame, in millimetres; card ids are the layout's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from geometry.deck import CardSize
from geometry.layout import Layout
from geometry.pose import Pose
from geometry.recent_tables import RecentTables, cards_met
from geometry.rectangles import (
    Floats,
    Indices,
    Rectangles,
    cards_upright,
    gaps_mm,
    near_pairs,
    past_bodies_mm,
    places_of,
)

QUARTER_SEGMENTS = 8
"""Chords to a rounded corner: they cut off less than 0.02 mm of a corner of 3 mm."""
SHOWING_PART = 0.5
"""A dot counts when more than this part of it shows."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stack:
    """A layout as arrays, and its pairs of cards whose bodies overlap, lower card first."""

    cores: Rectangles
    radius_mm: float
    lower: Indices
    upper: Indices
    depths_mm: Floats


_SAID: RecentTables[tuple[float, ...]] = RecentTables()


def bodies(layout: Layout) -> dict[int, Polygon]:
    """Every whole card: a rectangle with rounded corners."""
    return _by_card(layout, _bodies(layout))


def frames(layout: Layout) -> dict[int, Polygon]:
    """Every card's frame: the rectangle on the middle of its white line."""
    _, upright = cards_upright(layout.deck.card, places_of([c.pose for c in layout.cards]))
    return _by_card(layout, np.asarray(shapely.polygons(upright.corners_mm())))


def shown(layout: Layout) -> dict[int, BaseGeometry]:
    """What of every card shows: a polygon, several, or an empty one."""
    whole = _bodies(layout)
    return _by_card(layout, shapely.difference(whole, _covers(layout, whole)))


def hidden(layout: Layout) -> dict[int, BaseGeometry]:
    """What of every card lies under others: a polygon, several, or an empty one."""
    whole = _bodies(layout)
    return _by_card(layout, shapely.intersection(whole, _covers(layout, whole)))


def over(layout: Layout, min_mm: float = 1.0) -> dict[int, tuple[int, ...]]:
    """For every card the ids of all cards below it that its body overlaps by more than `min_mm`.

    The overlap of two bodies is the shortest way to push them apart. With `min_mm` below 0
    those count as well between which so wide a gap is left.
    """
    stack = _stack(layout, min(min_mm, 0.0))
    deep = stack.depths_mm > min_mm
    below: dict[int, list[int]] = {card.id: [] for card in layout.cards}
    for lower, upper in zip(stack.lower[deep], stack.upper[deep], strict=True):
        below[layout.cards[upper].id].append(layout.cards[lower].id)
    return {card: tuple(ids) for card, ids in below.items()}


def visible_dots(layout: Layout) -> dict[int, tuple[bool, ...]]:
    """For every card, in the order of its face's dots, which of them count."""
    parts = dot_parts(layout)
    return {card: tuple(part > SHOWING_PART for part in dots) for card, dots in parts.items()}


def dot_parts(layout: Layout) -> dict[int, tuple[float, ...]]:
    """For every card, in the order of its face's dots, the part of each that shows, 0 to 1.

    Of a dot that is not in sight (`Card.in_sight_mm`) nothing does.
    """
    _, above = cards_met(layout)
    grounds = {card.id: (card, above[card.id]) for card in layout.cards}
    return _SAID.answers(layout.deck, grounds, lambda cards: _dot_parts(layout, cards))


def _dot_parts(layout: Layout, cards: frozenset[int]) -> dict[int, tuple[float, ...]]:
    """The parts of the dots of the cards with these ids."""
    asked = np.array([card.id in cards for card in layout.cards], np.bool_)
    stack = _stack(layout, 0.0, asked)
    dots, present = _dots(layout, asked)
    radius = layout.deck.dot_diameter_mm / 2
    rims = past_bodies_mm(stack.cores.take(stack.upper), stack.radius_mm, dots[stack.lower])
    parts = np.ones(dots.shape[:2])
    under = (rims <= -radius) & present[stack.lower]
    np.minimum.at(parts, stack.lower, np.where(under, 0.0, 1.0))
    cut = (np.abs(rims) < radius) & present[stack.lower]
    _cut_dots(layout, stack, dots, cut, parts)
    _leave_out_unseen(layout, asked, dots, parts)
    return {
        layout.cards[i].id: tuple(float(part) for part in parts[i][present[i]])
        for i in np.flatnonzero(asked)
    }


def _cut_dots(
    layout: Layout, stack: _Stack, dots: Floats, cut: NDArray[np.bool_], parts: Floats
) -> None:
    """Measure the dots that a card's edge runs across; writes `parts`."""
    covers: dict[tuple[int, int], list[int]] = {}
    for pair, dot in zip(*np.nonzero(cut), strict=True):
        card = int(stack.lower[pair])
        if parts[card, dot] > 0:
            covers.setdefault((card, int(dot)), []).append(int(stack.upper[pair]))
    if not covers:
        return
    whole = _bodies(layout, sorted({card for above in covers.values() for card in above}))
    radius = layout.deck.dot_diameter_mm / 2
    for (card, dot), above in covers.items():
        disc = shapely.Point(dots[card, dot]).buffer(radius, quad_segs=2 * QUARTER_SEGMENTS)
        rest = disc.difference(shapely.union_all(whole[above]))
        parts[card, dot] = rest.area / disc.area


def _leave_out_unseen(
    layout: Layout, asked: NDArray[np.bool_], dots: Floats, parts: Floats
) -> None:
    """Nothing shows of dots whose middles are not in sight; writes `parts`."""
    for index in np.flatnonzero(asked):
        corners = layout.cards[index].in_sight_mm
        if corners is None:
            continue
        parts[index][~shapely.intersects_xy(Polygon(corners), *dots[index].T)] = 0.0


def _dots(layout: Layout, asked: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_]]:
    """The dots on the table, (cards, most dots, 2), of the cards that are `asked` about, (cards,),
    and which of them there are.
    """
    faces = {face: layout.deck.face(face).dots_mm for face in {c.face for c in layout.cards}}
    most = max((len(dots) for dots in faces.values()), default=0)
    places = np.zeros((len(layout.cards), most, 2))
    present = np.zeros((len(layout.cards), most), dtype=np.bool_)
    for index in np.flatnonzero(asked):
        card = layout.cards[index]
        dots = faces[card.face]
        if dots:
            places[index, : len(dots)] = card.pose.to_table(np.array(dots))
            present[index, : len(dots)] = True
    return places, present


def _stack(
    layout: Layout, least_mm: float = 0.0, lowers: NDArray[np.bool_] | None = None
) -> _Stack:
    """The pairs of cards whose bodies overlap by more than `least_mm`; below 0 that is a gap.

    `lowers` (cards,): pairs whose lower card is none of these are left out.
    """
    size, poses = layout.deck.card, tuple(card.pose for card in layout.cards)
    near = _near(size, poses) if lowers is None else _near_of(size, poses, lowers)
    met = near.depths_mm > least_mm
    return replace(
        near, lower=near.lower[met], upper=near.upper[met], depths_mm=near.depths_mm[met]
    )


@lru_cache(maxsize=4)
def _near(size: CardSize, poses: tuple[Pose, ...]) -> _Stack:
    """All pairs of cards so near each other that they may overlap, however they are turned."""
    return _near_of(size, poses, np.ones(len(poses), np.bool_))


def _near_of(size: CardSize, poses: tuple[Pose, ...], lowers: NDArray[np.bool_]) -> _Stack:
    """The same, without pairs whose lower card is none of `lowers` (cards,)."""
    cores, _ = cards_upright(size, places_of(poses))
    lower, upper = near_pairs(cores.middles_mm, float(np.hypot(size.width_mm, size.height_mm)))
    lower, upper = lower[lowers[lower]], upper[lowers[lower]]
    depths = 2 * size.corner_radius_mm - gaps_mm(cores.take(lower), cores.take(upper))
    return _Stack(cores, size.corner_radius_mm, lower, upper, depths)


def _bodies(layout: Layout, some: Sequence[int] | None = None) -> NDArray[np.object_]:
    """The cards' bodies (cards,); with `some` indices of cards, None for all others."""
    outline = _rounded_outline(layout.deck.card)
    chosen = range(len(layout.cards)) if some is None else some
    points = [layout.cards[k].pose.to_table(outline) for k in chosen]
    out = np.full(len(layout.cards), None, dtype=object)
    out[list(chosen)] = shapely.polygons(np.array(points).reshape(-1, len(outline), 2))
    return out


@lru_cache(maxsize=16)
def _rounded_outline(size: CardSize) -> Floats:
    """A card's edge in the card frame, (N, 2)."""
    radius = size.corner_radius_mm
    half = np.array([size.width_mm, size.height_mm]) / 2 - radius
    quarter = np.linspace(0, np.pi / 2, QUARTER_SEGMENTS + 1)
    arcs = [
        half * corner + radius * np.stack([np.cos(quarter + start), np.sin(quarter + start)], 1)
        for start, corner in zip(
            np.arange(4) * np.pi / 2, ([1, 1], [-1, 1], [-1, -1], [1, -1]), strict=True
        )
    ]
    outline = np.concatenate(arcs)
    outline.setflags(write=False)
    return outline


def _covers(layout: Layout, whole: NDArray[np.object_]) -> NDArray[np.object_]:
    """For every card the union of the cards that lie over it."""
    stack = _stack(layout)
    above: list[list[int]] = [[] for _ in layout.cards]
    for lower, upper in zip(stack.lower, stack.upper, strict=True):
        above[lower].append(int(upper))
    unions = np.empty(len(above), dtype=object)
    for index, covers in enumerate(above):
        unions[index] = shapely.union_all(whole[covers])
    return unions


def _by_card(layout: Layout, values: NDArray[np.object_]) -> dict[int, Any]:
    return {card.id: values[i] for i, card in enumerate(layout.cards)}
