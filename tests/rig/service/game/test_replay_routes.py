"""A followed game handed on: as a file, as a film; and the coach on its frames."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from geometry.coach import suggestions
from geometry.layout import Layout
from geometry.rules import Rules
from rig.replay.game_file import parse_game
from rig.replay.record import tables
from rig.service.frames.reader import SeenText
from rig.store.seen_json import seen_text
from tests.referee.tables import colours, game, read
from tests.rig.service.game.table import game_of, lay, look
from tests.rig.service.table_top import TableTop, jpeg

CARDS = 5


def seen(rig: TableTop) -> str:
    """A photo of some cards of the game, of which none is followed."""
    rig.reader.outcome = SeenText(seen_text(read(game(1), CARDS, noise_mm=0.0).seen))
    return str(rig.upload(jpeg(CARDS), "seen.jpg").json()["id"])


@pytest.fixture
def followed(rig: TableTop) -> TableTop:
    rig.put("/game", {"following": True, "players": list(colours(game(1)))})
    for number in range(1, CARDS + 1):
        lay(rig, game(1), number)
    return rig


def test_before_anything_is_followed(rig: TableTop) -> None:
    for path in ("/game/export", "/game/replay.webp"):
        refused = rig.get(path)
        assert (refused.status_code, refused.json()["code"]) == (409, "nothing-followed")


def test_the_game_as_a_file(followed: TableTop) -> None:
    answer = followed.get("/game/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="tacta-game.json"'
    record = parse_game(answer.json())
    told = game_of(followed)["events"]
    assert [one.frame for one in record.events] == [one["frame"] for one in told]
    assert [one.at for one in record.events] == [one["at"] for one in told]
    assert record.players == colours(game(1))
    *_, last = tables(record)
    assert [(c.colour, c.face) for c in last.cards] == [
        (c.colour, c.face) for c in game(1).cards[:CARDS]
    ]
    assert record.end is None


def test_names_rulings_and_the_end_are_in_it(followed: TableTop) -> None:
    event = game_of(followed)["events"][-1]
    card = event["card"]
    followed.post(
        f"/game/events/{event['id']}/name", {"colour": card["colour"], "face": card["face"]}
    )
    followed.post(f"/game/events/{event['id']}/stays", {"stays": True})
    ended = followed.post("/game/end", {})
    assert ended.status_code == 200, ended.text
    record = parse_game(followed.get("/game/export").json())
    assert [(one.card, one.name) for one in record.names] == [
        (card["id"], (card["colour"], card["face"]))
    ]
    assert [one.card for one in record.rulings] == [card["id"]]
    assert record.end is not None
    assert record.end.scores_without_illegal == ended.json()["scores_without_illegal"]


def test_the_game_as_a_film(followed: TableTop) -> None:
    answer = followed.get("/game/replay.webp")
    assert answer.headers["content-type"] == "image/webp"
    with Image.open(io.BytesIO(answer.content)) as film:
        assert film.n_frames == CARDS  # type: ignore[attr-defined]
    tag = answer.headers["etag"]
    again = followed.client.get(
        "/api/v1/game/replay.webp", headers={"If-None-Match": tag, **dict(followed.client.headers)}
    )
    assert again.status_code == 304
    in_photos = followed.get("/game/replay.webp?photos=true")
    assert in_photos.headers["etag"] != tag
    assert in_photos.content != answer.content


def test_hidden_scores_are_not_told_by_a_replay(followed: TableTop) -> None:
    followed.put("/game", {"hide_scores": True})
    for path in ("/game/export", "/game/replay.webp"):
        refused = followed.get(path)
        assert (refused.status_code, refused.json()["code"]) == (409, "scores-hidden")
    followed.post("/game/end", {})
    assert followed.get("/game/export").status_code == 200


def test_the_coach_says_where_a_card_could_go(rig: TableTop) -> None:
    layout = Layout(game(1).deck, game(1).cards[:CARDS], game(1).play_area_mm)
    frame = seen(rig)
    found = rig.get(f"/frames/{frame}/coach?colour=pink&face=circle-3").json()
    wanted = suggestions(layout, "pink", "circle-3", Rules())
    assert len(found["places"]) == len(wanted) > 0
    assert [one["gain"] for one in found["places"]] == [dict(one.gain) for one in wanted]
    assert [one["safe_dots"] for one in found["places"]] == [one.safe_dots for one in wanted]
    for one, place in zip(found["places"], wanted, strict=True):
        assert len(one["outline_px"]) == 4
        assert one["on_face"] == layout.card(place.placement.on).face
    assert found["lifted"] == []


def test_a_card_that_lies_there_is_taken_off_first(rig: TableTop) -> None:
    frame = seen(rig)
    card = game(1).cards[CARDS - 1]
    found = rig.get(f"/frames/{frame}/coach?colour={card.colour}&face={card.face}").json()
    assert len(found["lifted"]) == 1
    at = [(one["x_mm"], one["y_mm"]) for one in found["places"]]
    assert any(abs(x - card.pose.x_mm) < 2 and abs(y - card.pose.y_mm) < 2 for x, y in at)


def test_the_coach_is_off_while_a_match_is_played(rig: TableTop) -> None:
    frame = seen(rig)
    path = f"/frames/{frame}/coach?colour=pink&face=circle-3"
    players = [{"name": "Ada", "colour": "red"}, {"name": "Bo", "colour": "blue"}]
    match = rig.post("/matches", {"players": players}).json()["id"]
    assert rig.get(path).status_code == 200
    rig.post(f"/matches/{match}/rounds", {})
    refused = rig.get(path)
    assert (refused.status_code, refused.json()["code"]) == (409, "coach-off")


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("colour=mauve&face=circle-3", 422, "not-in-deck"),
        ("colour=white&face=start", 422, "not-in-deck"),
        ("colour=pink&face=circle-9", 422, "not-in-deck"),
        ("colour=pink", 422, "request-invalid"),
    ],
)
def test_cards_that_nobody_plays(rig: TableTop, query: str, status: int, code: str) -> None:
    frame = seen(rig)
    refused = rig.get(f"/frames/{frame}/coach?{query}")
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert rig.get(f"/frames/00/coach?{query}").status_code in (404, 422)


def test_a_game_of_before_is_listed_and_replayed(followed: TableTop) -> None:
    before = game_of(followed)
    followed.post("/game/end", {})
    followed.put("/game", {"following": True})
    look(followed, read(game(2), 1), 900)
    now = game_of(followed)
    listed = followed.get("/games").json()["games"]
    assert [one["game"] for one in listed] == [now["game"], before["game"]]
    assert listed[1]["players"] == list(colours(game(1)))
    assert (listed[0]["ended"], listed[1]["ended"] is None) == (None, False)
    assert [one["game"] for one in followed.get("/games?limit=1").json()["games"]] == [now["game"]]
    again = followed.get(f"/games/{before['game']}").json()
    assert (again["format"], again["following"]) == ("tacta-live/1", False)
    assert [one["id"] for one in again["events"]] == [one["id"] for one in before["events"]]
    assert followed.get(f"/games/{now['game']}").json() == now
    record = parse_game(followed.get(f"/games/{before['game']}/export").json())
    assert record.end is not None
    film = followed.get(f"/games/{before['game']}/replay.webp")
    assert film.content != followed.get("/game/replay.webp").content
    with Image.open(io.BytesIO(film.content)) as picture:
        assert getattr(picture, "n_frames", 1) > 1


def test_games_that_are_not_there(rig: TableTop) -> None:
    rig.put("/game", {"following": True})
    assert rig.get("/games").json() == {"games": []}, "no picture of it was read"
    for path in ("", "/export", "/replay.webp"):
        refused = rig.get(f"/games/none{path}")
        assert (refused.status_code, refused.json()["code"]) == (404, "game-unknown")


def test_hidden_scores_of_a_game_of_before_stay_hidden(followed: TableTop) -> None:
    followed.put("/game", {"hide_scores": True})
    name = game_of(followed)["game"]
    again = followed.get(f"/games/{name}").json()
    assert again["scores"] is None
    assert all("scores" not in one for one in again["events"])
    refused = followed.get(f"/games/{name}/export")
    assert (refused.status_code, refused.json()["code"]) == (409, "scores-hidden")


def test_the_coach_knows_the_followed_games_table(followed: TableTop) -> None:
    """A card that a person named otherwise is what it was named."""
    events = game_of(followed)["events"]
    path = f"/frames/{events[-1]['frame_id']}/coach?colour=pink&face=circle-3"
    place = next(one for one in followed.get(path).json()["places"] if one["on_colour"] != "white")
    event = next(one for one in events if one["card"]["id"] == place["on"])
    assert event["card"]["face"] == place["on_face"] != "square-6"
    named = {"colour": place["on_colour"], "face": "square-6"}
    assert followed.post(f"/game/events/{event['id']}/name", named).status_code == 200
    on = {one["on"]: one["on_face"] for one in followed.get(path).json()["places"]}
    assert on.get(place["on"], "square-6") == "square-6"
    assert place["on_face"] not in on.values()
    followed.post("/game/end", {})
    assert followed.get(path).status_code == 200
