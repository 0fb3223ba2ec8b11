"""The move of two cards that lie on one another: the other way round."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass

from vision.infer.inks import learned_again
from vision.infer.moves import flips, of_some
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
    """Pairs the other way round, with what goes along, where both may be something else then. Only
    pairs of which one is asked; those that lose little are written into `missed`.
    """
    for lower, upper in list(_pairs(score, table)):
        if lower not in asked and upper not in asked:
            continue
        missed.pop(frozenset((lower, upper)), None)
        tried = _tried(score, table, lower, upper)
        if tried is None:
            continue
        other, gain = tried
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
        tried = _tried(score, table, one.lower, one.upper)
        if tried and learned_again(score, tried[0]).total(tried[0]) > whole + LEAST_GAIN:
            return tried[0]
    return table


def _tried(
    score: TableScore, table: Table, lower: CardId, upper: CardId
) -> tuple[Table, float] | None:
    """Two cards the other way round, as what they are likeliest then, and what that gains, nats;
    None where they are so.
    """
    best: tuple[Table, float] | None = None
    for other, moved in flips(score, table, lower, upper):
        likeliest = _likeliest(score, _likeliest(score, other, upper), lower)
        gain = of_some(score, likeliest, moved) - of_some(score, table, moved)
        if best is None or gain > best[1]:
            best = likeliest, gain
    return best


def _likeliest(score: TableScore, table: Table, card: CardId) -> Table:
    """The table with a card as what it is likeliest where it lies in the order."""
    return best_at(score, table.without(card), table.card(card), table.rank(card)).table


def _teaches(score: TableScore, table: Table, other: Table, lower: CardId, upper: CardId) -> bool:
    """Whether two tables plainly differ at two cards on so much that what they teach matters."""
    cards = table.card(lower), table.card(upper)
    least = score.config.taught_mm2
    return max(score.differs_mm2(table, other, card) for card in cards) >= least


def _pairs(score: TableScore, table: Table) -> Iterator[tuple[CardId, CardId]]:
    """All pairs of cards that touch, the lower one first."""
    for rank, lower in enumerate(table.cards):
        for upper in table.cards[rank + 1 :]:
            if score.prints.touch(lower.place, upper.place):
                yield lower.id, upper.id
