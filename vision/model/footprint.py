"""Which places of an observation a card takes, and which of them it shows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints
from vision.model.drawing import DrawnAlike, DrawnFaces
from vision.model.table import CardId, Place, PlacedCard, Table
from vision.observe.observation import Observation


@dataclass(frozen=True, eq=False)
class Footprint:
    """What a card takes of an observation's places.

    `at` (N,) are flat indices of places of the observation, in rising order, that say something;
    `on` (N,) the places of the drawn grid that lie there. `grid` (H', W') int32 holds `on` of all
    places in a box whose first row and column are `corner`, -1 where the card covers nothing.
    """

    at: Ints
    on: Ints
    grid: NDArray[np.int32]
    corner: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Overlap:
    """Where one card lies over another one's places: their indices (M,) in the footprint of the
    other, and the places (M,) of the drawn grid of the card over it.
    """

    under: Ints
    on: Ints


@dataclass(frozen=True, eq=False)
class DrawnThere:
    """What may be drawn at a card's places and what the picture shows there: the index (E,) of a
    place of the footprint, once for each kind of print that some hypothesis draws there; the `spot`
    (E,) of cell and kind, cell by cell; and the `group` (E,) of `DrawnAlike`.
    """

    place: NDArray[np.unsignedinteger[Any]]
    spot: NDArray[np.int32]
    group: NDArray[np.unsignedinteger[Any]]


def footprint(place: Place, seen: Observation, faces: DrawnFaces) -> Footprint:
    """What a card at a place takes, seen from the lens: a higher one is seen further out."""
    rows, columns = faces.shape_hw
    half = np.array([columns - 1, rows - 1]) / 2 / faces.density
    eye, high = np.array(seen.lens_mm[:2]), seen.lens_mm[2]
    nearer = (high - place.height_mm) / high
    at_mm = np.array([place.x_mm, place.y_mm])
    box = _box(eye + (at_mm - eye) / nearer, float(np.hypot(*half)) / nearer, seen)
    (x0, y0), (x1, y1) = box
    ticks = np.arange(x0, x1), np.arange(y0, y1)
    x, y = (
        eye[k] + (ticks[k] / seen.density + seen.origin_mm[k] - eye[k]) * nearer - at_mm[k]
        for k in (0, 1)
    )
    angle = np.deg2rad(place.angle_deg)
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    column = np.rint((cos * x[None] + sin * y[:, None] + half[0]) * faces.density).astype(np.int32)
    row = np.rint((cos * y[:, None] - sin * x[None] + half[1]) * faces.density).astype(np.int32)
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
    grid = np.where(inside, row * columns + column, -1).astype(np.int32)
    grid[inside & ~faces.covers[grid]] = -1
    j, i = np.nonzero(grid >= 0)
    at, on = (j + y0) * seen.cell.shape[1] + i + x0, grid[j, i].astype(np.int64)
    says = seen.says.reshape(-1)[at]
    return Footprint(at[says], on[says], grid, (y0, x0))


def _box(middle_mm: FloatArray, reach_mm: float, seen: Observation) -> list[list[int]]:
    """The columns and rows, the first and the one beyond the last, of what lies so near."""
    ends = middle_mm + np.array([[-reach_mm], [reach_mm]]) - seen.origin_mm
    whole = np.rint(ends * seen.density).astype(int) + [[0], [1]]
    box: list[list[int]] = np.clip(whole, 0, seen.cell.shape[::-1]).tolist()
    return box


def overlap(lower: Footprint, upper: Footprint, width: int) -> Overlap:
    """Where a card lies over another one; `width` is the observation's."""
    row, column = np.divmod(lower.at, width)
    height, across = upper.grid.shape
    row, column = row - upper.corner[0], column - upper.corner[1]
    near = np.flatnonzero((row >= 0) & (row < height) & (column >= 0) & (column < across))
    on = upper.grid[row[near], column[near]]
    return Overlap(near[on >= 0], on[on >= 0].astype(np.int64))


MOST_DRAWN = 96
"""Of so many cards is kept what may be drawn at their places: of all that are on most tables."""
MOST_SHOWN = 4
"""Of so many tables is kept what shows."""


class Footprints:
    """The footprints of the cards of tables over one observation, and which cover which.

    What was asked once is kept: a place never changes, only the cards at it.
    """

    def __init__(self, seen: Observation, faces: DrawnFaces) -> None:
        """Nothing is asked yet."""
        self._seen, self._faces = seen, faces
        self._of: dict[Place, Footprint] = {}
        self._overlaps: dict[tuple[Place, Place], Overlap | None] = {}
        self._drawn: OrderedDict[Place, tuple[DrawnThere, DrawnThere]] = OrderedDict()
        self._shown: list[tuple[Table, Mapping[CardId, Bools]]] = []
        self._reach_mm = float(np.hypot(*faces.shape_hw)) / faces.density
        self.reached: Ints | None = None
        """Flat indices of all places that may be asked for; None: any."""

    def only_at(self, places: Iterable[Place]) -> None:
        """From now on no card is asked for but at these places."""
        reached = np.zeros(self._seen.cell.size, np.bool_)
        for place in places:
            reached[self.of(place).at] = True
        self.reached = np.flatnonzero(reached)

    def of(self, place: Place) -> Footprint:
        """The footprint of a card at a place."""
        if place not in self._of:
            self._of[place] = footprint(place, self._seen, self._faces)
        return self._of[place]

    def drawn(self, place: Place) -> tuple[DrawnThere, DrawnThere]:
        """What may be drawn at a card's places: of the kinds that all inks share, and of those of
        each ink.
        """
        if place not in self._drawn:
            taken = self.of(place)
            cell = self._seen.cell.reshape(-1)[taken.at]
            self._drawn[place] = (
                _drawn_there(self._faces.shared, taken.on, cell),
                _drawn_there(self._faces.of_ink, taken.on, cell),
            )
        self._drawn.move_to_end(place)
        while len(self._drawn) > MOST_DRAWN:
            self._drawn.popitem(last=False)
        return self._drawn[place]

    def overlap(self, lower: Place, upper: Place) -> Overlap | None:
        """Where a card at a place covers one at another place; None where they do not touch."""
        if hypot(lower.x_mm - upper.x_mm, lower.y_mm - upper.y_mm) > self._reach_mm:
            return None
        key = lower, upper
        if key not in self._overlaps:
            both = overlap(self.of(lower), self.of(upper), self._seen.cell.shape[1])
            self._overlaps[key] = both if len(both.under) else None
        return self._overlaps[key]

    def touch(self, one: Place, other: Place) -> bool:
        """Whether cards at two places take some of the same places."""
        return self.overlap(one, other) is not None

    def touching(
        self, place: Place, cards: Iterable[PlacedCard]
    ) -> Iterator[tuple[PlacedCard, Overlap]]:
        """Those of some cards that take places of a card at a place, and which."""
        x, y, reach = place.x_mm, place.y_mm, self._reach_mm
        for card in cards:
            other = card.place
            if hypot(x - other.x_mm, y - other.y_mm) <= reach:
                both = self.overlap(place, other)
                if both is not None:
                    yield card, both

    def shows(self, card: PlacedCard, above: Sequence[PlacedCard]) -> Bools:
        """Which (N,) of a card's places show under others."""
        out = np.ones(len(self.of(card.place).at), np.bool_)
        for _, both in self.touching(card.place, above):
            out[both.under] = False
        return out

    def shown(self, table: Table) -> Mapping[CardId, Bools]:
        """Which places of each card show."""
        for other, shown in self._shown:
            if other == table:
                return shown
        shown = {
            card.id: self.shows(card, table.cards[rank + 1 :])
            for rank, card in enumerate(table.cards)
        }
        self._shown = [(table, shown), *self._shown[: MOST_SHOWN - 1]]
        return shown


def _drawn_there(alike: DrawnAlike, on: Ints, cell: NDArray[np.int32]) -> DrawnThere:
    index, kind, group = alike.at(on)
    return DrawnThere(
        index.astype(np.min_scalar_type(len(on))),
        (cell[index] * len(alike.group) + kind).astype(np.int32),
        group.astype(np.min_scalar_type(len(alike.draws))),
    )


def stacked_heights(places: FloatArray, size: CardSize, step_mm: float) -> list[float]:
    """Heights (N,) of cards at places (N, 3: x, y in mm, degrees), the lowest first: each lies
    `step_mm` over the highest that it lies on, the first on the table.
    """
    half = np.array([size.width_mm, size.height_mm]) / 2
    ticks = np.linspace(-1, 1, 9)
    grid = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2) * half
    heights: list[float] = []
    for rank, (x, y, angle) in enumerate(places):
        below = 0.0
        points = grid @ _turn(angle).T + [x, y]
        for (x2, y2, angle2), height in zip(places[:rank], heights, strict=True):
            own = (points - [x2, y2]) @ _turn(angle2)
            if (np.abs(own) < half - 1.0).all(axis=1).any():
                below = max(below, height + step_mm)
        heights.append(below)
    return heights


def _turn(angle_deg: float) -> FloatArray:
    angle = np.deg2rad(angle_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin], [sin, cos]])
