"""Putting one card over or under a neighbour, and disturbing as little else as possible."""

from dataclasses import replace

from geometry.layout import Card, Layout
from geometry.showing import over
from referee.corrections.misfits import NothingToChange, NotNeighbours

Pairs = set[tuple[int, int]]


def laid_over(layout: Layout, upper: int, lower: int) -> Layout:
    """The layout with `upper` over `lower`, every other overlapping pair as it was.

    Where that cannot be (a third card lies over the one and under the other),
    `upper` goes right above `lower` and the cards between lie under it too.
    NotNeighbours if the two do not overlap, NothingToChange if they lie so already.
    """
    pairs = {(low, high) for high, below in over(layout, 0.0).items() for low in below}
    if (lower, upper) in pairs:
        raise NothingToChange(card=upper)
    if (upper, lower) not in pairs:
        raise NotNeighbours(card=upper, other=lower)
    order = _sorted(layout, (pairs - {(upper, lower)}) | {(lower, upper)})
    if order is None:
        order = _right_above(layout, upper, lower)
    return replace(layout, cards=tuple(order))


def _sorted(layout: Layout, pairs: Pairs) -> list[Card] | None:
    """The cards from the lowest up, near their old order; None if the pairs go in a circle."""
    left = list(layout.cards)
    order: list[Card] = []
    while left:
        waiting = {card.id for card in left}
        under = {high for low, high in pairs if low in waiting}
        free = next((card for card in left if card.id not in under), None)
        if free is None:
            return None
        order.append(free)
        left.remove(free)
    return order


def _right_above(layout: Layout, upper: int, lower: int) -> list[Card]:
    order = [card for card in layout.cards if card.id != upper]
    place = next(i for i, card in enumerate(order) if card.id == lower)
    order.insert(place + 1, layout.card(upper))
    return order
