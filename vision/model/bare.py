"""What is no card looks like on this table, from place to place.

All features are shares of how white the white near by is. Near cards that is much, and elsewhere on
most tables little, so that a table's grain is large there: what is no card is learned near white
and far from it apart, and the table between cards is compared with what it looks like beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.memo import LastAsked
from vision.model.densities import learned_densities, normal, spread
from vision.model.footprint import Footprints
from vision.model.table import Place, PlacedCard
from vision.observe.observation import Observation, cells_of, quantile
from vision.reading_config import ReadingConfig

Number = TypeVar("Number", bound=np.generic)
WHITE_CLASSES = 2
"""Places far from what is as white as cards' lines may be, and near it."""
KEPT = 2
"""Of so many sets of places what was learned is kept: that of a table, and of one that is tried."""


@dataclass(frozen=True, eq=False)
class BareLogs:
    """Log densities `at_places` (H, W) of what is no card, less how likely levels are on a card,
    and what levels add to their sum over all places that are reached and say something.
    """

    at_places: Map32
    of_levels: float


class NoCard:
    """Log densities of what is no card over one observation, by the places that cards take; those
    of the sets of places that were asked for last are kept.
    """

    def __init__(self, seen: Observation, prints: Footprints, config: ReadingConfig) -> None:
        """Nothing is learned yet."""
        self._seen, self._prints, self._config = seen, prints, config
        self._kept: LastAsked[frozenset[Place], BareLogs] = LastAsked(KEPT)
        self._counted = np.zeros(seen.cell.shape, np.bool_)
        self._shape = WHITE_CLASSES, int(np.prod(cells_of(config)))
        self._of_cells = np.zeros(int(np.prod(self._shape)))
        tiles = WHITE_CLASSES * int(np.prod(self._tiles))
        self._of_spots = np.zeros(tiles * self._coarse[1])

    @cached_property
    def anything(self) -> FloatArray:
        """The density (cells,) of all that the picture shows."""
        cells = self._seen.cell[self._seen.says]
        counts = np.bincount(cells, minlength=self._shape[1])
        return np.asarray(learned_densities(counts[None], self._config)[0])

    @cached_property
    def anything_explains(self) -> float:
        """The sum of its logarithms over all places that are reached and say something."""
        cells = self._seen.cell[self._seen.says] if self._prints.reached is None else self._cell
        return float(np.log(self.anything)[cells].sum())

    def logs(self, cards: Sequence[PlacedCard]) -> BareLogs:
        """What is no card where these cards lie."""
        places = frozenset(card.place for card in cards)

        def learned() -> BareLogs:
            return self.logs_beside(cards, self._prints.covered(places) & self._seen.says)

        return self._kept.answer(places, learned)

    def logs_beside(self, cards: Sequence[PlacedCard], on_cards: Bools) -> BareLogs:
        """What is no card where these cards lie, by places (H, W) of which it is known that they
        show cards.
        """
        seen, config = self._seen, self._config
        bare = bare_places(seen, cards, self._prints, config)
        logs = self._here(bare)
        logs *= np.float32(1 - config.outliers)
        logs += self._rare
        np.log(logs, out=logs)
        levels = _levels(seen, bare, on_cards, config)
        logs += levels[self._level]
        of_levels = float(levels @ self._level_counts)
        at = self._prints.reached
        if at is None:
            return BareLogs(logs.reshape(seen.cell.shape), of_levels)
        out = np.full(seen.cell.size, np.nan, np.float32)
        out[at] = logs
        return BareLogs(out.reshape(seen.cell.shape), of_levels)

    def _here(self, bare: Bools) -> Map32:
        """How likely (N,) the places that are reached are as what is no card, by bare places
        (H, W): as that near by, and anywhere, is, near white or far from it as they are.
        """
        self._count(bare)
        config, (classes, cells), number = self._config, self._shape, self._coarse[1]
        rows, columns = self._tiles
        near: Map32 = self._of_spots.astype(np.float32).reshape(classes, rows, -1)
        near = normal(rows, config.tile_reach, ends=False) @ near
        near = near.reshape(classes * rows, columns, number)
        near = normal(columns, config.tile_reach, ends=False) @ near
        halves = (-(-side // 2) for side in cells_of(config))
        near = near.reshape(-1, number)[self._tiles_reached[0]]
        tiles = spread(near.reshape(-1, *halves), config.fine_cells / 2)
        total = tiles.sum(axis=1, keepdims=True)
        inside = np.bincount(self._coarse[0], minlength=number).astype(np.float32)
        known = total > 1
        shares = np.where(known, config.tile_share * tiles / np.maximum(total, 1), 0) / inside
        # Of a tile that nothing is known of the whole picture says all.
        rest = np.where(known, 1 - config.tile_share, 1.0).astype(np.float32).ravel()
        here: Map32 = rest[self._tiles_reached[1]]
        counts = self._of_cells.reshape(classes, cells)
        # Of a class of which little was seen the others say how it looks.
        whole = counts.sum(axis=0)
        counts = counts + config.unseen_places * whole / max(whole.sum(), 1.0)
        anywhere = learned_densities(counts, config).astype(np.float32)
        here *= anywhere.reshape(-1).take(self._cell_by_white)
        here += shares.astype(np.float32).take(self._spot)
        return here

    def _count(self, bare: Bools) -> None:
        """Count what bare places (H, W) show: on from those counted last, most of which are."""
        other = np.flatnonzero(bare != self._counted)
        more = np.where(bare.reshape(-1)[other], 1.0, -1.0)
        for counts, shown in ((self._of_cells, self._cells), (self._of_spots, self._spots)):
            np.add(counts, np.bincount(shown.reshape(-1)[other], more, len(counts)), out=counts)
        self._counted = bare

    @cached_property
    def _coarse(self) -> tuple[Ints, int]:
        """For each cell the number of one that is twice as wide along each axis, and how many there
        are.
        """
        sides = cells_of(self._config)
        halves = tuple(-(-side // 2) for side in sides)
        at = np.indices(sides).reshape(len(sides), -1) // 2
        numbers = np.asarray(np.ravel_multi_index(tuple(at), halves), np.int64)
        return numbers, int(np.prod(halves))

    @cached_property
    def _tiles(self) -> tuple[int, int]:
        """How many tiles there are, rows and columns."""
        size = self._config.tile_mm * self._seen.density
        rows, columns = (int(side // size) + 1 for side in self._seen.cell.shape)
        return rows, columns

    @cached_property
    def _near_white(self) -> Bools:
        """Whether places (H, W) are near what is as white as cards' lines may be: the whitest that
        the picture shows is beside those.
        """
        seen, config = self._seen, self._config
        most = quantile(seen.whitest[seen.says], 1 - config.whitest_share)
        return np.asarray(seen.whitest >= config.dim_share * most)

    @cached_property
    def _cells(self) -> NDArray[np.int32]:
        """For each place (H, W) its class and its cell, as one number."""
        return np.asarray(self._near_white * np.int32(self._shape[1]) + self._seen.cell)

    @cached_property
    def _spots(self) -> NDArray[np.int32]:
        """For each place (H, W) its class, tile and coarse cell, as one number."""
        size = self._config.tile_mm * self._seen.density
        row, column = ((np.arange(side) // size).astype(np.int32) for side in self._seen.cell.shape)
        tile = row[:, None] * np.int32(self._tiles[1]) + column
        tile = tile + self._near_white * np.int32(np.prod(self._tiles))
        numbers, number = self._coarse
        return np.asarray(tile * np.int32(number) + numbers.astype(np.int32)[self._seen.cell])

    @cached_property
    def _tiles_reached(self) -> tuple[Ints, NDArray[np.int32]]:
        """The numbers (R,) of class and tile that places that are reached have, and which of them
        each (N,) has.
        """
        tile = self._reached(self._spots) // np.int32(self._coarse[1])
        there = np.bincount(tile) > 0
        place = there.cumsum(dtype=np.int32) - np.int32(1)
        return np.flatnonzero(there), place.take(tile)

    @cached_property
    def _spot(self) -> NDArray[np.int32]:
        """Which (N,) coarse cell of the tiles that are reached each of their places is."""
        number = np.int32(self._coarse[1])
        return np.asarray(self._tiles_reached[1] * number + self._reached(self._spots) % number)

    @cached_property
    def _cell(self) -> NDArray[np.int32]:
        """The cells (N,) of the places that are reached."""
        return self._reached(self._seen.cell)

    @cached_property
    def _cell_by_white(self) -> NDArray[np.int32]:
        """`_cells` (N,) of the places that are reached."""
        return self._reached(self._cells)

    @cached_property
    def _level_counts(self) -> FloatArray:
        """How many places of each level (levels,) are reached and say something."""
        says = self._reached(self._seen.says)
        return np.bincount(self._level[says], minlength=self._config.level_cells).astype(np.float64)

    @cached_property
    def _level(self) -> NDArray[np.uint8]:
        """The levels (N,) of the places that are reached."""
        return self._reached(self._seen.level)

    @cached_property
    def _rare(self) -> Map32:
        """What outliers add to how likely (N,) the places that are reached are."""
        rare = (self._config.outliers * self.anything).astype(np.float32)
        return np.asarray(rare[self._cell])

    def _reached(self, some: NDArray[Number]) -> NDArray[Number]:
        """What a map (H, W) has at the places (N,) that are reached."""
        at = self._prints.reached
        return some.reshape(-1) if at is None else some.reshape(-1)[at]


def bare_places(
    seen: Observation, cards: Sequence[PlacedCard], prints: Footprints, config: ReadingConfig
) -> Bools:
    """Where (H, W) none of these cards lies, nor near."""
    taken = prints.covered(card.place for card in cards).view(np.uint8)
    side = int(2 * config.bare_mm * seen.density) | 1
    near = cv2.dilate(taken, np.ones((side, side), np.uint8))
    return np.asarray(seen.says & (near == 0))


def _levels(seen: Observation, bare: Bools, on_cards: Bools, config: ReadingConfig) -> Map32:
    """The log odds (levels,) of each level where no card lies against where one does."""
    logs = []
    for there in (bare, on_cards):
        cells = config.level_cells
        counts = cv2.calcHist([seen.level], [0], there.view(np.uint8), [cells], [0, cells])
        smooth = gaussian_filter1d(counts.ravel() + 1.0, config.fine_cells, mode="nearest")
        logs.append(np.log(smooth / smooth.sum()))
    odds = np.clip(logs[0] - logs[1], -config.level_nats, config.level_nats)
    return np.asarray(odds, np.float32)
