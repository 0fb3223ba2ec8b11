"""What was said of the cards of one table serves the next one, which mostly differs in few cards.

What is said of a card depends on the card and on a few others near it. A reading asks about
one table after the other: with a card off, turned round, or under another one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from geometry.deck import CardSize
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rectangles import cards_upright, gaps_mm, near_pairs, places_of

Answer = TypeVar("Answer")
Cards = tuple[Card, ...]
REMEMBERED = 4
"""Tables: with and without illegal cards, before and after a change."""

_ALL: WeakSet[RecentTables[Any]] = WeakSet()
_Table = tuple[object, Mapping[int, object], dict[int, Answer]]
"""What was asked about: the setting, every card's grounds, and the answers."""


class RecentTables(Generic[Answer]):
    """Remembers what was said of every card of the last few tables, and on what it depended."""

    def __init__(self) -> None:
        # Replaced as a whole: threads that ask at once lose each other's tables, no more.
        self._tables: tuple[_Table[Answer], ...] = ()
        _ALL.add(self)

    def forget(self) -> None:
        """Remember none."""
        self._tables = ()

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
        used: list[_Table[Answer]] = []
        others: list[_Table[Answer]] = []
        for table in self._tables:
            then, before, answers = table
            if then == setting:
                left = grounds.keys() - known.keys()
                told = {k: answers[k] for k in left if before.get(k) == grounds[k]}
                known.update(told)
                if before != grounds:  # this one is remembered anew
                    (used if told else others).append(table)
            else:
                others.append(table)
        open_ = frozenset(grounds.keys() - known.keys())
        fresh = ask(open_) if open_ else {}
        said = {card: known[card] if card in known else fresh[card] for card in grounds}
        # The table that all others are changes of is the first to be asked about, and serves on.
        self._tables = ((setting, grounds, said), *(*used, *others)[: REMEMBERED - 1])
        return said.copy()


def forget_tables() -> None:
    """Remember nothing of any table, as if none had been asked about: for who measures time."""
    for tables in _ALL:
        tables.forget()


def cards_met(layout: Layout) -> tuple[dict[int, Cards], dict[int, Cards]]:
    """The cards below each card, by id, that its body overlaps, and those above; lowest first."""
    cards = layout.cards
    by_id = sorted(range(len(cards)), key=lambda k: cards[k].id)
    meeting = _meeting(layout.deck.card, tuple(cards[k].pose for k in by_id))
    ranks = [sorted((by_id[i], by_id[j])) for i, j in meeting]
    below: dict[int, list[Card]] = {card.id: [] for card in cards}
    above: dict[int, list[Card]] = {card.id: [] for card in cards}
    # Sorted pairs come lowest first on either side.
    for low, high in sorted(ranks):
        below[cards[high].id].append(cards[low])
        above[cards[low].id].append(cards[high])
    first, second = ({i: tuple(met) for i, met in side.items()} for side in (below, above))
    return first, second


@lru_cache(maxsize=16)
def _meeting(size: CardSize, poses: tuple[Pose, ...]) -> list[tuple[int, int]]:
    """Indices of all pairs of cards that meet: which lies on top does not matter."""
    cores, _ = cards_upright(size, places_of(poses))
    first, second = near_pairs(cores.middles_mm, math.hypot(size.width_mm, size.height_mm))
    met = gaps_mm(cores.take(first), cores.take(second)) < 2 * size.corner_radius_mm
    return list(zip(first[met].tolist(), second[met].tolist(), strict=True))
