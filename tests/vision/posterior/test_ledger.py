"""What else a table may be, and what of it is a doubt."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from geometry.layout import Layout
from geometry.pose import Pose
from geometry.rules import RULE_NAMES, Rules
from geometry.score import RoundScore, score_round
from geometry.verdict import judge
from tests.vision.model.drawn_table import CONFIG, DECK, drawn_table
from vision.infer.inks import partings
from vision.infer.moves import Move, MoveKind, removal
from vision.infer.one_card import Chance
from vision.model.ink_hues import ColourHues
from vision.model.score import TableScore, learned_score
from vision.model.table import CardId, Table
from vision.posterior.ink_names import InkNames
from vision.posterior.lain import Named
from vision.posterior.ledger import (
    Alternative,
    Weighed,
    blur_doubts,
    certainty,
    doubts_of,
    missing_doubts,
    name_doubts,
    parting_doubts,
    weighed,
)

RULES = Rules()
ANYWHERE = Rules(off=frozenset(RULE_NAMES))
"""No placement is illegal."""


@pytest.fixture(scope="module")
def table() -> Table:
    return drawn_table().table


@pytest.fixture(scope="module")
def score(table: Table) -> TableScore:
    return learned_score(drawn_table().seen(), table, DECK, CONFIG)


@pytest.fixture(scope="module")
def named(table: Table) -> Named:
    poses = {card.id: card.pose for card in table.cards}
    return Named(poses, {"red": "red", "blue": "blue"}, DECK, None)


def at_px(card: CardId) -> tuple[float, float]:
    return 10.0 * card, 5.0


def without_top(score: TableScore, table: Table, named: Named, probability: float) -> Weighed:
    move = removal(score, table, table.cards[-1])
    read, other = (score_of(named.layout(one)) for one in (table, move.table))
    return Weighed(read, (Alternative(move, -1.0, other, probability),))


def score_of(layout: Layout) -> RoundScore:
    return score_round(layout, judge(layout, RULES))


def test_a_card_that_may_lie_elsewhere_is_a_doubt_where_that_changes_a_score(
    score: TableScore, table: Table, named: Named
) -> None:
    """As near the truth as it was read, and far from it."""
    card = table.cards[2]
    there = replace(card, id=CardId(9))
    other = Table(tuple(there if one is card else one for one in table.cards))
    start = table.cards[0].pose
    on_start = Pose(start.x_mm, start.y_mm, 0.0)
    for pose, gain, told in ((on_start, -1.0, 1), (on_start, -20.0, 0), (card.pose, -1.0, 0)):
        poses = {**named.poses, there.id: pose}
        elsewhere = Chance(other, gain, there.id, card.id)
        found = weighed(score, table, replace(named, poses=poses), ANYWHERE, [elsewhere])
        moves = [one.move for one in found.others if one.move.kind is MoveKind.PLACE]
        assert [move.card for move in moves] == [card.id] * (gain > -10)
        doubts = doubts_of(found, table, named, CONFIG.doubted, at_px)
        assert [(doubt.kind, doubt.card) for doubt in doubts] == [("card", int(card.id))] * told
        assert certainty(found.others, card.id, [MoveKind.PLACE]) == pytest.approx(
            1 / (1 + np.exp(gain)), abs=1e-3
        )


def test_what_plainly_lies_there_has_no_alternatives_but_where_nothing_shows(
    score: TableScore, table: Table, named: Named
) -> None:
    found = weighed(score, table, named, RULES).others
    assert not [one for one in found if one.move.kind is MoveKind.REMOVE]
    assert all(0 < one.probability < 1 for one in found)
    top = table.cards[-1].id
    assert certainty(found, top, (MoveKind.FACE,)) > 0.99


def test_moves_of_one_card_share_what_is_likely(
    score: TableScore, table: Table, named: Named
) -> None:
    """Of a card under another one that shows nothing of it each face is as likely."""
    hidden = table.with_added(table.cards[-1], table.cards[-1].id)
    cards = list(hidden.cards)
    lower = type(cards[-2])(CardId(9), cards[-2].place, cards[-2].hypothesis, cards[-2].ink)
    hidden = Table((*cards[:-2], lower, cards[-1]))
    more = Named({**named.poses, CardId(9): lower.pose}, named.names, DECK, None)
    others = weighed(score, hidden, more, RULES).others
    found = [one for one in others if one.move.card == 9]
    assert len(found) > 50
    assert sum(one.probability for one in found) < 1.0


def test_a_likely_move_that_changes_a_score_is_a_doubt(
    score: TableScore, table: Table, named: Named
) -> None:
    likely = without_top(score, table, named, 0.3)
    (doubt,) = doubts_of(likely, table, named, CONFIG.doubted, at_px)
    assert doubt.kind == "card"
    assert doubt.card == int(table.cards[-1].id)
    assert doubt.changes_scores_by
    assert doubt.at_px == at_px(table.cards[-1].id)


def test_what_nearly_lies_there_is_a_doubt_about_its_place(
    score: TableScore, table: Table, named: Named
) -> None:
    """Unless it is of an ink that no card shows."""
    fewer = table.without(table.cards[-1].id)
    nearly = Chance(table, -2.0, table.cards[-1].id)
    found = weighed(score, fewer, named, ANYWHERE, [nearly])
    (added,) = (one for one in found.others if one.move.kind is MoveKind.ADD)
    assert added.move.table == table
    assert added.probability == pytest.approx(np.exp(-2.0) / (1 + np.exp(-2.0)))
    doubts = doubts_of(found, fewer, named, CONFIG.doubted, at_px)
    (doubt,) = (one for one in doubts if one.kind == "missing")
    assert doubt.at_px == at_px(table.cards[-1].id)
    assert set(doubt.changes_scores_by) == {"blue"}
    for other in (Chance(table, -20.0, nearly.card), Chance(unseen(table), -2.0, nearly.card)):
        assert MoveKind.ADD not in {
            one.move.kind for one in weighed(score, fewer, named, ANYWHERE, [other]).others
        }


def unseen(table: Table) -> Table:
    return table.with_card(replace(table.cards[-1], ink="unseen"))


def test_either_score_is_sure_of_its_own(score: TableScore, table: Table, named: Named) -> None:
    """What changes the one score alone makes the other one no less sure."""
    move = removal(score, table, table.cards[-1])
    read = score_of(named.layout(table))
    lies = replace(read, as_it_lies={**read.as_it_lies, "red": 0})
    without = replace(read, without_illegal={**read.without_illegal, "red": 1})
    little = CONFIG.doubted * 0.8
    for others, number in (((lies, without), 0), ((lies, lies), 1), ((without, without), 1)):
        found = Weighed(read, tuple(Alternative(move, -7.0, one, little) for one in others))
        assert len(doubts_of(found, table, named, CONFIG.doubted, at_px)) == number


def test_an_unlikely_one_is_none(score: TableScore, table: Table, named: Named) -> None:
    unlikely = without_top(score, table, named, CONFIG.doubted / 2)
    assert doubts_of(unlikely, table, named, CONFIG.doubted, at_px) == ()


def test_what_changes_no_score_is_none(table: Table, named: Named) -> None:
    same = Move(MoveKind.FACE, table.cards[1].id, table, -0.1, 0.0)
    read = score_of(named.layout(table))
    found = Weighed(read, (Alternative(same, -0.1, read, 0.5),))
    assert doubts_of(found, table, named, CONFIG.doubted, at_px) == ()


def test_an_ink_that_may_be_another_colour_is_a_doubt_about_both(
    table: Table, named: Named
) -> None:
    read, other = {"red": "red", "blue": "blue"}, {"red": "pink", "blue": "blue"}
    dots = score_of(named.layout(table)).as_it_lies["red"]
    assert dots > 0
    (doubt,) = name_doubts(
        InkNames(read, ((-5.0, "red", other),)), table, named, RULES, 0.0005, (1.0, 2.0)
    )
    assert (doubt.kind, doubt.card, doubt.reason.code) == ("colour", None, "colours-unclear")
    assert doubt.changes_scores_by == {"pink": dots, "red": dots}
    plain = InkNames(read, ((-8.0, "red", other),))
    assert not list(name_doubts(plain, table, named, RULES, 0.0005, (1.0, 2.0)))


def test_without_a_starting_card_others_may_be_missing(table: Table, named: Named) -> None:
    """Every table has one; where none is seen, neither need any other card be."""
    rest = Table(tuple(card for card in table.cards if card.ink is not None))
    (doubt,) = missing_doubts(named.layout(rest), RULES, (1.0, 2.0))
    assert doubt.reason.code == "start-not-seen"
    assert doubt.changes_scores_by.keys() == {"red", "blue"}


def test_a_picture_in_which_thin_lines_are_lost_is_sure_of_nothing(
    table: Table, named: Named
) -> None:
    """Not even of colours that no card was read of."""
    layout, drawn = named.layout(table), drawn_table()
    assert not list(blur_doubts(drawn.seen(), layout, CONFIG, (1.0, 2.0)))
    image = cv2.blur(drawn.raster.image_bgr, (11, 1))
    blurred = replace(drawn, raster=replace(drawn.raster, image_bgr=image)).seen()
    (doubt,) = blur_doubts(blurred, layout, CONFIG, (1.0, 2.0))
    assert doubt.reason.code == "blurred"
    assert doubt.changes_scores_by.keys() == {"red", "blue"}
    start = named.layout(Table(table.cards[:1]))
    (doubt,) = blur_doubts(blurred, start, CONFIG, (1.0, 2.0))
    assert doubt.changes_scores_by.keys() == {colour.name for colour in DECK.colours}


@pytest.mark.slow
def test_an_ink_that_may_be_two_is_a_doubt_about_both(table: Table, named: Named) -> None:
    """One that plainly is two as well: what the loop has not parted is not sure."""
    one = Table(tuple(replace(card, ink=card.ink and "red") for card in table.cards))
    seen = drawn_table().seen()
    hues = ColourHues.of(DECK, CONFIG)
    (parting,) = partings(learned_score(seen, one, DECK, CONFIG), one, hues, 0.0)
    for gain, number in ((-12.0, 0), (-4.0, 1), (50.0, 1)):
        dearer = replace(CONFIG, ink_cost=CONFIG.ink_cost + parting.gain - gain)
        score = learned_score(seen, one, DECK, dearer)
        doubts = list(parting_doubts(score, one, named, RULES, (1.0, 2.0)))
        assert [doubt.reason.code for doubt in doubts] == ["colours-unclear"] * number
        assert all(doubt.changes_scores_by.keys() == {"red", "blue"} for doubt in doubts)


def test_a_colour_with_fewer_cards_than_another_may_have_lost_one(
    table: Table, named: Named
) -> None:
    assert not list(missing_doubts(named.layout(table), RULES, (1.0, 2.0)))
    fewer = named.layout(table.without(table.cards[-1].id))
    (doubt,) = missing_doubts(fewer, RULES, (1.0, 2.0))
    assert doubt.kind == "missing"
    assert doubt.changes_scores_by == {"blue": 1}
    assert not list(missing_doubts(fewer, replace(RULES, free_for_all=True), (1.0, 2.0)))
