"""Doubts about drawn tables, some of them read wrongly: the picture tells what was drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.doubting.doubt_scenes import GREEN, RED, again, card_of, front_of, scene
from tests.vision.drawing.drawn_cards import DECK
from tests.vision.likelihood.odds_tables import CARDS, CONFIG, ON_TOP, TEMPLATES, table
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.doubt_odds import weighed, with_odds
from vision.evidence import observe
from vision.likelihood.picture import LaidCards, Picture
from vision.naming.unique_faces import Choice
from vision.pace import Pace
from vision.reading import AnswerOdds, Doubt, DoubtKind
from vision.reason import Reason

COVERED = 1
"""The second card, whose corner lies under another one."""


def odds_of(
    cards: LaidCards, kind: DoubtKind, card: int | None, reason: Reason
) -> tuple[AnswerOdds, ...]:
    picture = Picture(observe(table()[0]), cards, DECK.card, TEMPLATES, CONFIG)
    return weighed(picture, Doubt(kind, card, (0.0, 0.0), reason)).odds


def said(odds: tuple[AnswerOdds, ...]) -> list[tuple[str, object]]:
    return [(one.answer, one.value) for one in odds]


def open_face(read: str, rival: str) -> Reason:
    return Reason("face-unclear", {"face": read, "rival": rival})


def read_as(*faces: tuple[int, str]) -> LaidCards:
    """The drawn cards, some of them read as other faces."""
    cards = table()[1]
    rows = cards.rows.copy()
    for card, face in faces:
        rows[card] = 2 * TEMPLATES.faces.index(face) + rows[card] % 2
    return replace(cards, rows=rows)


def test_a_face() -> None:
    odds = odds_of(table()[1], "face", 0, open_face("circle-3", "circle-2"))
    assert said(odds) == [("face", "circle-3"), ("face", "circle-2")]
    assert odds[0].log_odds == 0 > odds[1].log_odds
    wrong = odds_of(read_as((0, "circle-2")), "face", 0, open_face("circle-2", "circle-3"))
    assert wrong[1] == AnswerOdds("face", "circle-3", wrong[1].log_odds)
    assert wrong[1].log_odds > 20


def test_two_cards_that_exchange_their_faces() -> None:
    """One of them alone would speak for its own half of the exchange."""
    cards = read_as((0, "square-4"), (2, "circle-3"))
    both = odds_of(cards, "face", 0, open_face("square-4", "circle-3"))
    alone = odds_of(read_as((0, "square-4")), "face", 0, open_face("square-4", "circle-3"))
    assert both[1].log_odds > alone[1].log_odds + 20 > 20


def test_a_side() -> None:
    odds = odds_of(table()[1], "face", 1, Reason("side-unclear"))
    assert said(odds) == [("side", True), ("side", False)]
    assert odds[1].log_odds < -20


def test_a_colour() -> None:
    reason = Reason("colour-unclear", {"colour": "orange", "rival": "purple"})
    odds = odds_of(table()[1], "colour", 0, reason)
    assert said(odds)[0] == ("colour", "orange")
    assert {value for _, value in said(odds)} == {card.colour for card in CARDS}
    assert max(one.log_odds for one in odds[1:]) < 0


def test_an_order() -> None:
    odds = odds_of(table()[1], "order", ON_TOP, Reason("order-unclear"))
    assert said(odds) == [("over", ON_TOP), ("over", COVERED)]
    assert odds[1].log_odds < -10
    swapped = replace(table()[1], order=(0, ON_TOP, COVERED, 2, 4, 5))
    wrong = odds_of(swapped, "order", COVERED, Reason("order-unclear"))
    assert said(wrong) == [("over", COVERED), ("over", ON_TOP)]
    assert wrong[1].log_odds > 10


def test_whether_a_card_is_there() -> None:
    odds = odds_of(table()[1], "card", 0, Reason("looks-wrong"))
    assert said(odds) == [("there", True), ("there", False)]
    assert odds[1].log_odds < -100


@pytest.mark.parametrize(
    ("kind", "card", "code"),
    [
        ("card", 0, "height-unsure"),
        ("dot", 0, "dot-half-hidden"),
        ("verdict", 0, "misaligned-borderline"),
        ("colour", None, "colours-unclear"),
        ("table", None, "blurred"),
        ("missing", None, "start-not-seen"),
    ],
)
def test_of_what_the_picture_cannot_tell_nothing_is_said(
    kind: DoubtKind, card: int | None, code: str
) -> None:
    assert odds_of(table()[1], kind, card, Reason(code)) == ()


def test_a_card_that_does_not_show_is_not_weighed() -> None:
    cards = table()[1]
    poses = cards.poses.copy()
    poses[0] = poses[5]
    assert odds_of(replace(cards, poses=poses), "card", 0, Reason("looks-wrong")) == ()


def doubted() -> tuple[DoubtContext, tuple[Doubt, ...]]:
    """A drawn table that was read, one of whose faces may be another."""
    seen = scene(GREEN, RED)
    i = card_of(seen, "green")
    other = Choice(front_of(seen, "circle-1"), False)
    choices = [(other,) if k == i else () for k in range(len(seen.table.named))]
    return seen, again(seen, choices=tuple(choices))


def test_the_doubts_of_a_table_that_was_read() -> None:
    seen, doubts = doubted()
    told = with_odds(seen, doubts)
    assert [replace(doubt, odds=()) for doubt in told] == list(doubts)
    (face,) = [doubt for doubt in told if doubt.kind == "face"]
    assert said(face.odds) == [("face", "circle-4"), ("face", "circle-1")]
    assert face.odds[1].log_odds < -20


def test_no_doubt_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.doubting.doubt_odds.Picture", None)
    seen, start = scene(GREEN, RED), DECK.starting_colour.name
    doubts = (
        Doubt("table", None, (0.0, 0.0), Reason("blurred")),
        Doubt("card", card_of(seen, start), (0.0, 0.0), Reason("looks-wrong")),
    )
    assert with_odds(seen, doubts) == doubts
    assert with_odds(seen, ()) == ()
    hidden = replace(seen, table=replace(seen.table, visible=0 * seen.table.visible))
    face = doubted()[1]
    assert with_odds(hidden, face) == face


def test_without_time_nothing_is_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.doubting.doubt_odds.Picture", None)
    seen, doubts = doubted()
    pace = Pace(hurry=lambda: True)
    hurried = replace(seen, evidence=replace(seen.evidence, pace=pace))
    assert with_odds(hurried, doubts) == doubts
    assert pace.left_out == [], "no score hangs on it"
