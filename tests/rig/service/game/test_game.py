"""A game followed through the service: told, named, ruled on, ended."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from geometry.layout import Card, Layout
from rig.service.frames.reader import SeenText
from rig.store.seen_json import seen_text
from tests.referee.tables import colours, game, moved, read
from tests.rig.service.game.table import game_of, lay, look, wait_for
from tests.rig.service.table_top import API, TableTop, jpeg

WRONG_MM, FACE = 6.0, "square-1"


def follow(rig: TableTop, layout: Layout, **wish: Any) -> dict[str, Any]:
    answer = rig.put("/game", {"following": True, "players": list(colours(layout)), **wish})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def illegal(place: int) -> Layout:
    """The game, but one card lies wrong."""
    layout = game(1)
    cards = [moved(c, WRONG_MM) if c.id == place else c for c in layout.cards]
    return replace(layout, cards=tuple(cards))


def test_before_anything_is_followed(rig: TableTop) -> None:
    found = game_of(rig)
    assert (found["format"], found["following"], found["doing"]) == ("tacta-live/1", False, "off")
    assert (found["events"], found["asks"], found["turn"]) == ([], [], None)
    refused = rig.post("/game/events/1/stays", {"stays": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing-followed")
    refused = rig.post("/game/end", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing-followed")


def test_each_card_is_told_as_it_is_laid(rig: TableTop) -> None:
    layout = game(1)
    assert follow(rig, layout)["doing"] == "watching"
    frames = [lay(rig, layout, number) for number in range(1, 6)]
    found = game_of(rig)
    assert [one["event"] for one in found["events"]] == ["laid"] * 5
    names = [(one["card"]["colour"], one["card"]["face"]) for one in found["events"]]
    assert names == [(card.colour, card.face) for card in layout.cards[:5]]
    assert [one["frame_id"] for one in found["events"]] == frames
    assert found["events"][-1]["frame"] == "005.jpg"
    assert found["scores"] == found["events"][-1]["scores"]
    assert found["players"] == list(colours(layout))
    assert found["turn"] == layout.cards[5].colour
    laid = layout.cards[4].colour
    assert found["cards_left"][laid] == 18 - sum(c.colour == laid for c in layout.cards[:5])
    assert (found["finished"], found["doing"]) == (False, "watching")
    ids = [one["id"] for one in found["events"]]
    assert ids == sorted(set(ids))


def test_the_sentence_is_in_the_language_asked_for(rig: TableTop) -> None:
    layout = game(1)
    follow(rig, layout)
    lay(rig, layout, 1)
    assert "starting card" in game_of(rig)["events"][0]["message"]
    french = game_of(rig, **{"Accept-Language": "fr"})
    assert "carte de départ" in french["events"][0]["message"]


def test_an_illegal_card_is_shown_and_may_stay(rig: TableTop) -> None:
    layout = illegal(4)
    follow(rig, layout)
    for number in (4, 5):
        lay(rig, layout, number)
    event = game_of(rig)["events"][-1]
    assert (event["status"], event["stays"]) == ("illegal", None)
    assert event["rule"]
    assert event["target_px"] is not None
    picture = rig.get(f"/game/events/{event['id']}/picture")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    ruled = rig.post(f"/game/events/{event['id']}/stays", {"stays": True}).json()
    assert ruled["events"][-1]["stays"] == {"by": "rig"}
    again = rig.post(f"/game/events/{event['id']}/stays", {"stays": False}).json()
    assert again["events"][-1]["stays"] is None


def test_one_name_is_corrected_and_what_follows_judged_again(rig: TableTop) -> None:
    layout = game(1)
    right = layout.cards[3]
    wrong_face = next(f.id for f in layout.deck.faces if f.id != right.face)

    def misread(card: Card) -> Card:
        return replace(card, face=wrong_face) if card.id == right.id else card

    follow(rig, layout)
    lay(rig, layout, 3)
    lay(rig, layout, 4, misread)
    lay(rig, layout, 5, misread)
    before = game_of(rig)
    told = before["events"][3]
    assert told["card"]["face"] == wrong_face
    body = {"colour": right.colour, "face": right.face}
    after = rig.post(f"/game/events/{told['id']}/name", body).json()
    now = next(one for one in after["events"] if one["id"] == told["id"])
    assert (now["card"]["face"], now["named_by"], now["sure"]) == (right.face, "rig", True)
    (corrected,) = [one for one in after["events"] if one["event"] == "corrected"]
    assert corrected["was"] == {"colour": right.colour, "face": wrong_face}
    assert corrected["card"]["face"] == right.face
    assert [one["id"] for one in after["events"]][:5] == [one["id"] for one in before["events"]]
    lay(rig, layout, 6, misread)
    assert game_of(rig)["events"][3]["card"]["face"] == right.face


def test_hidden_scores_are_nowhere(rig: TableTop) -> None:
    layout = game(1)
    found = follow(rig, layout, hide_scores=True)
    assert (found["hide_scores"], found["scores"]) == (True, None)
    lay(rig, layout, 3)
    found = game_of(rig)
    assert found["scores"] is None
    assert all("scores" not in one for one in found["events"])
    told = [dict(e.data) for e in rig.events._events if e.name == "game"]
    assert told
    assert '"scores"' not in json.dumps(told)
    shown = rig.put("/game", {"hide_scores": False}).json()
    assert shown["scores"]
    assert shown["events"][-1]["scores"] == shown["scores"]


def test_events_come_by_the_stream(rig: TableTop) -> None:
    layout = game(1)
    follow(rig, layout)
    lay(rig, layout, 2)
    events = [e.data for e in rig.events._events if e.name == "game"]
    laid = [one for data in events for one in data["events"]]
    assert [one["event"] for one in laid] == ["laid", "laid"]
    assert set(laid[0]["messages"]) == {"en", "fr"}
    assert events[-1]["doing"] == "watching"
    assert "reading" in [data["doing"] for data in events]


def test_an_older_frame_and_one_of_another_table_are_refused(rig: TableTop) -> None:
    layout = game(1)
    old = rig.frame(900)
    follow(rig, layout)
    first = lay(rig, layout, 6)
    lay(rig, layout, 7)
    for frame in (old, first):
        refused = rig.post("/game/frames", {"frame": frame})
        assert (refused.status_code, refused.json()["code"]) == (409, "frame-older")
        assert frame in refused.json()["message"]
    other = look(rig, read(game(2, players=2), 8), 800)
    found = game_of(rig)
    assert found["refused"]["frame_id"] == other
    assert found["refused"]["code"] == "frame-of-another-table"
    assert len(found["events"]) == 7
    refused = rig.post("/game/frames", {"frame": other})
    assert refused.json()["code"] == "frame-of-another-table"
    assert rig.get(f"/frames/{other}").json()["state"] == "read", "it is scored as ever"
    lay(rig, layout, 8)
    assert game_of(rig)["refused"] is None


def test_a_picture_that_cannot_be_read_is_waited_for(rig: TableTop) -> None:
    layout = game(1)
    follow(rig, layout)
    lay(rig, layout, 3)
    look(rig, None, 700)
    assert game_of(rig)["doing"] == "waiting"
    lay(rig, layout, 4)
    found = game_of(rig)
    assert (found["doing"], len(found["events"])) == ("watching", 4)


def test_a_picture_that_is_read_at_a_second_try_is_taken_in(rig: TableTop) -> None:
    layout = game(1)
    follow(rig, layout)
    frame = look(rig, None, 3)
    assert game_of(rig)["doing"] == "waiting"
    assert lay(rig, layout, 3) == frame
    wait_for(rig, lambda game: len(game["events"]) == 3)


def test_a_game_is_ended_by_its_last_picture_after_a_ruling(rig: TableTop) -> None:
    layout = illegal(4)
    follow(rig, layout)
    lay(rig, layout, 4)
    frame = lay(rig, layout, 5)
    number = game_of(rig)["events"][-1]["id"]
    rig.post(f"/game/events/{number}/stays", {"stays": True})
    ended = rig.post("/game/end", {"frame": frame})
    assert (ended.status_code, ended.json()["frame_id"]) == (200, frame)


def test_nothing_is_followed_once_it_is_off(rig: TableTop) -> None:
    layout = game(1)
    follow(rig, layout)
    lay(rig, layout, 3)
    assert rig.put("/game", {"following": False}).json()["doing"] == "off"
    rig.frame(500)
    follow(rig, layout)
    lay(rig, layout, 4)
    assert len(game_of(rig)["events"]) == 4


def test_afresh(rig: TableTop) -> None:
    layout = game(1)
    follow(rig, layout, hide_scores=True)
    lay(rig, layout, 3)
    found = rig.delete("/game").json()
    assert (found["events"], found["following"], found["hide_scores"]) == ([], True, True)
    assert found["players"] == list(colours(layout))
    lay(rig, layout, 4)
    assert len(game_of(rig)["events"]) == 4


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("PUT", "/game", {"players": ["mauve"]}, 422, "game-players"),
        ("PUT", "/game", {"players": ["red", "red"]}, 422, "game-players"),
        ("PUT", "/game", {"players": "red"}, 422, "request-invalid"),
        ("PUT", "/game", {"following": "yes"}, 422, "request-invalid"),
        ("PUT", "/game", {"colour": 1}, 422, "request-invalid"),
        ("POST", "/game/events/9/name", {"colour": "red", "face": FACE}, 404, "event-unknown"),
        ("POST", "/game/events/1000/name", {"colour": "red"}, 422, "request-invalid"),
        ("POST", "/game/events/-1/stays", {"stays": True}, 422, "request-invalid"),
        ("POST", "/game/events/7/stays", {"stays": True}, 404, "event-unknown"),
        ("POST", "/game/events/7/stays", {"stays": "yes"}, 422, "request-invalid"),
        ("POST", "/game/frames", {"frame": "abc"}, 404, "frame-unknown"),
        ("POST", "/game/frames", {"frame": "../x"}, 422, "request-invalid"),
        ("GET", "/game/events/7/picture", None, 404, "event-unknown"),
        ("POST", "/game/end", {"frame": "abc"}, 404, "frame-unknown"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused(
    rig: TableTop, method: str, path: str, body: Any, status: int, code: str
) -> None:
    follow(rig, game(1))
    answer = rig.client.request(method, f"{API}{path}", json=body, headers={"X-Tacta": "1"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["message"]


def test_a_card_that_the_deck_lacks_is_refused(rig: TableTop) -> None:
    layout = game(1)
    follow(rig, layout)
    lay(rig, layout, 1)
    path = f"/game/events/{game_of(rig)['events'][0]['id']}/name"
    refused = rig.post(path, {"colour": "red", "face": "heart-1"})
    assert (refused.status_code, refused.json()["code"]) == (422, "not-in-deck")


def test_who_may(network_rig: TableTop) -> None:
    rig = network_rig
    assert rig.get("/game").status_code == 401
    secret = rig.pairing.invite("viewer").pin
    phone = rig.post("/pairing", {"secret": secret, "name": "Vi"})
    assert phone.status_code in (200, 201), phone.text
    assert rig.get("/game").status_code == 200
    for method, path, body in (
        ("PUT", "/game", {"following": True}),
        ("DELETE", "/game", None),
        ("POST", "/game/end", {}),
        ("POST", "/game/frames", {"frame": "abc"}),
        ("POST", "/game/events/1/stays", {"stays": True}),
        ("POST", "/game/events/1/name", {"colour": "red", "face": "square-1"}),
    ):
        refused = rig.client.request(method, f"{API}{path}", json=body, headers={"X-Tacta": "1"})
        assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed"), path


def begin_match(rig: TableTop, layout: Layout) -> str:
    players = [
        {"name": name, "colour": colour}
        for name, colour in zip(("Ada", "Bob", "Cid"), colours(layout), strict=True)
    ]
    match = str(rig.post("/matches", {"players": players}).json()["id"])
    assert rig.post(f"/matches/{match}/rounds").status_code == 201
    return match


def test_a_followed_round_ends_with_one_tap_and_is_signed(rig: TableTop) -> None:
    layout = illegal(4)
    match = begin_match(rig, layout)
    assert game_of(rig)["players"] == list(colours(layout))
    rig.put("/game", {"following": True})
    for number in range(4, 9):
        lay(rig, layout, number)
    found = game_of(rig)
    assert (found["match"], found["round"]) == (match, 1)
    wrong = next(one for one in found["events"] if one["status"] == "illegal")
    rig.post(f"/game/events/{wrong['id']}/stays", {"stays": True})
    ended = rig.post("/game/end", {}).json()
    assert (ended["match"], ended["round"]) == (match, 1)
    round_ = rig.get(f"/matches/{match}/rounds/1").json()
    assert (round_["state"], round_["frame"]) == ("ended", ended["frame_id"])
    assert wrong["card"]["id"] not in round_["illegal"], "it stays, so it counts"
    reading = rig.get(f"/frames/{ended['frame_id']}/reading").json()
    assert len(reading["cards"]) == 8
    body = {"frame_version": round_["frame_version"]}
    assert rig.post(f"/matches/{match}/rounds/1/sign", body).json()["state"] == "signed"
    after = wait_for(rig, lambda game: game["doing"] == "off")
    assert after["ended"] == ended["frame_id"]
    refused = rig.post("/game/end", {})
    assert refused.json()["code"] == "nothing-followed"


def test_the_final_photograph_ends_a_followed_round_as_ever(rig: TableTop) -> None:
    layout = game(1)
    match = begin_match(rig, layout)
    rig.put("/game", {"following": True})
    lay(rig, layout, 5)
    frame = lay(rig, layout, 6)
    ended = rig.post(f"/matches/{match}/rounds/1/end", {"frame": frame})
    assert ended.status_code == 200
    wait_for(rig, lambda game: game["ended"] == frame)
    body = {"frame_version": ended.json()["frame_version"]}
    assert rig.post(f"/matches/{match}/rounds/1/sign", body).json()["state"] == "signed"
    assert rig.post(f"/matches/{match}/rounds").status_code == 201
    found = wait_for(rig, lambda game: game["round"] == 2)
    assert (found["following"], found["events"]) == (True, [])


def test_without_a_match_the_frame_is_scored(rig: TableTop) -> None:
    layout = game(1)
    follow(rig, layout)
    for number in range(1, 7):
        lay(rig, layout, number)
    frame = look(rig, read(layout, 6), 60)
    ended = rig.post("/game/end", {"frame": frame}).json()
    assert (ended["frame_id"], ended["match"], ended["round"]) == (frame, None, None)
    assert (ended["sure"], ended["scores"]) == (True, game_of(rig)["scores"])
    summary = rig.get(f"/frames/{frame}").json()["summary"]
    assert (summary["sure"], summary["scores_without_illegal"]) == (True, ended["scores"])
    assert rig.put("/game", {"following": True}).json()["events"] == []


@pytest.mark.parametrize(("laid", "pictures"), [(6, 1), (7, 2)])
def test_the_camera_looks_twice_where_its_last_picture_alone_shows_a_card(
    laid: int, pictures: int, rig: TableTop
) -> None:
    layout = game(1)
    follow(rig, layout)
    for number in range(1, 7):
        lay(rig, layout, number)
    before = len(rig.get("/frames").json()["frames"])
    rig.reader.outcome = SeenText(seen_text(read(layout, laid).seen))
    ended = rig.post("/game/end", {}).json()
    assert ended["sure"]
    assert len(rig.get("/frames").json()["frames"]) == before + pictures


def test_an_end_by_a_frame_that_alone_shows_a_card_is_not_sure(rig: TableTop) -> None:
    layout = game(1)
    follow(rig, layout)
    for number in range(1, 7):
        frame = lay(rig, layout, number)
    ended = rig.post("/game/end", {"frame": frame}).json()
    assert (ended["sure"], ended["sure_without_illegal"]) == (False, False)
    reading = rig.get(f"/frames/{frame}/reading").json()
    assert any("one more picture" in doubt["reason"] for doubt in reading["doubts"])


def test_nothing_read_is_nothing_to_end(rig: TableTop) -> None:
    follow(rig, game(1))
    rig.reader.outcome = RuntimeError("boom")
    refused = rig.post("/game/end", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing-read")


def test_frames_are_scored_while_another_is_looked_at(rig: TableTop) -> None:
    """Nothing of the game holds up a photo."""
    follow(rig, game(1))
    with rig.assembly.game.followed.changing:
        assert rig.upload(jpeg(5)).status_code == 201
