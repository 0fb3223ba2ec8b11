"""What shows: areas, dots, and which card lies over which."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point

from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.showing import bodies, dot_parts, frames, hidden, over, shown, visible_dots
from tests.geometry.tables import DECK, random_table, table

seeds = st.integers(0, 60)


def _card(card_id: int, face: str, x: float, y: float, angle: float = 0.0) -> Card:
    return Card(card_id, "blue", face, Pose(x, y, angle))


def test_a_card_is_a_rounded_rectangle_and_its_frame_a_sharp_one() -> None:
    layout = table(_card(3, "circle-1", 100, 200))
    body, frame = bodies(layout)[3], frames(layout)[3]
    assert body.bounds == pytest.approx((100 - 29.1, 200 - 44.5, 100 + 29.1, 200 + 44.5))
    assert body.area == pytest.approx(58.2 * 89 - (4 - np.pi) * 9, abs=0.2)
    assert frame.bounds == pytest.approx((100 - 25.6, 200 - 41, 100 + 25.6, 200 + 41))


def test_an_empty_table() -> None:
    empty = table()
    assert bodies(empty) == shown(empty) == over(empty) == visible_dots(empty) == {}


def test_the_later_card_lies_above() -> None:
    layout = table(_card(7, "circle-1", 100, 100), _card(2, "circle-1", 120, 110))
    assert shown(layout)[2].equals(bodies(layout)[2])
    assert shown(layout)[7].area == pytest.approx(
        bodies(layout)[7].difference(bodies(layout)[2]).area
    )
    assert over(layout) == {7: (), 2: (7,)}


@pytest.mark.parametrize(("apart", "found"), [(58.3, ()), (57.3, ()), (57.1, (0,)), (0, (0,))])
def test_over_is_more_than_a_millimetre(apart: float, found: tuple[int, ...]) -> None:
    layout = table(_card(0, "circle-1", 100, 100), _card(1, "circle-1", 100 + apart, 100))
    assert over(layout)[1] == found


def test_over_takes_the_depth_that_is_asked_for() -> None:
    layout = table(_card(0, "circle-1", 100, 100), _card(1, "circle-1", 155, 100))
    assert over(layout, 3.1)[1] == (0,)
    assert over(layout, 3.3)[1] == ()


# circle-4 has its four dots 19.046 mm right of its middle, at -18.432, -6.144, 6.144, 18.432
RADIUS_MM = DECK.dot_diameter_mm / 2
EDGES = {
    "well clear": (RADIUS_MM + 0.1, 1.0),
    "flush": (RADIUS_MM, 1.0),
    "a fifth gone": (RADIUS_MM * 0.4919, 0.8),
    "just showing": (0.02, 0.506),
    "half": (0.0, 0.5),
    "just gone": (-0.02, 0.494),
    "a fifth left": (-RADIUS_MM * 0.4919, 0.2),
    "under": (-RADIUS_MM - 0.1, 0.0),
}


@pytest.mark.parametrize(("edge", "part"), EDGES.values(), ids=EDGES.keys())
def test_a_dot_shows_in_part(edge: float, part: float) -> None:
    """A card over the right side whose edge stands `edge` mm right of the dots' middles."""
    below = _card(0, "circle-4", 100, 100)
    above = _card(1, "circle-1", 100 + 19.046 + edge + 29.1, 100)
    assert dot_parts(table(below, above))[0] == pytest.approx((part,) * 4, abs=0.004)
    if part != 0.5:
        assert visible_dots(table(below, above))[0] == (part > 0.5,) * 4
    assert visible_dots(table(above, below))[0] == (True,) * 4


def test_dots_stand_in_the_order_of_the_face() -> None:
    below = _card(0, "circle-4", 100, 100)
    above = _card(1, "circle-1", 119, 100 - 44.5)  # its lower edge runs through the middle
    assert visible_dots(table(below, above))[0] == (False, False, True, True)


def test_dots_of_a_flipped_card_lie_on_the_other_side() -> None:
    below = Card(0, "blue", "circle-4", Pose(100, 100, 0, mirrored=True))
    right, left = (_card(1, "circle-1", 100 + 45.0 * side, 100) for side in (1, -1))
    assert visible_dots(table(below, right))[0] == (True,) * 4
    assert visible_dots(table(below, left))[0] == (False,) * 4


def test_dots_that_are_not_in_sight_do_not_count_whatever_the_face_or_side() -> None:
    """The upper half of the table round the card is in the picture."""
    upper = ((0.0, 0.0), (200.0, 0.0), (200.0, 100.0), (0.0, 100.0))
    seen = replace(_card(0, "circle-4", 100, 100), in_sight_mm=upper)
    flipped = replace(seen, pose=Pose(100, 100, 180, mirrored=True))
    assert visible_dots(table(seen))[0] == (True, True, False, False)
    assert visible_dots(table(flipped))[0] == (False, False, True, True)
    assert visible_dots(table(replace(seen, in_sight_mm=())))[0] == (False,) * 4
    assert visible_dots(table(replace(seen, in_sight_mm=None)))[0] == (True,) * 4


def test_two_cards_together_can_hide_what_neither_hides_alone() -> None:
    below = _card(0, "circle-4", 100, 100)
    left = _card(1, "circle-1", 100 + 19.046 - 0.3 - 29.1, 100)
    right = _card(2, "circle-1", 100 + 19.046 + 0.3 + 29.1, 100)
    assert visible_dots(table(below, left))[0] == (True,) * 4
    assert visible_dots(table(below, right))[0] == (True,) * 4
    assert visible_dots(table(below, left, right))[0] == (False,) * 4


def test_covers_that_overlap_are_not_counted_twice() -> None:
    below = _card(0, "circle-4", 100, 100)
    one, other = (_card(i, "circle-1", 100 + 19.046 + 0.8 + 29.1, 100) for i in (1, 2))
    assert dot_parts(table(below, one, other))[0] == dot_parts(table(below, one))[0]


@given(seed=seeds)
def test_what_shows_and_what_is_hidden_is_the_card(seed: int) -> None:
    layout = random_table(seed)
    parts = zip(
        bodies(layout).values(), shown(layout).values(), hidden(layout).values(), strict=True
    )
    for whole, seen, covered in parts:
        assert seen.area + covered.area == pytest.approx(whole.area, abs=1e-6)
        assert seen.intersection(covered).area == pytest.approx(0.0, abs=1e-6)


@given(seed=seeds)
def test_what_shows_of_all_cards_is_what_they_cover_of_the_table(seed: int) -> None:
    layout = random_table(seed)
    seen = sum(part.area for part in shown(layout).values())
    assert seen == pytest.approx(shapely.union_all([*bodies(layout).values()]).area, abs=1e-5)


@given(seed=seeds)
def test_dots_show_as_far_as_their_disc_lies_in_what_shows(seed: int) -> None:
    layout = random_table(seed)
    seen, parts = shown(layout), dot_parts(layout)
    for card in layout.cards:
        dots = layout.deck.face(card.face).dots_mm
        assert len(parts[card.id]) == len(dots)
        for dot, part in zip(dots, parts[card.id], strict=True):
            disc = Point(card.pose.to_table(np.array([dot]))[0]).buffer(RADIUS_MM, quad_segs=16)
            assert disc.intersection(seen[card.id]).area / disc.area == pytest.approx(
                part, abs=0.004
            )


@given(seed=seeds)
def test_laying_a_card_and_taking_it_off_are_inverse(seed: int) -> None:
    layout = random_table(seed)
    card = Card(999, "red", "circle-6", layout.cards[-1].pose)
    laid = layout.laid_on_top(card)
    assert over(laid)[999]
    assert laid.without([999]) == layout
    assert {k: v for k, v in over(laid).items() if k != 999} == over(layout)


def test_a_card_id_lies_on_the_table_once() -> None:
    layout = table(_card(0, "circle-1", 0, 0))
    with pytest.raises(ValueError, match="already on the table"):
        layout.laid_on_top(_card(0, "circle-2", 100, 100))
    assert layout.card(0).face == "circle-1"
    with pytest.raises(KeyError):
        Layout(DECK, ()).card(0)
