"""Single moves: tables that differ from one in a single card, and what each gains.

Each move is weighed by the score alone. How much of the picture it changes plainly (`told_mm2`)
says whether a picture can tell it at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.arrays import Bools, FloatArray
from vision.model.drawing import told_apart
from vision.model.score import TableScore
from vision.model.table import CardId, PlacedCard, Table, with_hypothesis, with_ink

ANY_GAIN = -np.inf
"""Nats: no move gains less."""


class MoveKind(Enum):
    """What a move changes."""

    FACE = "face"
    INK = "ink"
    ORDER = "order"
    REMOVE = "remove"
    ADD = "add"
    PLACE = "place"


@dataclass(frozen=True, eq=False)
class Move:
    """A table that differs in one card (for an order, in what lies over `over`), what its score
    gains in nats, and how many mm² would plainly look otherwise. `also`: a second card that is
    something else then.
    """

    kind: MoveKind
    card: CardId
    table: Table
    gain: float
    told_mm2: float
    over: CardId | None = None
    also: CardId | None = None


def face_moves(
    score: TableScore, table: Table, card: PlacedCard, shows: Bools, least: float = ANY_GAIN
) -> Iterator[Move]:
    """The card with each other face, side and turn, in its own ink, that gains at least so much;
    the starting card has none.
    """
    if card.ink is None:
        return
    faces, hypotheses = score.faces, score.faces.hypotheses
    gains = _over_own(score, table, card, shows)[:, score.printing.inks.index(card.ink)]
    on = score.prints.of(card.place).on[shows]
    mine, own = faces.drawn(card.hypothesis)[on], faces.row(card.hypothesis)
    for row in np.flatnonzero(gains[:-1] >= least).tolist():
        if row == own:
            continue
        other = table.with_card(with_hypothesis(card, hypotheses[row]))
        differs = float(told_apart(mine, faces.printed[row][on]).sum()) / score.seen.density**2
        yield Move(MoveKind.FACE, card.id, other, float(gains[row]), differs)


def ink_moves(
    score: TableScore, table: Table, card: PlacedCard, shows: Bools, least: float = ANY_GAIN
) -> Iterator[Move]:
    """The card in each other ink of the table that gains at least so much; the starting card has
    none.
    """
    if card.ink is None:
        return
    gains = _over_own(score, table, card, shows)[score.faces.row(card.hypothesis)]
    for ink, gain in zip(score.printing.inks, gains.tolist(), strict=True):
        if ink != card.ink and gain >= least:
            other = table.with_card(with_ink(card, ink))
            told = score.differs_mm2(table, other, card)
            yield Move(MoveKind.INK, card.id, other, gain, told)


def _over_own(score: TableScore, table: Table, card: PlacedCard, shows: Bools) -> FloatArray:
    """What (T, K) a card that shows at some places gains, as anything, over what it is."""
    inks = score.printing.inks
    gains = score.totals(card, shows).gains + score.prior_of_one_more(table.without(card.id))
    own = gains[score.faces.row(card.hypothesis), 0 if card.ink is None else inks.index(card.ink)]
    return np.asarray(gains - own)


def order_moves(
    score: TableScore, table: Table, lower: PlacedCard, upper: PlacedCard, least: float = ANY_GAIN
) -> Iterator[Move]:
    """The lower one of two cards just over the upper one, and the upper one just under the lower
    one, where that gains at least so much: where others lie between, these are different tables.
    """
    moved = [(table.moved_just_over(lower.id, upper.id), lower, upper)]
    if table.rank(upper.id) > table.rank(lower.id) + 1:
        moved.append((table.moved_just_under(upper.id, lower.id), upper, lower))
    for other, card, over in moved:
        gain = score.gain(table, other, card)
        if gain >= least:
            told = score.differs_mm2(table, other, card)
            yield Move(MoveKind.ORDER, card.id, other, gain, told, over.id)


def flips(
    score: TableScore, table: Table, lower: CardId, upper: CardId
) -> Iterator[tuple[Table, Set[CardId]]]:
    """The table with one card over another that was over it, and all cards of which other places
    show then: what lies on the lower one by chains of touching goes up with it, over the other one
    too; or what the upper one lies on so goes down with it. The second only where it is another
    table; none where the pair lies so already.
    """
    low, high = table.rank(lower), table.rank(upper)
    if low > high:
        return
    between = table.cards[low + 1 : high]
    up = _chain(score, table.cards[low], between)
    rest = [card for card in table.cards if card not in up]
    at = rest.index(table.cards[high]) + 1
    yield Table((*rest[:at], *up, *rest[at:])), {upper, *(card.id for card in up)}
    if len(up) > 1:
        down = _chain(score, table.cards[high], between[::-1])[::-1]
        rest = [card for card in table.cards if card not in down]
        at = rest.index(table.cards[low])
        yield Table((*rest[:at], *down, *rest[at:])), {lower, *(card.id for card in down)}


def _chain(score: TableScore, first: PlacedCard, others: Sequence[PlacedCard]) -> list[PlacedCard]:
    """A card, and those of others, by their order, that touch it or one that does before them."""
    out = [first]
    for card in others:
        if any(score.prints.touch(card.place, one.place) for one in out):
            out.append(card)
    return out


def flip_moves(
    score: TableScore, table: Table, lower: PlacedCard, upper: PlacedCard, least: float
) -> Iterator[Move]:
    """Two cards the other way round with what lies between them and goes along, where something
    does and that gains at least so much.
    """
    for other, moved in flips(score, table, lower.id, upper.id):
        if len(moved) > 2:
            gain = of_some(score, other, moved) - of_some(score, table, moved)
            if gain >= least:
                told = score.differs_mm2(table, other, lower)
                yield Move(MoveKind.ORDER, lower.id, other, gain, told, upper.id)


def of_some(score: TableScore, table: Table, cards: Set[CardId]) -> float:
    """What of a table's score may differ where some of its cards have moved in the order, nats:
    what these explain where they show, and the prior.
    """
    out = score.prior(table)
    for rank, card in enumerate(table.cards):
        if card.id in cards:
            out += score.explains(card, score.prints.shows(card, table.cards[rank + 1 :]))
    return out


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


def _move(score: TableScore, kind: MoveKind, table: Table, other: Table, card: PlacedCard) -> Move:
    gain = score.gain(table, other, card)
    return Move(kind, card.id, other, gain, score.differs_mm2(table, other, card))
