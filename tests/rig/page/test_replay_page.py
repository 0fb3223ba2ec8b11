"""A round looked at again step by step, and the coach's places on a photo."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.referee.tables import colours, game, moved
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.page.two_devices import TwoDevices, two_devices
from tests.rig.service.game.table import lay
from tests.rig.service.table_top import API, TableTop, jpeg, table_top
from tests.scenes import SCENES

pytestmark = browser_only
CARDS, WRONG = 6, 4
POINTS = "return [...document.querySelectorAll('.points strong')].map(e => +e.textContent)"
CAUGHT = """
window.saved = [];
URL.createObjectURL = (film) => { window.saved.push(film); return "#/replay"; };
navigator.canShare = () => false;
"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TwoDevices]:
    with two_devices(tmp_path, "replay") as opened:
        yield opened


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[tuple[TableTop, Phone]]:
    """A rig and the phone, where a tablet would show the same."""
    with (
        table_top(tmp_path / "rig", serve=True, stream_s=60) as top,
        phone("en", shots("replay-en")) as small,
    ):
        yield top, small


def opened(alone: tuple[TableTop, Phone], path: str) -> Phone:
    top, small = alone
    small.open(f"{str(top.client.base_url).rstrip('/')}/{path}")
    return small


def play(top: TableTop) -> None:
    """Some cards of a game, of which one lies illegally."""
    top.put("/game", {"following": True, "players": list(colours(game(1)))})
    for number in range(1, CARDS + 1):
        lay(top, game(1), number, lambda c: moved(c, 6.0) if c.id == WRONG else c)


def test_a_round_is_stepped_through(table: TwoDevices) -> None:
    play(table.top)
    table.open("#/game")
    table.small.tap("[data-key='replay']")
    table.large.tap("[data-key='replay']")
    small, large = table.small, table.large
    for window in (small, large):
        window.find(f"[data-step='{CARDS}']")
        assert window.run("return document.querySelectorAll('.plan [data-card]').length") == CARDS
    table.look("plan")
    small.tap("[data-key='back']")
    small.find(f"[data-step='{CARDS - 1}'] .marked.illegal")
    assert small.run("return document.querySelectorAll('.plan [data-card]').length") == CARDS - 1
    assert "NOT ALLOWED" in small.text(".replay-said")
    assert "INTERDIT" in large.text(".replay-said")
    scores = small.run(POINTS)
    told = table.top.get("/game").json()["events"][CARDS - 2]["scores"]
    assert sorted(scores) == sorted(told.values())
    small.tap("[data-key='as-photo']")
    small.find("[data-shows='photo'] .replay-photo img")
    small.find(".replay-photo .laid-here")
    large.tap("[data-key='back']")
    table.look("step")
    small.tap("[data-key='as-plan']")
    small.tap("[data-key='play']")
    small.find(f"[data-step='{CARDS}']")
    for window in (small, large):
        assert window.log() == []


def test_the_outline_lies_in_a_picture_that_comes_late(alone: tuple[TableTop, Phone]) -> None:
    top, _ = alone
    play(top)

    async def late(_request: Request) -> Response:
        await asyncio.sleep(0.5)
        return Response(jpeg(), media_type="image/jpeg")

    picture = Route(f"{API}/frames/{{id}}/picture", late)
    top.app.router.routes[:0] = [picture]
    small = opened(alone, "#/replay")
    small.tap("[data-key='as-photo']")
    small.find(".replay-photo .laid-here")
    box = "return document.querySelector('.replay-photo svg').getAttribute('viewBox')"
    assert small.run(box) == "0 0 64 48"


def test_a_film_is_made_to_share_or_to_save(alone: tuple[TableTop, Phone]) -> None:
    top, _ = alone
    play(top)
    small = opened(alone, "#/replay")
    small.find("[data-key='share']")
    small.run(CAUGHT)
    small.tap("[data-key='share']")
    small.until(lambda: small.run("return window.saved.length === 1"), "the film")
    assert small.run("return window.saved[0].type") == "image/webp"
    assert small.run("return window.saved[0].size") > 1000
    top.put("/game", {"hide_scores": True})
    small.until_text("Scores are hidden", ".replay-rest")
    assert small.run("return document.querySelector('[data-key=\"share\"]')") is None


def test_a_game_of_before_is_replayed(table: TwoDevices) -> None:
    play(table.top)
    before = table.top.get("/game").json()["game"]
    table.top.post("/game/end", {})
    table.top.put("/game", {"following": True})
    table.open("#/game")
    for window in (table.small, table.large):
        window.tap("[data-key='replay']")
        window.tap(f"[data-game='{before}']")
        window.find(f"[data-step='{CARDS}']")
        assert window.run("return document.querySelectorAll('.plan [data-card]').length") == CARDS
        link = window.run("return document.querySelector('[data-key=\"export\"]').href")
        assert f"/games/{before}/export" in link
    table.look("games-of-before")
    for window in (table.small, table.large):
        assert window.log() == []


def test_the_coach_shows_places_on_the_photo(table: TwoDevices) -> None:
    photo = SCENES / "two-walnut" / "image.jpg"
    frame = table.top.upload(photo.read_bytes()).json()["id"]
    table.open(f"#/photo/{frame}?tab=cards")
    for window in (table.small, table.large):
        window.tap("[data-key='coach']")
        window.find("[data-places]")
        window.tap("[data-fix='coach-card'] summary")
        window.tap("[data-fix='coach-card'] [data-face='circle-6']")
        window.find("[data-coach$='circle-6'][data-places] .coach-places [data-key='place-1']")
        count = int(window.run("return document.querySelector('[data-places]').dataset.places"))
        drawn = window.run("return document.querySelectorAll('.coach-overlay .place').length")
        assert drawn == count > 1
        window.tap("[data-key='place-1']")
        window.find("[data-key='place-1'][aria-pressed='true']")
        assert window.run("return document.querySelector('.best-number').textContent") == "2"
        assert window.run("return document.querySelectorAll('.best-dot').length") == 6
    table.look("coach")
    for window in (table.small, table.large):
        assert window.log() == []


def test_the_coach_is_asked_about_the_table_of_the_game(table: TwoDevices) -> None:
    play(table.top)
    turn = table.top.get("/game").json()["turn"]
    table.open("#/game")
    for window in (table.small, table.large):
        window.tap("[data-key='coach']")
        window.find(f"[data-coach^='{turn} '][data-places] .coach-places [data-key='place-0']")
    table.look("coach-of-game")
    for window in (table.small, table.large):
        assert window.log() == []


def test_the_coach_is_off_in_a_match(alone: tuple[TableTop, Phone]) -> None:
    top, _ = alone
    frame = top.frame()
    players = [{"name": "Ada", "colour": "red"}, {"name": "Bo", "colour": "blue"}]
    match = top.post("/matches", {"players": players}).json()["id"]
    top.post(f"/matches/{match}/rounds", {})
    small = opened(alone, f"#/photo/{frame}?tab=cards")
    small.tap("[data-key='coach']")
    small.until_text("A match is being played", ".coach")
