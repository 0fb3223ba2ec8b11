from __future__ import annotations

from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from measuring.scenes.true_reading import true_reading
from referee.corrections.outcomes import Outcome
from rig.photo.decoding import PhotoEmpty
from rig.reading_json import reading_data, trouble_data
from rig.wording.kept_reasons import reason_of
from tests.rig.reading_schema import check
from tests.scenes import NAMES, scene
from vision.reading import Doubt

KINDS = ("card", "face", "colour", "order", "dot", "verdict", "table", "missing")


@pytest.mark.parametrize("name", NAMES)
def test_readings_follow_the_schema(name: str) -> None:
    reading = true_reading(scene(name).truth)
    data = check(reading_data(reading, f"{name}.jpg"))
    assert data["photo"] == f"{name}.jpg"
    assert data["scores"] == dict(scene(name).truth.scores)
    assert data["scores_without_illegal"] == dict(scene(name).truth.scores_without_illegal)
    ids = {card["id"] for card in data["cards"]}
    assert len(ids) == len(data["cards"])
    assert all(set(card["over"]) <= ids - {card["id"]} for card in data["cards"])
    assert all(set(item["on"]) <= ids - {item["card"]} for item in data["illegal"])


def test_a_borderline_card_carries_its_measures() -> None:
    data = check(reading_data(true_reading(scene("two-walnut").truth), "photo"))
    (doubt,) = data["doubts"]
    assert doubt["kind"] == "verdict"
    assert {"offset_mm", "offset_deg"} <= doubt.keys()
    assert data["sure"] is True
    assert data["sure_without_illegal"] is False


@pytest.mark.parametrize("kind", KINDS)
def test_doubts_of_every_kind(kind: Any) -> None:
    reading = true_reading(scene("panel-oak").truth)
    doubt = Doubt(kind, None, (10.26, 20.0), reason_of("Why not?"), {"blue": -1}, {}, 1.23456, None)
    data = check(reading_data(replace(reading, doubts=(doubt,)), "photo"))
    (written,) = data["doubts"]
    assert written["at_px"] == [10.3, 20.0]
    assert written["changes_scores_by"] == {"blue": -1}
    assert ("offset_mm" in written) == (kind == "verdict")


def test_what_the_scores_may_turn_out_to_be() -> None:
    reading = true_reading(scene("panel-oak").truth)
    scores = dict(reading.scores)
    more = {**scores, "blue": scores["blue"] + 1}
    outcomes = (Outcome(scores, scores, 0.66049), Outcome(more, scores, 0.0841))
    assert not {"outcomes", "common_leaders"} & check(reading_data(reading, "photo")).keys()
    none = check(reading_data(reading, "photo", outcomes=()))
    assert (none["outcomes"], none["common_leaders"]) == ([], [])
    data = check(reading_data(reading, "photo", outcomes=outcomes))
    assert data["outcomes"] == [
        {"scores": scores, "scores_without_illegal": scores, "probability": 0.66},
        {"scores": more, "scores_without_illegal": scores, "probability": 0.084},
    ]
    assert data["common_leaders"] == [max(scores, key=lambda name: scores[name])]


def test_without_a_known_table() -> None:
    reading = replace(true_reading(scene("phone-oak").truth), play_area_mm=None)
    assert check(reading_data(reading, "photo"))["play_area_mm"] is None


def test_an_angle_never_rounds_up_to_a_full_turn() -> None:
    reading = true_reading(scene("panel-oak").truth)
    card = replace(reading.cards[0], angle_deg=359.9999)
    data = check(reading_data(replace(reading, cards=(card,)), "photo"))
    assert data["cards"][0]["angle_deg"] == 0


def test_errors_follow_the_schema() -> None:
    data = check(trouble_data(PhotoEmpty(name="a.jpg"), "a.jpg"))
    assert data["error_key"] == "photo-empty"
    assert data["error"].startswith("a.jpg is empty")


@pytest.mark.parametrize(
    "change",
    [
        {"scores": {"blue": -1}},
        {"sure": "yes"},
        {"cards": [{}]},
        {"format": "tacta-reading/2"},
        {"more": 1},
        {"play_area_mm": [1]},
        {"outcomes": [{"scores": {}, "scores_without_illegal": {}}]},
        {"outcomes": [{"scores": {}, "scores_without_illegal": {}, "probability": 1.1}]},
        {"outcomes": [{"scores": {}, "scores_without_illegal": {}, "probability": None}]},
        {"common_leaders": "red"},
        {"common_leaders": ["red", "red"]},
    ],
)
def test_the_schema_refuses_what_the_contract_does_not_say(change: dict[str, object]) -> None:
    data = {**reading_data(true_reading(scene("panel-oak").truth), "photo"), **change}
    with pytest.raises(jsonschema.ValidationError):
        check(data)
