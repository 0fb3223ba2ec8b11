"""What a followed game comes to after the power was cut, however it was cut."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from geometry.layout import Layout
from rig.store.store import DATABASE
from tests.referee.tables import colours, game, moved
from tests.rig.service.game.table import game_of, lay, wait_for
from tests.rig.service.kills import running, wait_until_ready
from tests.rig.service.table_top import NO_TLS, WRITE, TableTop, jpeg, table_top


def played(rig: TableTop) -> dict[str, Any]:
    """A game with a card misread and named, and an illegal one that stays."""
    layout = game(1)
    cards = [moved(card, 6.0) if card.id == 5 else card for card in layout.cards]
    layout = replace(layout, cards=tuple(cards))
    rig.put("/game", {"following": True, "players": list(colours(layout))})
    for number in range(1, 7):
        lay(rig, layout, number, _misread(layout))
    events = game_of(rig)["events"]
    body = {"colour": layout.cards[3].colour, "face": layout.cards[3].face}
    named = rig.post(f"/game/events/{events[3]['id']}/name", body)
    assert named.status_code == 200, named.text
    ruled = rig.post(f"/game/events/{events[5]['id']}/stays", {"stays": True})
    assert ruled.status_code == 200, ruled.text
    lay(rig, layout, 7, _misread(layout))
    return game_of(rig)


def _misread(layout: Layout) -> Any:
    wrong = next(f.id for f in layout.deck.faces if f.id not in {c.face for c in layout.cards})
    return lambda card: replace(card, face=wrong) if card.id == 3 else card


def test_the_round_is_there_to_the_last_event(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig") as rig:
        before = played(rig)
        assert any(one["stays"] for one in before["events"])
        assert any(one["named_by"] for one in before["events"])
    with table_top(tmp_path / "rig") as rig:
        assert game_of(rig) == before
        layout = game(1)
        lay(rig, layout, 8)
        assert len(game_of(rig)["events"]) > len(before["events"])


@pytest.mark.parametrize("row", ["data = '{}'", "seen = CAST(x'ff' AS TEXT)", "at = 'never'"])
def test_a_damaged_step_costs_itself(tmp_path: Path, row: str) -> None:
    with table_top(tmp_path / "rig") as rig:
        before = played(rig)
    with contextlib.closing(
        sqlite3.connect(tmp_path / "rig" / DATABASE, isolation_level=None)
    ) as line:
        line.execute(f"UPDATE game_steps SET {row} WHERE number = 2")
    with table_top(tmp_path / "rig") as rig:
        found = game_of(rig)
        assert not found["whole"]
        laid = {one["card"]["id"] for one in found["events"] if one["event"] == "laid"}
        assert len(laid) == len({o["card"]["id"] for o in before["events"] if o["card"]})
        problems = rig.get("/state").json()["problems"]
        assert "game_steps" in str(problems)


def test_a_damaged_game_is_none(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig") as rig:
        played(rig)
        with rig.store.database.transaction() as connection:
            connection.execute("UPDATE games SET data = '[]'")
    with table_top(tmp_path / "rig") as rig:
        assert (game_of(rig)["doing"], game_of(rig)["events"]) == ("off", [])
        assert rig.put("/game", {"following": True}).json()["doing"] == "watching"


def test_photos_that_were_read_and_not_taken_in_are_taken_in_at_the_start(tmp_path: Path) -> None:
    layout = game(1)
    with table_top(tmp_path / "rig") as rig:
        rig.put("/game", {"following": True, "players": list(colours(layout))})
        lay(rig, layout, 3)
        frame = lay(rig, layout, 4)
        with rig.store.database.transaction() as connection:
            connection.execute("DELETE FROM game_steps WHERE number = 2")
    with table_top(tmp_path / "rig") as rig:
        found = wait_for(rig, lambda game: len(game["events"]) == 4)
        assert found["events"][-1]["frame_id"] == frame


def test_killed_between_events(tmp_path: Path) -> None:
    """Three lives, each ended by SIGKILL as soon as something was acknowledged."""
    folder = tmp_path / "rig"
    with life(folder) as (client, url):
        following = client.put(f"{url}/game", json={"following": True, "hide_scores": True})
        assert following.status_code == 200
        for _ in range(5):  # a busy machine may not decode it in time
            kept = client.post(f"{url}/frames", files={"photo": ("a.jpg", jpeg(1))})
            assert kept.status_code in (200, 201), kept.text
            if kept.json()["state"] == "read":
                break
        until(client, url, 3)
    with life(folder) as (client, url):
        found = until(client, url, 3)
        assert [one["event"] for one in found["events"]] == ["laid"] * 3
        assert (found["following"], found["hide_scores"], found["whole"]) == (True, True, True)
        number = found["events"][1]["id"]
        body = {"colour": "green", "face": "circle-3"}
        assert client.post(f"{url}/game/events/{number}/name", json=body).status_code == 200
    with life(folder) as (client, url):
        found = until(client, url, 4)
        named = next(one for one in found["events"] if one["id"] == number)
        assert (named["card"]["colour"], named["named_by"]) == ("green", "rig")
        assert found["events"][-1]["event"] == "corrected"
        assert client.post(f"{url}/game/events/{number}/stays", json={"stays": True}).is_success
    with life(folder) as (client, url):
        found = until(client, url, 4)
        assert next(one for one in found["events"] if one["id"] == number)["stays"]


@contextlib.contextmanager
def life(folder: Path) -> Any:
    """The rig in a process of its own, killed with -9 at the end."""
    with (
        running(folder) as (process, url),
        httpx2.Client(headers=WRITE, timeout=120, verify=NO_TLS) as client,
    ):
        wait_until_ready(url, time.monotonic())
        yield client, url
        process.kill()


def until(client: httpx2.Client, url: str, events: int) -> dict[str, Any]:
    last = time.monotonic() + 90
    while True:
        found: dict[str, Any] = client.get(f"{url}/game").json()
        if len(found["events"]) >= events:
            return found
        assert time.monotonic() < last, found
        time.sleep(0.05)
