"""What the inks of a table look like, and how likely their hues are for a deck's colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from geometry.deck import Deck
from vision.arrays import FloatArray, Ints
from vision.model.drawing import OF_INK, Print
from vision.model.score import TableScore
from vision.model.table import PlacedCard, Table
from vision.observe.observation import cells_of
from vision.printed_hues import hue_deg, hues_deg
from vision.reading_config import ReadingConfig


def ink_counts(score: TableScore, table: Table) -> dict[str, FloatArray]:
    """For each ink of a table how often (I, cells) each kind of its print looks like what."""
    counts: dict[str, FloatArray] = {}
    for card, count in counts_of_each(score, table):
        ink = card.ink or ""
        counts[ink] = counts.get(ink, np.zeros(count.shape)) + count
    return counts


def counts_of_each(
    score: TableScore, table: Table
) -> Iterator[tuple[PlacedCard, Ints]]:  # fmt: skip
    """Each card that has an ink, with how often (I, cells) each kind of its print looks like
    what.
    """
    shown = score.prints.shown(table)
    cells = score.printing.shared.shape[1]
    for card in table.cards:
        if card.ink is None:
            continue
        taken, shows = score.prints.of(card.place), shown[card.id]
        drawn = score.faces.drawn(card.hypothesis)[taken.on[shows]].astype(np.int64) - OF_INK[0]
        cell = score.seen.cell.reshape(-1)[taken.at[shows]]
        own = drawn >= 0
        spot = drawn[own] * cells + cell[own]
        yield (
            card,
            np.bincount(spot, minlength=len(OF_INK) * cells).reshape(len(OF_INK), cells),
        )


def mean_chroma(counts: FloatArray | Ints, config: ReadingConfig) -> tuple[float, float]:
    """The mean chroma of the places that plainly show an ink, by its counts (I, cells), as shares
    of white: red over green, and yellow over blue less than 0.
    """
    across, along, *whites = cells_of(config)
    grid = counts[OF_INK.index(Print.INK)].reshape(across, along, int(np.prod(whites))).sum(axis=2)
    total = max(float(grid.sum()), 1.0)
    axes = [(np.arange(side) + 0.5) / side * 2 - 1 for side in (across, along)]
    return float(axes[0] @ grid.sum(axis=1)) / total, float(axes[1] @ grid.sum(axis=0)) / total


def hue_of(chroma: tuple[float, float]) -> float:
    """The hue of a chroma, degrees, as `hue_deg` has it."""
    red_green, blue = chroma
    b = 2 * blue / np.sqrt(6)
    r, g = (sign * red_green / np.sqrt(2) - blue / np.sqrt(6) for sign in (1.0, -1.0))
    return hue_deg(r, g, b)


@dataclass(frozen=True, eq=False)
class ColourHues:
    """From which hue (C,) to which the colours of a deck may be printed, degrees."""

    names: tuple[str, ...]
    low: FloatArray
    high: FloatArray
    config: ReadingConfig

    @classmethod
    def of(cls, deck: Deck, config: ReadingConfig) -> ColourHues:
        """Those of a deck in all its printings."""
        low, high = hues_deg(deck)
        return cls(tuple(colour.name for colour in deck.colours), low, high, config)

    def costs(self, chromas: Sequence[tuple[float, float]]) -> FloatArray:
        """How unlikely chromas (N,) are for each colour (N, C), nats: by how far their hues lie
        beyond those of its printings; of a pale ink the hue says little.
        """
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        hues = np.array([hue_of(chroma) for chroma in chromas]).reshape(-1, 1)
        off = np.abs((hues - middle + 180) % 360 - 180) - half
        strength = np.maximum(np.hypot(*np.array(chromas).reshape(-1, 2).T), 1e-6)[:, None]
        pale_deg = np.rad2deg(np.arctan(self.config.chroma_sigma / strength))
        sigma = np.hypot(self.config.hue_sigma_deg, pale_deg)
        beyond = self.config.hue_beyond_nats + (off / sigma) ** 2 / 2
        # Between names that are as likely, nearness to the middle decides.
        return np.asarray(np.where(off > 0, beyond, 0.0) + 0.01 * np.maximum(off / half + 1, 0))

    def unlike(self, counts: Mapping[str, FloatArray]) -> float:
        """How unlikely (nats) inks are by their hues, each dealt a colour of its own."""
        return dealt(self.costs([mean_chroma(count, self.config) for count in counts.values()]))[0]


def dealt(costs: FloatArray) -> tuple[float, Ints]:
    """The least sum of costs (N, C) of a colour for each ink, and which (N,) those are. Where there
    are more inks than colours, the first have one each and the rest what costs least.
    """
    chosen = costs.argmin(axis=1)
    rows, columns = linear_sum_assignment(costs[: costs.shape[1]])
    chosen[rows] = columns
    return float(costs[np.arange(len(costs)), chosen].sum()), chosen
