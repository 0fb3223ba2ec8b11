"""The verdict: every rule just inside, between and past its tolerances."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geometry.deck import Face
from geometry.layout import Card, Layout
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules, Tolerance
from geometry.verdict import Verdict, judge
from tests.geometry.tables import (
    DECK,
    beside,
    cards_below,
    laid_on,
    random_table,
    table,
    turned_about,
)

PUBLISHED = Rules()
FREE_FOR_ALL = Rules(free_for_all=True)
NEVER_OFF = (5000.0, 5000.0)

# The lower card is upright at (300, 300). Squares: its top right corner is covered, and the
# upper card lies up and to the right. Ends: the upper card lies straight below, upside down.
SQUARES = laid_on("circle-1", 1, "circle-2", 2)
ENDS = laid_on("circle-1", 2, "circle-3", 2)


def _verdict(
    *cards: Card, rules: Rules = PUBLISHED, area: tuple[float, float] | None = NEVER_OFF
) -> Verdict:
    """The verdict on the last card."""
    return judge(table(*cards, play_area_mm=area), rules)[cards[-1].id]


def _said(verdict: Verdict) -> tuple[str, str | None]:
    return verdict.status, verdict.rule


def _slipped(card: Card, along: float = 0.0, down: float = 0.0) -> Card:
    return replace(card, pose=beside(card.pose, along, down))


def _past_end(by_mm: float) -> Card:
    """A card below the lower end of the upper card of ENDS, touched so deep."""
    pose = ENDS[1].pose
    return Card(9, "red", "square-4", Pose(pose.x_mm, pose.y_mm + 44.5 + 41.0 - by_mm, 0))


def test_an_exact_fit_is_legal() -> None:
    for below, above in (SQUARES, ENDS):
        verdict = _verdict(below, above)
        assert _said(verdict) == ("legal", None)
        assert verdict.on == (below.id,)
        assert verdict.covers == below.id
        assert verdict.offset_mm == pytest.approx(0.0, abs=1e-6)
        assert verdict.offset_deg == pytest.approx(0.0, abs=1e-6)
    assert (_verdict(*SQUARES).shape_on, _verdict(*SQUARES).shape_of) == (1, 2)


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
    verdict = _verdict(below, _slipped(above, along=0.6 * amount, down=-0.8 * amount))
    assert _said(verdict) == (status, None if status == "legal" else "misaligned")
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
    verdict = _verdict(below, replace(above, pose=pose))
    assert _said(verdict) == (status, None if status == "legal" else "misaligned")
    assert verdict.offset_deg == pytest.approx(turn, abs=1e-6)
    assert verdict.offset_mm is not None
    assert verdict.offset_mm < 1.5


def test_past_one_tolerance_and_between_the_other_is_illegal() -> None:
    below, above = SQUARES
    pose = turned_about(above.pose, 300 + 12.851, 300 - 28.251, 4.6)
    verdict = _verdict(below, replace(above, pose=beside(pose, 1.0, 0.0)))
    assert verdict.offset_mm is not None
    assert 2.0 < verdict.offset_mm < 3.0
    assert _said(verdict) == ("illegal", "misaligned")


@pytest.mark.parametrize(("slip", "rule"), [(14.9, "misaligned"), (15.1, "mismatched")])
def test_corners_too_far_apart_were_not_meant_for_each_other(slip: float, rule: str) -> None:
    below, above = SQUARES
    verdict = _verdict(below, _slipped(above, down=-slip))
    assert _said(verdict) == ("illegal", rule)
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
    assert _said(verdict) == ("illegal", "mismatched")
    assert verdict.offset_mm is None


def test_shapes_of_another_size_do_not_match() -> None:
    """A short rectangle laid along a long one, end on end: only the depths agree."""
    below = Card(1, "green", "circle-4", Pose(300, 300, 0))  # long, on the right side
    short = Card(2, "blue", "circle-5", Pose(300 + 19.072 + 19.072, 300, 0))  # short, on the left
    assert _said(_verdict(below, short)) == ("illegal", "mismatched")
    long = Card(2, "blue", "triangle-5", Pose(300 + 19.072 + 19.072, 300, 0))  # long, on the left
    assert _said(_verdict(below, long)) == ("legal", None)


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
    verdict = _verdict(below, above, rules=FREE_FOR_ALL)
    assert _said(verdict) == (status, rule)
    assert verdict.on == (() if status == "free" else (1,))
    assert verdict.covers == (1 if status == "illegal" else None)
    if status == "borderline":
        assert verdict.offset_mm == pytest.approx(depth, abs=1e-4)


@grades
def test_two_cards(amount: float, status: str) -> None:
    other = _past_end(amount)
    verdict = _verdict(other, *ENDS)
    assert _said(verdict) == (status, None if status == "legal" else "two_cards")
    assert verdict.covers == ENDS[0].id
    if status != "legal":
        assert verdict.on == (other.id, ENDS[0].id)
        assert verdict.offset_mm == pytest.approx(amount, abs=1e-4)
        assert verdict.offset_deg is None


def test_two_cards_comes_before_shapes_that_do_not_line_up() -> None:
    below, above = ENDS
    slipped = _slipped(above, along=8.0)
    assert _said(_verdict(below, slipped)) == ("illegal", "misaligned")
    assert _said(_verdict(_past_end(6.0), below, slipped)) == ("illegal", "two_cards")


def test_a_rule_that_is_surely_broken_is_named_before_one_that_may_be() -> None:
    below, above = ENDS
    slipped = _slipped(above, along=8.0)
    verdict = _verdict(_past_end(2.5), below, slipped)
    assert _said(verdict) == ("illegal", "misaligned")
    assert verdict.on == (below.id,)
    assert verdict.offset_mm == pytest.approx(8.0)


def test_two_touches_that_may_be_touches() -> None:
    """If both are, it is two cards; if one is, its shapes do not match; if none, it lies free."""
    left = Card(1, "green", "circle-1", Pose(300 - 29.1 - 25.6 + 2.4, 310, 0))
    right = Card(2, "red", "circle-1", Pose(300 + 29.1 + 25.6 - 2.7, 310, 0))
    verdict = _verdict(left, right, Card(3, "blue", "circle-4", Pose(300, 300, 0)))
    assert _said(verdict) == ("borderline", "two_cards")
    assert verdict.on == (1, 2)
    assert verdict.offset_mm == pytest.approx(2.4, abs=1e-4)
    assert verdict.covers is None


def test_what_lies_under_a_third_card_is_touched_all_the_same() -> None:
    below, above = ENDS
    cover = Card(8, "pink", "square-1", _past_end(6.0).pose)
    verdict = _verdict(_past_end(6.0), cover, below, above)
    assert verdict.on == (9, 8, below.id)
    assert _said(verdict) == ("illegal", "two_cards")


def test_a_covered_shape_is_not_covered_again() -> None:
    below, above = SQUARES
    again = replace(above, id=5, colour="red")
    verdict = _verdict(below, above, again)
    assert _said(verdict) == ("illegal", "two_cards")
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
    verdict = _verdict(below, above, area=(900.0, edge))
    assert _said(verdict) == (status, rule)
    assert verdict.on == (below.id,)
    if rule:
        assert verdict.offset_mm == pytest.approx(past, abs=1e-6)
        assert verdict.offset_deg is None
    assert _said(_verdict(below, above, area=None)) == ("legal", None)


def test_off_table_comes_first() -> None:
    below, above = ENDS
    edge = above.pose.y_mm + 44.5 - 10.0
    verdict = _verdict(_past_end(6.0), below, above, area=(900.0, edge))
    assert _said(verdict) == ("illegal", "off_table")
    assert verdict.on == (9, below.id)


def test_a_free_card_may_be_off_the_table() -> None:
    card = Card(1, "blue", "circle-1", Pose(20.0, 100.0, 0))
    assert _said(_verdict(card)) == ("illegal", "off_table")
    assert _said(_verdict(replace(card, pose=Pose(26.6, 100.0, 0)))) == ("borderline", "off_table")
    assert _said(_verdict(replace(card, pose=Pose(40.0, 100.0, 0)))) == ("free", None)


def test_maybe_off_the_table_and_surely_misaligned() -> None:
    below, above = ENDS
    slipped = _slipped(above, along=8.0)
    edge = above.pose.y_mm + 44.5 - 2.5
    assert _said(_verdict(below, slipped, area=(900.0, edge))) == ("illegal", "misaligned")


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
        verdict = _verdict(below, card)
        assert _said(verdict) == ("illegal", "overhang")
        assert verdict.offset_mm is not None
        assert verdict.offset_mm > 5.0
        assert verdict.offset_deg is None
        assert _said(_verdict(below, card, rules=loose)) == ("legal", None)


@grades
def test_overhang(amount: float, status: str) -> None:
    """Pushed onto the card below, with `misaligned` switched off to see what is left."""
    below, above = ENDS
    rules = Rules(off=frozenset({"misaligned"}))
    verdict = _verdict(below, _slipped(above, down=-amount), rules=rules)
    assert _said(verdict) == (status, None if status == "legal" else "overhang")
    if status != "legal":
        assert verdict.offset_mm == pytest.approx(amount, abs=0.01)
    pulled = _verdict(below, _slipped(above, down=amount), rules=rules)
    assert _said(pulled) == ("legal", None)


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
            verdict = _verdict(below, _slipped(above, along, down))
            assert _said(verdict) == (
                ("legal", None) if slip <= 2 else ("borderline", "misaligned")
            )


def test_own_colour_in_a_free_for_all_only() -> None:
    below, above = SQUARES
    own = replace(above, colour=below.colour)
    assert _said(_verdict(below, own)) == ("legal", None)
    verdict = _verdict(below, own, rules=FREE_FOR_ALL)
    assert _said(verdict) == ("illegal", "own_colour")
    assert verdict.on == (below.id,)
    assert (verdict.offset_mm, verdict.offset_deg) == (None, None)
    assert _said(_verdict(below, above, rules=FREE_FOR_ALL)) == ("legal", None)


def test_own_colour_is_sure_where_the_slip_is_not() -> None:
    below, above = SQUARES
    own = replace(_slipped(above, down=-2.5), colour=below.colour)
    assert _said(_verdict(below, own)) == ("borderline", "misaligned")
    assert _said(_verdict(below, own, rules=FREE_FOR_ALL)) == ("illegal", "own_colour")


def test_a_rule_that_is_off_is_skipped() -> None:
    below, above = ENDS
    edge = above.pose.y_mm + 44.5 - 10.0
    no_edge = Rules(off=frozenset({"off_table"}))
    assert _said(_verdict(below, above, rules=no_edge, area=(900.0, edge))) == ("legal", None)
    no_two = Rules(off=frozenset({"two_cards"}))
    assert _said(_verdict(_past_end(6.0), below, above, rules=no_two)) == ("legal", None)
    slipped = _slipped(above, down=5.0)
    no_line = Rules(off=frozenset({"misaligned"}))
    assert _said(_verdict(below, slipped)) == ("illegal", "misaligned")
    assert _said(_verdict(below, slipped, rules=no_line)) == ("legal", None)
    far = _slipped(above, along=20.0)
    no_match = Rules(off=frozenset({"mismatched"}))
    assert _said(_verdict(below, far)) == ("illegal", "mismatched")
    assert _said(_verdict(below, far, rules=no_match)) == ("legal", None)
    no_own = Rules(free_for_all=True, off=frozenset({"own_colour"}))
    own = replace(above, colour=below.colour)
    assert _said(_verdict(below, own, rules=no_own)) == ("legal", None)


def test_the_tolerances_are_settings() -> None:
    below, above = SQUARES
    strict = Rules(Tolerance(0.5, 1.0, 0.5, 1.0))
    slips = {0.4: "legal", 0.7: "borderline", 1.1: "illegal"}
    for slip, status in slips.items():
        assert _verdict(below, _slipped(above, down=-slip), rules=strict).status == status
    sharp = Rules(Tolerance(1.0, 1.0, 1.0, 1.0))
    for slip, status in {0.99: "legal", 1.01: "illegal"}.items():
        assert _verdict(below, _slipped(above, down=-slip), rules=sharp).status == status


def test_the_suits_in_play_change_no_verdict() -> None:
    below, above = SQUARES
    assert _verdict(below, above, rules=Rules(suits=frozenset({"square"}))) == _verdict(
        below, above
    )


def test_the_starting_card_is_not_laid_on_anything() -> None:
    start = Card(0, "white", "start", Pose(300, 300, 0))
    assert judge(table(start), PUBLISHED)[0] == Verdict(0, "start")
    under = Card(1, "blue", "circle-1", Pose(310, 300, 0))
    second = Card(2, "white", "start", Pose(330, 300, 0))
    verdicts = judge(table(under, start, second), PUBLISHED)
    assert _said(verdicts[1]) == ("free", None)
    assert _said(verdicts[0]) == ("start", None)
    assert _said(verdicts[2]) == ("illegal", "two_cards")


def test_the_starting_card_may_not_reach_over_the_edge() -> None:
    start = Card(0, "white", "start", Pose(20, 300, 0))
    assert _said(_verdict(start)) == ("illegal", "off_table")


def test_an_empty_table_has_no_verdicts() -> None:
    assert judge(table(play_area_mm=NEVER_OFF), PUBLISHED) == {}


@given(seed=st.integers(0, 60))
def test_cards_above_do_not_matter(seed: int) -> None:
    layout = random_table(seed)
    verdicts = judge(layout, FREE_FOR_ALL)
    for count in range(1, len(layout.cards)):
        below = cards_below(layout, count)
        assert judge(below, FREE_FOR_ALL) == {card.id: verdicts[card.id] for card in below.cards}


@given(seed=st.integers(0, 60))
def test_a_verdict_says_what_it_should_and_no_more(seed: int) -> None:
    layout = random_table(seed)
    for verdict in judge(layout, FREE_FOR_ALL).values():
        assert (verdict.rule is None) == (verdict.status in ("legal", "free", "start"))
        if verdict.status == "legal":
            assert verdict.on == (verdict.covers,)
            assert verdict.shape_on is not None
        if verdict.status == "illegal" and verdict.rule in ("mismatched", "own_colour"):
            assert (verdict.offset_mm, verdict.offset_deg) == (None, None)
        if verdict.rule in ("two_cards", "overhang", "misaligned", "off_table"):
            assert verdict.offset_mm is not None
        if verdict.rule == "misaligned":
            assert verdict.offset_deg is not None
            assert 0 <= verdict.offset_deg <= 180
        assert verdict.status != "free" or verdict.on == ()
