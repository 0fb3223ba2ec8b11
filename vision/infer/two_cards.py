"""Moves of two cards together: what either alone would be unlikely to be, and both may be.

A face or an ink changes nothing that another card shows, so that what two such moves gain in the
picture adds up; together they may break no rule that each breaks alone. An order changes what
shows, and with it what both cards may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from vision.arrays import Bools, FloatArray
from vision.infer.moves import Move, MoveKind, order_moves
from vision.model.score import TableScore
from vision.model.table import CardId, PlacedCard, Table

MOST_OF_A_CARD = 24
"""Of what a card may be so much is tried together with what others may be, the likeliest first: of
a card that shows nothing it may be anything."""
SYNERGY = 0.1
"""Nats: moves that gain no more together than each alone are no move of their own."""


@dataclass(frozen=True, eq=False)
class _Free:
    """What a player's card may be (T, K), by what that gains in the picture alone, nats, and with
    what the rules say of it while all others stay as they are.
    """

    card: PlacedCard
    picture: FloatArray
    alone: FloatArray


def exchanges(
    score: TableScore, table: Table, least: float, asked: Set[CardId] | None = None
) -> Iterator[Move]:
    """Two cards, of all or of those that are `asked`, as something else, that together break fewer
    of the table's rules than each alone: one has a face or an ink of the other. What the second one
    may be then is summed up: the move has the likeliest of it, and gains as much as all of it.
    """
    free = [one for one in _all_free(score, table, asked) if one is not None]
    whole = score.prior(table)
    for one in free:
        broken = one.alone < one.picture - SYNERGY
        for row, column in _likeliest(np.where(broken, one.picture, -np.inf), least):
            what, ink = score.faces.hypotheses[row], score.printing.inks[column]
            changed = replace(one.card, hypothesis=what, ink=ink)
            rest = table.with_card(changed)
            for other in free:
                own = other.card
                same_face = own.hypothesis.face == what.face or ink != one.card.ink
                if own.id == one.card.id or own.ink != ink or not same_face:
                    continue
                without = rest.without(own.id)
                prior = score.prior(without) - whole + score.prior_of_one_more(without)[:-1]
                gains = float(one.picture[row, column]) + other.picture + prior
                helps = gains > float(one.alone[row, column]) + other.alone + SYNERGY
                move = _summed_up(score, rest, other, np.where(helps, gains, -np.inf))
                if move is not None and move.gain >= least:
                    kind = MoveKind.FACE if ink == one.card.ink else MoveKind.INK
                    yield replace(move, kind=kind, card=one.card.id, also=own.id)


def _all_free(score: TableScore, table: Table, asked: Set[CardId] | None) -> Iterator[_Free | None]:
    """What each card that is asked may be; None for a starting card."""
    shown = score.prints.shown(table)
    there = [ink in {card.ink for card in table.cards} for ink in score.printing.inks]
    for card in table.cards:
        if card.ink is None or (asked is not None and card.id not in asked):
            yield None
            continue
        picture = np.where(there, over_own(score, card, shown[card.id]), -np.inf)
        prior = score.prior_of_one_more(table.without(card.id))[:-1]
        own = score.faces.row(card.hypothesis), score.printing.inks.index(card.ink)
        alone = picture + prior - prior[own]
        picture[own] = alone[own] = -np.inf
        yield _Free(card, picture, alone)


def _likeliest(gains: FloatArray, least: float) -> list[tuple[int, int]]:
    """The rows and columns of what gains at least so much, those first that gain most."""
    order = np.argsort(-gains, axis=None, kind="stable")[:MOST_OF_A_CARD]
    at = np.stack(np.unravel_index(order, gains.shape), axis=1)
    return [(int(row), int(column)) for row, column in at if gains[row, column] >= least]


def _summed_up(
    score: TableScore, rest: Table, free: _Free, gains: FloatArray
) -> Move | None:  # fmt: skip
    """A card as the likeliest of what gains (T, K), with the gain of all of it; None of nothing."""
    best = float(gains.max())
    if not np.isfinite(best):
        return None
    row, column = np.unravel_index(int(gains.argmax()), gains.shape)
    card = replace(
        free.card, hypothesis=score.faces.hypotheses[int(row)], ink=score.printing.inks[int(column)]
    )
    gain = best + float(np.log(np.exp(gains - best).sum()))
    return Move(MoveKind.FACE, card.id, rest.with_card(card), gain, 0.0)


def orders_with_faces(
    score: TableScore, table: Table, least: float, asked: Set[CardId] | None = None
) -> Iterator[Move]:
    """Two cards, of all or of those that are `asked`, that touch the other way round,
    one of them with another face then, which what shows of it tells better than before.
    """
    shown = score.prints.shown(table)
    cards = [card for card in table.cards if asked is None or card.id in asked]
    before = {c.id: over_own(score, c, shown[c.id]) for c in cards if c.ink is not None}
    for lower, upper in combinations(cards, 2):
        if not score.prints.touch(lower.place, upper.place):
            continue
        for order in order_moves(score, table, lower, upper):
            for card in (lower, upper):
                if card.ink is None:
                    continue
                rank = order.table.rank(card.id)
                there = score.prints.shows(card, order.table.cards[rank + 1 :])
                column = score.printing.inks.index(card.ink)
                gains = over_own(score, card, there)[:, column]
                better = gains > np.maximum(before[card.id][:, column], 0.0) + SYNERGY
                for row in np.flatnonzero(better & (order.gain + gains >= least)).tolist():
                    other = replace(card, hypothesis=score.faces.hypotheses[row])
                    changed = order.table.with_card(other)
                    ruled = score.prior(changed) - score.prior(order.table)
                    gain = order.gain + float(gains[row]) + ruled
                    if gain >= least:
                        yield replace(order, table=changed, gain=gain, also=card.id)


def over_own(score: TableScore, card: PlacedCard, shows: Bools) -> FloatArray:
    """What (T, K) a player's card gains in the picture as any face in any ink, over what it is."""
    gains = score.totals(card, shows).gains[:-1]
    column = 0 if card.ink is None else score.printing.inks.index(card.ink)
    return np.asarray(gains - gains[score.faces.row(card.hypothesis), column])
