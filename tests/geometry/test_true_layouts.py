"""Ten tables whose truth is known: scores, dots, verdicts and moves come out the same."""

from __future__ import annotations

import pytest

from geometry.moves import legal_placements
from geometry.rules import Rules
from geometry.score import score_round
from geometry.showing import over, visible_dots
from geometry.verdict import Verdict, judge
from tests.geometry.tables import TrueTable, cards_below, true_tables


@pytest.fixture(params=sorted(true_tables()))
def known(request: pytest.FixtureRequest) -> TrueTable:
    return true_tables()[request.param]


def _verdicts(known: TrueTable) -> dict[int, Verdict]:
    return judge(known.layout, Rules())


def test_every_visible_dot(known: TrueTable) -> None:
    counted = [sum(dots) for dots in visible_dots(known.layout).values()]
    assert counted == [card["visible_dots"] for card in known.truth["cards"]]


def test_both_scores(known: TrueTable) -> None:
    score = score_round(known.layout, _verdicts(known))
    for mine, true in (
        (score.as_it_lies, known.truth["scores"]),
        (score.without_illegal, known.truth["scores_without_illegal"]),
    ):
        assert {**dict.fromkeys(true, 0), **mine} == true


def test_every_illegal_card_and_its_rule(known: TrueTable) -> None:
    borderline = set(known.truth["borderline"])
    illegal = {v.card: v.rule for v in _verdicts(known).values() if v.status == "illegal"}
    true = {i: known.truth["cards"][i]["rule"] for i in known.truth["illegal"]}
    assert {i: rule for i, rule in illegal.items() if i not in borderline} == true


def test_every_borderline_card(known: TrueTable) -> None:
    doubted = [v.card for v in _verdicts(known).values() if v.status == "borderline"]
    assert doubted == known.truth["borderline"]


def test_legal_cards_cover_the_card_they_were_laid_on(known: TrueTable) -> None:
    cards = known.truth["cards"]
    below = over(known.layout)
    for verdict in _verdicts(known).values():
        if verdict.status in ("legal", "free", "start"):
            assert verdict.covers == cards[verdict.card]["covers"]
        if verdict.status == "legal":
            assert verdict.covers in below[verdict.card]


def test_the_search_finds_every_move_that_was_made(known: TrueTable) -> None:
    for verdict in _verdicts(known).values():
        if verdict.status != "legal":
            continue
        card = known.layout.cards[verdict.card]
        before = cards_below(known.layout, verdict.card)
        fits = [
            fit.pose
            for fit in legal_placements(before, card.colour, card.face, Rules())
            if (fit.on, fit.shape_on, fit.shape_of)
            == (verdict.covers, verdict.shape_on, verdict.shape_of)
            and fit.pose.mirrored == card.pose.mirrored
        ]
        assert any(
            abs(pose.x_mm - card.pose.x_mm) < 1.0
            and abs(pose.y_mm - card.pose.y_mm) < 1.0
            and abs((pose.angle_deg - card.pose.angle_deg + 180) % 360 - 180) < 1.0
            for pose in fits
        )


def test_cards_were_laid_free_only_without_a_legal_move(known: TrueTable) -> None:
    """T6. (In the spread frame nobody plays: its cards are only laid out.)"""
    played = any(card["covers"] is not None for card in known.truth["cards"])
    for verdict in _verdicts(known).values():
        if verdict.status == "free" and played:
            card = known.layout.cards[verdict.card]
            before = cards_below(known.layout, verdict.card)
            assert legal_placements(before, card.colour, card.face, Rules()) == []
