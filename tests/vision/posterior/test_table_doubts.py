"""Doubts about where the table is, and about what lies outside the picture."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import RULE_NAMES, Rules
from vision.locating.locate import Located
from vision.model.table import CardId
from vision.posterior.table_doubts import place_doubts, sight_doubts
from vision.reading_config import ReadingConfig

DECK = published_deck()
CONFIG = ReadingConfig()
ANYWHERE = Rules(off=frozenset(RULE_NAMES))
LEFT = ((-40.0, -60.0), (0.0, -60.0), (0.0, 60.0), (-40.0, 60.0))
"""Half of a card at the origin, mm."""


def at_px(_: CardId) -> tuple[float, float]:
    return -20.0, 300.0


@pytest.mark.parametrize(("in_sight", "told"), [(None, []), (LEFT, ["dots-outside"])])
def test_dots_that_lie_out_of_the_picture_are_a_doubt(
    in_sight: tuple[tuple[float, float], ...] | None, told: list[str]
) -> None:
    card = Card(3, "blue", "circle-5", Pose(0.0, 0.0, 0.0), in_sight)
    doubts = list(sight_doubts(Layout(DECK, (card,)), ANYWHERE, at_px, (800, 600)))
    assert [doubt.reason.code for doubt in doubts] == told
    for doubt in doubts:
        assert (doubt.card, doubt.at_px) == (3, (0.0, 300.0))
        assert 0 < doubt.changes_scores_by["blue"] <= 5


def test_of_a_card_that_is_covered_out_there_nothing_is_asked() -> None:
    card = Card(3, "blue", "circle-5", Pose(0.0, 0.0, 0.0), LEFT)
    over = Card(4, DECK.starting_colour.name, DECK.starting_face.id, Pose(0.0, 0.0, 0.0))
    assert list(sight_doubts(Layout(DECK, (card, over)), ANYWHERE, at_px, (800, 600))) == []


@pytest.mark.parametrize(
    ("scaled", "growth", "tried", "start_seen", "told"),
    [
        (True, 0.002, False, False, []),
        (True, 0.02, False, True, ["markers-misscaled"]),
        (False, 0.02, False, True, []),
        (False, 0.0, True, True, []),
        (False, 0.0, True, False, ["table-hard-to-find"]),
    ],
)
def test_where_the_table_is_may_be_doubted(
    scaled: bool, growth: float, tried: bool, start_seen: bool, told: list[str]
) -> None:
    located = cast("Located", SimpleNamespace(scaled=scaled, tried=tried))
    doubts = list(
        place_doubts(located, growth, Layout(DECK, ()), CONFIG, (1.0, 2.0), start_seen=start_seen)
    )
    assert [doubt.reason.code for doubt in doubts] == told
