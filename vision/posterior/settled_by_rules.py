"""What is likelier by the rules of the game, where the picture tells little."""

from __future__ import annotations

from collections.abc import Set

from geometry.rules import Rules
from vision.infer.moves import MoveKind
from vision.infer.one_card import Chance
from vision.model.score import TableScore
from vision.model.table import CardId, Table
from vision.pace import Pace
from vision.posterior.lain import Named
from vision.posterior.ledger import Weighed, weighed

LEGAL = "sought-legal"
"""What is not looked for once there is no time."""


def settled_by_rules(
    score: TableScore, table: Table, named: Named, rules: Rules, left_out: tuple[Chance, ...] = (),
    asked: Set[CardId] | None = None, pace: Pace | None = None,
) -> tuple[Table, Weighed]:  # fmt: skip
    """The table with what is likelier by the rules taken instead; and what else it may be. No card
    is laid for that; one that is taken off may lie there. Nothing else is taken once the time of a
    `pace` is over.
    """
    found_else = weighed(score, table, named, rules, left_out, asked)
    for _ in range(score.config.settled_rounds):
        move = next((o.move for o in found_else.others if _settles(o.log_odds, o.move.kind)), None)
        if move is None or not move.table.cards:
            break
        if pace is not None and pace.leaves_out(LEGAL):
            break
        if move.kind is MoveKind.REMOVE:
            left_out = (*left_out, Chance(table, -move.gain, move.card))
        table = move.table
        found_else = weighed(score, table, named, rules, left_out, asked)
    return table, found_else


def _settles(log_odds: float, kind: MoveKind) -> bool:
    return log_odds > 0 and kind is not MoveKind.ADD
