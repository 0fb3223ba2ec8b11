from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.rules import Rules
from tests.vision.doubting.hidden_strips import UPPER, scene_hiding
from tests.vision.drawing.drawn_cards import DrawnCard, off
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.edge_doubts import peeking_doubts
from vision.doubting.unmixed_strips import (
    hue_of,
    nearest_mixture,
    unmixed_at_a_glance,
    unmixed_strip,
)

OTHERS = (
    DrawnCard("square-1", "green", (60.0, 60.0, np.pi / 2)),
    DrawnCard("triangle-5", "red", (25.0, 70.0, 0.0)),
    DrawnCard("circle-1", "red", (260.0, 215.0, np.pi / 2)),
    DrawnCard("square-6", "green", (225.0, 225.0, 0.0)),
)


def scene(*peeking: DrawnCard) -> DoubtContext:
    return scene_hiding(peeking, *OTHERS)


def peeking(colour: str, by_mm: float) -> DrawnCard:
    x, y, angle = UPPER.pose
    return DrawnCard("square-6", colour, (x + by_mm, y, angle))


def test_a_narrow_strip_of_another_ink_on_the_table_is_told() -> None:
    seen = scene(peeking("red", 0.6))
    upper = unmixed_strip(seen)
    assert upper is not None
    assert off(seen.table.named.poses[upper], UPPER)[0] < 1.0


def test_a_card_s_own_ink_is_no_such_strip() -> None:
    assert unmixed_strip(scene(peeking("blue", 0.6))) is None


def test_a_strip_that_a_known_card_shows_is_its_own() -> None:
    """One that is read a little off where it lies peeks out as a missed one would."""
    under = peeking("red", 0.6)
    seen = scene(under)
    upper = unmixed_strip(seen)
    assert upper is not None
    named = seen.table.named
    card = next(c.id for c in seen.layout.cards if c.colour == "red")
    poses = named.poses.copy()
    poses[card, :3] = UPPER.pose
    known = replace(seen, table=replace(seen.table, named=replace(named, poses=poses)))
    assert unmixed_strip(known, np.array([upper])) is None


def counted(*peeking: DrawnCard) -> DoubtContext:
    """The same as a game in which the cards are counted: two of each of two colours are read."""
    blue = DrawnCard("square-1", "blue", (60.0, 200.0, 0.0))
    seen = replace(scene_hiding(peeking, blue, *OTHERS[1:3]), rules=Rules())
    assert seen.equally_many
    return seen


def test_where_numbers_of_cards_are_equal_a_glance_tells_which_cards_to_ask() -> None:
    """Each colour may have lost a card."""
    seen = counted(peeking("red", 0.6))
    asked = unmixed_at_a_glance(seen)
    assert len(asked) == 1
    upper = unmixed_strip(seen, asked)
    assert upper is not None
    assert off(seen.table.named.poses[upper], UPPER)[0] < 1.0
    assert upper in {doubt.card for doubt in peeking_doubts(seen)}


def test_where_no_card_peeks_out_a_glance_leaves_none_to_ask() -> None:
    assert not len(unmixed_at_a_glance(counted()))
    assert not list(peeking_doubts(counted()))


def test_under_the_starting_card_lies_none() -> None:
    seen = scene(peeking("red", 0.6))
    upper = unmixed_strip(seen)
    cards = tuple(
        replace(card, colour="white") if card.id == upper else card for card in seen.layout.cards
    )
    laid_first = replace(seen, layout=replace(seen.layout, cards=cards))
    assert unmixed_strip(laid_first) is None
    assert upper not in unmixed_at_a_glance(laid_first)


def test_a_hue_is_as_long_as_the_colour_is_away_from_grey() -> None:
    colours = np.array([[200.0, 40.0, 90.0], [10.0, 10.0, 10.0], [0.0, 30.0, 60.0]])
    away = colours - colours.mean(axis=1, keepdims=True)
    hues = hue_of(colours)
    assert np.abs(hues) == pytest.approx(np.linalg.norm(away, axis=1))
    assert (hues[0] * hues[2].conj()).real == pytest.approx(away[0] @ away[2])
    assert hue_of(colours + 20.0) == pytest.approx(hues)


def test_mixtures_lie_between_two_hues_and_grey() -> None:
    first, second, third = (hue_of(np.roll([2.0, -1.0, -1.0], k)) for k in range(3))
    for share in (first, 0.5 * second, 0.3 * first + 0.6 * second, 0.0 * first):
        assert nearest_mixture(share, first, second) == pytest.approx(share)
    assert nearest_mixture(third, first, second) == pytest.approx(0.0)
    assert nearest_mixture(2 * first, first, second) == pytest.approx(first)
