"""What else the table may be: its single moves, weighed, and the doubts that they raise.

Moves of one card exclude one another; those of different cards are taken as independent, but for
those that are likelier together than each by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace

import numpy as np

from geometry.layout import Layout
from geometry.rules import Rules
from geometry.score import RoundScore, score_round
from geometry.verdict import judge
from vision.infer.inks import partings
from vision.infer.moves import Move, MoveKind, face_moves, flip_moves, ink_moves, order_moves
from vision.infer.one_card import Chance
from vision.infer.taken_off import removal_as_taught
from vision.infer.two_cards import exchanges, orders_with_faces
from vision.model.ink_hues import ColourHues
from vision.model.score import TableScore
from vision.model.table import CardId, PlacedCard, Table
from vision.observe.observation import Observation
from vision.observe.thin_share import thin_share
from vision.posterior.doubt_groups import grouped
from vision.posterior.ink_names import InkNames, ink_names
from vision.posterior.lain import Named
from vision.posterior.placing import illegal_costs
from vision.posterior.start_side import start_moves
from vision.reading import AnswerOdds, Doubt
from vision.reading_config import ReadingConfig
from vision.reason import Reason

MOST_TOGETHER = 60
"""So many moves of two cards are judged at most, those that gain most."""


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


def weighed(
    score: TableScore, table: Table, named: Named, rules: Rules, left_out: Iterable[Chance] = (),
    asked: Set[CardId] | None = None,
) -> Weighed:  # fmt: skip
    """The moves of a table, by what the picture says and by how many placements would be illegal:
    players break rules now and then. What is `left_out` may lie there besides. Of all cards, or of
    those that are `asked`.
    """
    odds = _Odds(score, table, named, rules)
    least = float(np.log(score.config.doubted / max(len(table.cards), 1))) - 1
    moves = [
        *_moves(score, table, least, odds.saved, asked),
        *_added(table, named, left_out, least, odds.saved),
        *(
            move
            for move in start_moves(score, table, named)
            if move.gain >= least - odds.saved[move.card]
        ),
    ]
    alone = [odds.of(move) for move in moves]
    whole = {move.card: 1.0 for move in moves}
    for one in alone:
        whole[one.move.card] += one.weight
    out = [one.as_likely(one.weight / whole[one.move.card]) for one in alone]
    known = {_what(one.move): one for one in out}
    for one in _together(score, table, odds, least, asked):
        move = one.move
        also = move.card if move.also is None else move.also
        cards = {move.card, also}
        likely = one.weight / float(np.prod([whole.get(card, 1.0) for card in cards]))
        # What two moves that have nothing to do with one another are together is known already.
        apart = [known[key] for key in _parts(move) if key in known]
        counted = len(apart) == 2 and any(odds.changes(part.scored) for part in apart)
        likely -= counted * float(np.prod([part.probability for part in apart]))
        if likely > 0:
            out.append(one.as_likely(likely))
    return Weighed(odds.read, tuple(sorted(out, key=lambda one: -one.log_odds)))


What = tuple[MoveKind, CardId, PlacedCard | None, CardId | None]


def _what(move: Move) -> What:
    """What a single move is, whatever table it leads to."""
    changed = move.kind in (MoveKind.FACE, MoveKind.INK)
    return move.kind, move.card, move.table.card(move.card) if changed else None, move.over


def _parts(move: Move) -> tuple[What, ...]:
    """The single moves of two cards that are something else together."""
    if move.also is None or move.kind is MoveKind.ORDER:
        return ()
    cards = move.table.card(move.card), move.table.card(move.also)
    return tuple((move.kind, card.id, card, None) for card in cards)


@dataclass(frozen=True, eq=False)
class _Chance:
    """A move, by how many nats the table is likelier then, rules and all, and what it scores."""

    move: Move
    log_odds: float
    scored: RoundScore

    @property
    def weight(self) -> float:
        """How likely it is beside what was read."""
        # Whatever gains more was not found by the loop, and is as likely as what was.
        return float(np.exp(min(self.log_odds, 0.0)))

    def as_likely(self, probability: float) -> Alternative:
        return Alternative(self.move, self.log_odds, self.scored, probability)


class _Odds:
    """What moves of a table gain and score, by the picture and by the rules of the game."""

    def __init__(self, score: TableScore, table: Table, named: Named, rules: Rules) -> None:
        """The table as it was read."""
        self._named, self._rules, self._config = named, rules, score.config
        self.read, self._costs = self._judged(table)
        touch = score.prints.touch
        self.saved = {
            card.id: sum(
                self._costs.get(other.id, 0.0)
                for other in table.cards
                if touch(card.place, other.place)
            )
            for card in table.cards
        }
        """By how many nats at most a move of each card makes placements likelier."""

    def of(self, move: Move) -> _Chance:
        """A move, weighed."""
        scored, costs = self._judged(move.table)
        return _Chance(move, move.gain - sum(costs.values()) + sum(self._costs.values()), scored)

    def changes(self, scored: RoundScore) -> bool:
        """Whether either score is another one than what was read."""
        return scored != self.read

    def _judged(self, table: Table) -> tuple[RoundScore, dict[CardId, float]]:
        layout = self._named.layout(table)
        verdicts = judge(layout, self._rules)
        return score_round(layout, verdicts), illegal_costs(verdicts, self._config)


def _together(
    score: TableScore, table: Table, odds: _Odds, least: float, asked: Set[CardId] | None
) -> Iterator[_Chance]:
    """Moves of two cards that are likelier together than each by itself."""
    moves = [*exchanges(score, table, least, asked), *orders_with_faces(score, table, least, asked)]
    for move in sorted(moves, key=lambda move: -move.gain)[:MOST_TOGETHER]:
        one = odds.of(move)
        if one.log_odds >= least:
            yield one


def _moves(
    score: TableScore, table: Table, at_least: float, saved: Mapping[CardId, float],
    asked: Set[CardId] | None,
) -> Iterator[Move]:  # fmt: skip
    """The single moves of a table that gain at least so much, less what may be saved by card."""
    shown = score.prints.shown(table)
    for rank, card in enumerate(table.cards):
        if asked is not None and card.id not in asked:
            continue
        least = at_least - saved[card.id]
        yield from face_moves(score, table, card, shown[card.id], least)
        yield from ink_moves(score, table, card, shown[card.id], least)
        gone = removal_as_taught(score, table, card)
        if gone.gain >= least:
            yield gone
        for upper in table.cards[rank + 1 :]:
            if score.prints.touch(card.place, upper.place):
                yield from order_moves(score, table, card, upper, least)
                yield from flip_moves(score, table, card, upper, least)


def _added(
    table: Table, named: Named, left_out: Iterable[Chance], least: float,
    saved: Mapping[CardId, float],
) -> Iterator[Move]:  # fmt: skip
    """The table with a card more, or a card elsewhere, where it lies in the order by what was left
    out.
    """
    for chance in left_out:
        card, instead = chance.table.card(chance.card), chance.instead
        there = table if instead is None else table.without(instead)
        gone = instead is not None and len(there.cards) == len(table.cards)
        saved_nats = 0.0 if instead is None or gone else saved[instead]
        unnamed = card.ink is not None and card.ink not in named.names
        if unnamed or gone or chance.gain < least - saved_nats:
            continue
        rank = chance.table.rank(card.id)
        other = Table((*there.cards[:rank], card, *there.cards[rank:]))
        if instead is None:
            yield Move(MoveKind.ADD, card.id, other, chance.gain, 0.0)
        else:
            yield Move(MoveKind.PLACE, instead, other, chance.gain, 0.0)


def doubts_of(
    found: Weighed, table: Table, named: Named, doubted: float,
    at_px: Callable[[CardId], tuple[float, float]],
) -> tuple[Doubt, ...]:  # fmt: skip
    """Doubts about what changes a score, until for either score any other one is less likely than
    `doubted`.
    """
    changing = []
    for one in found.others:
        changes = changed_dots(found.scored.as_it_lies, one.scored.as_it_lies)
        without = changed_dots(found.scored.without_illegal, one.scored.without_illegal)
        if changes or without:
            changing.append((one, changes, without))
    left = np.array(
        [sum(one.probability for one, *by in changing if by[score]) for score in (0, 1)]
    )
    out = []
    for one, changes, without in changing:
        concerned = np.array([bool(changes), bool(without)])
        if (concerned & (left >= doubted)).any():
            out.append(_doubt(one, changes, without, table, named, at_px))
            left -= concerned * one.probability
    return grouped(out)


def name_doubts(
    names: InkNames, table: Table, named: Named, rules: Rules, doubted: float,
    at_px: tuple[float, float],
) -> Iterator[Doubt]:  # fmt: skip
    """Inks of which it is not clear enough which colour each is, where that changes a score."""
    read = _scored(named, table, rules)
    for log_odds, ink, other in names.others:
        if np.exp(log_odds) < doubted:
            return
        scored = _scored(replace(named, names=other), table, rules)
        changes = changed_dots(read.as_it_lies, scored.as_it_lies)
        without = changed_dots(read.without_illegal, scored.without_illegal)
        if changes or without:
            reason = Reason("colours-unclear", {"colour": names.of[ink], "rival": other[ink]})
            yield Doubt("colour", None, at_px, reason, changes, without)


def parting_doubts(
    score: TableScore, table: Table, named: Named, rules: Rules, at_px: tuple[float, float]
) -> Iterator[Doubt]:
    """Inks of which it is not clear enough whether they are one or two, where that changes a
    score.
    """
    deck, doubted = named.deck, score.config.doubted
    hues = ColourHues.of(deck, score.config)
    read = _scored(named, table, rules)
    for parting in partings(score, table, hues, float(np.log(doubted))):
        names = ink_names(score, parting.table, deck).of
        scored = _scored(replace(named, names=names), parting.table, rules)
        changes = changed_dots(read.as_it_lies, scored.as_it_lies)
        without = changed_dots(read.without_illegal, scored.without_illegal)
        if changes or without:
            colours = {names[parting.ink], names[parting.new]}
            mine = named.names[parting.ink]
            rival = min(colours - {mine}, default=mine)
            reason = Reason("colours-unclear", {"colour": mine, "rival": rival})
            yield Doubt("colour", None, at_px, reason, changes, without)


def _scored(named: Named, table: Table, rules: Rules) -> RoundScore:
    layout = named.layout(table)
    return score_round(layout, judge(layout, rules))


def missing_doubts(layout: Layout, rules: Rules, at_px: tuple[float, float]) -> Iterator[Doubt]:
    """Colours of which cards may be missing: players lay equally many, unless in a free-for-all.
    Where no starting card is seen, which every table has (S2), others may not be either.
    The moves of a table hold no card more, so that what the prior says of one is said here.
    """
    start = layout.deck.starting_colour.name
    numbers = Counter(card.colour for card in layout.cards if card.colour != start)
    if len(layout.cards) == sum(numbers.values()):
        any_colour = of_any_colour(layout)
        yield Doubt("missing", None, at_px, Reason("start-not-seen"), any_colour, any_colour)
    most = max(numbers.values(), default=0)
    for name, count in sorted(numbers.items()):
        if count < most and not rules.free_for_all:
            reason = Reason("cards-too-few", {"count": count, "colour": name, "most": most})
            changes = {name: most - count}
            yield Doubt("missing", None, at_px, reason, changes, changes)


def blur_doubts(
    seen: Observation, layout: Layout, config: ReadingConfig, at_px: tuple[float, float]
) -> Iterator[Doubt]:
    """A picture in which thin lines are blurred away makes every colour unsure: cards of which
    nothing else tells may be lost, and what is no card looks as they do then.
    """
    share = thin_share(seen, config)
    if share < config.thin_needed:
        reason = Reason("blurred", {"share": share, "needed": config.thin_needed})
        any_colour = of_any_colour(layout)
        yield Doubt("table", None, at_px, reason, any_colour, any_colour)


def of_any_colour(layout: Layout) -> dict[str, int]:
    """Any colour in play may have dots that are not counted, up to those of its best card; where no
    player's card is seen, any colour of the deck.
    """
    deck = layout.deck
    start = deck.starting_colour.name
    most = max(face.value for face in deck.faces)
    seen = {card.colour for card in layout.cards} - {start}
    return dict.fromkeys(sorted(seen or {colour.name for colour in deck.colours}), most)


def _doubt(
    one: Alternative, changes: Mapping[str, int], without: Mapping[str, int], table: Table,
    named: Named, at_px: Callable[[CardId], tuple[float, float]],
) -> Doubt:  # fmt: skip
    move = one.move
    if move.kind is MoveKind.ADD:
        reason = Reason("lines-unexplained")
        return Doubt("missing", None, at_px(move.card), reason, changes, without)
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
    if kind is MoveKind.PLACE:
        return Doubt("card", number, at, Reason(_place_reason(card)), changes, without)
    other = move.table.card(move.card)
    if kind is MoveKind.INK:
        mine, rival = named.colour(card), named.colour(other)
        reason = Reason("colour-unclear", {"colour": mine, "rival": rival})
        odds = AnswerOdds("colour", mine, 0.0), AnswerOdds("colour", rival, value)
        return Doubt("colour", number, at, reason, changes, without, odds=odds)
    if other.hypothesis.face == card.hypothesis.face:
        if card.ink is None:
            reason = Reason("start-place-unclear")
            return Doubt("card", number, at, reason, changes, without)
        sides = card.hypothesis.mirrored, other.hypothesis.mirrored
        odds = AnswerOdds("side", sides[0], 0.0), AnswerOdds("side", sides[1], value)
        return Doubt("face", number, at, Reason("side-unclear"), changes, without, odds=odds)
    mine, rival = card.hypothesis.face, other.hypothesis.face
    reason = Reason("face-unclear", {"face": mine, "rival": rival})
    odds = AnswerOdds("face", mine, 0.0), AnswerOdds("face", rival, value)
    return Doubt("face", number, at, reason, changes, without, odds=odds)


def _place_reason(card: PlacedCard) -> str:
    return "start-place-unclear" if card.ink is None else "looks-wrong"


def certainty(found: Iterable[Alternative], card: CardId, kinds: Iterable[MoveKind]) -> float:
    """How likely it is that none of some kinds of moves of a card is true."""
    some = frozenset(kinds)
    there = (
        o.probability for o in found if card in (o.move.card, o.move.also) and o.move.kind in some
    )
    return max(0.0, 1 - sum(there))


def changed_dots(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """By how many dots each colour's score changes, where it does."""
    names = sorted({*before, *after})
    changed = {name: abs(after.get(name, 0) - before.get(name, 0)) for name in names}
    return {name: by for name, by in changed.items() if by}
