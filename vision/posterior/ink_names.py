"""Which colours of the deck the inks of a table are, by their hues, dealt once for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from geometry.deck import Deck
from vision.arrays import FloatArray, Ints
from vision.model.drawing import Print
from vision.model.score import TableScore
from vision.model.table import Table
from vision.naming.ink_groups import hues_deg
from vision.observe.observation import cells_of

NEVER = 1e6
"""Nats of a name that is asked not to be dealt."""


@dataclass(frozen=True, slots=True)
class InkNames:
    """The colour of each ink, and how else the colours may be dealt: `others`, the likeliest first,
    each with by how many nats it is likelier (less than 0) and an ink that has another colour then.
    """

    of: Mapping[str, str]
    others: tuple[tuple[float, str, Mapping[str, str]], ...] = ()


def ink_names(score: TableScore, table: Table, deck: Deck) -> InkNames:
    """A colour for each ink of a table. Where there are more inks than colours, those that most
    cards have are named first and the rest as is likeliest for each.
    """
    number = Counter(card.ink for card in table.cards if card.ink is not None)
    inks = [ink for ink, _ in number.most_common()]
    if not inks:
        return InkNames({})
    costs = np.array([_costs(_hue_deg(score, table, ink), deck, score) for ink in inks])
    least, chosen = _dealt(costs)
    others = []
    for row, ink in enumerate(inks[: len(deck.colours)] if len(deck.colours) > 1 else []):
        forbidden = costs.copy()
        forbidden[row, chosen[row]] = NEVER
        cost, other = _dealt(forbidden)
        others.append((least - cost, ink, _named(inks, other, deck)))
    others.sort(key=lambda one: -one[0])
    return InkNames(_named(inks, chosen, deck), tuple(others))


def _dealt(costs: FloatArray) -> tuple[float, Ints]:
    """The least cost, nats, of names for inks by costs (N, C), and which names (N,) those are."""
    chosen = costs.argmin(axis=1)
    rows, columns = linear_sum_assignment(costs[: costs.shape[1]])
    chosen[rows] = columns
    return float(costs[np.arange(len(costs)), chosen].sum()), chosen


def _named(inks: Sequence[str], chosen: Ints, deck: Deck) -> dict[str, str]:
    return {ink: deck.colours[int(colour)].name for ink, colour in zip(inks, chosen, strict=True)}


def _costs(hue: float, deck: Deck, score: TableScore) -> FloatArray:
    """How unlikely (C,) a hue is for each colour, nats: by how far it lies beyond those of its
    printings.
    """
    low, high = hues_deg(deck)
    middle, half = (low + high) / 2, (high - low) / 2
    off = np.abs((hue - middle + 180) % 360 - 180) - half
    config = score.config
    beyond = config.hue_beyond_nats + (off / config.hue_sigma_deg) ** 2 / 2
    # Between names that are as likely, nearness to the middle decides.
    return np.asarray(np.where(off > 0, beyond, 0.0) + 0.01 * np.maximum(off / half + 1, 0))


def _hue_deg(score: TableScore, table: Table, ink: str) -> float:
    """The hue of an ink, by the mean chroma of all places that show it."""
    shown = score.prints.shown(table)
    counts = np.zeros(int(np.prod(cells_of(score.config)[:2])))
    inner = int(np.prod(cells_of(score.config)[2:]))
    for card in table.cards:
        if card.ink != ink:
            continue
        taken, shows = score.prints.of(card.place), shown[card.id]
        drawn = score.faces.drawn(card.hypothesis)[taken.on[shows]]
        cell = score.seen.cell.reshape(-1)[taken.at[shows]][drawn == Print.INK]
        counts += np.bincount(cell // inner, minlength=len(counts))
    side = score.config.chroma_cells
    axis = (np.arange(side) + 0.5) / side * 2 - 1
    grid = counts.reshape(side, side)
    total = max(float(grid.sum()), 1.0)
    red_green, blue = float(axis @ grid.sum(axis=1)) / total, float(axis @ grid.sum(axis=0)) / total
    b = 2 * blue / np.sqrt(6)
    r, g = (sign * red_green / np.sqrt(2) - blue / np.sqrt(6) for sign in (1.0, -1.0))
    return float(np.rad2deg(np.arctan2(np.sqrt(3) / 2 * (g - b), r - (g + b) / 2)) % 360)
