"""The move of cards that do not lie there: off the table, by what it teaches without them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from vision.infer.inks import learned_again
from vision.infer.moves import Move, removal
from vision.infer.one_card import LEAST_GAIN, worth
from vision.model.score import TableScore
from vision.model.table import CardId, PlacedCard, Table


def taken_off(score: TableScore, table: Table, kept: Set[CardId]) -> Table:
    """The table without cards that gain only by what it taught with them: what lies under a false
    card never taught that the table looks so, and an ink that only false cards have looks as the
    table does there.

    First all cards of one ink at once, then one after another along one path, of all but the `kept`
    always the one that gains least by what the table teaches by then, of whose steps the best is
    kept: false cards hold one another, and many in an ink of their own more than a few steps show.
    """
    best = without_least_ink(score, table, kept)
    by = learned_again(score, best)
    without, most = best, by.total(best)
    while True:
        left = [card for card in without.cards if card.id not in kept]
        if not left:
            return best
        least = min(left, key=lambda card: worth(by, without, card))
        without = without.without(least.id)
        by = learned_again(by, without)
        total = by.total(without)
        if total > most + LEAST_GAIN:
            best, most = without, total
        elif total < most - score.config.taken_nats:
            return best


def without_least_ink(score: TableScore, table: Table, kept: Set[CardId]) -> Table:
    """The table without all cards of the ink whose cards gain least together, where that scores
    higher by what it teaches then.
    """
    gains: dict[str, float] = {}
    for card in table.cards:
        if card.ink is not None:
            gains[card.ink] = gains.get(card.ink, 0.0) + worth(score, table, card)
    if len(gains) < 2:
        return table
    least = min(gains, key=gains.__getitem__)
    if any(card.ink == least and card.id in kept for card in table.cards):
        return table
    rest = Table(tuple(card for card in table.cards if card.ink != least))
    gain = learned_again(score, rest).total(rest) - learned_again(score, table).total(table)
    return rest if gain > LEAST_GAIN else table


def removal_as_taught(score: TableScore, table: Table, card: PlacedCard) -> Move:
    """The table without a card, by what either table teaches where the card gains little: what lies
    under a false one had no say in what the table looks like.
    """
    gone = removal(score, table, card)
    if gone.gain < -score.config.taken_nats:
        return gone
    before, after = (learned_again(score, some).total(some) for some in (table, gone.table))
    return replace(gone, gain=after - before)
