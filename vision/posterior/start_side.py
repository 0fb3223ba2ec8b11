"""Which side of the starting card shows, and which way up it lies: by its lines, and by what lies
exactly on its shapes.

What a starting card looks like is no part of the score, as printings differ in where they draw its
lines; but where some of them draw one as the deck does, they do so the right way up.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import logsumexp

from geometry.rules import Rules
from geometry.verdict import judge
from vision.arrays import Bools, FloatArray
from vision.infer.moves import Move, MoveKind
from vision.model.drawing import Print
from vision.model.score import TableScore
from vision.model.start_art import start_art
from vision.model.table import PlacedCard, Table, with_hypothesis
from vision.posterior.lain import Named
from vision.posterior.placing import illegal_costs

SHARES = np.linspace(0.02, 0.98, 25)
"""Of some places: so many may be a line's, each share as likely beforehand."""


def start_laid(score: TableScore, table: Table, named: Named, rules: Rules) -> Table:
    """The table with its starting card the way it likeliest lies: by its lines, and by how many
    placements would be illegal.
    """
    moves = list(start_moves(score, table, named))
    tables, gains = [table, *(m.table for m in moves)], [0.0, *(m.gain for m in moves)]
    likely = [
        gain - sum(illegal_costs(judge(named.layout(one), rules), score.config).values())
        for one, gain in zip(tables, gains, strict=True)
    ]
    return tables[likely.index(max(likely))]


def start_moves(score: TableScore, table: Table, named: Named) -> Iterator[Move]:
    """The starting card each way that looks otherwise, and what its lines say of that, nats."""
    art = start_art(named.deck, score.config)
    for card in table.cards:
        if card.ink is None:
            own = art.same[card.hypothesis]
            told = dict(
                zip(art.ways, _told(score, table, card, art.lines, art.within), strict=True)
            )
            for way, nats in told.items():
                if way != own:
                    other = table.with_card(with_hypothesis(card, way))
                    gain = float(nats - told[own])
                    yield Move(MoveKind.FACE, card.id, other, gain, 0.0)


def _told(
    score: TableScore, table: Table, card: PlacedCard, lines: Bools, within: Bools
) -> FloatArray:
    """How well (W,) what a starting card shows is explained, nats, if an unknown share of the
    places at which each way draws lines are a line's, and another one of the rest.
    """
    taken = score.prints.of(card.place)
    asked = score.prints.shown(table)[card.id] & within[taken.on]
    on, cell = taken.on[asked], taken.cell[asked]
    line, black = (score.printing.logs[kind].take(cell) for kind in (Print.LINE, Print.BLACK))
    # (shares, N): how well each place is explained where so many are a line's.
    mixed = np.logaddexp(line + np.log(SHARES)[:, None], black + np.log1p(-SHARES)[:, None])
    out = []
    for drawn in lines[:, on]:
        sums = [score.in_nats(1.0) * mixed[:, there].sum(axis=1) for there in (drawn, ~drawn)]
        out.append(sum(logsumexp(some) for some in sums) - 2 * np.log(len(SHARES)))
    return np.array(out)
