"""The move of the starting card: a card that is one, though no printing says so yet."""

from __future__ import annotations

from dataclasses import replace

from vision.infer.inks import learned_again
from vision.infer.one_card import LEAST_GAIN
from vision.model.score import TableScore
from vision.model.table import PlacedCard, Table


def start_found(score: TableScore, table: Table) -> Table:
    """The table with the starting card where none lies yet: what a starting card looks like is
    learned from one alone, so that each trial is scored by what it teaches. Those cards are tried
    that lose least by what is known.
    """
    if any(card.ink is None for card in table.cards):
        return table
    score = learned_again(score, table)  # inks may be joined and parted since it was learned
    start = score.faces.hypotheses[-1]
    shown = score.prints.shown(table)

    def loss(card: PlacedCard) -> float:
        as_start = replace(card, hypothesis=start, ink=None)
        there = shown[card.id]
        return score.explains(card, there) - score.explains(as_start, there)

    best, whole = table, score.total(table)
    for card in sorted(table.cards, key=loss)[: score.config.start_trials]:
        other = table.with_card(replace(card, hypothesis=start, ink=None))
        total = learned_again(score, other).total(other)
        if total > whole + LEAST_GAIN:
            best, whole = other, total
    return best
