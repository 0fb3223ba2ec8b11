"""Where a picture disagrees with a table: what is drawn there looks worse than such things usually
do, or white shows where none is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Bools, FloatArray, Map32
from vision.model.bare import bare_places
from vision.model.densities import learned_densities, with_outliers
from vision.model.drawing import DrawnFaces, Print
from vision.model.footprint import Footprints
from vision.model.score import TableScore
from vision.model.table import CardId, PlacedCard, Table
from vision.observe.observation import FULL_WHITE, Observation, cells_of
from vision.reading_config import ReadingConfig

DARK = np.zeros(len(Print), np.bool_)
DARK[[Print.BLACK, Print.INK]] = True
DARK.setflags(write=False)
"""Kinds of print that are never white."""


@dataclass(frozen=True, eq=False)
class Worse:
    """Where (H, W) what cards draw looks much worse than usual, and how many mm² of that each card
    has.
    """

    places: Bools
    mm2: dict[CardId, float]


def worse_explained(score: TableScore, table: Table, white: Bools | None = None) -> Worse:
    """Where a table explains the picture much worse than usual, by what its printing looks like, or
    `white` (H, W) shows on its cards that it does not draw.

    Nothing is asked of a starting card, of which printings differ in what they draw, nor of what is
    dark and far from all white, where chroma is mostly noise.
    """
    seen, logs = score.seen, score.printing.logs
    cell, usually = seen.cell.reshape(-1), _usually(logs)
    near_white = _near_white(seen, table, score.faces, score.prints, score.config)
    deficit = np.zeros(cell.size, np.float32)
    drawn = np.zeros(cell.size, np.bool_)
    shown = score.prints.shown(table)
    for card in table.cards:
        taken, shows = score.prints.of(card.place), shown[card.id]
        kinds = score.faces.drawn(card.hypothesis)[taken.on[shows]]
        told = (~DARK[kinds] | near_white[taken.at[shows]]) & (card.ink is not None)
        at, rows = taken.at[shows][told], score.printing.rows(card.ink)[kinds[told]]
        deficit[at] = usually[rows] - logs[rows, cell[at]]
        drawn[at] = True
    places = _worse(deficit.reshape(seen.cell.shape), drawn.reshape(seen.cell.shape), score)
    flat = (places if white is None else places | white).reshape(-1)
    return Worse(
        places,
        {
            card.id: float(flat[score.prints.of(card.place).at[shown[card.id]]].sum())
            / seen.density**2
            for card in table.cards
        },
    )


def unexplained_white(
    seen: Observation, table: Table, faces: DrawnFaces, prints: Footprints, config: ReadingConfig
) -> Bools:
    """Where (H, W) white shows that a table does not draw, on its cards or beside them: as bright
    as lines may be beside those of the cards, and more of it than specks.
    """
    white = ((seen.white >= config.frame_white * FULL_WHITE) & seen.says).reshape(-1)
    # Where no card lies, what is a little brighter than the rest passes for white.
    white &= _near_white(seen, table, faces, prints, config)
    shown = prints.shown(table)
    for card in table.cards:
        taken, shows = prints.of(card.place), shown[card.id]
        kinds = faces.drawn(card.hypothesis)[taken.on[shows]]
        white[taken.at[shows][~DARK[kinds]]] = False
    there = white.reshape(seen.cell.shape)
    side = int(config.white_near_mm * seen.density) | 1
    near = cv2.blur(there.astype(np.float32), (side, side))
    return np.asarray(there & (near > config.white_near_share))


def not_table(score: TableScore, table: Table, gone: Sequence[PlacedCard]) -> Bools:
    """Where (H, W) cards of a table that are `gone` lay, and now no card lies, and what shows looks
    much worse than what is no card does elsewhere.
    """
    seen, config, prints = score.seen, score.config, score.prints
    if not gone:
        return np.zeros(seen.cell.shape, np.bool_)
    elsewhere = bare_places(seen, [*table.cards, *gone], prints, config)
    here = bare_places(seen, table.cards, prints, config) & ~elsewhere
    near_white = _near_white(seen, table, score.faces, prints, config).reshape(here.shape)
    deficit = np.zeros(here.shape, np.float32)
    # Over what is white near by a table looks otherwise than far from all cards.
    for some in (near_white, ~near_white):
        cells = seen.cell[elsewhere & some]
        counts = np.bincount(cells, minlength=int(np.prod(cells_of(config))))
        density = learned_densities(counts[None], config)
        logs = with_outliers(density, score.printing.anything, config).astype(np.float32)
        at = here & some
        deficit[at] = _usually(logs)[0] - logs[0][seen.cell[at]]
    return _worse(deficit, here, score)


def _near_white(
    seen: Observation, table: Table, faces: DrawnFaces, prints: Footprints, config: ReadingConfig
) -> Bools:
    """Which places (H W,) have something near by that is as white as lines may be beside those that
    a table's cards show.
    """
    whitest, shown = seen.whitest.reshape(-1), prints.shown(table)
    lines = [np.empty(0, np.uint8)]
    for card in table.cards:
        taken, shows = prints.of(card.place), shown[card.id]
        drawn = faces.drawn(card.hypothesis)[taken.on[shows]]
        lines.append(whitest[taken.at[shows][drawn == Print.LINE]])
    own = np.concatenate(lines)
    return np.asarray(whitest >= config.dim_share * (np.median(own) if len(own) else 0.0))


def _usually(logs: Map32) -> FloatArray:
    """What (N,) places of each kind say of it on average, by their log densities (N, cells)."""
    return np.asarray((np.exp(logs) * logs).sum(axis=1), np.float64)


def _worse(deficit: Map32, there: Bools, score: TableScore) -> Bools:
    """Which places (H, W) look worse than usual on average of those near by that are `there`."""
    side = int(score.config.worse_near_mm * score.seen.density) | 1
    near = cv2.blur(there.astype(np.float32), (side, side))
    mean = cv2.blur(deficit, (side, side)) / np.maximum(near, 1e-6)
    return np.asarray(there & (mean > score.config.worse_nats))
