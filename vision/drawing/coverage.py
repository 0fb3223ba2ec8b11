"""Which bodies lie where: a coarse map of the table that counts the cards over each place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.bend import is_bent
from vision.drawing.pose_fit import place
from vision.drawing.templates import TableMap, Templates, on_grid, one_in
from vision.raster import Raster, look_up, on_map

Owners = NDArray[np.integer[Any]]
COVER_DENSITY = 2.0
"""Map pixels per mm: half a millimetre is finer than any decision made on it."""
THINNINGS = (4, 8, 16)
"""Ways to thin the map, each a part of the one before."""
TILE = 2 * max(THINNINGS)
"""Places after which they repeat."""
EDGE_PARTS = 4
"""Straight pieces of a bent card's edge."""
ROOM_MM = 16.0
"""Beyond its corners a card may be grown by so much, or curl."""


@dataclass(frozen=True, eq=False)
class Coverage:
    """Bodies' outlines `bodies_px` (N, C, 2) on a map of so many rows and columns, of the part of
    the table where they lie, of `density` pixels per mm.
    """

    map_hw: tuple[int, int]
    bodies_px: NDArray[np.int32]
    origin_mm: tuple[float, float]
    density: float = COVER_DENSITY

    @cached_property
    def count(self) -> NDArray[np.uint8]:
        """Bodies (H, W) over each place."""
        total = np.zeros(self.map_hw, np.uint8)
        _add_bodies(total, self.bodies_px)
        return total

    def under_two(self, near: Coverage | None = None, every: int = 1) -> UnderTwo:
        """All places of the map over which just two bodies lie, and no third one where bodies are
        grown (`near`); or one in so many of them (one of `THINNINGS`).
        """
        two = (near or self).count == 2
        if every > 1:
            two &= _thinnings(self.map_hw) >= every
        at = np.flatnonzero(two)
        bodies = range(len(self.bodies_px))
        high, low = (
            _painted(self.map_hw, self.bodies_px, order).take(at).astype(np.int32) - 1
            for order in (bodies, reversed(bodies))
        )
        under = UnderTwo(low, high, at, self.map_hw, self.origin_mm, self.density)
        # Under the grown bodies there are none, one, or both of the two.
        return under if near is None else under.take(low != high)

    def count_at(self, table_mm: NDArray[Any]) -> NDArray[np.uint8]:
        """Bodies over table mm (..., 2); 0 outside the map."""
        return _nearest(self.count, _to_map(table_mm, self.origin_mm, self.density))

    def counts_on(self, poses: FloatArray, templates: Templates) -> NDArray[np.uint8]:
        """Bodies (N, P) over the templates' places of cards at poses (N, 3)."""
        return _nearest_on(self.count, self.origin_mm, self.density, poses, templates)


@dataclass(frozen=True, eq=False)
class UnderTwo:
    """Places of the map under just two bodies (M,): their indices, the lower one and the higher
    one (int32), and where `at` in the map's rows, one after the other, they lie.
    """

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    at: Ints
    map_hw: tuple[int, ...]
    origin_mm: tuple[float, float]
    density: float

    @cached_property
    def row_column(self) -> tuple[Ints, Ints]:
        """The map's row and column (M,)."""
        row = self.at // self.map_hw[1]  # remainders take ten times as long
        return row, self.at - row * self.map_hw[1]

    @property
    def at_mm(self) -> NDArray[np.complex128]:
        """Where the places are (M,), table mm: x + iy."""
        row, column = self.row_column
        out = np.empty(len(row), np.complex128)
        np.multiply(column, 1 / self.density, out=out.real)
        np.multiply(row, 1 / self.density, out=out.imag)
        out += complex(*self.origin_mm)
        return out

    @property
    def one_in(self) -> NDArray[np.uint8]:
        """The largest of `THINNINGS` (M,) by which the map is thinned with the place kept, or 1."""
        return np.take(_thinnings(self.map_hw), self.at)

    def take(self, keep: Bools) -> UnderTwo:
        """Some of the places."""
        some = np.flatnonzero(keep)
        return UnderTwo(
            self.low.take(some), self.high.take(some), self.at.take(some), self.map_hw,
            self.origin_mm, self.density,
        )  # fmt: skip


@lru_cache(maxsize=8)
def _thinnings(map_hw: tuple[int, ...]) -> NDArray[np.uint8]:
    """A map (H, W) of `UnderTwo.one_in`."""
    row, column = np.divmod(np.arange(TILE * TILE), TILE)
    tile = np.ones(TILE * TILE, np.uint8)
    for number in THINNINGS:
        tile[one_in(number, row, column)] = number
    often = [-(-length // TILE) for length in map_hw]
    return np.tile(tile.reshape(TILE, TILE), often)[: map_hw[0], : map_hw[1]]


@dataclass(frozen=True, eq=False)
class TopMap:
    """`top` (H, W), uint8 or int16: index plus 1 of the card that shows at each place, 0 for the
    table.
    """

    top: Owners
    origin_mm: tuple[float, float]

    def at(self, table_mm: NDArray[Any]) -> Owners:
        """Index plus 1 of the card that shows at table mm (..., 2); 0 outside the map."""
        return _nearest(self.top, _to_map(table_mm, self.origin_mm, COVER_DENSITY))

    def on(self, poses: FloatArray, templates: Templates) -> Owners:
        """The same (N, P) at the templates' places of cards at poses (N, 3)."""
        return _nearest_on(self.top, self.origin_mm, COVER_DENSITY, poses, templates)


def _to_map(
    table_mm: NDArray[Any], origin_mm: tuple[float, float], density: float
) -> NDArray[np.float32]:
    return on_map(np.asarray(table_mm, np.float32), origin_mm, density)


def _nearest(values: NDArray[Any], map_px: NDArray[np.float32]) -> NDArray[Any]:
    return look_up(values, map_px, cv2.INTER_NEAREST)


def _nearest_on(
    values: NDArray[Any], origin_mm: tuple[float, float], density: float, poses: FloatArray,
    templates: Templates,
) -> NDArray[Any]:  # fmt: skip
    return on_grid(TableMap(values, origin_mm, density), poses, templates, cv2.INTER_NEAREST)


@dataclass(frozen=True, eq=False)
class _Part:
    """The part of a raster's map where cards lie: its first column and row, and its size (rows,
    columns). Most of a table is bare.
    """

    first_xy: Ints
    size_hw: tuple[int, int]
    density: float = COVER_DENSITY

    def origin_mm(self, raster: Raster) -> tuple[float, float]:
        """Where it begins on the table."""
        x, y = (np.asarray(raster.origin_mm) + self.first_xy / self.density).tolist()
        return x, y

    def bodies_px(
        self, raster: Raster, poses: FloatArray, card: CardSize, grow_mm: float
    ) -> NDArray[np.int32]:
        """Outlines (N, C, 2) of every body, grown by `grow_mm`, in map pixels with 4 more bits.

        Their corners, and where cards are bent more points of their edges.
        """
        half = np.array([card.width_mm / 2 + grow_mm, card.height_mm / 2 + grow_mm])
        table = place(poses, _outline(EDGE_PARTS if is_bent(poses) else 1) * half)
        px = np.rint((table - np.asarray(raster.origin_mm)) * self.density * 16)
        return np.asarray(px - 16 * self.first_xy, np.int32)


@lru_cache(maxsize=2)
def _outline(parts: int) -> FloatArray:
    """Corners of a square from -1 to 1 (4 parts, 2), and where its sides are cut into parts."""
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    share = np.linspace(0, 1, parts, endpoint=False)[:, None]
    ways = np.roll(corners, -1, axis=0) - corners
    return np.asarray((corners[:, None] + share * ways[:, None]).reshape(-1, 2))


def _part_of(raster: Raster, poses: FloatArray, card: CardSize, density: float) -> _Part:
    """That part for cards at poses (N, 3 or 9), by whole tiles of what thins the map."""
    whole = (np.array(raster.size_mm) * density).astype(np.int64) + 1
    reach = np.hypot(card.width_mm, card.height_mm) / 2 + ROOM_MM
    away = poses[:, :2] - np.asarray(raster.origin_mm)
    low = away.min(axis=0, initial=np.inf) - reach
    high = away.max(axis=0, initial=-np.inf) + reach
    ends = np.stack([np.floor(low * density / TILE), np.ceil(high * density / TILE)])
    # Without cards, or where all lie off the map, one place is left of it.
    first, last = np.clip(ends * TILE, 0, whole).astype(np.int64)
    first = np.minimum(first, whole - 1)
    columns, rows = np.maximum(last - first, 1).tolist()
    return _Part(first, (rows, columns), density)


def cover(
    raster: Raster, poses: FloatArray, card: CardSize, grow_mm: float = 0.0,
    density: float = COVER_DENSITY,
) -> Coverage:  # fmt: skip
    """The bodies over each place of the raster's area."""
    part = _part_of(raster, poses, card, density)
    outlines = part.bodies_px(raster, poses, card, grow_mm)
    return Coverage(part.size_hw, outlines, part.origin_mm(raster), density)


def _add_bodies(total: NDArray[np.uint8], bodies: NDArray[np.int32]) -> None:
    """Add 1 to the map (H, W) under each body."""
    if len(bodies) == 0:
        return
    height, width = total.shape
    low = np.maximum(bodies.min(axis=1) // 16 - 1, 0)
    high = np.minimum(bodies.max(axis=1) // 16 + 2, [width, height])
    inside = bodies - (low * 16)[:, None]
    for body, (x0, y0), (x1, y1) in zip(inside, low.tolist(), high.tolist(), strict=True):
        if x1 > x0 and y1 > y0:
            one = np.zeros((y1 - y0, x1 - x0), np.uint8)
            _fill(one, body, 1)
            box = total[y0:y1, x0:x1]
            cv2.add(box, one, dst=box)


def _fill(area: NDArray[Any], body: NDArray[np.int32], value: float) -> None:
    """Set the map (H, W) to a value inside a body's outline (C, 2), with 4 more bits."""
    if len(body) == 4:
        cv2.fillConvexPoly(area, body, value, shift=4)
    else:
        cv2.fillPoly(area, [body], value, shift=4)


def top_map(
    raster: Raster, poses: FloatArray, bottom_up: list[int], card: CardSize, grow_mm: float = 0.0
) -> TopMap:
    """Paint the bodies in their order, the lowest first."""
    part = _part_of(raster, poses, card, COVER_DENSITY)
    outlines = part.bodies_px(raster, poses, card, grow_mm)
    return TopMap(_painted(part.size_hw, outlines, bottom_up), part.origin_mm(raster))


def _painted(size_hw: tuple[int, ...], outlines: NDArray[np.int32], order: Iterable[int]) -> Owners:
    """A map on which bodies are painted one after the other with their index plus 1."""
    # Bytes, wherever they can tell all bodies apart, are painted and looked up in less time.
    few = len(outlines) <= np.iinfo(np.uint8).max
    top: Owners = np.zeros(size_hw, np.uint8 if few else np.int16)
    for index in order:
        _fill(top, outlines[index], index + 1)
    return top
