"""The verdict: every rule just inside, between and past its tolerances."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.deck import Face
from geometry.layout import Card, Layout
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.verdict import judge
from tests.geometry.placements import (
    ENDS,
    FREE_FOR_ALL,
    PUBLISHED,
    SQUARES,
    past_end,
    said,
    slipped,
    verdict_on,
)
from tests.geometry.tables import (
    DECK,
    beside,
    laid_on,
    table,
    turned_about,
)


def test_an_exact_fit_is_legal() -> None:
    for below, above in (SQUARES, ENDS):
        verdict = verdict_on(below, above)
        assert said(verdict) == ("legal", None)
        assert verdict.on == (below.id,)
        assert verdict.covers == below.id
        assert verdict.offset_mm == pytest.approx(0.0, abs=1e-6)
        assert verdict.offset_deg == pytest.approx(0.0, abs=1e-6)
    assert (verdict_on(*SQUARES).shape_on, verdict_on(*SQUARES).shape_of) == (1, 2)


GRADES = {
    "inside": (1.95, "legal"),
    "just past legal": (2.05, "borderline"),
    "just before illegal": (2.95, "borderline"),
    "past": (3.05, "illegal"),
}
grades = pytest.mark.parametrize(("amount", "status"), GRADES.values(), ids=GRADES.keys())


@grades
def test_misaligned_by_millimetres(amount: float, status: str) -> None:
    below, above = SQUARES
    verdict = verdict_on(below, slipped(above, along=0.6 * amount, down=-0.8 * amount))
    assert said(verdict) == (status, None if status == "legal" else "misaligned")
    assert verdict.on == (below.id,)
    assert verdict.offset_mm == pytest.approx(amount, abs=1e-6)
    assert verdict.offset_deg == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("turn", "status"), [(2.9, "legal"), (3.1, "borderline"), (4.4, "borderline"), (4.6, "illegal")]
)
def test_misaligned_by_degrees(turn: float, status: str, sign: int) -> None:
    below, above = SQUARES
    pose = turned_about(above.pose, 300 + 12.851, 300 - 28.251, sign * turn)  # the square's middle
    verdict = verdict_on(below, replace(above, pose=pose))
    assert said(verdict) == (status, None if status == "legal" else "misaligned")
    assert verdict.offset_deg == pytest.approx(turn, abs=1e-6)
    assert verdict.offset_mm is not None
    assert verdict.offset_mm < 1.5


def test_past_one_tolerance_and_between_the_other_is_illegal() -> None:
    below, above = SQUARES
    pose = turned_about(above.pose, 300 + 12.851, 300 - 28.251, 4.6)
    verdict = verdict_on(below, replace(above, pose=beside(pose, 1.0, 0.0)))
    assert verdict.offset_mm is not None
    assert 2.0 < verdict.offset_mm < 3.0
    assert said(verdict) == ("illegal", "misaligned")


@pytest.mark.parametrize(("slip", "rule"), [(14.9, "misaligned"), (15.1, "mismatched")])
def test_corners_too_far_apart_were_not_meant_for_each_other(slip: float, rule: str) -> None:
    below, above = SQUARES
    verdict = verdict_on(below, slipped(above, down=-slip))
    assert said(verdict) == ("illegal", rule)
    assert verdict.on == (below.id,)
    assert verdict.covers == below.id
    assert (verdict.offset_mm is None) == (rule == "mismatched")
    assert (verdict.offset_deg is None) == (rule == "mismatched")


def test_cards_without_equal_shapes_are_mismatched() -> None:
    square = Face("only-square", "circle", 0, (DECK.face("circle-1").shapes[1],))
    rectangle = Face("only-rectangle", "circle", 0, (DECK.face("circle-1").shapes[2],))
    deck = replace(DECK, faces=(square, rectangle))
    below = Card(1, "green", "only-square", Pose(300, 300, 0))
    above = Card(2, "blue", "only-rectangle", Pose(340, 300, 0))
    verdict = judge(Layout(deck, (below, above)), PUBLISHED)[2]
    assert said(verdict) == ("illegal", "mismatched")
    assert verdict.offset_mm is None


def test_shapes_of_another_size_do_not_match() -> None:
    """A short rectangle laid along a long one, end on end: only the depths agree."""
    below = Card(1, "green", "circle-4", Pose(300, 300, 0))  # long, on the right side
    short = Card(2, "blue", "circle-5", Pose(300 + 19.072 + 19.072, 300, 0))  # short, on the left
    assert said(verdict_on(below, short)) == ("illegal", "mismatched")
    long = Card(2, "blue", "triangle-5", Pose(300 + 19.072 + 19.072, 300, 0))  # long, on the left
    assert said(verdict_on(below, long)) == ("legal", None)


TOUCHES = {
    "bands over bands": (-1.0, "free", None),
    "inside": (1.95, "free", None),
    "just past legal": (2.05, "borderline", "mismatched"),
    "just before illegal": (2.95, "borderline", "mismatched"),
    "past": (3.05, "illegal", "mismatched"),
}


@pytest.mark.parametrize(("depth", "status", "rule"), TOUCHES.values(), ids=TOUCHES.keys())
def test_a_touch_is_past_the_white_line(depth: float, status: str, rule: str | None) -> None:
    below = Card(1, "green", "circle-1", Pose(300, 300, 0))
    above = Card(2, "green", "circle-1", Pose(300 + 29.1 + 25.6 - depth, 310, 0))
    verdict = verdict_on(below, above, rules=FREE_FOR_ALL)
    assert said(verdict) == (status, rule)
    assert verdict.on == (() if status == "free" else (1,))
    assert verdict.covers == (1 if status == "illegal" else None)
    if status == "borderline":
        assert verdict.offset_mm == pytest.approx(depth, abs=1e-4)


@grades
def test_two_cards(amount: float, status: str) -> None:
    other = past_end(amount)
    verdict = verdict_on(other, *ENDS)
    assert said(verdict) == (status, None if status == "legal" else "two_cards")
    assert verdict.covers == ENDS[0].id
    if status != "legal":
        assert verdict.on == (other.id, ENDS[0].id)
        assert verdict.offset_mm == pytest.approx(amount, abs=1e-4)
        assert verdict.offset_deg is None


def test_two_cards_comes_before_shapes_that_do_not_line_up() -> None:
    below, above = ENDS
    moved_on = slipped(above, along=8.0)
    assert said(verdict_on(below, moved_on)) == ("illegal", "misaligned")
    assert said(verdict_on(past_end(6.0), below, moved_on)) == ("illegal", "two_cards")


def test_a_rule_that_is_surely_broken_is_named_before_one_that_may_be() -> None:
    below, above = ENDS
    moved_on = slipped(above, along=8.0)
    verdict = verdict_on(past_end(2.5), below, moved_on)
    assert said(verdict) == ("illegal", "misaligned")
    assert verdict.on == (below.id,)
    assert verdict.offset_mm == pytest.approx(8.0)


def test_two_touches_that_may_be_touches() -> None:
    """If both are, it is two cards; if one is, its shapes do not match; if none, it lies free."""
    left = Card(1, "green", "circle-1", Pose(300 - 29.1 - 25.6 + 2.4, 310, 0))
    right = Card(2, "red", "circle-1", Pose(300 + 29.1 + 25.6 - 2.7, 310, 0))
    verdict = verdict_on(left, right, Card(3, "blue", "circle-4", Pose(300, 300, 0)))
    assert said(verdict) == ("borderline", "two_cards")
    assert verdict.on == (1, 2)
    assert verdict.offset_mm == pytest.approx(2.4, abs=1e-4)
    assert verdict.covers is None


def test_what_lies_under_a_third_card_is_touched_all_the_same() -> None:
    below, above = ENDS
    cover = Card(8, "pink", "square-1", past_end(6.0).pose)
    verdict = verdict_on(past_end(6.0), cover, below, above)
    assert verdict.on == (9, 8, below.id)
    assert said(verdict) == ("illegal", "two_cards")


def test_a_covered_shape_is_not_covered_again() -> None:
    below, above = SQUARES
    again = replace(above, id=5, colour="red")
    verdict = verdict_on(below, above, again)
    assert said(verdict) == ("illegal", "two_cards")
    assert verdict.on == (below.id, above.id)


EDGES = {
    "inside": (-5.0, "legal", None),
    "flush": (0.0, "legal", None),
    "within": (1.95, "legal", None),
    "just past legal": (2.05, "borderline", "off_table"),
    "just before illegal": (2.95, "borderline", "off_table"),
    "past": (3.05, "illegal", "off_table"),
}


@pytest.mark.parametrize(("past", "status", "rule"), EDGES.values(), ids=EDGES.keys())
def test_off_table(past: float, status: str, rule: str | None) -> None:
    below, above = ENDS
    edge = above.pose.y_mm + 44.5 - past
    verdict = verdict_on(below, above, area=(900.0, edge))
    assert said(verdict) == (status, rule)
    assert verdict.on == (below.id,)
    if rule:
        assert verdict.offset_mm == pytest.approx(past, abs=1e-6)
        assert verdict.offset_deg is None
    assert said(verdict_on(below, above, area=None)) == ("legal", None)


def test_off_table_comes_first() -> None:
    below, above = ENDS
    edge = above.pose.y_mm + 44.5 - 10.0
    verdict = verdict_on(past_end(6.0), below, above, area=(900.0, edge))
    assert said(verdict) == ("illegal", "off_table")
    assert verdict.on == (9, below.id)


def test_a_free_card_may_be_off_the_table() -> None:
    card = Card(1, "blue", "circle-1", Pose(20.0, 100.0, 0))
    assert said(verdict_on(card)) == ("illegal", "off_table")
    assert said(verdict_on(replace(card, pose=Pose(26.6, 100.0, 0)))) == ("borderline", "off_table")
    assert said(verdict_on(replace(card, pose=Pose(40.0, 100.0, 0)))) == ("free", None)


def test_maybe_off_the_table_and_surely_misaligned() -> None:
    below, above = ENDS
    moved_on = slipped(above, along=8.0)
    edge = above.pose.y_mm + 44.5 - 2.5
    assert said(verdict_on(below, moved_on, area=(900.0, edge))) == ("illegal", "misaligned")


def test_equal_shapes_that_line_up_can_overhang() -> None:
    """Shapes laid corner on corner where the cards share much more than the shape."""
    loose = Rules(off=frozenset({"overhang"}))
    below = SQUARES[0]
    fits = {fit.pose for fit in legal_placements(table(below), "blue", "circle-2", PUBLISHED)}
    over = [
        fit
        for fit in legal_placements(table(below), "blue", "circle-2", loose)
        if fit.pose not in fits
    ]
    assert len(over) >= 4
    for fit in over:
        card = Card(2, "blue", "circle-2", fit.pose)
        verdict = verdict_on(below, card)
        assert said(verdict) == ("illegal", "overhang")
        assert verdict.offset_mm is not None
        assert verdict.offset_mm > 5.0
        assert verdict.offset_deg is None
        assert said(verdict_on(below, card, rules=loose)) == ("legal", None)


@grades
def test_overhang(amount: float, status: str) -> None:
    """Pushed onto the card below, with `misaligned` switched off to see what is left."""
    below, above = ENDS
    rules = Rules(off=frozenset({"misaligned"}))
    verdict = verdict_on(below, slipped(above, down=-amount), rules=rules)
    assert said(verdict) == (status, None if status == "legal" else "overhang")
    if status != "legal":
        assert verdict.offset_mm == pytest.approx(amount, abs=0.01)
    pulled = verdict_on(below, slipped(above, down=amount), rules=rules)
    assert said(pulled) == ("legal", None)


@pytest.mark.parametrize(
    ("lower", "upper"), [(("circle-2", 0), ("circle-1", 0)), (("circle-1", 0), ("circle-2", 0))]
)
def test_a_slipped_triangle_overhangs_by_no_more_than_it_slipped(
    lower: tuple[str, int], upper: tuple[str, int]
) -> None:
    below, above = laid_on(*lower, *upper)
    for along in (-1.9, 0.0, 1.9):
        for down in (-1.9, 0.0, 1.9):
            slip = (along**2 + down**2) ** 0.5
            verdict = verdict_on(below, slipped(above, along, down))
            assert said(verdict) == (("legal", None) if slip <= 2 else ("borderline", "misaligned"))
