"""The coach offers what is legal and leaves nothing out, and its figures are the score's."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from geometry.coach import Suggestion, suggestions
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules, Tolerance
from geometry.score import RoundScore, score_round
from geometry.verdict import judge
from tests.geometry.placements import SQUARES
from tests.geometry.tables import DECK, random_table, table

PUBLISHED = Rules()
LOOSE = Rules(Tolerance(legal_mm=9.0, illegal_mm=10.0))
"""So that an exact fit may reach across another card's dots."""
NEXT = 500
CASES = [
    (seed, DECK.faces[(5 * seed + k) % len(DECK.faces)].id) for seed in range(12) for k in (0, 7)
]


def _laid(layout: Layout, pose: Pose, face: str, colour: str = "blue") -> Layout:
    return layout.laid_on_top(Card(NEXT, colour, face, pose))


def _score(layout: Layout, rules: Rules) -> RoundScore:
    return score_round(layout, judge(layout, rules))


def _difference(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    changes = {name: dots - before.get(name, 0) for name, dots in after.items()}
    return {name: dots for name, dots in changes.items() if dots}


def _is_same(pose: Pose, other: Pose) -> bool:
    """Whether two poses lay a card alike: no two fits lie as near each other as this."""
    turn = abs((pose.angle_deg - other.angle_deg + 180) % 360 - 180)
    apart = np.hypot(pose.x_mm - other.x_mm, pose.y_mm - other.y_mm)
    return pose.mirrored == other.mirrored and turn < 2 and bool(apart < 1)


def _not_among(poses: list[Pose], others: list[Pose]) -> list[Pose]:
    return [pose for pose in poses if not any(_is_same(pose, other) for other in others)]


def _every_fit(layout: Layout, face_id: str) -> list[Pose]:
    """All poses, at eighths of a turn to a card below, that lay one of its shapes' corners near
    those of the card's own, whatever else they touch.
    """
    found = []
    for below, mirrored, eighth in product(layout.cards, (False, True), range(8)):
        turned = Pose(0, 0, below.pose.angle_deg + 45 * eighth, mirrored)
        for on, of in product(
            layout.deck.face(below.face).shapes, layout.deck.face(face_id).shapes
        ):
            lower = below.pose.to_table(np.array(on.outline_mm))
            upper = turned.to_table(np.array(of.outline_mm))
            shift = lower.mean(axis=0) - upper.mean(axis=0)
            apart = np.linalg.norm(lower[:, None] - (upper + shift)[None], axis=2)
            if len(lower) == len(upper) and apart.min(axis=1).max() < 2.5:
                found.append(replace(turned, x_mm=float(shift[0]), y_mm=float(shift[1])))
    return found


@pytest.mark.parametrize(("seed", "face"), CASES[::2])
def test_it_offers_what_the_judge_calls_legal_and_nothing_else(seed: int, face: str) -> None:
    layout = random_table(seed)
    offered = [one.placement.pose for one in suggestions(layout, "blue", face, PUBLISHED)]
    legal = [
        pose
        for pose in _every_fit(layout, face)
        if judge(_laid(layout, pose, face), PUBLISHED, (NEXT,))[NEXT].status == "legal"
    ]
    assert _not_among(offered, legal) == []
    assert _not_among(legal, offered) == []


def test_the_cases_have_places_to_find() -> None:
    counts = [len(suggestions(random_table(seed), "blue", face, PUBLISHED)) for seed, face in CASES]
    assert sum(count > 0 for count in counts) > 15
    assert max(counts) > 10


@pytest.mark.parametrize("rules", [PUBLISHED, LOOSE], ids=["published", "loose"])
@pytest.mark.parametrize(("seed", "face"), CASES)
def test_what_it_covers_and_gains_is_what_the_score_says(
    seed: int, face: str, rules: Rules
) -> None:
    layout = random_table(seed)
    before, value = _score(layout, rules), DECK.face(face).value
    for one in suggestions(layout, "blue", face, rules):
        after = _score(_laid(layout, one.placement.pose, face), rules)
        assert one.gain == _difference(before.without_illegal, after.without_illegal)
        changed = _difference(before.as_it_lies, after.as_it_lies)
        changed["blue"] = changed.get("blue", 0) - value
        assert one.covers == {name: -dots for name, dots in changed.items() if dots}


def test_on_some_tables_an_illegal_card_makes_a_place_gain_otherwise_than_it_covers() -> None:
    """E2: what a place covers is under the illegal card, or is that card's own."""
    places = [
        (DECK.face(face).value, one)
        for seed, face in CASES
        for one in suggestions(random_table(seed), "blue", face, PUBLISHED)
    ]
    assert any(sum(one.gain.values()) != value - sum(one.covers.values()) for value, one in places)


def _worth(one: Suggestion) -> tuple[int, int, int]:
    others = sum(dots for name, dots in one.gain.items() if name != "blue")
    return one.gain.get("blue", 0), -others, one.safe_dots


@pytest.mark.parametrize(("seed", "face"), CASES)
def test_the_best_comes_first(seed: int, face: str) -> None:
    worth = [_worth(one) for one in suggestions(random_table(seed), "blue", face, PUBLISHED)]
    assert worth == sorted(worth, reverse=True)


def test_safe_dots_are_those_of_the_shape_that_covers() -> None:
    below, _ = SQUARES
    found = suggestions(table(below), "blue", "circle-2", PUBLISHED)
    shapes = DECK.face("circle-2").shapes
    assert {one.safe_dots for one in found} == {
        len(shapes[one.placement.shape_of].dots_mm) for one in found
    }
    assert any(one.safe_dots for one in found)


def test_where_nothing_fits_there_is_nothing_to_offer() -> None:
    assert suggestions(table(), "blue", "circle-1", PUBLISHED) == ()


@pytest.mark.parametrize(("colour", "face"), [("teal", "circle-1"), ("blue", "circle-7")])
def test_a_card_that_the_deck_lacks(colour: str, face: str) -> None:
    with pytest.raises(KeyError):
        suggestions(random_table(1), colour, face, PUBLISHED)
