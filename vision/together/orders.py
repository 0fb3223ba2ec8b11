"""Which of two overlapping cards lies on top, from whichever photograph tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from geometry.layout import Layout
from geometry.showing import over
from vision.assemble import middle_px
from vision.reading import Doubt
from vision.together.photographs import Member
from vision.together.poses import pairs_of
from vision.together.told import Sight

LEAST_MM = 1.0
"""Cards that overlap by less have no order that counts."""
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Said:
    """What a photograph says of a pair: the upper card first, whether without a doubt about the
    pair, and whether the photograph is doubted as a whole.
    """

    ways: Pair
    is_plain: bool
    is_poor: bool


@dataclass(frozen=True, slots=True)
class Order:
    """A pair, the upper card first, and whether that stays open: as no view tells it without a
    doubt, or as some tell it otherwise (`differ`).
    """

    upper: int
    lower: int
    open: bool
    differ: bool = False


def stacked(layout: Layout, sight: Sight) -> tuple[Layout, tuple[Order, ...]]:
    """The layout with the cards in an order in which they could have been laid, and the overlapping
    pairs whose order is open.
    """
    said = _said(sight)
    meeting = {_key(a, b) for a, below in over(layout, 0.0).items() for b in below}
    told = [
        _order(said.get(pair, []), all(sight.shown_well(card) for card in pair))
        for pair in sorted(meeting)
    ]
    known = [one for one in told if one is not None]
    order, broken = _sorted(layout, known, _ranks(sight.members))
    by_id = {card.id: card for card in layout.cards}
    found = replace(layout, cards=tuple(by_id[card] for card in order))
    deep = {_key(a, b): (a, b) for a, below in over(found, LEAST_MM).items() for b in below}
    sure = {_key(one.upper, one.lower): one for one in known}
    out = []
    for pair, (upper, lower) in deep.items():
        one = sure.get(pair)
        if one is None or one.open or pair in broken:
            out.append(Order(upper, lower, True, one is not None and one.differ))
    return found, tuple(out)


def _said(sight: Sight) -> Mapping[Pair, list[Said]]:
    """For each pair what each photograph says."""
    doubted = {
        (sight.view_of(one), pair)
        for one in sight.told
        if one.doubt.kind == "order" and one.doubt.card is not None
        for pair in [_pair_of(one.doubt, sight.members[one.member])]
        if pair is not None
    }
    out: dict[Pair, list[Said]] = {}
    for place, member in enumerate(sight.members):
        view = sight.views[place]
        for upper, lower in pairs_of(member):
            key = _key(upper, lower)
            shared = sight.body(member.poses[upper]).intersection(sight.body(member.poses[lower]))
            plain = (view, key) not in doubted and not sight.over_things(view, shared)
            told = Said((upper, lower), plain, sight.is_poor(view))
            out.setdefault(key, []).append(told)
    return out


def _order(said: Sequence[Said], shown_well: bool) -> Order | None:
    """How two cards lie by all photographs; None where none has them over each other. What one that
    is doubted as a whole has is open only if its doubt may be settled: others show both cards.
    """
    if not said:
        return None
    plain = {one.ways for one in said if one.is_plain and not one.is_poor}
    if not plain and not shown_well:
        plain = {one.ways for one in said if one.is_plain}
    if len(plain) == 1:
        return Order(*next(iter(plain)), open=False)
    ways = [one.ways for one in said]
    upper, lower = max(sorted(set(ways)), key=ways.count)
    return Order(upper, lower, open=True, differ=len(plain) > 1)


def _sorted(
    layout: Layout, told: Sequence[Order], ranks: Mapping[int, float]
) -> tuple[list[int], frozenset[Pair]]:
    """The cards from the lowest up, and the pairs that had to give way as they run in a circle: of
    those that are open first.
    """
    under: dict[int, set[int]] = {card.id: set() for card in layout.cards}
    is_open = {(one.upper, one.lower) for one in told if one.open}
    for one in told:
        under[one.upper].add(one.lower)
    left, order, broken = dict(under), list[int](), set[Pair]()
    while left:
        ready = [card for card, below in left.items() if not below & set(left)]
        if not ready:

            def cost(card: int) -> tuple[int, float]:
                below = left[card] & set(left)
                return sum((card, one) not in is_open for one in below), ranks[card]

            ready = [min(left, key=cost)]
            broken |= {_key(ready[0], one) for one in left[ready[0]] & set(left)}
        card = min(ready, key=lambda one: ranks[one])
        order.append(card)
        del left[card]
    return order, frozenset(broken)


def _ranks(members: Sequence[Member]) -> Mapping[int, float]:
    """How high each card lies in the orders of the photographs, 0 to 1: the first that has it."""
    out: dict[int, float] = {}
    for member in members:
        cards = member.photo.reading.cards
        for k, card in enumerate(cards):
            joined = member.joined_id(card.id)
            if joined is not None:
                out.setdefault(joined, k / len(cards))
    return out


def _pair_of(doubt: Doubt, member: Member) -> Pair | None:
    """The two cards that a doubt about their order is about: its place is between their middles."""
    own = {card.id: np.array(middle_px(card.outline_px)) for card in member.photo.reading.cards}
    below = over(member.photo.reading.seen.layout, 0.0)
    if doubt.card not in own:
        return None
    card = doubt.card
    near = [*below[card], *(upper for upper, under in below.items() if card in under)]
    if not near:
        return None
    at = np.array(doubt.at_px)
    other = min(near, key=lambda one: float(np.hypot(*((own[card] + own[one]) / 2 - at))))
    first, second = member.joined_id(card), member.joined_id(other)
    return None if first is None or second is None else _key(first, second)


def _key(one: int, other: int) -> Pair:
    return min(one, other), max(one, other)
