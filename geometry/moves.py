"""Where a card can legally go: every exact fit (T2, T5, S1), and spots that touch nothing (T6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from geometry.deck import CardSize, Face
from geometry.fitting import pairings, turn_deg
from geometry.layout import Layout
from geometry.pose import Pose
from geometry.rectangles import (
    Floats,
    Indices,
    Rectangles,
    cards_upright,
    past_edge_mm,
    places_of,
    reaches_inside,
)
from geometry.rules import Rules
from geometry.touch import past_shape_mm

EDGE_ROUNDING_MM = 1e-6
"""A card laid flush with the table's edge is not off it because of the last digit."""
_FRONT = Pose(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Placement:
    """A legal way to lay a card: its pose, the id of the card below, and the shapes used.

    `shape_on` is the index of the shape of the card below, `shape_of` of the card laid.
    """

    pose: Pose
    on: int
    shape_on: int
    shape_of: int


@dataclass(frozen=True, slots=True, eq=False)
class _Ways:
    """K ways to lay one card on another, as places in the lower card's frame.

    `places` (K, 3): x and y in mm, clockwise angle in degrees. `turned_over` (K,): the cards
    show different sides. `shapes` (K, 2): of the lower, of the upper card. `past_mm` (K,): how
    far what the frames share reaches past the shape; `apart_mm` (K,): how far the corners
    stay apart, which is a deck's own inexactness.
    """

    places: Floats
    turned_over: NDArray[np.bool_]
    shapes: NDArray[np.int64]
    past_mm: Floats
    apart_mm: Floats


def legal_placements(layout: Layout, colour: str, face_id: str, rules: Rules) -> list[Placement]:
    """Every exact fit of a card on a table that `judge` calls legal, either side up.

    It touches one card, and no other card's line by more than the legal
    tolerance; it does not reach over the table's edge at all. A stricter tolerance in `rules`
    leaves more room. Where a house rule has taken a rule away, placements that
    only this rule forbids are offered too, as far as they are exact fits.
    KeyError if the deck has no such face.
    """
    face = layout.deck.face(face_id)
    own = rules.tries("own_colour")
    lower = [i for i, c in enumerate(layout.cards) if not (own and c.colour == colour)]
    ways = [_legal_ways(layout, i, face, rules) for i in lower]
    below = np.repeat(lower, [len(way.places) for way in ways]).astype(np.intp)
    if not len(below):
        return []
    places = np.concatenate([way.places for way in ways])
    turned_over = np.concatenate([way.turned_over for way in ways])
    shapes = np.concatenate([way.shapes for way in ways])
    places, mirrored = _on_table(layout, below, places, turned_over)
    found = _free_to_lay(layout, places, below, rules)
    return [
        Placement(
            _pose(places[k], bool(mirrored[k])),
            layout.cards[below[k]].id,
            int(shapes[k, 0]),
            int(shapes[k, 1]),
        )
        for k in found
    ]


def _legal_ways(layout: Layout, index: int, face: Face, rules: Rules) -> _Ways:
    below = layout.deck.face(layout.cards[index].face)
    return _ways_within(below, face, layout.deck.card, *_limits_mm(rules))


def _pose(place: Floats, mirrored: bool) -> Pose:
    return Pose(float(place[0]), float(place[1]), float(place[2]), mirrored)


def _limits_mm(rules: Rules) -> tuple[float, float]:
    """How far corners may stay apart, and how far frames may overlap past the shape."""
    legal = rules.tolerance.legal_mm
    return (
        legal if rules.tries("misaligned") else math.inf,
        legal if rules.tries("overhang") else math.inf,
    )


@lru_cache(maxsize=4096)
def _ways_within(on: Face, of: Face, size: CardSize, apart_mm: float, past_mm: float) -> _Ways:
    ways = _ways(on, of, size)
    kept = (ways.apart_mm <= apart_mm) & (ways.past_mm <= past_mm)
    return _Ways(
        ways.places[kept],
        ways.turned_over[kept],
        ways.shapes[kept],
        ways.past_mm[kept],
        ways.apart_mm[kept],
    )


def _ways(on: Face, of: Face, size: CardSize) -> _Ways:
    """Every way in which equal shapes of two faces lie corner on corner."""
    places, shapes, turned_over, past, apart = [], [], [], [], []
    frame = shapely.box(
        -size.frame_width_mm / 2,
        -size.frame_height_mm / 2,
        size.frame_width_mm / 2,
        size.frame_height_mm / 2,
    )
    corners = shapely.get_coordinates(frame)
    for same_side in (True, False):
        pairs = pairings(on, of, same_side)
        for shape, on_mm, of_mm in zip(pairs.shapes, pairs.on_mm, pairs.of_mm, strict=True):
            pose = _laid_on_corners(on_mm, of_mm, not same_side)
            shared = frame.intersection(shapely.Polygon(pose.to_table(corners)))
            places.append((pose.x_mm, pose.y_mm, pose.angle_deg))
            shapes.append(shape)
            turned_over.append(not same_side)
            past.append(past_shape_mm(shapely.get_coordinates(shared), on.shapes[shape[0]], _FRONT))
            apart.append(np.linalg.norm(pose.to_table(of_mm) - on_mm, axis=1).max())
    return _Ways(
        np.array(places, dtype=np.float64).reshape(-1, 3),
        np.array(turned_over, dtype=np.bool_),
        np.array(shapes, dtype=np.int64).reshape(-1, 2),
        np.array(past, dtype=np.float64),
        np.array(apart, dtype=np.float64),
    )


def _laid_on_corners(on_mm: Floats, of_mm: Floats, turned_over: bool) -> Pose:
    """The pose in the lower card's frame that lays corners (4, 2) on corners best."""
    over = Pose(0.0, 0.0, 0.0, turned_over).to_table(of_mm)
    angle = turn_deg(over, on_mm)
    middle = on_mm.mean(axis=0) - Pose(0.0, 0.0, angle, turned_over).to_table(of_mm).mean(axis=0)
    return Pose(float(middle[0]), float(middle[1]), angle, turned_over)


def _on_table(
    layout: Layout, below: Indices, places: Floats, turned_over: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Places in the frames of the cards `below`, moved to the table; and which are mirrored."""
    poses = [card.pose for card in layout.cards]
    matrices = np.array([pose.matrix() for pose in poses])[below]
    flipped = np.array([pose.mirrored for pose in poses])[below]
    moved = np.empty_like(places)
    moved[:, :2] = np.einsum("kij,kj->ki", matrices[:, :, :2], places[:, :2]) + matrices[:, :, 2]
    angles = places_of(poses)[below, 2]
    moved[:, 2] = (angles + np.where(flipped, -1.0, 1.0) * places[:, 2]) % 360.0
    return moved, flipped ^ turned_over


def _free_to_lay(layout: Layout, places: Floats, below: Indices, rules: Rules) -> Indices:
    """Which of the places stay on the table and touch no card but the one below them."""
    size = layout.deck.card
    cores, _ = cards_upright(size, places)
    kept = np.arange(len(places))
    if layout.play_area_mm is not None and rules.tries("off_table"):
        past = past_edge_mm(cores, size.corner_radius_mm, layout.play_area_mm)
        kept = np.flatnonzero(past <= EDGE_ROUNDING_MM)
    if not rules.tries("two_cards"):
        return kept
    _, frames = cards_upright(size, places_of([card.pose for card in layout.cards]))
    between = _between(places[kept], frames.middles_mm)
    between[np.arange(len(kept)), below[kept]] = np.inf
    legal = rules.tolerance.legal_mm
    clear = between.min(axis=1) > _surely_touching_mm(size, legal)
    kept, between = kept[clear], between[clear]
    return np.asarray(kept[~_touching(cores.take(kept), frames, between, size, legal)])


def _touching(
    cores: Rectangles, frames: Rectangles, between: Floats, size: CardSize, legal_mm: float
) -> NDArray[np.bool_]:
    """Which of the cards reach past the line of any card; infinitely far ones are left out."""
    reach = (
        math.hypot(size.width_mm, size.height_mm)
        + math.hypot(size.frame_width_mm, size.frame_height_mm)
    ) / 2
    card, other = np.nonzero(between < reach)
    met = reaches_inside(cores.take(card), size.corner_radius_mm, frames.take(other), legal_mm)
    touching = np.zeros(len(cores), dtype=np.bool_)
    touching[card[met]] = True
    return touching


def _surely_touching_mm(size: CardSize, legal_mm: float) -> float:
    """Cards with their middles nearer than this touch however they are turned."""
    body = min(size.width_mm, size.height_mm) / 2
    frame = min(size.frame_width_mm, size.frame_height_mm) / 2
    return body + max(frame - legal_mm, 0.0)


def _between(places: Floats, middles_mm: Floats) -> Floats:
    """Distances (places, cards) of the places' middles from the cards' middles."""
    return np.asarray(np.linalg.norm(places[:, None, :2] - middles_mm[None], axis=2))
