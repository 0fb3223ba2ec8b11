"""Moves of one card: at any place in the order, as anything, or not there at all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Set
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import FloatArray, Ints, Map32
from vision.model.score import TableScore
from vision.model.table import CardId, PlacedCard, Table

LEAST_GAIN = 1e-3
"""Nats: what gains less is rounding."""
ROUNDING = 0.01
"""Nats: sums of single precision are no further off."""


@dataclass(frozen=True, eq=False)
class Chance:
    """A table with one card more, which card that is, and what it gains over the one without,
    nats; or with it `instead` of another one, and what it gains over the one with that.
    """

    table: Table
    gain: float
    card: CardId
    instead: CardId | None = None


def best_with(score: TableScore, rest: Table, card: PlacedCard) -> Chance:
    """The best of a table with a card more: at any place in the order, as anything. It may gain
    less than nothing.
    """
    return _asked_anywhere(score, rest, card).best()


def best_above(score: TableScore, rest: Table, card: PlacedCard, least: float) -> Chance | None:
    """As `best_with`; None where it is plain that it gains less than `least`."""
    asked = _asked_anywhere(score, rest, card)
    return None if asked.most < least else asked.best()


class AtMost:
    """What cards gain at most over one table, each alone: what the table explains is asked once."""

    def __init__(self, score: TableScore, rest: Table) -> None:
        """Which card shows at each place, counted from 1, and what it gains there."""
        self._score, self._rest = score, rest
        self._top = np.zeros(score.seen.cell.size, np.int16)
        self._gains = np.zeros(score.seen.cell.size, np.float32)
        for number, card in enumerate(rest.cards, 1):
            at = score.prints.of(card.place).at
            self._top[at] = number
            self._gains[at] = score.place_gains(card)

    def gain(self, card: PlacedCard) -> float:
        """What a card more gains at most: at any place in the order, as anything."""
        score, rest = self._score, self._rest
        at = score.prints.of(card.place).at
        top = self._top.take(at)
        shows = np.bincount(top, minlength=len(rest.cards) + 1) > 0
        shows[0] = False
        # Just under a card of which nothing shows here is as under the next one that does show.
        ranks = [*(np.flatnonzero(shows) - 1).tolist(), len(rest.cards)]
        first = shows.cumsum().take(top)
        return _with_prior(score, rest, card, ranks, first, self._gains.take(at)).most


def best_in_each_ink(score: TableScore, rest: Table, card: PlacedCard) -> list[Chance]:
    """As `best_with`, once for each ink."""
    asked = _asked_anywhere(score, rest, card)
    gains = asked.gains()
    return [asked.chance(gains, k) for k in range(gains.shape[2])]


def best_at(score: TableScore, rest: Table, card: PlacedCard, rank: int) -> Chance:
    """The best of a table with a card more at one place in the order, as anything."""
    return _asked(score, rest, card, [rank]).best()


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


@dataclass(frozen=True, eq=False)
class _Asked:
    """A table and a card more at some places in its order (R,): from which of them on each of the
    card's places shows (N,), what the table explains there without it (R,), in nats, and what its
    prior gains (T, K) by what the card is.
    """

    score: TableScore
    rest: Table
    card: PlacedCard
    ranks: list[int]
    first: Ints
    without: FloatArray
    prior: FloatArray

    @property
    def most(self) -> float:
        """What no place in the order and nothing that the card may be gains more than."""
        most = self.score.most_each(self.card, self.first, len(self.ranks))
        prior = np.array([self.prior[:-1].max(), self.prior[-1].max()])
        return float((most - self.without[:, None] + prior).max()) + ROUNDING

    def gains(self) -> FloatArray:
        """What (R, T, K) the card gains at each place in the order, by what it is, nats."""
        gains = self.score.gains_each(self.card, self.first, len(self.ranks))
        return np.asarray(gains - self.without[:, None, None] + self.prior)

    def best(self) -> Chance:
        """The best of it."""
        return self.chance(self.gains())

    def chance(self, gains: FloatArray, of_ink: int | None = None) -> Chance:
        """The best of what gains so much, in any ink or in that of this number."""
        score, rest, card = self.score, self.rest, self.card
        some = gains if of_ink is None else gains[:, :, of_ink : of_ink + 1]
        at, row, column = (int(k) for k in np.unravel_index(int(some.argmax()), some.shape))
        column += of_ink or 0
        start = row == gains.shape[1] - 1
        ink = None if start else score.printing.inks[column]
        chosen = replace(card, hypothesis=score.faces.hypotheses[row], ink=ink)
        rank = self.ranks[at]
        table = Table((*rest.cards[:rank], chosen, *rest.cards[rank:]))
        return Chance(table, float(gains[at, row, column]), card.id)


def _asked_anywhere(score: TableScore, rest: Table, card: PlacedCard) -> _Asked:
    ranks = [rank for rank, _ in score.prints.touching(card.place, rest.cards)]
    return _asked(score, rest, card, [*ranks, len(rest.cards)])


def _asked(score: TableScore, rest: Table, card: PlacedCard, ranks: list[int]) -> _Asked:
    first = _first_shown(score, rest, card, ranks)
    return _with_prior(score, rest, card, ranks, first, score.explained_at(card, rest))


def _with_prior(
    score: TableScore, rest: Table, card: PlacedCard, ranks: list[int], first: Ints,
    explained: FloatArray | Map32,
) -> _Asked:  # fmt: skip
    number = len(ranks)
    without = np.bincount(first, explained, number + 1).cumsum()[:number]
    prior = score.prior_of_one_more(rest)
    return _Asked(score, rest, card, ranks, first, without * score.in_nats(1.0), prior)


def _first_shown(score: TableScore, rest: Table, card: PlacedCard, ranks: list[int]) -> Ints:
    """For each place (N,) of a card the first of some rising ranks at which it shows; their number
    where it shows at none.
    """
    first = np.zeros(len(score.prints.of(card.place).at), np.int64)
    for rank, both in score.prints.touching(card.place, rest.cards):
        first[both.under] = bisect_right(ranks, rank)
    return first
