"""The moves of a whole ink: one that was not seen before, two that are one, and one that is two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import coo_array

from vision.arrays import FloatArray
from vision.infer.one_card import LEAST_GAIN
from vision.model.densities import learned_densities, with_outliers
from vision.model.drawing import OF_INK, Print
from vision.model.ink_hues import ColourHues, counts_of_each, ink_counts, mean_chroma
from vision.model.printing import Learner
from vision.model.prior import log_prior
from vision.model.score import TableScore
from vision.model.table import CardId, Table
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

    Print, gloss and light change the strength of an ink from card to card, and its hue a little:
    two inks are held together as near one another as cards of one may be. Their hues are likelier,
    the nearer they are to those of colours of the deck, each of its own.
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


@dataclass(frozen=True, eq=False)
class Parting:
    """A table with an ink parted in two, which ink that was, which one is new, and what it gains,
    nats.
    """

    table: Table
    ink: str
    new: str
    gain: float


def ink_parted(score: TableScore, table: Table, hues: ColourHues) -> Table:
    """The table with inks parted that are two: as long as one is found that gains by that. Where a
    table begins with few cards, those of inks that none of them has meet in one of theirs.
    """
    while True:
        best = max(partings(score, table, hues, LEAST_GAIN), key=lambda p: p.gain, default=None)
        if best is None:
            return table
        table = best.table


def partings(score: TableScore, table: Table, hues: ColourHues, least: float) -> list[Parting]:
    """For each ink the table with it parted in two where its cards differ most in chroma, of those
    that gain so much at least: both by what inks teach, as near one another as those of one are
    held when they are joined, and by what the table teaches then.
    """
    apart, pairs = _halved(score, table)
    wholes, halves = ink_counts(score, table), ink_counts(score, apart)
    whole: float | None = None
    out = []
    for ink, new in pairs.items():
        names = {card.id: new for card in apart.cards if card.ink == new}
        other = Table(tuple(replace(c, ink=names.get(c.id, c.ink)) for c in table.cards))
        two = {**wholes, ink: halves[ink], new: halves[new]}
        gain = _explained(score, two[ink])
        gain -= _gain_together(score, two[ink], two[new], len(names))
        gain += score.prior(other) - score.prior(table)
        gain -= hues.unlike(two) - hues.unlike(_counts_joined(score, two, ink, new))
        if gain > least:
            whole = learned_again(score, table).total(table) if whole is None else whole
            gain = min(gain, learned_again(score, other).total(other) - whole)
        if gain > least:
            out.append(Parting(other, ink, new, gain))
    return out


def _halved(score: TableScore, table: Table) -> tuple[Table, dict[str, str]]:
    """The table with another ink for some cards of each that two cards or more have, and which it
    is of which: of either half the fewer, as they differ most in chroma.
    """
    cards: dict[str, list[CardId]] = {}
    chromas: dict[str, list[complex]] = {}
    numbers: dict[str, list[int]] = {}
    for card, counts in counts_of_each(score, table):
        number = int(counts[OF_INK.index(Print.INK)].sum())
        if card.ink is not None and number:
            cards.setdefault(card.ink, []).append(card.id)
            chromas.setdefault(card.ink, []).append(complex(*mean_chroma(counts, score.config)))
            numbers.setdefault(card.ink, []).append(number)
    fresh = _fresh_names(table)
    names: dict[CardId, str] = {}
    pairs = {}
    for ink, ids in cards.items():
        if len(ids) > 1:
            pairs[ink] = next(fresh)
            fewer = _fewer_of_two(chromas[ink], numbers[ink])
            names |= {ids[k]: pairs[ink] for k in fewer}
    return Table(tuple(replace(c, ink=names.get(c.id, c.ink)) for c in table.cards)), pairs


def _fewer_of_two(chromas: Sequence[complex], numbers: Sequence[int]) -> list[int]:
    """Which of some chromas, each of so many places, are the fewer of two groups: parted across the
    line along which they differ most, where that leaves least within each.
    """
    weights = np.array(numbers, np.float64)
    points = np.column_stack([np.real(chromas), np.imag(chromas)])
    points -= np.average(points, axis=0, weights=weights)
    along = np.linalg.eigh((points * weights[:, None]).T @ points)[1][:, -1]
    order = np.argsort(points @ along, kind="stable")
    first = weights[order].cumsum()[:-1]
    sums = (weights * (points @ along))[order].cumsum()[:-1]
    # What is between two groups is most where what is within them is least.
    between = sums**2 / first + sums**2 / (weights.sum() - first)
    cut = int(between.argmax()) + 1
    fewer: list[int] = (order[:cut] if cut <= len(order) - cut else order[cut:]).tolist()
    return fewer


def _named_apart(table: Table) -> Table:
    """The table with another name for the ink of each card that has one not seen before."""
    fresh = _fresh_names(table)
    return Table(tuple(replace(c, ink=next(fresh)) if c.ink == UNSEEN else c for c in table.cards))


def _fresh_names(table: Table) -> Iterator[str]:
    """Names that no ink of a table has, as many as it has cards."""
    names = {card.ink for card in table.cards}
    return (f"ink {n}" for n in range(2 * len(table.cards)) if f"ink {n}" not in names)


def _counts_joined(
    score: TableScore, counts: Mapping[str, FloatArray], one: str, other: str
) -> dict[str, FloatArray]:
    """The counts with those of one ink joined to another's, as that looks."""
    more = _changed(counts[other], _change(counts[one], counts[other], score), score)
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
    that `cards` cards have, less how well those are by themselves, both as near one another as
    cards of one ink may be; and less how unlikely that is for so many cards.
    """
    change = _change(counts, others, score)
    others = _changed(others, change, score)
    together = _explained(score, counts + others) - _explained(score, others)
    strength = np.log(np.abs(change)) / score.config.strength_sigma
    hue = np.angle(change, deg=True) / score.config.card_hue_sigma_deg
    return together - cards * float(strength**2 + hue**2) / 2


def _change(counts: FloatArray, others: FloatArray, score: TableScore) -> complex:
    """What the chroma of another ink, as a complex number, is to be multiplied by to be that of
    one: as strong, and of a hue as near as cards of one ink may be.
    """
    one, other = (_chroma(some, score) for some in (counts, others))
    most = np.deg2rad(score.config.most_hue_sigmas * score.config.card_hue_sigma_deg)
    turn = float(np.clip(np.angle(one / other), -most, most))
    return complex(np.abs(one / other) * np.exp(1j * turn))


def _changed(counts: FloatArray, change: complex, score: TableScore) -> FloatArray:
    """Counts (I, cells) of an ink, were its chroma another: what each cell of chroma holds goes to
    the four that are nearest to where it is then; beyond the last cell is as good as in it.
    """
    across, along, *whites = cells_of(score.config)
    axes = [np.arange(side) - (side - 1) / 2 for side in (across, along)]
    to = (axes[0][:, None] + 1j * axes[1]).reshape(-1) * change
    rows, columns, shares = [], [], []
    x, y = (
        np.clip(part + (side - 1) / 2, 0, side - 1 - 1e-9)
        for part, side in ((to.real, across), (to.imag, along))
    )
    for right in (0, 1):
        for down in (0, 1):
            rows.append((x.astype(int) + right) * along + y.astype(int) + down)
            columns.append(np.arange(len(to)))
            shares.append(np.abs(1 - right - x % 1) * np.abs(1 - down - y % 1))
    cells = across * along
    moved = coo_array(
        (np.concatenate(shares), (np.concatenate(rows), np.concatenate(columns))), (cells, cells)
    )
    by_chroma = counts.reshape(-1, cells, int(np.prod(whites)))
    return np.stack([moved @ kind for kind in by_chroma]).reshape(counts.shape)


def _chroma(counts: FloatArray, score: TableScore) -> complex:
    """The mean chroma of an ink, of counts (I, cells), as a complex number; half a cell from none
    at least, which no ink is as pale as.
    """
    chroma = complex(*mean_chroma(counts, score.config))
    least = 1 / score.config.chroma_cells
    return chroma if abs(chroma) > least else complex(least)
