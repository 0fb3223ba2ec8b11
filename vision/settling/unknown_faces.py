"""Cards of which nothing but their band shows: the rules, and what most of the faces that are left
would come to, choose their face and what they lie on.

Nothing of this makes such a card surer: all that was given up stays as a choice, and so in doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from geometry.layout import Card, Layout
from geometry.score import score_round
from geometry.verdict import judge
from vision.naming.unique_faces import Choice
from vision.ordering.order import swapped
from vision.ordering.stacking import Stack
from vision.settling.by_law import Faults, LegalityChecker, OpenCards, chosen, faults_of, holder_of

MOST_ORDERS = 4


@dataclass(frozen=True, slots=True)
class _Way:
    """One way for a card to lie: its other reading, None for the present one, the `order` of all
    cards, what speaks against it, and the scores without what is illegal.
    """

    choice: Choice | None
    order: tuple[int, ...]
    faults: Faults
    scores: tuple[tuple[str, int], ...]


def likeliest_faces(read: OpenCards, checker: LegalityChecker, unknown: Iterable[int]) -> OpenCards:
    """The cards with the `unknown` ones among them as they likeliest are.

    Of the ways that break fewest rules one is taken whose score most of them have. Face and order
    are asked together: a card that lies legally in one order has no such face in the other.
    """
    for card in unknown:
        cards = read.as_laid(checker.templates)
        ways = list(_ways(card, cards, read.choices[card], read.stack, checker))
        least = min(way.faults for way in ways)
        ways = [way for way in ways if way.faults == least]
        usual = Counter(way.scores for way in ways).most_common(1)[0][0]
        way = next(way for way in ways if way.scores == usual)
        read = read.in_order(list(way.order))
        if way.choice is not None:
            read = read.taking(card, way.choice)
    return read


def _ways(
    card: int,
    cards: Mapping[int, Card],
    others: tuple[Choice, ...],
    stack: Stack,
    checker: LegalityChecker,
) -> Iterable[_Way]:
    """Every reading of a card in every order that its unclear pairs allow."""
    start = checker.deck.starting_face.id
    laid = [i for i, other in cards.items() if other.face != start]
    for order in _orders(card, laid, stack):
        for choice in (None, *others):
            own = cards[card] if choice is None else chosen(cards[card], choice, checker.templates)
            if choice is None or holder_of(own, cards.values()) is None:
                yield _judged({**cards, card: own}, choice, order, checker)


def _orders(card: int, laid: list[int], stack: Stack) -> Iterable[list[int]]:
    """The order as it is, and with the card the other way round with each of those `laid` that may
    be. The starting card lies there before all others.
    """
    yield stack.order
    pairs = stack.pairs.pairs[~stack.pairs.clear].tolist()
    open_ = [pair for pair in pairs if card in pair and set(pair) <= set(laid)]
    for a, b in open_[:MOST_ORDERS]:
        upper, lower = (a, b) if stack.order.index(a) > stack.order.index(b) else (b, a)
        other = swapped(stack.pairs, stack.order, upper, lower)
        if other is not None:
            yield other


def _judged(
    cards: Mapping[int, Card], choice: Choice | None, order: list[int], checker: LegalityChecker
) -> _Way:
    layout = Layout(checker.deck, tuple(cards[i] for i in order), None)
    verdicts = judge(layout, checker.rules)
    scores = score_round(layout, verdicts).without_illegal
    return _Way(choice, tuple(order), faults_of(verdicts), tuple(sorted(scores.items())))
