"""Nothing in any state of the page keeps people from using it, as far as axe-core can tell.

TACTA_AXE=all looks at both sizes of text, in both languages and both colour schemes (`make axe`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.service.frames.reader import SeenText
from tests.conftest import LEFT_OUT
from tests.rig.page.axe import IS_ALL, script, violations
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.page.doubted_tables import doubted_table
from tests.rig.page.told_game import OFF, ToldGame
from tests.rig.service.table_top import TableTop, jpeg, seen, table_top
from tests.scenes import SCENES

pytestmark = [
    *browser_only,
    pytest.mark.skipif(script() is None, reason=f"{LEFT_OUT}no axe-core (make setup)"),
]
ALL = [("en", "light"), ("en", "dark"), ("fr", "light"), ("fr", "dark")]
CASES = ALL if IS_ALL else [("en", "light")]
TEXT_PERCENT = (100, 200) if IS_ALL else (200,)
PLAYER = {"en": "Player", "fr": "Joueur"}
PLAYERS = [{"name": "Ada", "colour": "purple"}, {"name": "Ben", "colour": "red"}]


class Looker:
    """Goes from state to state, and looks at each with larger text as well."""

    def __init__(self, window: Phone, url: str) -> None:
        self.window = window
        self.url = url
        self.found: list[str] = []

    def at(self, place: str, shows: str) -> None:
        """Go to a view, and wait until it shows this."""
        self.window.open(f"{self.url}/#/{place}")
        self.window.find(shows)

    def look(self, name: str) -> None:
        for percent in TEXT_PERCENT:
            self.window.enlarge_text(percent)
            found = violations(self.window)
            found += [f"broken: {word}" for word in self.window.broken_words()]
            found += [f"beyond the edge: {one}" for one in self.window.beyond_the_edge()]
            found += [f"cut: {one}" for one in self.window.cut_choices()]
            if self.window.run("return document.querySelector('.toast') !== null"):
                found += [f"under a message: {one}" for one in self.window.covered_controls()]
            self.found += [f"{name} at {percent} %: {one}" for one in found]
        self.window.shot(f"{name}-200")
        self.window.enlarge_text(100)


@pytest.mark.parametrize(("language", "scheme"), CASES)
def test_every_state_of_the_page(tmp_path: Path, language: str, scheme: str) -> None:
    folder = shots(f"axe-{language}-{scheme}")
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        phone(language, folder, scheme == "dark") as window,
    ):
        looker = Looker(window, str(top.client.base_url).rstrip("/"))
        top.camera.still()
        pair(top, looker)
        frame = photo(top)
        views_without_a_match(looker)
        a_photo(looker, frame)
        a_match(top, looker, frame)
        settings(looker, language)
        a_followed_game(ToldGame(top), looker)
        window.go_out_of_reach(True)
        window.find(".line-state:not(:empty)")
        looker.look("offline")
    assert not looker.found, "\n".join(looker.found)


def pair(top: TableTop, looker: Looker) -> None:
    window = looker.window
    window.open(looker.url)
    window.find("#pin")
    looker.look("pairing")
    window.type("#pin", "000000")
    window.type("#phone-name", "host")
    window.tap("button[type=submit]")
    window.find(".toast.trouble")
    looker.look("pairing-refused")
    window.tap(".toast .plain")
    window.run("document.querySelector('#pin').value = ''")
    window.type("#pin", top.pairing.invite("admin").pin)
    window.tap("button[type=submit]")
    window.find(".camera .state")
    looker.look("table-empty")


def photo(top: TableTop) -> str:
    """A photo with questions of every kind; the test asks for things as an admin does."""
    secret = {"secret": top.pairing.invite("admin").code, "name": "the test"}
    assert top.post("/pairing", secret).status_code == 201
    top.reader.outcome = SeenText(doubted_table())
    return str(top.upload((SCENES / "two-walnut" / "image.jpg").read_bytes()).json()["id"])


def views_without_a_match(looker: Looker) -> None:
    looker.at("", ".newest")
    looker.look("table")
    looker.at("photos", "[data-frame]")
    looker.look("photos")
    looker.at("history", "h1")
    looker.look("history-empty")
    looker.at("statistics", "h1")
    looker.look("statistics-empty")
    looker.at("match/new", "#player-0")
    looker.window.choose("[data-key='colour-1']", "blue")
    looker.window.tap("[name=kind][value=sabotage]")
    looker.window.tap("form button[type=submit]")
    looker.window.find("[data-fault]")
    looker.look("new-match-faults")


def a_photo(looker: Looker, frame: str) -> None:
    window = looker.window
    looker.at(f"photo/{frame}", ".overlay .card")
    window.tap(".panel summary")
    looker.look("photo-score")
    for tab, shows in (("check", "[data-trouble]"), ("cards", ".cards"), ("changes", ".panel p")):
        window.tap(f"[data-tab='{tab}']")
        window.find(shows)
        looker.look(f"photo-{tab}")
    window.tap("[data-tab='check']")
    window.tap("[data-trouble]")
    window.find(".answers .answer")
    looker.look("photo-question")
    window.tap(".answers .answer")
    window.find(".toast")
    looker.look("photo-answered")
    window.tap("[data-tab='changes']")
    window.find("[data-correction]")
    looker.look("photo-corrections")
    window.tap("[data-tab='cards']")
    window.tap(".cards .line")
    for part in ("colour", "face", "order"):
        window.run(
            "document.querySelector(`[data-fix=${arguments[0]}]`)?.setAttribute('open', '')", part
        )
    looker.look("card")
    window.tap(".one-card [data-key='move']")
    window.find(".pad")
    looker.look("card-move")
    window.key("Escape")
    window.tap("[data-tab='cards']")
    window.tap("[data-key='add']")
    window.find(".picker")
    looker.look("card-add")


def a_match(top: TableTop, looker: Looker, frame: str) -> None:
    window = looker.window
    match = top.post("/matches", {"players": PLAYERS}).json()["id"]
    top.post(f"/matches/{match}/rounds")
    looker.at("match", ".photos [data-frame]")
    looker.look("round-open")
    window.tap(f"[data-frame='{frame}']")
    window.find(".ending .scores")
    looker.look("round-preview")
    top.post(f"/matches/{match}/rounds/1/end", {"frame": frame})
    window.find(".badge.ended")
    window.tap("[data-key='disagree-1']")
    window.tap("[data-key='right-1']")
    looker.look("round-ended")
    version = top.get(f"/frames/{frame}").json()["version"]
    said = {"frame_version": version, "reason": "It was moved.", "card": 3}
    disputed = top.post(f"/matches/{match}/rounds/1/disagree", said).json()
    window.find(".dispute")
    looker.look("round-disputed")
    number = disputed["disagreements"][0]["number"]
    top.post(f"/matches/{match}/rounds/1/disagreements/{number}/settle")
    top.post(f"/matches/{match}/rounds/1/sign", {"frame_version": version})
    window.find(".badge.signed")
    sign_another_round(top, match)
    window.find("[data-round='2'] .badge.signed")
    window.tap("[data-key='history']")
    looker.look("rounds-signed")
    window.run("document.querySelector('#view > .ground > .row:last-child button').click()")
    window.find(".players .up")
    looker.look("change-players")
    looker.at("history", "[data-match]")
    looker.look("history")
    looker.at("statistics", ".chart")
    looker.look("statistics")
    looker.at("", ".newest .button")
    looker.look("table-with-match")


def a_followed_game(game: ToldGame, looker: Looker) -> None:
    looker.at("game", "[data-key='follow']")
    looker.look("game-before")
    game.say("laid", 0, "white start")
    game.tell(players=["purple", "red"], following=True, doing="watching", turn="purple")
    game.lay(1, "purple triangle-4", on=[0])
    game.lay(2, "red circle-3", on=[1], out_of_turn=True, **OFF)
    looker.window.find("[data-laid='3'] .cut-out")
    looker.window.tap("[data-key='take-3']")
    looker.look("game-illegal")
    looker.window.tap("[data-event='2'] summary")
    looker.window.tap("[data-key='named-2']")
    looker.window.tap("[data-key='game-settings']")
    looker.look("game-opened")
    game.say("disturbed")
    game.tell(doing="disturbed", asks=[{"event": 3, "reason": "it lay elsewhere before"}])
    looker.window.find("[data-asked='3']")
    looker.look("game-disturbed")
    game.tell(ended=game.frame, doing="off", following=False)
    looker.window.find("[data-doing='ended']")
    looker.look("game-finished")


def sign_another_round(top: TableTop, match: str) -> None:
    top.reader.outcome = SeenText(seen("two-walnut"))
    frame = top.upload(jpeg(9)).json()
    top.post(f"/matches/{match}/rounds")
    top.post(f"/matches/{match}/rounds/2/end", {"frame": frame["id"]})
    top.post(f"/matches/{match}/rounds/2/sign", {"frame_version": frame["version"]})


def settings(looker: Looker, language: str) -> None:
    window = looker.window
    looker.at("rig", ".webhooks")
    window.tap("summary[data-key='hook']")
    window.press(PLAYER[language])
    window.find(".qr")
    looker.look("settings")
    looker.at("setup", "[data-step='deck']")
    window.tap("summary[data-key='enrol']")
    looker.look("setup")
    looker.at("lens", "#board-kind")
    looker.look("lens")
    window.run("document.querySelector('#view .column button').click()")
    window.find(".lens-tilts")
    looker.look("lens-taking")
