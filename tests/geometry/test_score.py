"""What counts: every visible dot, and E2 for illegal cards."""

from __future__ import annotations

from dataclasses import replace

from geometry.layout import Card
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.score import (
    RoundScore,
    points_without,
    score_round,
    scores,
    stake,
    without_illegal,
)
from geometry.showing import visible_dots
from geometry.verdict import judge
from tests.geometry.tables import beside, laid_on, table

START = Card(0, "white", "start", Pose(100, 100, 0))


def test_every_colour_on_the_table_but_the_starting_one_in_the_decks_order() -> None:
    layout = table(
        START,
        Card(1, "red", "circle-3", Pose(200, 100, 0)),
        Card(2, "blue", "triangle-6", Pose(300, 100, 90)),
        Card(3, "red", "square-1", Pose(400, 100, 45, mirrored=True)),
    )
    counted = scores(layout, visible_dots(layout))
    assert list(counted.items()) == [("blue", 6), ("red", 4)]


def test_hidden_dots_do_not_count_and_the_caller_says_which_show() -> None:
    layout = table(START, Card(1, "red", "circle-3", Pose(200, 100, 0)))
    assert scores(layout, {0: (), 1: (True, False, True)}) == {"red": 2}


def test_an_illegal_card_comes_off_and_what_it_covered_counts_again() -> None:
    below, above = laid_on("circle-5", 2, "circle-3", 2)  # hides three dots, shows its own three
    slipped = replace(above, pose=beside(above.pose, 0.0, 3.5))
    layout = table(START, below, slipped)
    verdicts = judge(layout, Rules())
    assert verdicts[slipped.id].status == "illegal"
    assert without_illegal(layout, verdicts).cards == (START, below)
    assert score_round(layout, verdicts) == RoundScore(
        as_it_lies={"blue": 3, "green": 2}, without_illegal={"blue": 0, "green": 5}
    )


def test_borderline_and_free_cards_stay() -> None:
    below, above = laid_on("circle-5", 2, "circle-3", 2)
    slipped = replace(above, pose=beside(above.pose, 0.0, 2.5))
    layout = table(START, below, slipped)
    verdicts = judge(layout, Rules())
    assert verdicts[slipped.id].status == "borderline"
    assert without_illegal(layout, verdicts) == layout


def test_all_illegal_cards_come_off_together_and_the_rest_is_not_judged_again() -> None:
    """A card legal on an illegal one stays, although it covers nothing any more."""
    below, above = laid_on("circle-5", 2, "circle-3", 2)
    slipped = replace(above, pose=beside(above.pose, 0.0, 3.5))
    layout = table(START, below, slipped)
    fits = legal_placements(layout, "red", "circle-2", Rules())
    on_top = next(fit for fit in fits if fit.on == slipped.id)
    layout = layout.laid_on_top(Card(7, "red", "circle-2", on_top.pose))
    verdicts = judge(layout, Rules())
    assert [v.status for v in verdicts.values()] == ["start", "free", "illegal", "legal"]
    assert [card.id for card in without_illegal(layout, verdicts).cards] == [0, below.id, 7]


def test_what_a_card_is_worth_is_asked_alone_and_beside_the_other_open_cards() -> None:
    """Two cards lie over the same three dots: taking off one shows nothing, the second does."""
    below, above = laid_on("circle-5", 2, "circle-3", 2)
    again = replace(above, id=8)
    layout = table(START, below, above, again)
    assert stake(layout, above.id, set(), {above.id}) == {}
    assert stake(layout, above.id, set(), {above.id, again.id}) == {"blue": -3, "green": 3}
    assert stake(layout, above.id, {again.id}, {above.id}) == {"blue": -3, "green": 3}
    assert points_without(layout, {above.id, again.id}) == {"green": 5}
