"""The moves of the starting card: a card that is one, though no printing says so yet, and one that
lies elsewhere. It alone teaches what it looks like, so that each trial is scored by that.
"""

from __future__ import annotations

from dataclasses import replace

from vision.infer.inks import learned_again
from vision.infer.one_card import LEAST_GAIN, cards_again
from vision.infer.pool import Pool
from vision.model.score import TableScore
from vision.model.table import PlacedCard, Table


def start_found(score: TableScore, table: Table) -> Table:
    """The table with the starting card where none lies yet: what a starting card looks like is
    learned from one alone, so that each trial is scored by what it teaches. Those cards are tried
    that lose least by what is known.
    """
    if any(card.ink is None for card in table.cards):
        return table
    start = score.faces.hypotheses[-1]
    shown = score.prints.shown(table)

    def loss(card: PlacedCard) -> float:
        as_start = replace(card, hypothesis=start, ink=None)
        there = shown[card.id]
        return score.explains(card, there) - score.explains(as_start, there)

    bare = score.printing
    best, whole = table, learned_again(score, table, bare).total(table)
    for card in sorted(table.cards, key=loss)[: score.config.start_trials]:
        other = table.with_card(replace(card, hypothesis=start, ink=None))
        total = learned_again(score, other, bare).total(other)
        if total > whole + LEAST_GAIN:
            best, whole = other, total
    return best


def start_moved(score: TableScore, table: Table, pool: Pool) -> Table:
    """The table with the starting card at a proposed place near by instead, where what the table
    teaches then scores higher; what touches either place may be something else then.
    """
    start = next((card for card in table.cards if card.ink is None), None)
    if start is None:
        return table
    bare = score.printing
    best, whole = table, learned_again(score, table, bare).total(table)
    for card_id, place in pool.beside(score, table, start):
        moved = replace(start, id=card_id, place=place)
        other = Table(tuple(moved if card.id == start.id else card for card in table.cards))
        again = learned_again(score, other, bare)
        touch = score.prints.touch
        near = {
            card.id
            for card in other.cards
            if touch(card.place, place) or touch(card.place, start.place)
        }
        other = cards_again(again, other, near)
        total = learned_again(again, other, bare).total(other)
        if total > whole + LEAST_GAIN:
            best, whole = other, total
    return best
