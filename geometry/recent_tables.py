"""What was said of the cards of one table serves the next one, which mostly differs in few cards.

What is said of a card depends on the card and on a few others near it. A reading asks about
one table after the other: with a card off, turned round, or under another one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import numpy as np

from geometry.layout import Card, Layout
from geometry.rectangles import near_pairs

Answer = TypeVar("Answer")
Cards = tuple[Card, ...]
REMEMBERED = 4
"""Tables: with and without illegal cards, before and after a change."""


class RecentTables(Generic[Answer]):
    """Remembers what was said of every card of the last few tables, and on what it depended."""

    def __init__(self) -> None:
        # Replaced as a whole: threads that ask at once lose each other's tables, no more.
        self._tables: tuple[tuple[object, Mapping[int, object], dict[int, Answer]], ...] = ()

    def answers(
        self,
        setting: object,
        grounds: Mapping[int, object],
        ask: Callable[[frozenset[int]], Mapping[int, Answer]],
    ) -> dict[int, Answer]:
        """An answer for every card, by id: as before where its grounds are the same, else asked.

        `grounds`: all that a card's answer depends on beside the `setting`. `ask` answers for
        the cards with these ids.
        """
        known: dict[int, Answer] = {}
        for then, before, answers in self._tables:
            if then == setting:
                for card in grounds.keys() - known.keys():
                    if before.get(card) == grounds[card]:
                        known[card] = answers[card]
        open_ = frozenset(grounds.keys() - known.keys())
        fresh = ask(open_) if open_ else {}
        said = {card: known[card] if card in known else fresh[card] for card in grounds}
        self._tables = ((setting, grounds, said), *self._tables[: REMEMBERED - 1])
        return said.copy()


def cards_near(layout: Layout) -> tuple[dict[int, Cards], dict[int, Cards]]:
    """For every card, by id, the cards below and those above that it could reach, lowest first."""
    size = layout.deck.card
    below: dict[int, list[Card]] = {card.id: [] for card in layout.cards}
    above: dict[int, list[Card]] = {card.id: [] for card in layout.cards}
    middles = np.array([(c.pose.x_mm, c.pose.y_mm) for c in layout.cards]).reshape(-1, 2)
    first, second = near_pairs(middles, math.hypot(size.width_mm, size.height_mm))
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        lower, upper = layout.cards[i], layout.cards[j]
        below[upper.id].append(lower)
        above[lower.id].append(upper)
    return (
        {card: tuple(others) for card, others in below.items()},
        {card: tuple(others) for card, others in above.items()},
    )
