from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tests.rig.service.matches.match_steps import PLAYERS, a_round, begin, sign
from tests.rig.service.table_top import API, TableTop, jpeg


def test_a_round_from_beginning_to_signature(rig: TableTop) -> None:
    match = begin(rig)
    ended = a_round(rig, match)
    assert (ended["state"], ended["sure"]) == ("ended", False)
    red = next(side for side in ended["sides"] if side["colour"] == "red")
    assert (red["as_it_lies"], red["announced"], red["players"]) == (26, 26, ["D"])
    assert (ended["leaders"], ended["illegal"]) == (["purple"], [19, 32])
    assert ended["waiting_for"] == ["A", "B", "C", "D"]
    assert len(ended["missing"]) == 4 * 18 + 1 - 49
    for name in "ABC":
        half = sign(rig, ended, name).json()
    assert (half["state"], half["waiting_for"]) == ("ended", ["D"])
    done = sign(rig, ended, "D").json()
    assert (done["state"], [one["player"] for one in done["signatures"]]) == (
        "signed",
        list("ABCD"),
    )
    found = rig.get(f"/matches/{match}").json()
    assert found["standings"]["totals"] == {"orange": 26, "pink": 32, "purple": 35, "red": 26}
    assert found["standings"]["sure"] is False
    assert rig.get(f"/frames/{done['frame']}").json()["kept"]
    assert rig.delete(f"/frames/{done['frame']}").json()["code"] == "frame-protected"


def test_the_table_signs_at_once_and_the_score_stands(rig: TableTop) -> None:
    ended = a_round(rig, begin(rig))
    done = sign(rig, ended).json()
    assert done["state"] == "signed"
    late = rig.correct(ended["frame"], ended["frame_version"], kind="remove", card=5)
    assert (late.status_code, late.json()["code"]) == (409, "round-signed")
    again = rig.post(f"/matches/{ended['match']}/rounds/1/reopen").json()
    assert (again["state"], again["signatures"]) == ("ended", [])
    ok = rig.correct(ended["frame"], ended["frame_version"], kind="remove", card=5)
    assert ok.status_code == 201


def test_a_correction_voids_signatures(rig: TableTop) -> None:
    ended = a_round(rig, begin(rig))
    sign(rig, ended, "A")
    rig.correct(ended["frame"], ended["frame_version"], kind="remove", card=48)
    now = rig.get(f"/matches/{ended['match']}/rounds/1").json()
    assert now["waiting_for"] == ["A", "B", "C", "D"]
    late = sign(rig, ended, "B")
    assert (late.status_code, late.json()["code"]) == (409, "version-conflict")
    assert late.json()["present"]["frame_version"] == ended["frame_version"] + 1
    assert sign(rig, now, "B").status_code == 200


def test_a_round_ends_once(rig: TableTop) -> None:
    ended = a_round(rig, begin(rig))
    again = rig.post(f"/matches/{ended['match']}/rounds/1/end", {"frame": ended["frame"]})
    assert (again.status_code, again.json()["code"]) == (409, "round-ended")
    taken = rig.camera.taken
    assert rig.post(f"/matches/{ended['match']}/rounds/1/end", {}).status_code == 409
    assert rig.camera.taken == taken, "no picture is taken for a round that is over"


def test_the_camera_ends_a_round(rig: TableTop) -> None:
    from rig.cameras.trouble import CameraSilent

    match = begin(rig)
    rig.post(f"/matches/{match}/rounds")
    rig.camera.trouble = CameraSilent(camera="hand", seconds=8.0)
    assert rig.post(f"/matches/{match}/rounds/1/end", {}).status_code == 503
    assert rig.get(f"/matches/{match}/rounds/1").json()["state"] == "open"
    rig.camera.trouble = None
    ended = rig.post(f"/matches/{match}/rounds/1/end", {"finished_first": "red"}).json()
    assert (ended["state"], ended["finished_first"]) == ("ended", "red")
    assert rig.get(f"/frames/{ended['frame']}").json()["source"] == "hand"


def test_one_round_at_a_time(rig: TableTop) -> None:
    match = begin(rig)
    rig.post(f"/matches/{match}/rounds")
    again = rig.post(f"/matches/{match}/rounds")
    assert (again.status_code, again.json()["code"]) == (409, "round-still-open")


def test_another_frame_for_a_round(rig: TableTop) -> None:
    ended = a_round(rig, begin(rig))
    other = rig.frame(7)
    path = f"/matches/{ended['match']}/rounds/1/frame"
    assert rig.put(path, {"frame": other}).json()["frame"] == other
    assert rig.delete(f"/frames/{ended['frame']}").status_code == 204
    assert rig.put(path, {"frame": "abc"}).status_code == 404


def test_limited_space_asks_for_one_suit_and_ends_after_three(rig: TableTop) -> None:
    match = begin(rig, limited_space=True)
    for seed in range(3):
        ended = a_round(rig, match, seed)
        assert ended["suits"] == [["circle"], ["square"], ["triangle"]][seed]
        assert len(ended["unexpected"]) > 10
        sign(rig, ended)
    assert rig.post(f"/matches/{match}/rounds").json()["code"] == "match-over"
    assert rig.get(f"/matches/{match}").json()["standings"]["winners"] == ["purple"]


def test_a_target_ends_a_match(rig: TableTop) -> None:
    match = begin(rig, target=35)
    sign(rig, a_round(rig, match))
    standings = rig.get(f"/matches/{match}").json()["standings"]
    assert (standings["over"], standings["winners"]) == (True, ["purple"])


def test_house_rules_change_the_verdicts(rig: TableTop) -> None:
    off = ["two_cards", "mismatched", "misaligned", "overhang", "off_table"]
    lax = a_round(rig, begin(rig, off=off))
    assert lax["illegal"] == []
    strict = a_round(rig, begin(rig, free_for_all=True), 1)
    assert len(strict["illegal"]) > 2
    assert strict["missing_is_fine"]
    stay = a_round(rig, begin(rig, illegal_stay=True), 2)
    purple = next(side for side in stay["sides"] if side["colour"] == "purple")
    assert purple["announced"] == purple["as_it_lies"] == 37


def test_a_round_without_a_score_cannot_be_signed(rig: TableTop) -> None:
    rig.reader.outcome = RuntimeError("boom")
    ended = a_round(rig, begin(rig))
    assert (ended["frame_version"], ended["sure"]) == (None, None)
    refused = sign(rig, {**ended, "frame_version": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "score-missing")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "request-invalid"),
        ({"players": []}, "request-invalid"),
        ({"players": [{"name": "A", "colour": "mauve"}]}, "match-fault"),
        ({"players": [{"name": "A\n", "colour": "red"}]}, "request-invalid"),
        ({"players": [*PLAYERS, PLAYERS[0]]}, "match-fault"),
        ({"players": PLAYERS, "way": {"sabotage": True}}, "match-fault"),
        ({"players": PLAYERS, "way": {"tolerance": {"legal_mm": 9}}}, "match-fault"),
        ({"players": PLAYERS, "way": {"suits": ["heart"]}}, "request-invalid"),
        ({"players": PLAYERS, "way": {"target": True}}, "request-invalid"),
    ],
)
def test_matches_that_cannot_be_played_are_refused(
    rig: TableTop, body: dict[str, Any], code: str
) -> None:
    answer = rig.post("/matches", body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert rig.get("/matches").json()["matches"] == []


def test_unknown_matches_rounds_and_players(rig: TableTop) -> None:
    match = begin(rig)
    assert rig.get("/matches/abc").json()["code"] == "match-unknown"
    assert rig.get(f"/matches/{match}/rounds/1").json()["code"] == "round-unknown"
    assert rig.post("/matches/abc/rounds").json()["code"] == "match-unknown"
    ended = a_round(rig, match)
    assert sign(rig, ended, "Eve").json()["code"] == "player-unknown"
    assert sign(rig, ended, "A").status_code == 200
    assert sign(rig, ended, "A").json()["code"] == "already-signed"


def test_history_newest_first_page_by_page(rig: TableTop) -> None:
    ids = [begin(rig) for _ in range(3)]
    page = rig.get("/matches?limit=2").json()
    assert [one["id"] for one in page["matches"]] == ids[:0:-1]
    rest = rig.client.get(page["next"]).json()
    assert ([one["id"] for one in rest["matches"]], rest["next"]) == (ids[:1], None)


@pytest.mark.parametrize(
    "name",
    ["=1+1", " =1+1", "\u200b=1+1", "\u2028+1", "\u202e-1", "\uff1d1+1", "\u00a0@A1", "\ufe661",
     "\u3000\u200d=1", "\ufeff=1"],
)  # fmt: skip
def test_no_name_is_a_formula_in_a_spreadsheet(rig: TableTop, name: str) -> None:
    players = [{"name": name, "colour": "red"}, {"name": "B", "colour": "pink"}]
    match = rig.post("/matches", {"players": players}).json()["id"]
    sign(rig, a_round(rig, match))
    (mine, other) = csv.DictReader(io.StringIO(rig.get("/export.csv").text, newline=""))
    kept = rig.get("/export.json").json()["matches"][0]["players"][0]["name"]
    assert mine["players"] == f"'{kept}"
    assert other["players"] == "B"


@pytest.mark.parametrize("between", [";", "; ", ",", "|", '"', "\u037e", ";\u200b"])
def test_no_name_is_a_formula_where_others_part_cells(rig: TableTop, between: str) -> None:
    """Where a comma is in numbers a spreadsheet parts cells at semicolons."""
    players = [{"name": f"A{between}=1+1", "colour": "red"}, {"name": "B", "colour": "pink"}]
    match = rig.post("/matches", {"players": players}).json()["id"]
    sign(rig, a_round(rig, match))
    (mine, _) = csv.DictReader(io.StringIO(rig.get("/export.csv").text, newline=""))
    assert mine["players"].replace(" ", "").replace("\u200b", "").endswith("'=1+1")


def test_exports_hold_every_round(rig: TableTop) -> None:
    players = [{"name": "=1+1", "colour": "red"}, {"name": "B", "colour": "pink"}]
    match = rig.post("/matches", {"players": players}).json()["id"]
    sign(rig, a_round(rig, match))
    text = rig.get("/export.csv").text
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [(line["colour"], line["announced"]) for line in lines] == [
        ("red", "26"),
        ("pink", "32"),
    ]
    assert lines[0]["players"] == "'=1+1"
    assert [line["sure"] for line in lines] == ["no", "no"]
    (kept,) = rig.get("/export.json").json()["matches"]
    assert kept["rounds"][0]["result"]["without_illegal"] == {"red": 26, "pink": 32}


def test_state_shows_the_newest_of_everything(rig: TableTop) -> None:
    match = begin(rig)
    frame = rig.upload(jpeg(3)).json()["id"]
    state = rig.get("/state").json()
    assert (state["match"]["id"], state["latest"]["id"]) == (match, frame)
    assert (state["frames"], state["camera"]["condition"]) == (1, "fresh")
    assert rig.client.get(f"{API}/deck").json()["name"] == "tacta"
