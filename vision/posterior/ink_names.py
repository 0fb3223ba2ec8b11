"""Which colours of the deck the inks of a table are, by their hues, dealt once for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
from scipy.optimize import linear_sum_assignment

from geometry.deck import Deck
from vision.arrays import FloatArray
from vision.model.drawing import Print
from vision.model.score import TableScore
from vision.model.table import Table
from vision.naming.ink_groups import hues_deg
from vision.observe.observation import cells_of


def ink_names(score: TableScore, table: Table, deck: Deck) -> Mapping[str, str]:
    """A colour for each ink of a table. Where there are more inks than colours, those that most
    cards have are named first and the rest as is likeliest for each.
    """
    number = Counter(card.ink for card in table.cards if card.ink is not None)
    inks = [ink for ink, _ in number.most_common()]
    if not inks:
        return {}
    costs = np.array([_costs(_hue_deg(score, table, ink), deck, score) for ink in inks])
    weight = np.array([number[ink] for ink in inks], np.float64)
    chosen = costs.argmin(axis=1)
    first = slice(0, len(deck.colours))
    rows, columns = linear_sum_assignment(costs[first] * weight[first, None])
    chosen[rows] = columns
    return {ink: deck.colours[int(colour)].name for ink, colour in zip(inks, chosen, strict=True)}


def _costs(hue: float, deck: Deck, score: TableScore) -> FloatArray:
    """How unlikely (C,) a hue is for each colour: by how far it lies beyond those of its printings,
    and a little by how far off their middle.
    """
    low, high = hues_deg(deck)
    middle, half = (low + high) / 2, (high - low) / 2
    off = np.abs((hue - middle + 180) % 360 - 180)
    beyond = np.maximum(off - half, 0) / score.config.hue_sigma_deg
    return np.asarray(beyond**2 / 2 + (off / half) ** 2 / 2)


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
