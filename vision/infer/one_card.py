"""Moves of one card: at any place in the order, as anything, or not there at all."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Ints
from vision.model.score import TableScore
from vision.model.table import CardId, PlacedCard, Table

LEAST_GAIN = 1e-3
"""Nats: what gains less is rounding."""


@dataclass(frozen=True, eq=False)
class Chance:
    """A table with one card more, which card that is, and what it gains over the one without,
    nats.
    """

    table: Table
    gain: float
    card: CardId


def best_with(score: TableScore, rest: Table, card: PlacedCard) -> Chance:
    """The best of a table with a card more: at any place in the order, as anything. It may gain
    less than nothing.
    """
    ranks = [r for r, c in enumerate(rest.cards) if score.prints.touch(card.place, c.place)]
    ranks.append(len(rest.cards))
    return _best_at_ranks(score, rest, card, ranks)


def best_at(score: TableScore, rest: Table, card: PlacedCard, rank: int) -> Chance:
    """The best of a table with a card more at one place in the order, as anything."""
    return _best_at_ranks(score, rest, card, [rank])


def worth(score: TableScore, table: Table, card: PlacedCard) -> float:
    """What a card gains by being there."""
    return -score.gain(table, table.without(card.id), card)


def cards_again(score: TableScore, table: Table, asked: Set[CardId]) -> Table:
    """Cards once more, the least sure first: any place in the order, face, ink, or none."""
    cards = [card for card in table.cards if card.id in asked]
    for card in sorted(cards, key=lambda card: worth(score, table, card)):
        rest = table.without(card.id)
        best = best_with(score, rest, card)
        table = best.table if best.gain > LEAST_GAIN else rest
    return table


def _best_at_ranks(score: TableScore, rest: Table, card: PlacedCard, ranks: list[int]) -> Chance:
    first = _first_shown(score, rest, card, ranks)
    number = len(ranks)
    without = np.bincount(first, score.explained_at(card, rest), number + 1).cumsum()[:number]
    gains = score.gains_each(card, first, number) - score.in_nats(1.0) * without[:, None, None]
    gains += score.prior_of_one_more(rest)
    at, row, column = (int(k) for k in np.unravel_index(int(gains.argmax()), gains.shape))
    start = row == gains.shape[1] - 1
    ink = None if start else score.printing.inks[column]
    chosen = replace(card, hypothesis=score.faces.hypotheses[row], ink=ink)
    rank = ranks[at]
    table = Table((*rest.cards[:rank], chosen, *rest.cards[rank:]))
    return Chance(table, float(gains[at, row, column]), card.id)


def _first_shown(score: TableScore, rest: Table, card: PlacedCard, ranks: list[int]) -> Ints:
    """For each place (N,) of a card the first of some rising ranks at which it shows; their number
    where it shows at none.
    """
    highest = np.full(len(score.prints.of(card.place).at), -1, np.int64)
    for rank, other in enumerate(rest.cards):
        both = score.prints.overlap(card.place, other.place)
        if both is not None:
            highest[both.under] = rank
    return np.searchsorted(np.array(ranks), highest, side="right").astype(np.int64)
