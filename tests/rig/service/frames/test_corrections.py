from __future__ import annotations

from typing import Any

import pytest

from tests.rig.service.table_top import TableTop, jpeg
from tests.scenes import scene


@pytest.fixture
def frame(rig: TableTop) -> dict[str, Any]:
    document: dict[str, Any] = rig.upload().json()
    return document


def reading(rig: TableTop, frame: dict[str, Any]) -> dict[str, Any]:
    document: dict[str, Any] = rig.get(f"/frames/{frame['id']}/reading").json()
    return document


def test_a_correction_scores_again_and_is_undone(rig: TableTop, frame: dict[str, Any]) -> None:
    before = reading(rig, frame)
    card = next(c for c in before["cards"] if c["visible_dots"])
    other = next(name for name in before["scores"] if name != card["colour"])
    done = rig.correct(frame["id"], before["version"], kind="colour", card=card["id"], colour=other)
    assert done.status_code == 201
    after = done.json()["reading"]
    assert after["scores"][other] == before["scores"][other] + card["visible_dots"]
    assert (
        after["scores"][card["colour"]] == before["scores"][card["colour"]] - card["visible_dots"]
    )
    assert (after["version"], after["corrections"]) == (before["version"] + 1, 1)
    made = done.json()["correction"]
    assert (made["who"], made["undone_by"]) == ("rig", None)
    undone = rig.post(
        f"/frames/{frame['id']}/corrections/{made['id']}/undo", {"version": after["version"]}
    )
    assert undone.status_code == 200
    assert undone.json()["correction"]["undone_by"] == "rig"
    assert undone.json()["reading"]["scores"] == before["scores"]
    (kept,) = rig.get(f"/frames/{frame['id']}/corrections").json()["corrections"]
    assert kept["correction"] == {"kind": "colour", "card": card["id"], "colour": other}


def test_answers_that_were_not_worked_out_are_when_asked_for(
    rig: TableTop, frame: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No time at all is left for answers: the reading comes, and says so."""
    monkeypatch.setattr("rig.service.frames.frame_readings.ANSWERS_S", -1.0)
    kept = rig.upload(jpeg(5)).json()
    (doubt,) = reading(rig, kept)["doubts"]
    assert not doubt["judged"]
    assert {one["answer"] for one in doubt["answers"]} == {"right", "other"}
    assert not reading(rig, kept)["sure_without_illegal"]
    address = f"/frames/{kept['id']}/doubts/{doubt['key']}"
    (whole,) = reading(rig, frame)["doubts"]
    assert whole["judged"]
    assert rig.get(address).json() == whole
    assert rig.get(f"/frames/{frame['id']}/doubts/{doubt['key']}").json() == whole
    item, worked_out = reading(rig, kept)["illegal"][0], reading(rig, frame)["illegal"][0]
    assert (item["judged"], item["answers"]) == (False, [])
    assert (worked_out["judged"], len(worked_out["answers"])) == (True, 2)
    assert rig.get(f"/frames/{kept['id']}/illegal/{item['card']}").json() == worked_out
    refused = rig.get(f"/frames/{kept['id']}/illegal/{doubt['card']}")
    assert (refused.status_code, refused.json()["code"]) == (409, "doubt-gone")
    refused = rig.get(f"/frames/{kept['id']}/doubts/dot-1-2-3")
    assert (refused.status_code, refused.json()["code"]) == (409, "doubt-gone")
    wish = {"kind": "answer", "doubt": doubt["key"], "answer": "legal", "value": False}
    assert rig.correct(kept["id"], kept["version"], **wish).status_code == 201
    assert reading(rig, kept)["doubts"] == []


def test_what_the_scores_may_be_is_told_until_it_is_answered(
    rig: TableTop, frame: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = reading(rig, frame)
    (doubt,) = before["doubts"]
    both = ("scores", "scores_without_illegal", "probability")
    assert before["outcomes"] == [{key: one[key] for key in both} for one in doubt["answers"]]
    assert before["common_leaders"] == ["purple"]
    for key in ("outcomes", "common_leaders"):
        assert frame["reading"][key] == before[key]
    given = {"kind": "answer", "doubt": doubt["key"], "answer": "legal", "value": False}
    after = rig.correct(frame["id"], before["version"], **given).json()["reading"]
    assert after["sure_without_illegal"]
    assert (after["outcomes"], after["common_leaders"]) == ([], [])
    monkeypatch.setattr("rig.service.frames.frame_readings.ANSWERS_S", -1.0)
    hurried = rig.upload(jpeg(5)).json()["reading"]
    (outcome,) = hurried["outcomes"]
    (unjudged,) = hurried["doubts"]
    read = next(one for one in unjudged["answers"] if one["answer"] == "right")
    assert outcome == {key: read[key] for key in both}


def test_an_answer_does_what_it_promised(rig: TableTop, frame: dict[str, Any]) -> None:
    before = reading(rig, frame)
    (doubt,) = before["doubts"]
    promised = next(one for one in doubt["answers"] if one["value"] is False)
    assert {(one["answer"], one["value"]) for one in doubt["answers"]} == {
        ("legal", True),
        ("legal", False),
    }
    wish = {"kind": "answer", "doubt": doubt["key"], "answer": "legal", "value": False}
    done = rig.correct(frame["id"], before["version"], **wish)
    assert done.status_code == 201
    after = done.json()["reading"]
    for name in ("scores", "scores_without_illegal"):
        assert after[name] == promised[name]
    assert [one["card"] for one in after["illegal"]] == promised["illegal"]
    assert [one["agreed"] for one in after["illegal"] if one["card"] == doubt["card"]] == [True]
    assert after["doubts"] == []
    late = rig.correct(frame["id"], before["version"], **wish)
    assert (late.status_code, late.json()["code"]) == (409, "version-conflict")
    again = rig.correct(frame["id"], after["version"], **wish)
    assert (again.status_code, again.json()["code"]) == (409, "doubt-gone")
    made = done.json()["correction"]
    undone = rig.post(
        f"/frames/{frame['id']}/corrections/{made['id']}/undo", {"version": after["version"]}
    )
    assert undone.json()["reading"]["doubts"] == before["doubts"]


@pytest.mark.parametrize(
    ("answer", "value"), [("other", None), ("legal", 1), ("legal", "true"), ("face", "circle-1")]
)
def test_an_answer_that_a_doubt_does_not_have(
    rig: TableTop, frame: dict[str, Any], answer: str, value: object
) -> None:
    before = reading(rig, frame)
    key = before["doubts"][0]["key"]
    done = rig.correct(
        frame["id"], before["version"], kind="answer", doubt=key, answer=answer, value=value
    )
    assert (done.status_code, done.json()["code"]) == (422, "answer-unknown")


WISHES: list[dict[str, Any]] = [
    {"kind": "face", "card": 5, "face": "triangle-6"},
    {"kind": "side", "card": 5, "mirrored": None},
    {"kind": "move", "card": 5, "x_mm": 100.0},
    {"kind": "move", "card": 5, "at_px": [900, 800.5], "angle_deg": 90},
    {"kind": "move", "card": 48, "at_px": [900, 800], "snap": True},
    {"kind": "remove", "card": 5},
    {"kind": "add", "colour": "red", "face": "circle-6", "at_px": [300, 300], "snap": False},
    {"kind": "add", "colour": "blue", "face": "circle-1", "x_mm": 100, "y_mm": 100, "angle_deg": 5},
    {"kind": "verdict", "card": 19, "legal": True},
    {"kind": "verdict", "card": 5, "legal": False, "rule": "overhang"},
    {"kind": "settle", "doubt": "verdict-33"},
    {"kind": "dot", "card": 5, "dot": 0, "shows": False},
    {"kind": "answer", "doubt": "verdict-33", "answer": "legal", "value": True},
]


@pytest.mark.parametrize("wish", WISHES)
def test_every_kind_of_correction(
    rig: TableTop, frame: dict[str, Any], wish: dict[str, Any]
) -> None:
    if "mirrored" in wish:
        card = next(c for c in reading(rig, frame)["cards"] if c["id"] == 5)
        wish = {**wish, "mirrored": not card["mirrored"]}
    before = reading(rig, frame)
    done = rig.correct(frame["id"], before["version"], **wish)
    assert done.status_code == 201, done.text
    assert done.json()["reading"] != {**before, "version": before["version"] + 1, "corrections": 1}


def test_over_and_under(rig: TableTop, frame: dict[str, Any]) -> None:
    upper = next(c for c in reading(rig, frame)["cards"] if len(c["over"]) == 1)
    lower = upper["over"][0]
    version = reading(rig, frame)["version"]
    done = rig.correct(frame["id"], version, kind="under", card=upper["id"], other=lower)
    cards = {c["id"]: c for c in done.json()["reading"]["cards"]}
    assert upper["id"] in cards[lower]["over"]
    back = rig.correct(frame["id"], version + 1, kind="over", card=upper["id"], other=lower)
    cards = {c["id"]: c for c in back.json()["reading"]["cards"]}
    assert lower in cards[upper["id"]]["over"]


def test_a_place_in_the_picture_is_where_the_card_goes(
    rig: TableTop, frame: dict[str, Any]
) -> None:
    version = reading(rig, frame)["version"]
    done = rig.correct(frame["id"], version, kind="move", card=48, at_px=[1200, 900])
    card = next(c for c in done.json()["reading"]["cards"] if c["id"] == 48)
    middle = [sum(corner[axis] for corner in card["outline_px"]) / 4 for axis in (0, 1)]
    assert middle == pytest.approx([1200, 900], abs=5)


def test_an_added_card_keeps_its_id_when_others_come_and_go(
    rig: TableTop, frame: dict[str, Any]
) -> None:
    version = reading(rig, frame)["version"]
    wish = {"kind": "add", "colour": "blue", "snap": False, "x_mm": 50, "y_mm": 50}
    first = rig.correct(frame["id"], version, **wish, face="circle-1").json()
    second = rig.correct(frame["id"], version + 1, **wish, face="circle-2").json()
    ids = [one["correction"]["correction"]["card"] for one in (first, second)]
    assert ids == [49, 50]
    undo = f"/frames/{frame['id']}/corrections/{first['correction']['id']}/undo"
    left = rig.post(undo, {"version": version + 2}).json()["reading"]
    assert {card["id"] for card in left["cards"]} == {*range(49), 50}
    third = rig.correct(frame["id"], version + 3, **wish, face="circle-3").json()
    assert third["correction"]["correction"]["card"] == 51


def test_a_correction_without_hold_is_marked(rig: TableTop, frame: dict[str, Any]) -> None:
    version = reading(rig, frame)["version"]
    add = {"kind": "add", "colour": "blue", "face": "circle-1", "snap": False}
    added = rig.correct(frame["id"], version, **add).json()["correction"]
    removed = rig.correct(frame["id"], version + 1, kind="remove", card=49).json()["correction"]
    undo = f"/frames/{frame['id']}/corrections/{added['id']}/undo"
    left = rig.post(undo, {"version": version + 2}).json()["reading"]
    assert left["idle_corrections"] == [removed["id"]]


def test_two_phones_at_once(rig: TableTop, frame: dict[str, Any]) -> None:
    version = reading(rig, frame)["version"]
    assert rig.correct(frame["id"], version, kind="remove", card=5).status_code == 201
    late = rig.correct(frame["id"], version, kind="remove", card=6)
    assert (late.status_code, late.json()["code"]) == (409, "version-conflict")
    assert late.json()["present"] == reading(rig, frame)
    undo = f"/frames/{frame['id']}/corrections/1/undo"
    assert rig.post(undo, {"version": version}).json()["present"]["version"] == version + 1


@pytest.mark.parametrize(
    ("wish", "status", "code"),
    [
        ({"kind": "remove", "card": 999}, 409, "card-gone"),
        ({"kind": "move", "card": 999}, 409, "card-gone"),
        ({"kind": "colour", "card": 5, "colour": "mauve"}, 422, "not-in-deck"),
        ({"kind": "add", "colour": "blue", "face": "star-9"}, 422, "not-in-deck"),
        ({"kind": "add", "colour": "white", "face": "circle-1"}, 422, "not-in-deck"),
        ({"kind": "settle", "doubt": "dot-1-2-3"}, 409, "doubt-gone"),
        ({"kind": "over", "card": 0, "other": 48}, 409, "not-neighbours"),
        ({"kind": "move", "card": 5, "at_px": [90_000, -90_000]}, 422, "off-picture"),
        ({"kind": "explode", "card": 5}, 422, "request-invalid"),
        ({"kind": "remove", "card": "5"}, 422, "request-invalid"),
        ({"kind": "remove", "card": 5, "why": "x"}, 422, "request-invalid"),
        ({"kind": "verdict", "card": 5, "legal": False, "rule": "ugly"}, 422, "request-invalid"),
    ],
)
def test_what_does_not_fit_is_refused(
    rig: TableTop, frame: dict[str, Any], wish: dict[str, Any], status: int, code: str
) -> None:
    before = reading(rig, frame)
    done = rig.correct(frame["id"], before["version"], **wish)
    assert (done.status_code, done.json()["code"]) == (status, code)
    assert reading(rig, frame) == before


def test_a_correction_to_a_card_that_is_gone(rig: TableTop, frame: dict[str, Any]) -> None:
    version = reading(rig, frame)["version"]
    rig.correct(frame["id"], version, kind="remove", card=5)
    late = rig.correct(frame["id"], version + 1, kind="side", card=5, mirrored=True)
    assert (late.status_code, late.json()["code"]) == (409, "card-gone")


def test_unknown_frames_and_corrections(rig: TableTop, frame: dict[str, Any]) -> None:
    assert rig.correct("abc", 1, kind="remove", card=5).status_code == 404
    undo = rig.post(f"/frames/{frame['id']}/corrections/77/undo", {"version": frame["version"]})
    assert (undo.status_code, undo.json()["code"]) == (404, "correction-unknown")


def test_a_verdict_by_the_table_counts(rig: TableTop, frame: dict[str, Any]) -> None:
    before = reading(rig, frame)
    assert not before["sure_without_illegal"]
    rig.correct(frame["id"], before["version"], kind="verdict", card=33, legal=True)
    after = reading(rig, frame)
    assert after["sure_without_illegal"]
    assert after["scores_without_illegal"] == scene("two-walnut").truth.scores_without_illegal
