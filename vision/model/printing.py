"""What each thing that is printed looks like on this table, and what is no card: densities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.ndimage import gaussian_filter, gaussian_filter1d

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
    lies there, not what it is.
    """

    inks: tuple[str, ...]
    shared: Map32
    of_ink: Map32
    bare: Map32

    def kinds(self, ink: str | None) -> Map32:
        """Log densities (S + I, cells) of all kinds of print on a card of this ink; of the starting
        card (None) those of the first, which it has nothing of.
        """
        number = 0 if ink is None else self.inks.index(ink)
        return np.concatenate([self.shared, self.of_ink[number]])


@dataclass(frozen=True, eq=False)
class Looks:
    """What a card shows: flat indices `at` (N,) of places, for each kind of print how likely it is
    (kinds, N) float32 that it is drawn there, and the card's ink.
    """

    at: Ints
    kinds: Map32
    ink: str | None


def learn(
    seen: Observation, table: Table, faces: DrawnFaces, prints: Footprints, inks: tuple[str, ...],
    config: ReadingConfig,
) -> Printing:  # fmt: skip
    """Learn the densities from a table as it is explained, and what is no card from the rest."""
    shown = prints.shown(table)
    looks = []
    for card in table.cards:
        taken, shows = prints.of(card.place), shown[card.id]
        on = taken.on[shows]
        drawn = faces.drawn(card.hypothesis)[on]
        kinds = (drawn == np.arange(len(Print))[:, None]).astype(np.float32)
        looks.append(Looks(taken.at[shows], kinds, card.ink))
    return learn_from(seen, looks, bare_places(seen, table.cards, prints, config), inks, config)


def learn_from(
    seen: Observation, looks: Sequence[Looks], bare: Bools, inks: tuple[str, ...],
    config: ReadingConfig,
) -> Printing:  # fmt: skip
    """Learn the densities from looks at cards, and what is no card from bare places (H, W)."""
    cells = int(np.prod(cells_of(config)))
    shared = np.zeros((len(SHARED), cells))
    of_ink = np.zeros((len(inks), len(OF_INK), cells))
    for look in looks:
        cell = seen.cell.reshape(-1)[look.at]
        counts = np.array([np.bincount(cell, kind, cells) for kind in look.kinds])
        shared += counts[: len(SHARED)]
        if look.ink is not None:
            of_ink[inks.index(look.ink)] += counts[len(SHARED) :]
    shared[Print.START] += _like_start(shared, config)
    of_ink[of_ink.sum(axis=(1, 2)) == 0] = _like_any_ink(of_ink, config)
    densities = np.array(
        [learned_density(counts, config) for counts in (*shared, *of_ink.reshape(-1, cells))]
    )
    on_cards = np.zeros(seen.cell.size, np.bool_)
    for look in looks:
        on_cards[look.at] = True
    everywhere = learned_density(
        np.bincount(seen.cell[bare], minlength=cells).astype(np.float64), config
    )
    anything = np.concatenate([densities, everywhere[None]]).mean(axis=0)
    logs = np.log((1 - config.outliers) * densities + config.outliers * anything)
    here = _bare_here(seen, bare, everywhere, config)
    bare_logs = np.log((1 - config.outliers) * here + config.outliers * anything[seen.cell])
    bare_logs += _levels(seen, bare, on_cards, config)
    return Printing(
        inks,
        logs[: len(SHARED)].astype(np.float32),
        logs[len(SHARED) :].reshape(of_ink.shape).astype(np.float32),
        bare_logs.astype(np.float32),
    )


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


def learned_density(counts: FloatArray, config: ReadingConfig) -> FloatArray:
    """Shares (cells,) that sum to 1, of counts: smoothed finely, broadly, and to a little anywhere.

    The fewer places were seen, the more likely is anything.
    """
    grid = np.asarray(counts, np.float64).reshape(cells_of(config))
    even = config.unseen_places / grid.size
    mixed = np.full(grid.shape, even)
    shares = (1 - config.broad_share, config.fine_cells), (config.broad_share, config.broad_cells)
    for share, sigma in shares:
        mixed += share * gaussian_filter(grid, sigma, mode="nearest")
    return np.asarray(mixed.ravel() / mixed.sum())


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


def _bare_here(
    seen: Observation, bare: Bools, everywhere: FloatArray, config: ReadingConfig
) -> FloatArray:
    """How likely (H, W) each place is as what is no card: as that near by, and anywhere, is."""
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
    tiles: FloatArray = smooth.reshape(rows * columns, number).astype(np.float64)
    total = tiles.sum(axis=1, keepdims=True)
    inside = np.bincount(coarse, minlength=number)
    tiles = np.where(total > 1, tiles / np.maximum(total, 1), 0) / inside
    all_y, all_x = (np.arange(side) // size for side in bare.shape)
    place_tile = (all_y[:, None] * columns + all_x[None]).astype(np.int64)
    near = tiles.reshape(-1)[place_tile * number + coarse[seen.cell]]
    known = (total > 1).ravel()[place_tile]
    share = np.where(known, config.tile_share, 0.0)
    return np.asarray(share * near + (1 - share) * everywhere[seen.cell])


def _levels(seen: Observation, bare: Bools, on_cards: Bools, config: ReadingConfig) -> FloatArray:
    """The log odds (H, W) of each place's level where no card lies against where one does."""
    logs = []
    for levels in (seen.level[bare], seen.level.reshape(-1)[on_cards]):
        counts = np.bincount(levels, minlength=config.level_cells) + 1.0
        smooth = gaussian_filter1d(counts, config.fine_cells, mode="nearest")
        logs.append(np.log(smooth / smooth.sum()))
    odds = np.clip(logs[0] - logs[1], -config.level_nats, config.level_nats)
    return np.asarray(odds[seen.level])


def _coarse(config: ReadingConfig) -> tuple[Ints, int]:
    """For each cell the number of one that is twice as wide along each axis, and how many there
    are.
    """
    sides = cells_of(config)
    halves = tuple(-(-side // 2) for side in sides)
    at = np.indices(sides).reshape(len(sides), -1) // 2
    numbers = np.asarray(np.ravel_multi_index(tuple(at), halves), np.int64)
    return numbers, int(np.prod(halves))
