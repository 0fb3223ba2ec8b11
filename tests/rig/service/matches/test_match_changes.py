"""A match keeps its truth: what was done by mistake is undone, and what is missing is said."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tests.rig.service.matches.match_steps import COLOURS, PLAYERS, a_round, begin, sign
from tests.rig.service.matches.paired_phones import paired, post
from tests.rig.service.table_top import API, WRITE, TableTop


def history(rig: TableTop, match: str) -> list[tuple[str, int | None]]:
    found = rig.get(f"/matches/{match}").json()["history"]
    assert all(one["who"] and one["at"] for one in found)
    return [(one["what"], one["round"]) for one in found]


def test_a_photo_ends_one_round(rig: TableTop) -> None:
    first = a_round(rig, begin(rig))
    sign(rig, first)
    match = first["match"]
    rig.post(f"/matches/{match}/rounds")
    again = rig.post(f"/matches/{match}/rounds/2/end", {"frame": first["frame"]})
    assert (again.status_code, again.json()["code"]) == (409, "frame-taken")
    other = begin(rig)
    rig.post(f"/matches/{other}/rounds")
    refused = rig.post(
        f"/matches/{other}/rounds/1/end", {"frame": first["frame"]}, **{"Accept-Language": "fr"}
    )
    assert refused.status_code == 409
    assert "termine déjà la manche 1" in refused.json()["message"]
    ended = rig.post(f"/matches/{other}/rounds/1/end", {"frame": rig.frame(9)}).json()
    taken = rig.put(f"/matches/{other}/rounds/1/frame", {"frame": first["frame"]})
    assert (taken.status_code, taken.json()["code"]) == (409, "frame-taken")
    same = rig.put(f"/matches/{other}/rounds/1/frame", {"frame": ended["frame"]})
    assert same.status_code == 200


def test_a_round_with_missing_cards_is_never_sure(rig: TableTop) -> None:
    ended = a_round(rig, begin(rig))
    frame = ended["frame"]
    reading = rig.get(f"/frames/{frame}/reading").json()
    for doubt in reading["doubts"]:
        version = rig.get(f"/frames/{frame}").json()["version"]
        rig.correct(frame, version, kind="answer", doubt=doubt["key"], answer="legal", value=True)
    settled = rig.get(f"/frames/{frame}/reading").json()
    assert (settled["sure"], settled["sure_without_illegal"]) == (True, True)
    now = rig.get(f"/matches/{ended['match']}/rounds/1").json()
    assert now["sure"] is False
    assert sum(now["missing_by_colour"].values()) == len(now["missing"]) == 4 * 18 + 1 - 49
    assert set(now["missing_by_colour"]) <= set(COLOURS)
    sign(rig, now)
    found = rig.get(f"/matches/{ended['match']}").json()
    assert found["standings"]["sure"] is False
    (line,) = rig.get("/matches").json()["matches"]
    assert line["rounds"][0]["missing_by_colour"] == now["missing_by_colour"]
    rows = list(csv.DictReader(io.StringIO(rig.get("/export.csv").text)))
    assert {row["sure"] for row in rows} == {"no"}
    assert {row["colour"]: int(row["missing"]) for row in rows} == {
        colour: now["missing_by_colour"].get(colour, 0) for colour in COLOURS
    }


def test_cards_left_in_hands_are_fine_in_a_free_for_all(rig: TableTop) -> None:
    ended = a_round(rig, begin(rig, free_for_all=True))
    assert ended["missing_is_fine"]
    assert (ended["missing_by_colour"] == {}) is not ended["nobody_finished"]


def test_an_ending_is_undone(rig: TableTop) -> None:
    ended = a_round(rig, begin(rig))
    match = ended["match"]
    sign(rig, ended, "A")
    again = rig.post(f"/matches/{match}/rounds/1/resume").json()
    assert (again["state"], again["frame"], again["signatures"]) == ("open", None, [])
    assert rig.get(f"/frames/{ended['frame']}").status_code == 200
    refused = rig.post(f"/matches/{match}/rounds/1/resume")
    assert (refused.status_code, refused.json()["code"]) == (409, "round-not-ended")
    back = rig.post(f"/matches/{match}/rounds/1/end", {"frame": ended["frame"]})
    assert back.status_code == 200
    sign(rig, back.json())
    assert rig.post(f"/matches/{match}/rounds/1/resume").json()["code"] == "round-signed"
    assert history(rig, match) == [("resumed", 1)]


def test_only_one_round_is_played_at_a_time(rig: TableTop) -> None:
    match = begin(rig)
    a_round(rig, match)
    rig.post(f"/matches/{match}/rounds")
    refused = rig.post(f"/matches/{match}/rounds/1/resume")
    assert (refused.status_code, refused.json()["code"]) == (409, "round-still-open")


def test_a_round_is_cancelled_while_it_is_played(rig: TableTop) -> None:
    match = begin(rig, limited_space=True)
    sign(rig, a_round(rig, match))
    rig.post(f"/matches/{match}/rounds")
    signed = rig.delete(f"/matches/{match}/rounds/1")
    assert (signed.status_code, signed.json()["code"]) == (409, "round-not-last")
    left = rig.delete(f"/matches/{match}/rounds/2").json()
    assert [one["number"] for one in left["rounds"]] == [1]
    refused = rig.delete(f"/matches/{match}/rounds/1")
    assert (refused.status_code, refused.json()["code"]) == (409, "round-ended")
    assert rig.post(f"/matches/{match}/rounds").json()["suits"] == ["square"]
    assert history(rig, match) == [("cancelled", 2)]


def test_a_signed_round_is_deleted_for_good(rig: TableTop) -> None:
    ended = a_round(rig, begin(rig))
    sign(rig, ended)
    assert rig.delete(f"/matches/{ended['match']}/rounds/1?for_good=true").json()["rounds"] == []
    assert history(rig, ended["match"]) == [("deleted", 1)]


def test_a_deleted_round_of_limited_space_is_played_again_with_its_suit(rig: TableTop) -> None:
    match = begin(rig, limited_space=True)
    for seed in range(3):
        sign(rig, a_round(rig, match, seed))
    rig.delete(f"/matches/{match}/rounds/2?for_good=true")
    again = rig.post(f"/matches/{match}/rounds").json()
    assert (again["number"], again["suits"]) == (2, ["square"])
    assert rig.delete(f"/matches/{match}/rounds/2").status_code == 200
    assert rig.post(f"/matches/{match}/rounds").json()["number"] == 2


def test_names_colours_and_seats_are_changed(rig: TableTop) -> None:
    match = begin(rig)
    ended = a_round(rig, match)
    sign(rig, ended, "A")
    now = rig.get(f"/matches/{match}").json()
    players: list[dict[str, Any]] = [
        {"name": "Bea", "colour": "orange", "was": "B"},
        {"name": "Ada", "colour": "pink", "was": "A"},
        {"name": "C", "colour": "purple", "was": "C"},
        {"name": "D", "colour": "red", "was": "D"},
    ]
    body = {"version": now["version"], "players": players}
    done = rig.put(f"/matches/{match}/players", body)
    assert done.status_code == 200, done.text
    assert [(one["name"], one["colour"]) for one in done.json()["players"]][:2] == [
        ("Bea", "orange"),
        ("Ada", "pink"),
    ]
    (round_,) = done.json()["rounds"]
    assert [one["player"] for one in round_["signatures"]] == ["Ada"]
    assert round_["waiting_for"] == ["Bea", "C", "D"]
    late = rig.put(f"/matches/{match}/players", body)
    assert (late.status_code, late.json()["code"]) == (409, "version-conflict")
    (entry,) = rig.get(f"/matches/{match}").json()["history"]
    assert (entry["what"], entry["facts"]["was"][0]) == ("players", PLAYERS[0])


def test_colours_of_signed_rounds_stay(rig: TableTop) -> None:
    match = begin(rig)
    sign(rig, a_round(rig, match))
    version = rig.get(f"/matches/{match}").json()["version"]
    players = [*PLAYERS[:3], {"name": "D", "colour": "blue"}]
    refused = rig.put(f"/matches/{match}/players", {"version": version, "players": players})
    assert (refused.status_code, refused.json()["code"]) == (409, "colours-signed")
    twice = [*PLAYERS[:3], PLAYERS[0]]
    fault = rig.put(f"/matches/{match}/players", {"version": version, "players": twice})
    assert (fault.status_code, fault.json()["code"]) == (422, "match-fault")
    swapped = [{**PLAYERS[0], "colour": "pink"}, {**PLAYERS[1], "colour": "orange"}, *PLAYERS[2:]]
    done = rig.put(f"/matches/{match}/players", {"version": version, "players": swapped})
    assert done.status_code == 200


def test_who_finished_first_is_said_again(rig: TableTop) -> None:
    match = begin(rig, one_winner=True)
    ended = a_round(rig, match)
    path = f"/matches/{match}/rounds/1/finished"
    assert rig.put(path, {"finished_first": "red"}).json()["finished_first"] == "red"
    refused = rig.put(path, {"finished_first": "blue"})
    assert (refused.status_code, refused.json()["code"]) == (422, "match-fault")
    assert rig.put(path, {"finished_first": None}).json()["finished_first"] is None
    sign(rig, ended)
    assert rig.put(path, {"finished_first": "red"}).json()["code"] == "round-signed"
    assert history(rig, match)[:2] == [("finished-first", 1), ("finished-first", 1)]


def test_a_match_is_deleted_for_good(rig: TableTop) -> None:
    ended = a_round(rig, begin(rig))
    match = ended["match"]
    sign(rig, ended)
    assert rig.delete(f"/matches/{match}").status_code == 204
    assert rig.get(f"/matches/{match}").status_code == 404
    assert rig.get("/state").json()["match"] is None
    assert rig.delete(f"/matches/{match}").json()["code"] == "match-unknown"
    found = rig.get("/matches").json()
    assert found["matches"] == []
    assert [(one["id"], one["who"]) for one in found["deleted"]] == [(match, "rig")]
    assert rig.get("/export.json").json()["matches"] == []
    assert rig.delete(f"/frames/{ended['frame']}").status_code == 204


@pytest.fixture
def three(network_rig: TableTop) -> tuple[TableTop, dict[str, dict[str, str]], dict[str, Any]]:
    """A rig, the headers of host, A and "b ", and a round that has ended."""
    rig = network_rig
    phones = {name: paired(rig, name) for name in ("host", "A", "b ")}
    players = [{"name": name, "colour": c} for name, c in zip("ABC", COLOURS, strict=False)]
    match = post(rig, phones["host"], "/matches", {"players": players}).json()["id"]
    assert post(rig, phones["A"], f"/matches/{match}/rounds").status_code == 201
    rig.client.headers.update(phones["A"])
    frame = rig.frame(1)
    ended = post(rig, phones["A"], f"/matches/{match}/rounds/1/end", {"frame": frame}).json()
    return rig, phones, ended


def test_a_phone_signs_for_its_own_player(three: Any) -> None:
    rig, phones, ended = three
    path = f"/matches/{ended['match']}/rounds/1/sign"
    version = ended["frame_version"]
    own = post(rig, phones["A"], path, {"frame_version": version, "player": "A"})
    assert own.json()["signatures"] == [
        {"player": "A", "at": own.json()["signatures"][0]["at"], "by": None}
    ]
    for player in ("B", "C", None):
        refused = post(rig, phones["A"], path, {"frame_version": version, "player": player})
        assert (refused.status_code, refused.json()["code"]) == (403, "not-your-signature")
    assert (
        post(rig, phones["b "], path, {"frame_version": version, "player": "B"}).status_code == 200
    )
    stranger = rig.client.post(
        f"{API}{path}",
        json={"frame_version": version, "player": "C"},
        headers={"Authorization": "", **WRITE},
    )
    assert (stranger.status_code, stranger.json()["code"]) == (401, "not-paired")
    done = post(rig, phones["host"], path, {"frame_version": version, "player": "C"}).json()
    assert (done["state"], done["signatures"][-1]["by"]) == ("signed", "host")
    rows = list(csv.DictReader(io.StringIO(rig.get("/export.csv").text)))
    assert rows[0]["signed_by"] == "A; B; C (by host)"


@pytest.mark.parametrize(
    ("names", "holders"),
    [
        (("Ada", "B", "C"), ["A", "b ", None]),
        (("B", "A", "C"), ["b ", "A", None]),
    ],
    ids=["renamed", "swapped"],
)
def test_a_phone_goes_with_its_player_unless_another_has_its_name(
    three: Any, names: tuple[str, ...], holders: list[str | None]
) -> None:
    rig, phones, ended = three
    path = f"{API}/matches/{ended['match']}"
    rig.client.headers.update(phones["host"])
    before = rig.client.get(path).json()
    players = [
        {**player, "name": name, "was": player["name"]}
        for name, player in zip(names, before["players"], strict=True)
    ]
    players = [{key: one[key] for key in ("name", "colour", "was")} for one in players]
    body = {"version": before["version"], "players": players}
    done = rig.client.put(f"{path}/players", json=body).json()
    assert [one["phone_name"] for one in done["players"]] == holders


def test_a_seat_is_taken_once(three: Any) -> None:
    rig, phones, ended = three
    path = f"{API}/matches/{ended['match']}/seat"
    second = rig.client.put(path, json={"player": "C"}, headers=phones["A"])
    assert (second.status_code, second.json()["code"]) == (409, "already-seated")
    phones["Cleo"] = paired(rig, "Cleo")
    done = rig.client.put(path, json={"player": "C"}, headers=phones["Cleo"]).json()
    assert [one["phone_name"] for one in done["players"]] == ["A", "b ", "Cleo"]
    taken = rig.client.put(path, json={"player": "C"}, headers=phones["b "])
    assert (taken.status_code, taken.json()["code"]) == (409, "seat-taken")
    nobody = rig.client.put(path, json={"player": "Eve"}, headers=phones["A"])
    assert (nobody.status_code, nobody.json()["code"]) == (422, "player-unknown")
    sign_path = f"/matches/{ended['match']}/rounds/1/sign"
    body = {"frame_version": ended["frame_version"], "player": "C"}
    assert post(rig, phones["A"], sign_path, body).json()["code"] == "not-your-signature"
    assert post(rig, phones["Cleo"], sign_path, body).status_code == 200


def test_a_disagreement_keeps_the_round_open(three: Any) -> None:
    rig, phones, ended = three
    here = f"/matches/{ended['match']}/rounds/1"
    version = ended["frame_version"]
    post(rig, phones["b "], f"{here}/sign", {"frame_version": version, "player": "B"})
    said = {"frame_version": version, "reason": "Red 3 was moved.", "card": 5}
    now = post(rig, phones["b "], f"{here}/disagree", said).json()
    (one,) = now["disagreements"]
    assert (one["player"], one["reason"], one["card"], one["settled_at"]) == (
        "B",
        "Red 3 was moved.",
        5,
        None,
    )
    assert now["signatures"] == []
    everybody = post(rig, phones["host"], f"{here}/sign", {"frame_version": version}).json()
    assert everybody["state"] == "ended"
    other = post(rig, phones["A"], f"{here}/disagreements/1/settle")
    assert (other.status_code, other.json()["code"]) == (403, "not-your-signature")
    unknown = post(rig, phones["host"], f"{here}/disagreements/2/settle")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "disagreement-unknown")
    done = post(rig, phones["host"], f"{here}/disagreements/1/settle").json()
    assert (done["state"], done["disagreements"][0]["overruled"]) == ("signed", True)
    rows = list(csv.DictReader(io.StringIO(rig.get("/export.csv").text)))
    assert rows[0]["disagreements"] == "B: Red 3 was moved. (overruled by host, card 5)"
    match = rig.get(f"/matches/{ended['match']}").json()
    assert [one["what"] for one in match["history"]] == ["disagreed", "overruled"]


def test_whoever_disagreed_settles_it(three: Any) -> None:
    rig, phones, ended = three
    here = f"/matches/{ended['match']}/rounds/1"
    said = {"frame_version": ended["frame_version"], "reason": "Why?"}
    post(rig, phones["A"], f"{here}/disagree", said)
    done = post(rig, phones["A"], f"{here}/disagreements/1/settle").json()
    assert (done["state"], done["disagreements"][0]["overruled"]) == ("ended", False)
    again = post(rig, phones["A"], f"{here}/disagreements/1/settle")
    assert (again.status_code, again.json()["code"]) == (409, "already-settled")
    stale = post(rig, phones["A"], f"{here}/disagree", {**said, "frame_version": 99})
    assert (stale.status_code, stale.json()["code"]) == (409, "version-conflict")
    empty = post(rig, phones["A"], f"{here}/disagree", {**said, "reason": ""})
    assert empty.status_code == 422
