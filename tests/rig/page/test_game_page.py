"""A followed game on the page: two devices see the same, and what they say reaches the rig."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.rig.page.browser import browser_only
from tests.rig.page.told_game import OFF, ToldGame
from tests.rig.page.two_devices import TwoDevices, two_devices

pytestmark = browser_only


SEATS = "return [...document.querySelectorAll('[data-seat]')].map((one) => one.dataset.seat)"
COUNT = "return document.querySelectorAll(arguments[0]).length"
CHOSEN_TIME = "return document.querySelector(\"[data-key='turn-time']\")?.value"
TIMES_OVER = "return window.shaken.filter((one) => one.length === 5).length"
IS_CLOCK_SHOWN = "return document.querySelector('.turn-clock').checkVisibility()"


@dataclass
class Table(TwoDevices):
    """A told game, on both."""

    game: ToldGame


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with two_devices(tmp_path, "game") as devices:
        table = Table(devices.small, devices.large, devices.top, ToldGame(devices.top))
        table.open("#/game")
        table.both_show("[data-key='follow']")
        yield table


def begun(game: ToldGame) -> None:
    game.say("laid", 0, "white start")
    game.tell(players=["blue", "red"], following=True, doing="watching", turn="blue")


def test_a_round_is_followed_on_two_devices(table: Table) -> None:
    game, small, large = table.game, table.small, table.large
    table.look("before")
    for colour in ("blue", "red"):
        small.tap(f"[data-key='add-{colour}']")
    small.tap("[data-key='follow']")
    table.both_show("[data-doing='watching']")
    assert (game.following, game.players) == (True, ["blue", "red"])
    begun(game)
    table.both_show("[data-turn='blue']")

    game.lay(1, "blue triangle-4", on=[0])
    large.until(lambda: "Bleu 4 ▲" in large.text("[data-laid='2']"), "the card")
    assert "Légale" in large.text(".verdict")
    small.until_text("Legal", "[data-laid='2'] .verdict")

    game.lay(2, "red circle-3", on=[1], **OFF)
    table.both_show("[data-status='illegal'] .cut-out")
    said = small.text(".laid .why").lower()
    assert "shapes do not line up" in said
    assert "4.1 mm off" in said
    assert "on blue 4 ▲" in said
    assert "4,1 mm d'écart" in large.text(".laid .why")
    small.tap("[data-key='take-3']")
    small.until_text("Take Red 3 ● off the table", ".how")
    table.look("illegal")
    game.say("taken_back", 2, "red circle-3")
    table.both_show("[data-laid='4'][data-status='taken_back']")
    game.lay(2, "red circle-3", on=[1])
    table.both_show("[data-laid='5'][data-status='legal']")

    game.lay(3, "blue square-2", on=[2], out_of_turn=True, **OFF)
    table.both_show("[data-laid='6']")
    assert "Out of turn" in small.text(".laid")
    large.tap("[data-key='stays-6']")
    table.both_show("[data-laid='6'][data-status='stays']")
    small.until_text("Ada ruled that it stays.", ".laid")
    game.lay(4, "red square-6", "borderline", on=[3], rule="misaligned", offset_mm=1.4)
    table.both_show("[data-laid='7'][data-status='borderline']")
    game.tell(open_scores=["red"])
    small.find(".standing [data-colour='red'] .unsure")
    assert small.run(COUNT, ".standing .unsure") == 1, "the other colour is certain"
    table.look("borderline")
    game.tell(open_scores=[])

    correct(table)
    end(table)
    for window in (small, large):
        assert window.log() == []


def test_settings_made_in_quick_succession_are_all_kept(table: Table) -> None:
    """The second is made before the first is answered, and takes less long."""
    game, small = table.game, table.small
    game.slow_s = [1.5, 0.0]
    for colour in ("blue", "red"):
        small.tap(f"[data-key='add-{colour}']")
    small.find("[data-key='up-red']")
    assert game.players == ["blue", "red"]
    table.look("two-colours")
    game.slow_s = [1.5, 0.0, 0.0]
    small.tap("[data-key='add-green']")
    small.tap("[data-key='up-red']")
    small.tap("[data-key='away-blue']")
    small.until(lambda: small.run(SEATS) == ["red", "green"], "red before green")
    assert game.players == ["red", "green"]
    game.slow_s = [1.5, 0.0]
    for seconds in ("10", "20"):
        small.choose("[data-key='turn-time']", seconds)
    small.until(lambda: len(game.heard) == 7, "both times")
    small.until(lambda: game.turn_s == 20, "the last time chosen")
    small.tap("[data-key='follow']")
    table.both_show("[data-doing='watching']")
    assert game.turn_s == 20
    for window in table.both:
        assert window.log() == []


def test_turns_are_timed_on_two_devices(table: Table) -> None:
    game, small, large = table.game, table.small, table.large
    small.choose("[data-key='turn-time']", "10")
    large.until(lambda: large.run(CHOSEN_TIME) == "10", "the time on the other")
    assert game.heard[-1] == ("PUT", "/game", {"turn_s": 10})
    begun(game)
    small.run("window.shaken = []; navigator.vibrate = (one) => window.shaken.push(one)")
    small.run("localStorage.setItem('tacta.vibration', 'on')")
    clock = {"seconds": 10, "since": "1", "lasted_s": 4.2, "runs": False}
    game.tell(turn_clock=clock)
    for window in table.both:
        window.until(lambda w=window: "6 s" in w.text(".turn [data-clock='left']"), "the time")
    assert small.run(TIMES_OVER) == 0
    table.look("turn-time")
    game.tell(turn_clock={**clock, "lasted_s": 9.8, "runs": True})
    table.both_show("[data-clock='over']")
    small.until(lambda: small.run(TIMES_OVER) == 1, "it shakes")
    assert "over by" in small.text(".turn")
    assert "de trop" in large.text(".turn")
    assert small.text(".game").count("is over") == 0, "told to who hears the page"
    small.until_text("is over", "#view .unseen[role='status']")
    game.tell(turn_clock={**clock, "lasted_s": 17.0, "runs": True})
    table.both_show("[data-clock='over']")
    assert small.run(TIMES_OVER) == 1
    game.lay(1, "blue triangle-4", on=[0], late_s=7.5)
    small.until_text("Laid 7.5 s after its time was over.", ".laid")
    large.until_text("Posée 7,5 s après la fin de son temps.", ".laid")
    small.until_text("7.5 s late", ".game-history")
    table.look("late")
    game.tell(turn_clock=None)
    small.until(lambda: not small.run(IS_CLOCK_SHOWN), "no clock")
    small.tap("[data-key='game-settings']")
    table.look("turn-time-setting")
    for window in table.both:
        assert window.log() == []


def correct(table: Table) -> None:
    """The first blue card was another, as somebody says; the rig corrects one as well."""
    small, game = table.small, table.game
    small.tap("[data-event='2'] summary")
    small.tap("[data-key='named-2']")
    small.tap("[data-event='2'] [data-face='triangle-5']")
    table.look("naming")
    small.tap("[data-event='2'] [data-key='name-2']")
    table.large.until_text("Bleu 5 ▲", "[data-event='2'] summary")
    assert game.heard[-1][1:] == (
        "/game/events/2/name",
        {"colour": "blue", "face": "triangle-5"},
    )
    was = {"colour": "red", "face": "square-6"}
    game.say("corrected", 4, "red square-5", status="legal", on=[3], was=was)
    small.until_text("first read as Red 6 ■", ".laid")
    assert "Red 5 ■" in small.text(".laid-name")


def end(table: Table) -> None:
    game, small = table.game, table.small
    game.tell(hide_scores=True)
    small.until(lambda: "Dots" not in small.text(".standing"), "hidden scores")
    game.say("disturbed")
    game.tell(doing="disturbed", asks=[{"event": 5, "reason": "it lay elsewhere before"}])
    table.both_show("[data-asked='5']")
    table.look("disturbed")
    game.tell(hide_scores=False, asks=[], doing="watching")
    small.run("window.confirm = () => true")
    small.tap("[data-key='end']")
    table.both_show("[data-doing='ended']")
    assert ("POST", "/game/end", None) in game.heard
    table.look("finished")
