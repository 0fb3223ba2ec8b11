"""What each thing that is printed looks like on this table, and what is no card: densities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.model.drawing import OF_INK, SHARED, DrawnFaces, Print
from vision.model.footprint import Footprints
from vision.model.table import PlacedCard, Table
from vision.observe.observation import Observation, cells_of
from vision.reading_config import ReadingConfig


@dataclass(frozen=True, eq=False)
class Printing:
    """What this table's print looks like, learned from it as it is explained.

    Log densities over the cells of an observation, each with its share of outliers: `shared`
    (S, cells) of the kinds of print that all inks share, `of_ink` (K, I, cells) of those of each of
    the `inks`. `bare` (H, W) is the log density of each place as what is no card, less how likely
    its level is on a card: a level, which light that ends on a card changes, says whether a card
    lies there, not what it is. `anything` (cells,) is the density of all that
    the picture shows, which outliers have: whatever a table explains, it stays as it is.
    """

    inks: tuple[str, ...]
    shared: Map32
    of_ink: Map32
    bare: Map32
    anything: FloatArray

    @cached_property
    def by_cell(self) -> Map32:
        """The densities `of_ink` (I, cells, K), those of all inks beside one another."""
        return np.ascontiguousarray(self.of_ink.transpose(1, 2, 0))

    def kinds(self, ink: str | None) -> Map32:
        """Log densities (S + I, cells) of all kinds of print on a card of this ink; of the starting
        card (None) those of the first, which it has nothing of.
        """
        number = 0 if ink is None else self.inks.index(ink)
        return np.concatenate([self.shared, self.of_ink[number]])


@dataclass(frozen=True, eq=False)
class Looks:
    """What a card shows: flat indices `at` (N,) of places, the kind of print that is drawn there
    (N,) uint8, or for each kind how likely it is (kinds, N) float32, and the card's ink.
    """

    at: Ints
    kinds: NDArray[np.uint8] | Map32
    ink: str | None

    def counts(self, cell: NDArray[np.int32], cells: int) -> FloatArray:
        """How often (kinds, cells) each kind looks like what; `cell` numbers all places."""
        own = cell.reshape(-1)[self.at]
        if self.kinds.ndim == 2:
            return np.array([np.bincount(own, kind, cells) for kind in self.kinds])
        spot = self.kinds.astype(np.int64) * cells + own
        return np.bincount(spot, minlength=len(Print) * cells).reshape(-1, cells).astype(np.float64)


def learn(
    seen: Observation, table: Table, faces: DrawnFaces, prints: Footprints, inks: tuple[str, ...],
    config: ReadingConfig,
) -> Printing:  # fmt: skip
    """Learn the densities from a table as it is explained, and what is no card from the rest."""
    shown = prints.shown(table)
    looks = []
    for card in table.cards:
        taken, shows = prints.of(card.place), shown[card.id]
        drawn = faces.drawn(card.hypothesis)[taken.on[shows]]
        looks.append(Looks(taken.at[shows], drawn, card.ink))
    bare = bare_places(seen, table.cards, prints, config)
    return learn_from(seen, looks, bare, inks, config, prints.reached)


def learn_from(
    seen: Observation, looks: Sequence[Looks], bare: Bools, inks: tuple[str, ...],
    config: ReadingConfig, reached: Ints | None = None,
) -> Printing:  # fmt: skip
    """Learn the densities from looks at cards, and what is no card from bare places (H, W): only at
    the flat indices that are `reached`, where any are given.
    """
    cells = int(np.prod(cells_of(config)))
    shared = np.zeros((len(SHARED), cells))
    of_ink = np.zeros((len(inks), len(OF_INK), cells))
    for look in looks:
        counts = look.counts(seen.cell, cells)
        shared += counts[: len(SHARED)]
        if look.ink is not None:
            of_ink[inks.index(look.ink)] += counts[len(SHARED) :]
    shared[Print.START] += _like_start(shared, config)
    # What may be a symbol or its other end looks like both: a few cards alone would teach little.
    shared[Print.EITHER_SYMBOL] += (shared[Print.SYMBOL] + shared[Print.NO_SYMBOL]) / 2
    of_ink[of_ink.sum(axis=(1, 2)) == 0] = _like_any_ink(of_ink, config)
    densities = learned_densities(np.concatenate([shared, of_ink.reshape(-1, cells)]), config)
    anything = _anywhere(seen, seen.says, config)
    logs = with_outliers(densities, anything, config)
    return Printing(
        inks,
        logs[: len(SHARED)].astype(np.float32),
        logs[len(SHARED) :].reshape(of_ink.shape).astype(np.float32),
        _bare_logs(seen, looks, bare, anything, reached, config),
        anything,
    )


def with_outliers(densities: FloatArray, anything: FloatArray, config: ReadingConfig) -> FloatArray:
    """The log densities (..., cells) with their share of outliers."""
    return np.asarray(np.log((1 - config.outliers) * densities + config.outliers * anything))


def _anywhere(seen: Observation, there: Bools, config: ReadingConfig) -> FloatArray:
    """The density (cells,) of what some places (H, W) show."""
    counts = np.bincount(seen.cell[there], minlength=int(np.prod(cells_of(config))))
    return np.asarray(learned_densities(counts[None], config)[0])


def _bare_logs(
    seen: Observation, looks: Sequence[Looks], bare: Bools, anything: FloatArray,
    reached: Ints | None, config: ReadingConfig,
) -> Map32:  # fmt: skip
    """`Printing.bare`, from bare places (H, W) and the density (cells,) of anything."""
    on_cards = np.zeros(seen.cell.size, np.bool_)
    for look in looks:
        on_cards[look.at] = True
    at = np.arange(seen.cell.size) if reached is None else reached
    here = _bare_here(seen, bare, at, config)
    rare = (config.outliers * anything).astype(np.float32)
    logs = np.log((1 - config.outliers) * here + rare[seen.cell.reshape(-1)[at]])
    out = np.full(seen.cell.size, np.nan, np.float32)
    out[at] = logs + _levels(seen, bare, on_cards, config)[seen.level.reshape(-1)[at]]
    return out.reshape(seen.cell.shape)


def _like_start(shared: FloatArray, config: ReadingConfig) -> FloatArray:
    """Places (cells,) that a starting card is taken to have, besides those seen: black and lines
    as others have them.
    """
    black, line = (
        shared[kind] / max(shared[kind].sum(), 1.0) for kind in (Print.BLACK, Print.LINE)
    )
    share = config.start_line_share
    return np.asarray(config.start_places * ((1 - share) * black + share * line))


def _like_any_ink(of_ink: FloatArray, config: ReadingConfig) -> FloatArray:
    """Counts (I, cells) of an ink that was not seen: as white as the others, of any chroma; half of
    what lies beside it, lines and black, of theirs.
    """
    together = of_ink.sum(axis=0)
    across, along, *_ = cells_of(config)
    grid = together.reshape(len(together), across * along, -1)
    any_chroma = np.broadcast_to(grid.mean(axis=1, keepdims=True), grid.shape)
    out = (together + any_chroma.reshape(together.shape)) / 2
    ink = OF_INK.index(Print.INK)
    out[ink] = any_chroma.reshape(together.shape)[ink]
    return np.asarray(out)


def learned_densities(counts: FloatArray | Ints, config: ReadingConfig) -> FloatArray:
    """Shares (N, cells), each row's sum 1, of counts (N, cells): smoothed finely, broadly, and to a
    little anywhere.

    The fewer places were seen, the more likely is anything.
    """
    return densities_of(smoothed(counts, config), config)


def smoothed(counts: FloatArray | Ints, config: ReadingConfig) -> FloatArray:
    """Counts (N, cells) smoothed finely and broadly; those of sums are the sums of these."""
    sides = cells_of(config)
    grid = np.asarray(counts, np.float64).reshape(-1, *sides)
    out = np.zeros(grid.shape)
    shares = (1 - config.broad_share, config.fine_cells), (config.broad_share, config.broad_cells)
    for share, sigma in shares:
        part = grid
        for side in sides:  # the first axis of cells becomes the last, once for each
            spread = gaussian_filter1d(np.eye(side), sigma, axis=0, mode="nearest")
            part = np.moveaxis(part, 1, -1) @ spread.T
        out += share * part
    return out.reshape(len(grid), -1)


def densities_of(smooth: FloatArray, config: ReadingConfig) -> FloatArray:
    """Shares (N, cells) of smoothed counts."""
    mixed = smooth + config.unseen_places / smooth.shape[-1]
    return np.asarray(mixed / mixed.sum(axis=-1, keepdims=True))


def bare_places(
    seen: Observation, cards: Sequence[PlacedCard], prints: Footprints, config: ReadingConfig
) -> Bools:
    """Where (H, W) none of these cards lies, nor near."""
    taken = np.zeros(seen.cell.shape, np.uint8)
    for card in cards:
        there = prints.of(card.place)
        (y, x), (h, w) = there.corner, there.grid.shape
        taken[y : y + h, x : x + w] |= there.grid >= 0
    side = int(2 * config.bare_mm * seen.density) | 1
    near = cv2.dilate(taken, np.ones((side, side), np.uint8))
    return np.asarray(seen.says & (near == 0))


def _bare_here(seen: Observation, bare: Bools, at: Ints, config: ReadingConfig) -> Map32:
    """How likely (N,) places at flat indices are as what is no card: as that near by, and anywhere,
    is.
    """
    y, x = np.nonzero(bare)
    size = config.tile_mm * seen.density
    rows, columns = (int(side // size) + 1 for side in bare.shape)
    coarse, number = _coarse(config)
    tile = (y // size).astype(np.int64) * columns + (x // size).astype(np.int64)
    counts = np.bincount(tile * number + coarse[seen.cell[bare]], minlength=rows * columns * number)
    shape = rows, columns, *(-(-side // 2) for side in cells_of(config))
    smooth: Map32 = counts.reshape(shape).astype(np.float32)
    for axis in (0, 1):
        smooth = gaussian_filter1d(smooth, config.tile_reach, axis=axis, mode="constant")
    for axis in (2, 3, 4, 5):
        smooth = gaussian_filter1d(smooth, config.fine_cells / 2, axis=axis, mode="nearest")
    tiles: Map32 = smooth.reshape(rows * columns, number)
    total = tiles.sum(axis=1, keepdims=True)
    inside = np.bincount(coarse, minlength=number).astype(np.float32)
    known = total > 1
    shares = np.where(known, config.tile_share * tiles / np.maximum(total, 1), 0) / inside
    # Of a tile that nothing is known of the whole picture says all.
    rest = np.where(known, 1 - config.tile_share, 1.0).astype(np.float32).ravel()
    row, column = np.divmod(at, bare.shape[1])
    tile_at = ((row // size) * columns + column // size).astype(np.int64)
    cell = seen.cell.reshape(-1)[at]
    everywhere = _anywhere(seen, bare, config).astype(np.float32)
    near = shares.astype(np.float32).take(tile_at * number + coarse[cell])
    return np.asarray(near + rest[tile_at] * everywhere[cell])


def _levels(seen: Observation, bare: Bools, on_cards: Bools, config: ReadingConfig) -> Map32:
    """The log odds (levels,) of each level where no card lies against where one does."""
    logs = []
    for levels in (seen.level[bare], seen.level.reshape(-1)[on_cards]):
        counts = np.bincount(levels, minlength=config.level_cells) + 1.0
        smooth = gaussian_filter1d(counts, config.fine_cells, mode="nearest")
        logs.append(np.log(smooth / smooth.sum()))
    odds = np.clip(logs[0] - logs[1], -config.level_nats, config.level_nats)
    return np.asarray(odds, np.float32)


def _coarse(config: ReadingConfig) -> tuple[Ints, int]:
    """For each cell the number of one that is twice as wide along each axis, and how many there
    are.
    """
    sides = cells_of(config)
    halves = tuple(-(-side // 2) for side in sides)
    at = np.indices(sides).reshape(len(sides), -1) // 2
    numbers = np.asarray(np.ravel_multi_index(tuple(at), halves), np.int64)
    return numbers, int(np.prod(halves))
