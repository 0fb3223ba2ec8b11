"""The verdict under other rules, on starting cards, and on any table."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from geometry.layout import Card
from geometry.pose import Pose
from geometry.rules import Rules, Tolerance
from geometry.verdict import Verdict, judge
from tests.geometry.placements import (
    ENDS,
    FREE_FOR_ALL,
    NEVER_OFF,
    PUBLISHED,
    SQUARES,
    past_end,
    said,
    slipped,
    verdict_on,
)
from tests.geometry.tables import (
    cards_below,
    random_table,
    table,
)


def test_own_colour_in_a_free_for_all_only() -> None:
    below, above = SQUARES
    own = replace(above, colour=below.colour)
    assert said(verdict_on(below, own)) == ("legal", None)
    verdict = verdict_on(below, own, rules=FREE_FOR_ALL)
    assert said(verdict) == ("illegal", "own_colour")
    assert verdict.on == (below.id,)
    assert (verdict.offset_mm, verdict.offset_deg) == (None, None)
    assert said(verdict_on(below, above, rules=FREE_FOR_ALL)) == ("legal", None)


def test_own_colour_is_sure_where_the_slip_is_not() -> None:
    below, above = SQUARES
    own = replace(slipped(above, down=-2.5), colour=below.colour)
    assert said(verdict_on(below, own)) == ("borderline", "misaligned")
    assert said(verdict_on(below, own, rules=FREE_FOR_ALL)) == ("illegal", "own_colour")


def test_a_rule_that_is_off_is_skipped() -> None:
    below, above = ENDS
    edge = above.pose.y_mm + 44.5 - 10.0
    no_edge = Rules(off=frozenset({"off_table"}))
    assert said(verdict_on(below, above, rules=no_edge, area=(900.0, edge))) == ("legal", None)
    no_two = Rules(off=frozenset({"two_cards"}))
    assert said(verdict_on(past_end(6.0), below, above, rules=no_two)) == ("legal", None)
    moved_on = slipped(above, down=5.0)
    no_line = Rules(off=frozenset({"misaligned"}))
    assert said(verdict_on(below, moved_on)) == ("illegal", "misaligned")
    assert said(verdict_on(below, moved_on, rules=no_line)) == ("legal", None)
    far = slipped(above, along=20.0)
    no_match = Rules(off=frozenset({"mismatched"}))
    assert said(verdict_on(below, far)) == ("illegal", "mismatched")
    assert said(verdict_on(below, far, rules=no_match)) == ("legal", None)
    no_own = Rules(free_for_all=True, off=frozenset({"own_colour"}))
    own = replace(above, colour=below.colour)
    assert said(verdict_on(below, own, rules=no_own)) == ("legal", None)


def test_the_tolerances_are_settings() -> None:
    below, above = SQUARES
    strict = Rules(Tolerance(0.5, 1.0, 0.5, 1.0))
    slips = {0.4: "legal", 0.7: "borderline", 1.1: "illegal"}
    for slip, status in slips.items():
        assert verdict_on(below, slipped(above, down=-slip), rules=strict).status == status
    sharp = Rules(Tolerance(1.0, 1.0, 1.0, 1.0))
    for slip, status in {0.99: "legal", 1.01: "illegal"}.items():
        assert verdict_on(below, slipped(above, down=-slip), rules=sharp).status == status


def test_the_suits_in_play_change_no_verdict() -> None:
    below, above = SQUARES
    assert verdict_on(below, above, rules=Rules(suits=frozenset({"square"}))) == verdict_on(
        below, above
    )


def test_the_starting_card_is_not_laid_on_anything() -> None:
    start = Card(0, "white", "start", Pose(300, 300, 0))
    assert judge(table(start), PUBLISHED)[0] == Verdict(0, "start")
    under = Card(1, "blue", "circle-1", Pose(310, 300, 0))
    second = Card(2, "white", "start", Pose(330, 300, 0))
    verdicts = judge(table(under, start, second), PUBLISHED)
    assert said(verdicts[1]) == ("free", None)
    assert said(verdicts[0]) == ("start", None)
    assert said(verdicts[2]) == ("illegal", "two_cards")


def test_the_starting_card_may_not_reach_over_the_edge() -> None:
    start = Card(0, "white", "start", Pose(20, 300, 0))
    assert said(verdict_on(start)) == ("illegal", "off_table")


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
