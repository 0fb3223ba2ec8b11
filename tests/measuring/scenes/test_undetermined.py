"""What a photograph cannot tell is found in the truth alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.verdict import judge
from measuring.scenes.undetermined import dots_outside, undetermined
from tests.scenes import NAMES, scene

DECK = published_deck()
START = Card(0, DECK.starting_colour.name, DECK.starting_face.id, Pose(400.0, 300.0, 0.0))
LOWER = Card(1, "blue", "square-4", Pose(100.0, 100.0, 20.0))
FAR = Card(3, "green", "square-3", Pose(250.0, 100.0, 20.0))
RULES = Rules()


def over(card: Card, off_mm: tuple[float, float], colour: str = "red") -> Card:
    """Another card, so far beside this one as it lies."""
    (x, y), pose = off_mm, card.pose
    return Card(2, colour, "circle-5", replace(pose, x_mm=pose.x_mm + x, y_mm=pose.y_mm + y))


def table(*cards: Card) -> Layout:
    return Layout(DECK, (START, *cards, FAR))


def test_the_face_of_a_card_under_an_illegal_one_of_which_a_strip_shows_is_untold() -> None:
    layout = table(LOWER, over(LOWER, (1.2, 0.8)))
    assert judge(layout, RULES)[2].status == "illegal"
    found = undetermined(layout, RULES)
    assert found.without_illegal == {1}
    assert not found.as_it_lies  # no dot of it shows whatever it is


@pytest.mark.parametrize("off_mm", [(30.0, 0.0), (0.0, 45.0)])
def test_of_half_a_card_its_face_is_told(off_mm: tuple[float, float]) -> None:
    layout = table(LOWER, over(LOWER, off_mm))
    assert judge(layout, RULES)[2].status == "illegal"
    assert not undetermined(layout, RULES).without_illegal


def test_a_face_is_told_where_all_others_of_its_colour_lie_elsewhere() -> None:
    """But for those that have no more dots on either side."""
    faces = [face.id for face in DECK.faces if face.id != LOWER.face]
    others = [
        Card(10 + k, "blue", face, Pose(100.0 + 80 * (k % 6), 600.0 + 120 * (k // 6), 0.0))
        for k, face in enumerate(faces)
    ]
    layout = table(*others, LOWER, over(LOWER, (1.2, 0.8)))
    assert judge(layout, RULES)[2].status == "illegal"
    assert not undetermined(layout, RULES).without_illegal


def test_who_lies_on_top_is_untold_where_a_third_card_hides_it() -> None:
    """And illegal, so that it comes off: which dots of the two count is then anybody's guess."""
    beside = Card(4, "green", "square-6", replace(LOWER.pose, x_mm=LOWER.pose.x_mm + 40.0))
    hiding = Card(2, "red", "circle-5", replace(LOWER.pose, x_mm=LOWER.pose.x_mm + 20.0))
    rules = Rules(off=frozenset({"mismatched", "misaligned", "overhang"}))
    assert {1, 4} <= undetermined(table(LOWER, beside, hiding), rules).without_illegal
    assert not undetermined(table(LOWER, beside), rules).without_illegal


@pytest.mark.parametrize("name", NAMES)
def test_the_photographs_tell_all(name: str) -> None:
    truth = scene(name).truth
    found = undetermined(truth.layout, truth.rules)
    assert not found.as_it_lies
    assert not found.without_illegal


def test_dots_outside_the_picture() -> None:
    x, y = LOWER.pose.x_mm, LOWER.pose.y_mm
    near = ((x - 60, y - 60), (x + 60, y - 60), (x + 60, y + 60), (x - 60, y + 60))
    for sight, outside in ((None, False), (near, False), ((), True)):
        assert dots_outside(table(replace(LOWER, in_sight_mm=sight))) == outside
