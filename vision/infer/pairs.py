"""The move of two cards that lie on one another: the other way round."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass

from vision.infer.inks import learned_again
from vision.infer.one_card import LEAST_GAIN, best_at
from vision.model.score import TableScore
from vision.model.table import CardId, Table


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Two cards, the lower one first, that lost so many nats the other way round."""

    lower: CardId
    upper: CardId
    lost: float


def flipped(
    score: TableScore, table: Table, asked: Set[CardId], missed: dict[frozenset[CardId], NearMiss]
) -> Table:
    """Pairs the other way round: what lies on the lower one by chains of touching goes up with it,
    over the other one too, and both may be something else then. Only pairs of which one is asked;
    those that lose little are written into `missed`.
    """
    for lower, upper in list(_pairs(score, table)):
        if lower not in asked and upper not in asked:
            continue
        missed.pop(frozenset((lower, upper)), None)
        other = _tried(score, table, lower, upper)
        if other is None:
            continue
        moved = _moved(table, other, lower, upper)
        gain = _of_some(score, other, moved) - _of_some(score, table, moved)
        if gain > LEAST_GAIN:
            table = other
        elif gain > -score.config.taught_nats and _teaches(score, table, other, lower, upper):
            missed[frozenset((lower, upper))] = NearMiss(lower, upper, -gain)
    return table


def flipped_as_taught(score: TableScore, table: Table, missed: Collection[NearMiss]) -> Table:
    """One pair more the other way round, where the table is likelier by what it teaches then: what
    is wrongly explained has taught that it looks so. Those that lost least are tried.
    """
    whole = score.total(table)
    for one in sorted(missed, key=lambda one: one.lost)[: score.config.taught_trials]:
        there = {card.id for card in table.cards}
        if not {one.lower, one.upper} <= there or table.rank(one.lower) > table.rank(one.upper):
            continue
        other = _tried(score, table, one.lower, one.upper)
        if other is not None and learned_again(score, other).total(other) > whole + LEAST_GAIN:
            return other
    return table


def _tried(score: TableScore, table: Table, lower: CardId, upper: CardId) -> Table | None:
    """Two cards the other way round, as what they are likeliest then; None where they are so."""
    other = _pair_flipped(score, table, lower, upper)
    if other is None:
        return None
    for card in (upper, lower):
        rank = other.rank(card)
        other = best_at(score, other.without(card), other.card(card), rank).table
    return other


def _teaches(score: TableScore, table: Table, other: Table, lower: CardId, upper: CardId) -> bool:
    """Whether two tables plainly differ at two cards on so much that what they teach matters."""
    cards = table.card(lower), table.card(upper)
    least = score.config.taught_mm2
    return max(score.differs_mm2(table, other, card) for card in cards) >= least


def _moved(table: Table, other: Table, lower: CardId, upper: CardId) -> Set[CardId]:
    """The upper one of two cards, and all that have gone over it with the lower one."""
    between = table.cards[table.rank(lower) : table.rank(upper)]
    at = other.rank(upper)
    return {upper, *(card.id for card in between if other.rank(card.id) > at)}


def _of_some(score: TableScore, table: Table, cards: Set[CardId]) -> float:
    """What of a table's score may differ where some of its cards have moved in the order, nats:
    what these explain where they show, and the prior.
    """
    out = score.prior(table)
    for rank, card in enumerate(table.cards):
        if card.id in cards:
            out += score.explains(card, score.prints.shows(card, table.cards[rank + 1 :]))
    return out


def _pairs(score: TableScore, table: Table) -> Iterator[tuple[CardId, CardId]]:
    """All pairs of cards that touch, the lower one first."""
    for rank, lower in enumerate(table.cards):
        for upper in table.cards[rank + 1 :]:
            if score.prints.touch(lower.place, upper.place):
                yield lower.id, upper.id


def _pair_flipped(score: TableScore, table: Table, lower: CardId, upper: CardId) -> Table | None:
    """The table with one card over the other that was over it, and with it all that lie on it by
    chains of touching, these on the other as well; None where it is so already.
    """
    low, high = table.rank(lower), table.rank(upper)
    if low > high:
        return None
    touch = score.prints.touch
    up = [table.cards[low]]
    for card in table.cards[low + 1 : high]:
        if any(touch(card.place, other.place) for other in up):
            up.append(card)
    rest = [card for card in table.cards if card not in up]
    at = rest.index(table.cards[high]) + 1
    return Table((*rest[:at], *up, *rest[at:]))
