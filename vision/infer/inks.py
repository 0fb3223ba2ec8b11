"""The moves of a whole ink: one that was not seen before, and two that are one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from vision.arrays import FloatArray
from vision.infer.one_card import LEAST_GAIN
from vision.model.densities import learned_densities, with_outliers
from vision.model.ink_hues import ColourHues, ink_counts, mean_chroma
from vision.model.printing import Learner
from vision.model.prior import log_prior
from vision.model.score import TableScore
from vision.model.table import Table
from vision.observe.observation import cells_of

UNSEEN = "unseen"
"""An ink that no card shows yet: of any chroma."""


def learned_again(score: TableScore, table: Table) -> TableScore:
    """The score by what a table teaches, with an ink more that was not seen."""
    return score.taught_by(table, _with_unseen(table))


def first_score(learner: Learner, table: Table) -> TableScore:
    """The first score over an observation, by what a table teaches, with an ink more."""
    return TableScore(learner, learner.taught(table, _with_unseen(table)))


def _with_unseen(table: Table) -> tuple[str, ...]:
    """The inks of a table, and one that was not seen."""
    return (*sorted({card.ink for card in table.cards if card.ink is not None}), UNSEEN)


def inks_joined(score: TableScore, table: Table, hues: ColourHues) -> Table:
    """Inks that are one: joined where the table, by what its inks teach then, scores higher; those
    first that gain most. Each card of an ink that was not seen before has one of its own at first.

    The cards of one ink share its hue and not its strength, which print, gloss and light change
    from card to card: two inks are held together at one strength. Their hues are likelier, the
    nearer they are to those of colours of the deck, each of its own.
    """
    table = _named_apart(table)
    counts = ink_counts(score, table)
    alone = {ink: _explained(score, count) for ink, count in counts.items()}
    gains: dict[tuple[str, str], float] = {}
    best, whole, lost = table, score.prior(table) - hues.unlike(counts), 0.0
    # Two pairs that are one each leave unequal numbers of cards until both are joined: what is
    # joined next is asked without those, and of all steps the best is kept.
    of_step, colours = replace(score.config, unequal_cost=0.0), score.faces.colours
    while len(counts) > 1:
        number = Counter(card.ink for card in table.cards)
        inks = sorted(counts, key=lambda ink: (-number[ink], ink))
        pairs = [(a, b) for k, b in enumerate(inks) for a in inks[:k]]
        for a, b in pairs:
            if (a, b) not in gains:
                gains[a, b] = _gain_together(score, counts[a], counts[b], number[b]) - alone[a]
        joined = {(a, b): _joined(table, a, b) for a, b in pairs}
        left = {pair: _counts_joined(score, counts, *pair) for pair in pairs}
        of_pair = {
            pair: gains[pair] + log_prior(joined[pair], colours, of_step) - hues.unlike(left[pair])
            for pair in pairs
        }
        a, b = max(pairs, key=lambda pair: of_pair[pair])
        table, lost, counts = joined[a, b], lost + gains[a, b], left[a, b]
        total = lost + score.prior(table) - hues.unlike(counts)
        if total > whole + LEAST_GAIN:
            best, whole = table, total
        alone[a] = _explained(score, counts[a])
        gains = {pair: gain for pair, gain in gains.items() if a not in pair and b not in pair}
    return best


def ink_dissolved(score: TableScore, table: Table) -> Table:
    """The table without the ink that fewest cards have, each of them in another one, where the
    table, by what it teaches then, scores higher: cards of different inks may have met in one that
    explains any chroma.
    """
    number = Counter(card.ink for card in table.cards if card.ink is not None)
    if len(number) < 2:
        return table
    least = min(number, key=lambda ink: (number[ink], ink))
    inks = score.printing.inks
    left = [column for column, ink in enumerate(inks) if ink in number and ink != least]
    shown, other = score.prints.shown(table), table
    for card in table.cards:
        if card.ink == least:
            rest = other.without(card.id)
            gains = score.totals(card, shown[card.id]).gains + score.prior_of_one_more(rest)
            row, at = np.unravel_index(int(gains[:-1, left].argmax()), gains[:-1, left].shape)
            what = score.faces.hypotheses[int(row)]
            other = other.with_card(replace(card, hypothesis=what, ink=inks[left[int(at)]]))
    before, after = (learned_again(score, some).total(some) for some in (table, other))
    return other if after > before + LEAST_GAIN else table


def _named_apart(table: Table) -> Table:
    """The table with another name for the ink of each card that has one not seen before."""
    names = {card.ink for card in table.cards}
    fresh = (f"ink {n}" for n in range(2 * len(table.cards)) if f"ink {n}" not in names)
    return Table(tuple(replace(c, ink=next(fresh)) if c.ink == UNSEEN else c for c in table.cards))


def _counts_joined(
    score: TableScore, counts: Mapping[str, FloatArray], one: str, other: str
) -> dict[str, FloatArray]:
    """The counts with those of one ink joined to another's, at its strength."""
    more = _at_strength(counts[other], _strength(counts[one], score), score)
    left = {ink: count for ink, count in counts.items() if ink != other}
    return {**left, one: counts[one] + more}


def _joined(table: Table, one: str, other: str) -> Table:
    """The table with one ink instead of another."""
    return Table(tuple(replace(c, ink=one) if c.ink == other else c for c in table.cards))


def _explained(score: TableScore, counts: FloatArray) -> float:
    """How well (nats) counts (I, cells) are explained by the densities that they teach."""
    logs = with_outliers(
        learned_densities(counts, score.config), score.printing.anything, score.config
    )
    some = counts > 0
    return score.in_nats(float(counts[some] @ logs[some]))


def _gain_together(score: TableScore, counts: FloatArray, others: FloatArray, cards: int) -> float:
    """How well (nats) the counts (I, cells) of one ink are explained together with those of another
    that `cards` cards have, less how well those are by themselves, all at the strength of the
    first; and less what so many cards of another strength cost.
    """
    strength = _strength(counts, score)
    log_ratio = np.log(strength / _strength(others, score))
    others = _at_strength(others, strength, score)
    together = _explained(score, counts + others) - _explained(score, others)
    return together - cards * float(log_ratio / score.config.strength_sigma) ** 2 / 2


def _at_strength(counts: FloatArray, strength: float, score: TableScore) -> FloatArray:
    """Counts (I, cells) of an ink as they would be, were it so strong: every chroma as many times
    as far from none.
    """
    across, along, *whites = cells_of(score.config)
    ratio = strength / _strength(counts, score)
    whitenesses = int(np.prod(whites))
    grid = _spread(across, ratio) @ counts.reshape(-1, across, along * whitenesses)
    grid = _spread(along, ratio) @ grid.reshape(-1, along, whitenesses)
    return np.asarray(grid.reshape(counts.shape))


def _spread(side: int, ratio: float) -> FloatArray:
    """Shares (side, side): of what each cell of an axis holds, which go to each, where it is drawn
    out from its middle by a ratio; beyond the last cell is as good as in it.
    """
    middle = (side - 1) / 2
    to = np.clip(middle + (np.arange(side) - middle) * ratio, 0, side - 1)
    return np.asarray(np.maximum(1 - np.abs(np.arange(side)[:, None] - to), 0))


def _strength(counts: FloatArray, score: TableScore) -> float:
    """How far from none the chroma of an ink is on average, of counts (I, cells); half a cell at
    least, which no ink is as pale as.
    """
    return max(float(np.hypot(*mean_chroma(counts, score.config))), 1 / score.config.chroma_cells)
