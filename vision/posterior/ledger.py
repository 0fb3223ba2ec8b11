"""What else the table may be: its single moves, weighed, and the doubts that they raise.

Moves of one card exclude one another; those of different cards are taken as independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from geometry.layout import Layout
from geometry.rules import Rules
from geometry.score import RoundScore, score_round
from geometry.verdict import judge
from vision.infer.moves import Move, MoveKind, face_moves, ink_moves, order_moves, removal
from vision.model.score import TableScore
from vision.model.table import CardId, Table
from vision.posterior.lain import Named
from vision.reading import AnswerOdds, Doubt
from vision.reason import Reason


@dataclass(frozen=True, eq=False)
class Alternative:
    """A move, by how many nats the table is likelier then, what it scores then, and how likely that
    is.
    """

    move: Move
    log_odds: float
    scored: RoundScore
    probability: float


@dataclass(frozen=True, eq=False)
class Weighed:
    """What a table scores, and all single moves that are not far too unlikely to matter, the
    likeliest first.
    """

    scored: RoundScore
    others: tuple[Alternative, ...]


def weighed(score: TableScore, table: Table, named: Named, rules: Rules) -> Weighed:
    """The moves of a table, by what the picture says and by how many placements would be illegal:
    players break rules now and then.
    """
    config = score.config
    read, illegal = _scored(named.layout(table), rules)
    by_card: dict[CardId, list[tuple[Move, float, RoundScore]]] = {}
    least = np.log(config.doubted / max(len(table.cards), 1)) - 1
    for move in _moves(score, table, float(least) - config.illegal_cost):
        other, broken = _scored(named.layout(move.table), rules)
        odds = move.gain - config.illegal_cost * (broken - illegal)
        by_card.setdefault(move.card, []).append((move, odds, other))
    out = []
    for moves in by_card.values():
        # Whatever gains more was not found by the loop, and is as likely as what was.
        weights = np.exp([min(odds, 0.0) for _, odds, _ in moves])
        whole = 1 + float(weights.sum())
        out += [
            Alternative(*one, float(weight) / whole)
            for one, weight in zip(moves, weights, strict=True)
        ]
    return Weighed(read, tuple(sorted(out, key=lambda one: -one.log_odds)))


def _moves(score: TableScore, table: Table, least: float) -> Iterator[Move]:
    """The single moves of a table that gain at least so much."""
    shown = score.prints.shown(table)
    for rank, card in enumerate(table.cards):
        yield from face_moves(score, table, card, shown[card.id], least)
        yield from ink_moves(score, table, card, shown[card.id], least)
        gone = removal(score, table, card)
        if gone.gain >= least:
            yield gone
        for upper in table.cards[rank + 1 :]:
            if score.prints.touch(card.place, upper.place):
                yield from order_moves(score, table, card, upper, least)


def doubts_of(
    found: Weighed, table: Table, named: Named, doubted: float,
    at_px: Callable[[CardId], tuple[float, float]],
) -> tuple[Doubt, ...]:  # fmt: skip
    """Doubts about what changes a score, until all the rest is less likely than `doubted`."""
    changing = []
    for one in found.others:
        changes = _changes(found.scored.as_it_lies, one.scored.as_it_lies)
        without = _changes(found.scored.without_illegal, one.scored.without_illegal)
        if changes or without:
            changing.append((one, changes, without))
    left = sum(one.probability for one, _, _ in changing)
    out = []
    for one, changes, without in changing:
        if left < doubted:
            break
        left -= one.probability
        out.append(_doubt(one, changes, without, table, named, at_px))
    return tuple(out)


def missing_doubts(layout: Layout, rules: Rules, at_px: tuple[float, float]) -> Iterator[Doubt]:
    """Colours of which cards may be missing: players lay equally many, unless in a free-for-all.
    The moves of a table hold no card more, so that what the prior says of one is said here.
    """
    start = layout.deck.starting_colour.name
    numbers = Counter(card.colour for card in layout.cards if card.colour != start)
    most = max(numbers.values(), default=0)
    for name, count in sorted(numbers.items()):
        if count < most and not rules.free_for_all:
            reason = Reason("cards-too-few", {"count": count, "colour": name, "most": most})
            changes = {name: most - count}
            yield Doubt("missing", None, at_px, reason, changes, changes)


def _doubt(
    one: Alternative, changes: Mapping[str, int], without: Mapping[str, int], table: Table,
    named: Named, at_px: Callable[[CardId], tuple[float, float]],
) -> Doubt:  # fmt: skip
    move = one.move
    card = table.card(move.card)
    kind, value = move.kind, float(one.log_odds)
    at, number = at_px(card.id), int(card.id)
    if kind is MoveKind.ORDER and move.over is not None:
        upper = max((card.id, move.over), key=table.rank)
        lower = min((card.id, move.over), key=table.rank)
        odds = AnswerOdds("over", int(upper), 0.0), AnswerOdds("over", int(lower), value)
        return Doubt(
            "order", int(upper), at_px(upper), Reason("order-unclear"), changes, without, odds=odds
        )
    if kind is MoveKind.REMOVE:
        odds = AnswerOdds("there", True, 0.0), AnswerOdds("there", False, value)
        return Doubt("card", number, at, Reason("looks-wrong"), changes, without, odds=odds)
    other = move.table.card(move.card)
    if kind is MoveKind.INK:
        mine, rival = named.colour(card), named.colour(other)
        reason = Reason("colour-unclear", {"colour": mine, "rival": rival})
        odds = AnswerOdds("colour", mine, 0.0), AnswerOdds("colour", rival, value)
        return Doubt("colour", number, at, reason, changes, without, odds=odds)
    if other.hypothesis.face == card.hypothesis.face:
        sides = card.hypothesis.mirrored, other.hypothesis.mirrored
        odds = AnswerOdds("side", sides[0], 0.0), AnswerOdds("side", sides[1], value)
        return Doubt("face", number, at, Reason("side-unclear"), changes, without, odds=odds)
    mine, rival = card.hypothesis.face, other.hypothesis.face
    reason = Reason("face-unclear", {"face": mine, "rival": rival})
    odds = AnswerOdds("face", mine, 0.0), AnswerOdds("face", rival, value)
    return Doubt("face", number, at, reason, changes, without, odds=odds)


def certainty(found: Iterable[Alternative], card: CardId, kinds: Iterable[MoveKind]) -> float:
    """How likely it is that none of some kinds of moves of a card is true."""
    some = frozenset(kinds)
    there = (o.probability for o in found if o.move.card == card and o.move.kind in some)
    return max(0.0, 1 - sum(there))


def _scored(layout: Layout, rules: Rules) -> tuple[RoundScore, int]:
    """What a layout scores, and how many placements are illegal."""
    verdicts = judge(layout, rules)
    illegal = sum(verdict.status == "illegal" for verdict in verdicts.values())
    return score_round(layout, verdicts), illegal


def _changes(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    names = sorted({*before, *after})
    changed = {name: abs(after.get(name, 0) - before.get(name, 0)) for name in names}
    return {name: by for name, by in changed.items() if by}
