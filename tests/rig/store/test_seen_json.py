from __future__ import annotations

import json
from dataclasses import replace

import pytest

from geometry.deck import DRAWN_BADGES
from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.spread import PoseSpread
from rig.store.seen_json import deck_of, deck_text, seen_of, seen_text
from rig.wording.catalogue import sentence
from vision.reading import AnswerOdds, Doubt, SeenCard, SeenTable
from vision.reason import Reason

HALF = Reason("dot-half-hidden")


def test_decks_come_back_equal() -> None:
    assert deck_of(deck_text(published_deck())) == published_deck()


def test_how_badges_are_drawn_is_no_part_of_a_deck_s_text() -> None:
    """It is learned from each picture: two of one deck have one digest."""
    drawn = replace(published_deck(), badges=DRAWN_BADGES)
    assert deck_text(drawn) == deck_text(published_deck())


def test_seen_tables_come_back_equal() -> None:
    seen = SeenTable(
        layout=Layout(
            published_deck(),
            (
                Card(
                    3, "white", "start", Pose(1 / 3, 2e-7, 359.999999999), ((0.5, 1.0), (2.0, 3.0))
                ),
                Card(4, "blue", "circle-2", Pose(500.0, 2.0, 90.0), ()),
                Card(1, "blue", "circle-3", Pose(50.1, 2.0, 45.0, mirrored=True)),
            ),
            (680.0, 510.5),
        ),
        cards=(
            SeenCard(1, ((0.1, 0.2), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), 0.9, 0.8, 0.7, 0.6),
            SeenCard(
                4,
                ((8.0, 0.0), (9.0, 0.0), (9.0, 1.0), (8.0, 1.0)),
                0.5,
                spread=PoseSpread(1 / 3, -0.1, 0.2, 0.0, 1e-9, 0.01),
            ),
            SeenCard(3, ((5.0, 0.0), (6.0, 0.0), (6.0, 1.0), (5.0, 1.0)), 0.5),
        ),
        doubts=(
            Doubt("dot", 1, (3.25, 4.0), HALF, {"blue": 1}, {"blue": -1}, 2.5, 0.125),
            Doubt(
                "card",
                4,
                (0.0, 0.0),
                Reason("looks-wrong"),
                odds=(AnswerOdds("there", True, 0.0), AnswerOdds("over", 1, -1 / 3)),
            ),
            Doubt("table", None, (0.0, 0.0), Reason("blurred", {"share": 1 / 3, "needed": 0.4})),
            Doubt("table", None, (1.0, 5.0), HALF, outline_px=((1.0, 2.0), (3.0, 4.5), (0.5, 9.0))),
        ),
        scale_px_per_mm=2.6123456789,
    )
    assert seen_of(seen_text(seen), published_deck()) == seen
    bare = SeenTable(Layout(published_deck(), ()), (), (), 1.0)
    assert seen_of(seen_text(bare), published_deck()) == bare


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "this card shows too little to tell circle-3 from square-1",
            Reason("face-unclear", {"face": "circle-3", "rival": "square-1"}),
        ),
        ("this card shows too little to tell its front from its back", Reason("side-unclear")),
        (
            "this card may be dark blue or purple",
            Reason("colour-unclear", {"colour": "dark blue", "rival": "purple"}),
        ),
        (
            "There are two red circle-3 now: one of them is another card.",
            Reason("twice-now", {"colour": "red", "face": "circle-3"}),
        ),
        (
            "this card may touch a higher one with a corner: where it lies is not sure",
            Reason("height-unsure"),
        ),
        (
            "dots of this card lie outside the picture and are not counted",
            Reason("dots-outside"),
        ),
        ("half of this dot shows", Reason("in-english", {"sentence": "half of this dot shows"})),
    ],
)
def test_doubts_of_before_they_had_codes(text: str, reason: Reason) -> None:
    """Readings kept by earlier versions hold the English sentence alone: from it follow the
    doubt's answers, as they did."""
    deck = published_deck()
    doubted = SeenTable(Layout(deck, ()), (), (Doubt("dot", 1, (3.0, 4.0), HALF),), 1.0)
    kept = json.loads(seen_text(doubted))
    assert kept["format"] == "tacta-seen/4"
    kept["format"] = "tacta-seen/1"
    assert seen_of(json.dumps(kept), deck) == doubted, "a code, but the version of before"
    kept["doubts"][0]["reason"] = text
    (doubt,) = seen_of(json.dumps(kept), deck).doubts
    assert doubt.reason == reason
    said = text.replace("circle-3", "3\u00a0●").replace("square-1", "1\u00a0■")
    assert sentence(doubt.reason) == said


@pytest.mark.parametrize("format_before", ["tacta-seen/2", "tacta-seen/1"])
def test_doubts_of_before_they_were_weighed(format_before: str) -> None:
    deck, doubt = published_deck(), Doubt("dot", 1, (3.0, 4.0), HALF)
    seen = SeenTable(Layout(deck, ()), (), (doubt,), 1.0)
    kept = json.loads(seen_text(seen))
    kept["format"] = format_before
    del kept["doubts"][0]["odds"]
    assert seen_of(json.dumps(kept), deck) == seen


@pytest.mark.parametrize("format_before", ["tacta-seen/3", "tacta-seen/2", "tacta-seen/1"])
def test_cards_of_before_they_said_how_exactly_they_are_seen(format_before: str) -> None:
    deck = published_deck()
    card = SeenCard(1, ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), 0.5)
    seen = SeenTable(Layout(deck, ()), (card,), (), 1.0)
    kept = json.loads(seen_text(seen))
    kept["format"] = format_before
    del kept["cards"][0]["spread"]
    assert seen_of(json.dumps(kept), deck) == seen


def test_another_format_is_refused() -> None:
    with pytest.raises(
        ValueError, match="expected tacta-seen/4, tacta-seen/3, tacta-seen/2, tacta-seen/1"
    ):
        seen_of(json.dumps({"format": "tacta-seen/5"}), published_deck())
