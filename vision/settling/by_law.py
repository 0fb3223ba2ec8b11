"""A legal table hangs together: of readings that the pixels allow, the one with fewest faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain, combinations, product

import numpy as np

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.recent_tables import cards_met
from geometry.rules import RuleName, Rules
from geometry.verdict import Verdict, judge
from vision.drawing.templates import Templates
from vision.naming.colours import Naming
from vision.naming.name_cards import Named
from vision.naming.unique_faces import Choice, Choices
from vision.ordering.order import swapped
from vision.ordering.stacking import Stack

Faults = tuple[int, int, int]
MOST_ROUNDS = 3
MOST_OPEN, OPEN_SHARE = 12, 0.25
"""More open questions than this, and than such a share of the cards, are not settled by the rules:
too little was seen."""
LINED_UP: tuple[RuleName, ...] = ("overhang", "own_colour")
"""What is illegal by one of these covers a shape all the same."""


@dataclass(frozen=True, eq=False)
class LegalityChecker:
    """What the rules are asked with: the deck, the rules and the drawings; and `of` which cards,
    None for all.
    """

    deck: Deck
    rules: Rules
    templates: Templates
    of: frozenset[int] | None = None

    def faults(self, cards: Mapping[int, Card], order: list[int]) -> Faults:
        """What speaks against this order of the cards, as `faults_of` has it."""
        return faults_of(self.verdicts(cards, order))

    def verdicts(self, cards: Mapping[int, Card], order: list[int]) -> dict[int, Verdict]:
        """What the rules say of cards lying in this order, the lowest first."""
        layout = Layout(self.deck, tuple(cards[i] for i in order), None)
        return judge(layout, self.rules, self.of)

    def about(
        self, cards: Mapping[int, Card], order: list[int], pairs: Iterable[Iterable[int]],
        unsure: Iterable[int],
    ) -> LegalityChecker:  # fmt: skip
        """The same, asked about no more cards than those of which the rules may say something else
        where `pairs` are turned or `unsure` cards are others: these, and all that meet the latter.

        Of all others it says the same whatever is settled, and they are most.
        """
        met = cards_met(Layout(self.deck, tuple(cards[i] for i in order), None))
        near = (other.id for card in unsure for side in met for other in side[card])
        return replace(self, of=frozenset(chain(unsure, near, *pairs)))


def faults_of(verdicts: Mapping[int, Verdict]) -> Faults:
    """How many placements are illegal; how many touch nothing, as only a player without a legal
    move lays a card (T6); and how many of the former cover no shape: each is asked where those
    before are as many.

    A card that covers more than its shape, or is of the same colour, lies exactly on another all
    the same: that it does so by chance, with a face that it has not, is unlikely.
    """
    said = Counter(verdict.status for verdict in verdicts.values())
    astray = sum(v.status == "illegal" and v.rule not in LINED_UP for v in verdicts.values())
    return said["illegal"], said["free"], astray


@dataclass(frozen=True, eq=False)
class OpenCards:
    """Cards as they are read, with all that stays open: what else each may be, and pairs of which
    it is not clear who lies on top.
    """

    named: Named
    choices: Choices
    naming: Naming
    stack: Stack

    def as_laid(self, templates: Templates) -> dict[int, Card]:
        """The cards by id, from the lowest up."""
        return cards_of(self.named, self.naming, self.stack.order, templates)

    def taking(self, card: int, choice: Choice) -> OpenCards:
        """With another reading of one of them; what it was read as stays as a choice."""
        choices = given_up(self.choices, card, int(self.named.rows[card]), choice)
        return replace(self, named=taken(self.named, card, choice), choices=choices)

    def in_order(self, order: list[int]) -> OpenCards:
        """Lying in this order."""
        return replace(self, stack=replace(self.stack, order=order))


def prefer_legal(read: OpenCards, checker: LegalityChecker) -> OpenCards:
    """Settle by the rules what the pixels leave open, and keep what was given up as a choice.

    Players mean to lay legally, and nearly always do: the reading under which
    the fewest placements are illegal is the likeliest. It stays in doubt.
    """
    told, starts = read.stack.pairs, read.named.rows >= checker.templates.start_row
    # What lies on the starting card was laid on it (S2).
    pairs = told.pairs[~told.clear & ~starts[told.pairs].any(axis=1)].tolist()
    unsure = [card for card, others in enumerate(read.choices) if others]
    most = max(MOST_OPEN, OPEN_SHARE * len(read.named))
    if not unsure + pairs or len(unsure) + len(pairs) > most:
        return read
    cards = read.as_laid(checker.templates)
    checker = checker.about(cards, read.stack.order, pairs, unsure)
    least = checker.faults(cards, read.stack.order)
    for _ in range(MOST_ROUNDS):
        before, stack = least, read.stack
        for a, b in pairs:
            stack, least = _ordered(stack, ((a, b),), cards, checker, least)
        # A card between two others lies on one and under one: either turned alone breaks a rule.
        for both in _meeting(pairs) if least == before else ():
            stack, least = _ordered(stack, both, cards, checker, least)
        read = replace(read, stack=stack)
        for card in unsure:
            ways = product(_orders(card, pairs, read.stack), read.choices[card])
            better, order, least = _chosen(card, ways, cards, checker, least)
            if better is not None:
                cards[card] = chosen(cards[card], better, checker.templates)
                read = read.in_order(order).taking(card, better)
        if least == before:
            break
    return read


def chosen(card: Card, choice: Choice, templates: Templates) -> Card:
    """The card as the other reading has it."""
    turn = 180.0 if choice.turned else 0.0
    pose = replace(card.pose, angle_deg=card.pose.angle_deg + turn, mirrored=bool(choice.row % 2))
    return replace(card, face=templates.faces[choice.row // 2], pose=pose)


def holder_of(card: Card, cards: Iterable[Card]) -> Card | None:
    """The other card of the colour that has this face already: each exists once."""
    for other in cards:
        if other.colour == card.colour and other.face == card.face and other.id != card.id:
            return other
    return None


def _meeting(pairs: list[list[int]]) -> Iterable[tuple[tuple[int, int], ...]]:
    """Every two of the pairs that share a card."""
    for (a, b), (c, d) in combinations(pairs, 2):
        if {a, b} & {c, d}:
            yield (a, b), (c, d)


def _ordered(
    stack: Stack, turned: tuple[tuple[int, int], ...], cards: Mapping[int, Card],
    checker: LegalityChecker, least: Faults,
) -> tuple[Stack, Faults]:  # fmt: skip
    """The stack with these pairs the other way round, where that breaks fewer rules."""
    order = _turned(stack, turned)
    if order is None:
        return stack, least
    faults = checker.faults(cards, order)
    return (replace(stack, order=order), faults) if faults < least else (stack, least)


def _orders(card: int, pairs: list[list[int]], stack: Stack) -> list[list[int]]:
    """The order as it is, and with each open pair of which the card is one the other way round."""
    others = (_turned(stack, ((a, b),)) for a, b in pairs if card in (a, b))
    return [stack.order, *(order for order in others if order is not None)]


def _turned(stack: Stack, pairs: tuple[tuple[int, int], ...]) -> list[int] | None:
    """The order with all these pairs the other way round; None where others do not allow it."""
    order = stack.order
    rank = {card: k for k, card in enumerate(order)}
    lower_upper = [(a, b) if rank[a] < rank[b] else (b, a) for a, b in pairs]
    for lower, upper in lower_upper:
        other = swapped(stack.pairs, order, upper, lower)
        if other is None:
            return None
        order = other
    # One pair turned may turn another back.
    stand = all(order.index(lower) > order.index(upper) for lower, upper in lower_upper)
    return order if stand else None


def _chosen(
    card: int, ways: Iterable[tuple[list[int], Choice]], cards: Mapping[int, Card],
    checker: LegalityChecker, least: Faults,
) -> tuple[Choice | None, list[int], Faults]:  # fmt: skip
    """The choice that breaks the fewest rules, of some `ways` to lie, and in which order; None if
    none breaks fewer than now. A card that lies legally in one order has no such face in the other.
    """
    better: Choice | None = None
    best: list[int] = []
    for order, choice in ways:
        other = chosen(cards[card], choice, checker.templates)
        if holder_of(other, cards.values()) is not None:
            continue
        faults = checker.faults({**cards, card: other}, order)
        if faults < least:
            better, best, least = choice, order, faults
    return better, best, least


def card_of(named: Named, i: int, naming: Naming, templates: Templates) -> Card:
    """One card in rough table mm, as its place among the cards names it."""
    return card_in(named, i, templates.colours[int(naming.colour[i])], templates)


def card_in(named: Named, i: int, colour: str, templates: Templates) -> Card:
    """The same in a colour that is known by name."""
    x, y, angle = (float(v) for v in named.poses[i, :3])
    row = int(named.rows[i])
    pose = Pose(x, y, float(np.rad2deg(angle)) % 360, bool(row % 2))
    return Card(i, colour, templates.faces[row // 2], pose)


def cards_of(
    named: Named, naming: Naming, order: list[int], templates: Templates
) -> dict[int, Card]:
    """Cards as they are read, by id, in this order."""
    return {i: card_of(named, i, naming, templates) for i in order}


def given_up(choices: Choices, card: int, row: int, choice: Choice) -> Choices:
    """The choices as seen from the one taken, the reading given up first."""
    rest = (Choice(c.row, c.turned != choice.turned) for c in choices[card] if c != choice)
    return (*choices[:card], (Choice(row, choice.turned), *rest), *choices[card + 1 :])


def taken(named: Named, card: int, choice: Choice) -> Named:
    """The cards with another reading of one of them."""
    rows, poses = named.rows.copy(), named.poses.copy()
    rows[card] = choice.row
    poses[card, 2] += np.pi * choice.turned
    return replace(named, rows=rows, poses=poses)
