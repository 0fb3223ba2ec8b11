"""A known card that a reading takes for a thing over the cards is that card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from shapely.geometry import Polygon, mapping
from shapely.ops import unary_union

from geometry.layout import Card
from tests.referee.tables import (
    Change,
    Without,
    colours,
    game,
    moved,
    outline,
    played,
    read,
    same,
    shown,
)
from vision.reading import Reading

LAYOUT = game(1)
PLAYERS = colours(LAYOUT)


def visible(place: int, number: int) -> Sequence[tuple[float, float]]:
    """What shows of a card among the first `number`."""
    own = Polygon(outline(LAYOUT.cards[place].pose))
    others = [Polygon(outline(one.pose)) for one in LAYOUT.cards[:number] if one.id != place]
    part = own.difference(unary_union(others)).convex_hull
    return [(float(x), float(y)) for x, y in mapping(part)["coordinates"][0]]


def before(number: int) -> list[Reading]:
    return [shown(read(LAYOUT, n)) for n in range(1, number + 1)]


@pytest.mark.parametrize("place", [0, 1])
def test_a_card_with_the_outline_of_a_known_one_is_not_waited_for(place: int) -> None:
    lacks = shown(read(LAYOUT, 7, Without(frozenset({place}))), visible(place, 7))
    said, state = played([*before(6), lacks], PLAYERS)
    assert [one.kind for one in said[-1]] == ["laid"]
    assert len(state.table.cards) == 7


def test_a_thing_that_covers_more_or_less_than_the_card_is_waited_for() -> None:
    lacks = read(LAYOUT, 7, Without(frozenset({1})))
    whole = np.array(outline(moved(LAYOUT.cards[1], 45.0).pose)).tolist()
    middle = np.array(visible(1, 7)).mean(axis=0)
    small = (middle + 0.5 * (np.array(visible(1, 7)) - middle)).tolist()
    for thing in (whole, small):
        said, state = played([*before(6), shown(lacks, thing)], PLAYERS)
        assert [one.kind for one in said[-1]] == ["waiting"]
        assert len(state.table.cards) == 6


def test_a_hand_over_a_card_that_is_read_is_waited_for() -> None:
    said, _ = played([*before(6), shown(read(LAYOUT, 7), visible(1, 7))], PLAYERS)
    assert [one.kind for one in said[-1]] == ["waiting"]


def as_start(place: int) -> Change:
    """The starting card overlooked, another taken for it."""

    def change(card: Card) -> Card | None:
        if card.id == 0:
            return None
        start = LAYOUT.cards[0]
        return replace(card, colour=start.colour, face=start.face) if card.id == place else card

    return change


@pytest.mark.parametrize("place", [2, 6], ids=["a known card", "the new card"])
def test_a_card_taken_for_the_starting_card_keeps_or_awaits_its_name(place: int) -> None:
    wrong = [shown(read(LAYOUT, 7, as_start(place), seed=k), visible(0, 7)) for k in range(3)]
    right = shown(read(LAYOUT, 7, same, seed=9))
    said, state = played([*before(6), *wrong, right], PLAYERS)
    assert [card.name for card in state.table.cards] == [
        (card.colour, card.face) for card in LAYOUT.cards[:7]
    ]
    assert [one.kind for one in said[6]] == (["laid"] if place == 2 else ["nothing"])
    assert not any(one.kind == "corrected" for events in said for one in events)


def test_a_starting_card_that_a_picture_with_markers_overlooks_holds_nothing_up() -> None:
    one = read(LAYOUT, 2, Without(frozenset({0})))
    assert one.play_area_mm is not None
    said, state = played([read(LAYOUT, 1), one], PLAYERS)
    assert [event.kind for event in said[-1]] == ["laid"]
    bare = [replace(reading, play_area_mm=None) for reading in (read(LAYOUT, 1), one)]
    assert [event.kind for event in played(bare, PLAYERS)[0][-1]] == ["waiting"]
    assert len(state.table.cards) == 2
