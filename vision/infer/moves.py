"""Single moves: tables that differ from one in a single card, and what each gains.

Each move is weighed by the score alone. How much of the picture it changes plainly (`told_mm2`)
says whether a picture can tell it at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.arrays import Bools, FloatArray
from vision.model.drawing import told_apart
from vision.model.prior import log_prior
from vision.model.score import TableScore
from vision.model.table import CardId, PlacedCard, Table, with_hypothesis, with_ink


class MoveKind(Enum):
    """What a move changes."""

    FACE = "face"
    INK = "ink"
    ORDER = "order"
    REMOVE = "remove"
    ADD = "add"


@dataclass(frozen=True, eq=False)
class Move:
    """A table that differs in one card (for an order, in what lies over `over`), what its score
    gains in nats, and how many mm² would plainly look otherwise.
    """

    kind: MoveKind
    card: CardId
    table: Table
    gain: float
    told_mm2: float
    over: CardId | None = None


def face_moves(score: TableScore, table: Table, card: PlacedCard, shows: Bools) -> Iterator[Move]:
    """The card with each other face, side and turn, in its own ink; the starting card has none."""
    if card.ink is None:
        return
    totals = score.totals(card, shows)
    on = score.prints.of(card.place).on[shows]
    mine, own = score.faces.drawn(card.hypothesis)[on], totals.of(card.hypothesis, card.ink)
    before = log_prior(table, score.config)
    start = score.faces.hypotheses[-1].face
    for hypothesis in totals.hypotheses:
        if hypothesis == card.hypothesis or hypothesis.face == start:
            continue
        other = table.with_card(with_hypothesis(card, hypothesis))
        differs = float(told_apart(mine, score.faces.drawn(hypothesis)[on]).sum())
        gain = totals.of(hypothesis, card.ink) - own + log_prior(other, score.config) - before
        yield Move(MoveKind.FACE, card.id, other, gain, differs / score.seen.density**2)


def ink_moves(score: TableScore, table: Table, card: PlacedCard) -> Iterator[Move]:
    """The card in each other ink of the table; the starting card has none."""
    for ink in score.printing.inks if card.ink is not None else ():
        if ink != card.ink:
            yield _move(score, MoveKind.INK, table, table.with_card(with_ink(card, ink)), card)


def order_moves(
    score: TableScore, table: Table, lower: PlacedCard, upper: PlacedCard
) -> Iterator[Move]:
    """The lower one of two cards just over the upper one, and the upper one just under the lower
    one: where others lie between, these are different tables.
    """
    raised = table.moved_just_over(lower.id, upper.id)
    yield _move(score, MoveKind.ORDER, table, raised, lower, upper.id)
    if table.rank(upper.id) > table.rank(lower.id) + 1:
        sunk = table.moved_just_under(upper.id, lower.id)
        yield _move(score, MoveKind.ORDER, table, sunk, upper, lower.id)


def removal(score: TableScore, table: Table, card: PlacedCard) -> Move:
    """The table without a card."""
    return _move(score, MoveKind.REMOVE, table, table.without(card.id), card)


def additions(
    score: TableScore, table: Table, card: PlacedCard, below: CardId | None
) -> Iterator[Move]:
    """A card more, with the best of all faces, sides and turns in each ink, on top or just below
    another one. `card` says where; what it is does not matter.
    """
    at = len(table.cards) if below is None else table.rank(below)
    shows = score.prints.shows(card, table.cards[at:])
    totals = score.totals(card, shows)
    for column, ink in enumerate(totals.inks):
        players: FloatArray = totals.gains[:-1, column]
        hypothesis = totals.hypotheses[int(np.argmax(players))]
        new = with_ink(with_hypothesis(card, hypothesis), ink)
        yield _move(score, MoveKind.ADD, table, table.with_added(new, below), new)


def _move(
    score: TableScore, kind: MoveKind, table: Table, other: Table, card: PlacedCard,
    over: CardId | None = None,
) -> Move:  # fmt: skip
    gain = score.gain(table, other, card)
    return Move(kind, card.id, other, gain, score.differs_mm2(table, other, card), over)
