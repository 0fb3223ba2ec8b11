"""How high cards lie: on a stack they are nearer to the camera, and seem to lie elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.showing import over
from vision.arrays import FloatArray
from vision.ordering.order import swapped
from vision.reconstruct import Reconstruction
from vision.settling.by_law import card_of

LIFT_MM = 0.45
"""How much higher each card of a stack lies: its thickness of 0.33 mm and the air below it."""
LEAST_TOUCH_MM, PLAIN_TOUCH_MM, NO_TOUCH_MM = 0.1, 1.2, -0.6
"""Cards overlapped by less than the first carry nothing; by less than the second they may, and so
may those that a gap of no more than the third parts: the poses are known to some tenths of a
millimetre, and a corner's tip bends."""


@dataclass(frozen=True, eq=False)
class Stacked:
    """One way in which the cards may lie: their order, from the lowest to the topmost, and how high
    above the table each lies (N,), in mm.
    """

    order: list[int]
    heights: FloatArray


def heights_of(table: Reconstruction, deck: Deck) -> FloatArray:
    """Height of every card above the table (N,), in mm, from how many lie under it."""
    order = table.stack.order
    return _stacked(order, over(rough_layout(table, order, deck), LEAST_TOUCH_MM))


def other_heights(
    table: Reconstruction, deck: Deck, heights: FloatArray, parallax: FloatArray
) -> Iterable[Stacked]:
    """Other ways in which the cards may lie than at these heights (N,); each seems shifted by its
    `parallax` (N, 2) a millimetre of height.

    Where two cards meet with a corner's tip, or all but meet: if they did not, or if the one that
    lies lower rested on the other: who came first such a tip does not tell. Where a card that seems
    to lie beside a higher one would meet it if it rested on that: if it did. Where it is not clear
    which of two cards lies on top: if it were the other.
    """
    order = table.stack.order
    layout = rough_layout(table, order, deck)
    cards = {card.id: card for card in layout.cards}
    below, plain = over(layout, LEAST_TOUCH_MM), over(layout, PLAIN_TOUCH_MM)
    close = over(layout, NO_TOUCH_MM)
    for upper, near in close.items():
        for lower in set(near) - set(plain[upper]):
            apart = {**below, upper: tuple(k for k in below[upper] if k != lower)}
            if lower in below[upper]:
                yield Stacked(order, _stacked(order, apart))
            low, high = sorted((lower, upper), key=lambda i: heights[i])
            yield Stacked(order, _stacked(order, apart, {low: float(heights[high])}))
    for low, high in _that_may_rest(cards, heights, parallax, deck):
        seen_beside = low not in close[high] and high not in close[low]
        if seen_beside and _meet_if_raised(cards[low], cards[high], heights[high], parallax, deck):
            yield Stacked(order, _stacked(order, below, {low: float(heights[high])}))
    pairs = table.stack.pairs
    for pair in pairs.pairs[~pairs.clear].tolist():
        lower, upper = sorted(pair, key=order.index)
        other = swapped(pairs, order, upper, lower) if lower in plain[upper] else None
        if other is not None:
            lying = over(replace(layout, cards=tuple(cards[i] for i in other)), LEAST_TOUCH_MM)
            yield Stacked(other, _stacked(other, lying))


def _that_may_rest(
    cards: Mapping[int, Card], heights: FloatArray, parallax: FloatArray, deck: Deck
) -> Iterable[tuple[int, int]]:
    """Pairs of a card and a higher one near by, on which it would lie elsewhere than it seems."""
    rise = heights + LIFT_MM - heights[:, None]
    shift = np.linalg.norm(parallax, axis=1)[:, None] * rise
    at = np.array([(cards[i].pose.x_mm, cards[i].pose.y_mm) for i in range(len(heights))])
    apart = np.linalg.norm(at[:, None] - at, axis=2)
    reach = np.hypot(deck.card.width_mm, deck.card.height_mm) + shift
    may = (rise > LIFT_MM) & (shift > -NO_TOUCH_MM) & (apart < reach)
    yield from ((low, high) for low, high in np.argwhere(may).tolist())


def _meet_if_raised(
    low: Card, high: Card, height_mm: float, parallax: FloatArray, deck: Deck
) -> bool:
    """Whether a card meets one at such a height if it rests on that: each lies where it is seen
    less what its height shifts it by.
    """
    below = _moved(high, -height_mm * parallax[high.id])
    upper = _moved(low, -(height_mm + LIFT_MM) * parallax[low.id])
    return bool(over(Layout(deck, (below, upper)), LEAST_TOUCH_MM)[low.id])


def _moved(card: Card, by_mm: FloatArray) -> Card:
    pose = card.pose
    moved = replace(pose, x_mm=pose.x_mm + float(by_mm[0]), y_mm=pose.y_mm + float(by_mm[1]))
    return replace(card, pose=moved)


def _stacked(
    order: Sequence[int],
    below: Mapping[int, tuple[int, ...]],
    least_mm: Mapping[int, float] = MappingProxyType({}),
) -> FloatArray:
    """Each card (N,) lies higher by its lift than the highest below it, and than `least_mm`."""
    heights = np.zeros(len(order))
    for i in order:
        under = [float(heights[k]) for k in below[i]]
        heights[i] = LIFT_MM + max([least_mm.get(i, 0.0), *under])
    return heights


def rough_layout(table: Reconstruction, order: Sequence[int], deck: Deck) -> Layout:
    """The cards in the raster's rough millimetres, from the lowest to the topmost."""
    cards = [card_of(table.named, i, table.naming, table.templates) for i in order]
    return Layout(deck, tuple(cards), None)
