"""Which places of an observation a card takes, and which of them it shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from geometry.pose import Pose
from vision.arrays import Bools, FloatArray, Ints
from vision.memo import LastAsked
from vision.model.drawing import DrawnAlike, DrawnFaces
from vision.model.table import CardId, Place, PlacedCard, Table
from vision.observe.observation import Observation


@dataclass(frozen=True, eq=False)
class Laid:
    """Which places of the drawn grid lie `on` (H', W') those of a box of the observation, whose
    first row and column are `corner`; where the card does not reach, the number of all such places.
    """

    on: NDArray[np.unsignedinteger[Any]]
    corner: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Footprint:
    """What a card takes of an observation's places.

    `at` (N,) are flat indices of places of the observation, in rising order, that say something;
    `on` (N,) the places of the drawn grid that lie there, and `cell` (N,) what is seen there. In a
    box whose first row and column are `corner`, `number` (H', W') says which of `at` each place is,
    -1 where it is none.
    """

    at: NDArray[np.int32]
    on: NDArray[np.unsignedinteger[Any]]
    cell: NDArray[np.int32]
    number: NDArray[np.signedinteger[Any]]
    corner: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Overlap:
    """Where one card lies over another one's places: their indices (M,) in the footprint of the
    lower one, and in that of the card over it.
    """

    under: NDArray[np.signedinteger[Any]]
    over: NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class DrawnThere:
    """What may be drawn at a card's places and what the picture shows there: the index (E,) of a
    place of the footprint, once for each kind of print that some hypothesis draws there; the `spot`
    (E,) of cell and kind, cell by cell; and the `group` (E,) of `DrawnAlike`.
    """

    place: NDArray[np.unsignedinteger[Any]]
    spot: NDArray[np.int32]
    group: NDArray[np.uint16]


def laid(place: Place, seen: Observation, faces: DrawnFaces) -> Laid:
    """Where a card at a place lies, seen from the lens: a higher one is seen further out."""
    rows, columns = faces.shape_hw
    half = np.array([columns - 1, rows - 1]) / 2 / faces.density
    eye, high = np.array(seen.lens_mm[:2]), seen.lens_mm[2]
    nearer = (high - place.height_mm) / high
    at_mm = np.array([place.x_mm, place.y_mm])
    angle = np.deg2rad(place.angle_deg)
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    reach = np.abs([[cos, sin], [sin, cos]]) @ half + 1 / faces.density
    box = _box(eye + (at_mm - eye) / nearer, reach / nearer, seen)
    (x0, y0), (x1, y1) = box
    ticks = np.arange(x0, x1), np.arange(y0, y1)
    x, y = (
        (eye[k] + (ticks[k] / seen.density + seen.origin_mm[k] - eye[k]) * nearer - at_mm[k])
        * faces.density
        for k in (0, 1)
    )
    column = _nearest(sin * y, cos * x, columns)
    row = _nearest(cos * y, -sin * x, rows)
    row *= columns + 2
    row += column
    return Laid(faces.around.take(row.astype(np.int32)), (y0, x0))


def _nearest(down: FloatArray, across: FloatArray, number: int) -> FloatArray:
    """Which (H, W) of so many rows or columns of the drawn grid are nearest, by sums of how far
    they lie from the middle one, from 1 on: 0 and one more are what lies beyond.
    """
    out = np.add.outer(down + (number - 1) / 2, across)
    np.rint(out, out=out)
    np.clip(out, -1, number, out=out)
    out += 1
    return np.asarray(out)


def footprint(own: Laid, seen: Observation, faces: DrawnFaces) -> Footprint:
    """What a card takes that is laid so."""
    (y, x), (h, w) = own.corner, own.on.shape
    spot = np.flatnonzero((own.on < len(faces.covers)) & seen.says[y : y + h, x : x + w])
    width = seen.cell.shape[1]
    at = spot + spot // max(w, 1) * (width - w) + (y * width + x)
    # The overlaps of all places that are asked are kept: small numbers halve them.
    number = np.full((h, w), -1, np.min_scalar_type(-len(spot) - 1))
    number.reshape(-1)[spot] = np.arange(len(spot), dtype=number.dtype)
    on, cell = own.on.reshape(-1).take(spot), seen.cell.reshape(-1).take(at)
    return Footprint(at.astype(np.int32), on, cell, number, own.corner)


def _box(middle_mm: FloatArray, reach_mm: FloatArray, seen: Observation) -> list[list[int]]:
    """The columns and rows, the first and the one beyond the last, of what lies so near."""
    ends = middle_mm + np.array([-reach_mm, reach_mm]) - seen.origin_mm
    whole = np.rint(ends * seen.density).astype(int) + [[0], [1]]
    box: list[list[int]] = np.clip(whole, 0, seen.cell.shape[::-1]).tolist()
    return box


def overlap(lower: Footprint, upper: Footprint) -> Overlap:
    """Where a card lies over another one."""
    corners = np.array([lower.corner, upper.corner])
    ends = corners + [lower.number.shape, upper.number.shape]
    first, last = corners.max(axis=0), ends.min(axis=0)
    h, w = np.maximum(last - first, 0).tolist()
    (y, x), (y2, x2) = (first - corners).tolist()
    under = lower.number[y : y + h, x : x + w]
    over = upper.number[y2 : y2 + h, x2 : x2 + w]
    both = (under >= 0) & (over >= 0)
    return Overlap(under[both], over[both])


MOST_TAKEN = 128
"""Of so many cards is kept what they take, and what may be drawn there: of all that are on most
tables."""
MOST_SHOWN = 4
"""Of so many tables is kept what shows."""


class Footprints:
    """The footprints of the cards of tables over one observation, and which cover which.

    What was asked once is kept: a place never changes, only the cards at it.
    """

    def __init__(self, seen: Observation, faces: DrawnFaces) -> None:
        """Nothing is asked yet."""
        self._seen, self._faces = seen, faces
        self._laid: dict[Place, Laid] = {}
        self._of: LastAsked[Place, Footprint] = LastAsked(MOST_TAKEN)
        self._overlaps: dict[tuple[Place, Place], Overlap | None] = {}
        self._touch: dict[tuple[Place, Place], bool] = {}
        self._drawn: LastAsked[Place, tuple[DrawnThere, DrawnThere]] = LastAsked(MOST_TAKEN)
        self._shown: LastAsked[Table, Mapping[CardId, Bools]] = LastAsked(MOST_SHOWN)
        self._last: tuple[Place, Sequence[PlacedCard], Sequence[tuple[int, Overlap]]] | None = None
        self._reach_mm = float(np.hypot(*faces.shape_hw)) / faces.density
        self.reached: Ints | None = None
        """Flat indices of all places that may be asked for; None: any."""

    def only_at(self, places: Iterable[Place]) -> None:
        """From now on no card is asked for but at these places."""
        self.reached = np.flatnonzero(self.covered(places) & self._seen.says)

    def covered(self, places: Iterable[Place]) -> Bools:
        """Where (H, W) cards at some places lie."""
        out = np.zeros(self._seen.cell.shape, np.bool_)
        for place in places:
            own = self._laid_at(place)
            (y, x), (h, w) = own.corner, own.on.shape
            out[y : y + h, x : x + w] |= own.on < len(self._faces.covers)
        return out

    def of(self, place: Place) -> Footprint:
        """The footprint of a card at a place."""
        return self._of.answer(
            place, lambda: footprint(self._laid_at(place), self._seen, self._faces)
        )

    def _laid_at(self, place: Place) -> Laid:
        if place not in self._laid:
            self._laid[place] = laid(place, self._seen, self._faces)
        return self._laid[place]

    def drawn(self, place: Place) -> tuple[DrawnThere, DrawnThere]:
        """What may be drawn at a card's places: of the kinds that all inks share, and of those of
        each ink.
        """
        taken, faces = self.of(place), self._faces
        return self._drawn.answer(
            place,
            lambda: (_drawn_there(faces.shared, taken), _drawn_there(faces.of_ink, taken)),
        )

    def overlap(self, lower: Place, upper: Place) -> Overlap | None:
        """Where a card at a place covers one at another place; None where they do not touch."""
        if hypot(lower.x_mm - upper.x_mm, lower.y_mm - upper.y_mm) > self._reach_mm:
            return None
        key = lower, upper
        if key not in self._overlaps:
            both = overlap(self.of(lower), self.of(upper))
            self._overlaps[key] = both if len(both.under) else None
        return self._overlaps[key]

    def share_beside(self, place: Place, covered: Bools) -> float:
        """Which share of the places of a card at a place is not among some places (H, W)."""
        own = self._laid_at(place)
        (y, x), (h, w) = own.corner, own.on.shape
        part = slice(y, y + h), slice(x, x + w)
        there = (own.on < len(self._faces.covers)) & self._seen.says[part]
        return float((there & ~covered[part]).sum()) / max(float(there.sum()), 1.0)

    def touch(self, one: Place, other: Place) -> bool:
        """Whether cards at two places take some of the same places."""
        if hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > self._reach_mm:
            return False
        key = one, other
        if key not in self._touch:
            self._touch[key] = self._touch[other, one] = self._meet(one, other)
        return self._touch[key]

    def _meet(self, one: Place, other: Place) -> bool:
        some = [self._laid_at(place) for place in (one, other)]
        top, left = (max(own.corner[k] for own in some) for k in (0, 1))
        bottom, right = (min(own.corner[k] + own.on.shape[k] for own in some) for k in (0, 1))
        if bottom <= top or right <= left:
            return False
        both = self._seen.says[top:bottom, left:right]
        for own in some:
            y, x = own.corner
            part = own.on[top - y : bottom - y, left - x : right - x]
            both = both & (part < len(self._faces.covers))
        return bool(both.any())

    def touching(self, place: Place, cards: Sequence[PlacedCard]) -> Sequence[tuple[int, Overlap]]:
        """Those of some cards that take places of a card at a place, by their numbers, and which;
        what was asked last is kept.
        """
        if self._last is not None and self._last[0] is place and self._last[1] is cards:
            return self._last[2]
        x, y, reach = place.x_mm, place.y_mm, self._reach_mm
        out = []
        for number, card in enumerate(cards):
            other = card.place
            if hypot(x - other.x_mm, y - other.y_mm) <= reach:
                both = self.overlap(place, other)
                if both is not None:
                    out.append((number, both))
        self._last = place, cards, out
        return out

    def shows(self, card: PlacedCard, above: Sequence[PlacedCard]) -> Bools:
        """Which (N,) of a card's places show under others."""
        out = np.ones(len(self.of(card.place).at), np.bool_)
        for _, both in self.touching(card.place, above):
            out[both.under] = False
        return out

    def shown(self, table: Table) -> Mapping[CardId, Bools]:
        """Which places of each card show."""
        cards = table.cards
        return self._shown.answer(
            table,
            lambda: {card.id: self.shows(card, cards[k + 1 :]) for k, card in enumerate(cards)},
        )


def _drawn_there(alike: DrawnAlike, taken: Footprint) -> DrawnThere:
    drawn, number = alike.at(taken.on), len(taken.on)
    spot = np.repeat(taken.cell * np.int32(len(alike.group)), drawn.times)
    spot += drawn.kind
    index = np.repeat(np.arange(number, dtype=np.min_scalar_type(number)), drawn.times)
    return DrawnThere(index, spot, drawn.group)


def stacked_heights(places: FloatArray, size: CardSize, step_mm: float) -> list[float]:
    """Heights (N,) of cards at places (N, 3: x, y in mm, degrees), the lowest first: each lies
    `step_mm` over the highest that it lies on, the first on the table.
    """
    half = np.array([size.width_mm, size.height_mm]) / 2
    ticks = np.linspace(-1, 1, 9)
    grid = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2) * half
    poses = [Pose(x, y, angle) for x, y, angle in places.tolist()]
    heights: list[float] = []
    for rank, pose in enumerate(poses):
        below, points = 0.0, pose.to_table(grid)
        for other, height in zip(poses[:rank], heights, strict=True):
            if (np.abs(other.to_card(points)) < half - 1.0).all(axis=1).any():
                below = max(below, height + step_mm)
        heights.append(below)
    return heights
