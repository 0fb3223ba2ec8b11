"""What the loop found, against the truth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from measuring.one_score.found import compared, true_at_places
from measuring.one_score.true_table import true_scene
from measuring.scenes.truth import Truth
from tests.scenes import NAMES, scene
from tests.vision.model.drawn_table import CONFIG, DECK, drawn_table
from vision.model.hypothesis import Hypothesis
from vision.model.score import TableScore, learned_score
from vision.model.table import Table, with_hypothesis, with_ink


@pytest.fixture(scope="module")
def true() -> Table:
    return drawn_table().table


@pytest.fixture(scope="module")
def score(true: Table) -> TableScore:
    return learned_score(drawn_table().seen(), true, DECK, CONFIG)


def renamed(table: Table) -> Table:
    """The loop does not know names: it has the inks the other way round."""
    names = {"red": "blue", "blue": "red", None: None}
    return Table(tuple(replace(card, ink=names[card.ink]) for card in table.cards))


def test_the_truth_is_right_in_all_by_whatever_names(true: Table, score: TableScore) -> None:
    found = compared(renamed(true), true, score, 6)
    pairs = found["pairs"]
    assert pairs >= 5
    assert found == {
        "cards": 6, "places": 5, "found": 5, "false": 0, "faces": 5, "inks": 5,
        "pairs": pairs, "orders": pairs,
    }  # fmt: skip


def test_each_thing_that_is_wrong_counts(true: Table, score: TableScore) -> None:
    right = compared(true, true, score, 5)
    face = true.with_card(with_hypothesis(true.cards[3], Hypothesis("circle-2")))
    ink = true.with_card(with_ink(true.cards[3], "blue"))
    order = true.moved_just_over(true.cards[2].id, true.cards[4].id)
    missing = true.without(true.cards[4].id)
    assert compared(face, true, score, 5)["faces"] == 4
    assert compared(ink, true, score, 5)["inks"] == 4
    assert compared(order, true, score, 5)["orders"] == right["orders"] - 1
    assert compared(missing, true, score, 5)["found"] == 4
    assert compared(true, missing, score, 5)["false"] == 1


def test_true_cards_lie_at_the_places_where_they_are_seen() -> None:
    """Seen through the true camera, whatever way up and in whatever order places are told."""
    one = scene(NAMES[0])
    truth: Truth = one.truth
    table = true_scene(one.image_bgr, truth, CONFIG).table
    places = [
        replace(card.place, angle_deg=card.place.angle_deg + 180.0 * (card.id % 2), height_mm=0.0)
        for card in reversed(table.cards[2:])
    ]
    found = true_at_places(truth, truth.camera.view, places)
    assert [card.hypothesis.face for card in found.cards] == [
        card.hypothesis.face for card in table.cards[2:]
    ]
    assert [card.hypothesis.turned for card in found.cards] == [
        card.id % 2 == 1 for card in table.cards[2:]
    ]
