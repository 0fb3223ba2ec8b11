"""Games of drawn cards as the reader would read them, card by card, without a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from referee.events import Event
from referee.following import Following, begin, follow
from simulator.conditions import Conditions
from simulator.play.rounds import play_round
from vision.assemble import assemble
from vision.reading import Corners, Doubt, Reading, SeenCard, SeenTable
from vision.reason import Reason

DECK, RULES = published_deck(), Rules()
SIDE = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
OVER = Doubt("table", None, (0.0, 0.0), Reason("something-over-cards"), {"red": 1}, {"red": 1})
PX_PER_MM, AT_PX = 2.0, 100.0
"""How the camera of `shown` sees the table."""
Change = Callable[[Card], Card | None]


@lru_cache
def game(seed: int, cards: int = 13, players: int = 3) -> Layout:
    """A whole legal game, in the order of laying."""
    conditions = Conditions(players=players, cards=cards)
    return play_round(np.random.default_rng(seed), DECK, conditions).layout


def colours(layout: Layout, players: int = 3) -> tuple[str, ...]:
    """The players' colours in the order of turns."""
    return tuple(card.colour for card in layout.cards[1 : players + 1])


def same(card: Card) -> Card:
    """The card as it lies."""
    return card


def read(
    layout: Layout, number: int, change: Change = same, doubts: Sequence[Doubt] = (),
    noise_mm: float = 0.2, shift_mm: tuple[float, float] = (0.0, 0.0), seed: int = 0,
) -> Reading:  # fmt: skip
    """A reading of the first `number` cards; its ids are its own, and poses are measured with an
    error. `change` turns a card into what is read of it, None where it is not seen.
    """
    rng = np.random.default_rng((seed, number))
    seen: list[Card] = []
    for card in layout.cards[:number]:
        one = change(card)
        if one is None:
            continue
        x, y = rng.normal(0, noise_mm, 2)
        pose = replace(
            one.pose,
            x_mm=one.pose.x_mm + x + shift_mm[0],
            y_mm=one.pose.y_mm + y + shift_mm[1],
        )
        seen.append(replace(one, id=len(seen) + 40, pose=pose))
    table = Layout(layout.deck, tuple(seen), layout.play_area_mm)
    looks = tuple(SeenCard(card.id, SIDE, 0.98) for card in seen)
    return assemble(SeenTable(table, looks, tuple(doubts), 2.0), RULES)


def played(
    readings: Iterable[Reading | None], players: Sequence[str] = ()
) -> tuple[list[tuple[Event, ...]], Following]:
    """What was said after each reading, and what is known after the last."""
    state, said = begin(DECK, RULES, players), list[tuple[Event, ...]]()
    for reading in readings:
        events, state = follow(state, reading)
        said.append(events)
    return said, state


@dataclass(frozen=True)
class Without:
    """Reads all but some cards, by place in the order of laying."""

    places: frozenset[int]

    def __call__(self, card: Card) -> Card | None:
        """The card, unless it is one of those."""
        return None if card.id in self.places else card


def moved(card: Card, x_mm: float, y_mm: float = 0.0, deg: float = 0.0) -> Card:
    """The card lying elsewhere."""
    pose = card.pose
    return replace(
        card, pose=Pose(pose.x_mm + x_mm, pose.y_mm + y_mm, pose.angle_deg + deg, pose.mirrored)
    )


def outline(pose: Pose) -> Corners:
    """Where a camera straight above has a card's corners, pixels."""
    px = pose.to_table(np.array(DECK.card.corners_mm)) * PX_PER_MM + AT_PX
    a, b, c, d = px.tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


def shown(reading: Reading, *things: Sequence[tuple[float, float]]) -> Reading:
    """A reading with its cards where a camera straight above has them, and things over them."""
    cards = tuple(
        replace(card, outline_px=outline(Pose(card.x_mm, card.y_mm, card.angle_deg, card.mirrored)))
        for card in reading.cards
    )
    over = [replace(OVER, at_px=thing[0], outline_px=tuple(thing)) for thing in things]
    return replace(reading, cards=cards, doubts=(*reading.doubts, *over))
