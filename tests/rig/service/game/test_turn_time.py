"""Timed turns through the service: the clock of the page, late cards, what is handed on."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from rig.replay.game_file import parse_game
from tests.referee.tables import colours, game
from tests.rig.service.game.table import game_of, lay, wait_for
from tests.rig.service.table_top import TableTop, jpeg, table_top

TURN_S = 10


@dataclass
class Hour:
    """A clock that stands until it is put on."""

    at: datetime = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)

    def read(self) -> datetime:
        return self.at

    def later(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def begin(rig: TableTop, hour: Hour) -> None:
    """The first card lies, and whoever is next has ten seconds."""
    rig.clock.read = hour.read
    rig.put("/game", {"following": True, "players": list(colours(game(1))), "turn_s": TURN_S})
    for number in (1, 2):
        lay(rig, game(1), number)


def test_how_long_a_turn_has_lasted(rig: TableTop) -> None:
    hour = Hour()
    begin(rig, hour)
    hour.later(4)
    found = game_of(rig)
    assert found["turn_s"] == TURN_S
    since = "2026-11-29T20:00:00.000Z"
    clock = {"seconds": TURN_S, "since": since, "lasted_s": 4.0, "runs": True}
    assert found["turn_clock"] == clock
    hour.later(20)
    assert game_of(rig)["turn_clock"]["lasted_s"] == 24.0
    assert rig.put("/game", {"turn_s": 0}).json()["turn_clock"] is None
    assert game_of(rig)["turn_s"] is None
    assert rig.put("/game", {"turn_s": 95.0}).json()["turn_s"] == 95, "as whole as 95"


def test_the_clock_stands_while_a_picture_is_read(rig: TableTop) -> None:
    hour = Hour()
    begin(rig, hour)
    hour.later(6)
    rig.reader.may_end.clear()
    rig.upload(jpeg(77), Prefer="respond-async")
    wait_for(rig, lambda found: found["doing"] == "reading")
    hour.later(9)
    clock = game_of(rig)["turn_clock"]
    assert (clock["lasted_s"], clock["runs"]) == (6.0, False)
    rig.reader.may_end.set()


def test_a_late_card_is_told_and_handed_on(tmp_path: Path) -> None:
    hour = Hour()
    with table_top(tmp_path / "rig") as rig:
        begin(rig, hour)
        hour.later(5)
        lay(rig, game(1), 3)
        hour.later(14.5)
        lay(rig, game(1), 4)
        events = game_of(rig)["events"]
        assert [one["late_s"] for one in events] == [None, None, None, 4.5]
        assert events[-1]["status"] == "legal", "said, never blocked"
        exported = rig.get("/game/export").json()
        assert [one.get("late_s") for one in exported["events"]] == [None, None, None, 4.5]
        assert parse_game(exported).events[-1].late_s == 4.5
        hour.later(3)
    with table_top(tmp_path / "rig") as rig:
        rig.clock.read = hour.read
        found = game_of(rig)
        assert found["events"] == events
        assert found["turn_clock"]["lasted_s"] == 3.0


def test_there_is_no_clock_where_nobody_is_to_play(rig: TableTop) -> None:
    rig.put("/game", {"following": True, "turn_s": TURN_S})
    for number in (1, 2):
        lay(rig, game(1), number)
    assert game_of(rig)["turn_clock"] is None
    begin(rig, Hour())
    assert rig.put("/game", {"following": False}).json()["turn_clock"] is None


@pytest.mark.parametrize("wrong", [1, 4, 121, -10, 7.5, "10"])
def test_what_no_turn_lasts_is_refused(rig: TableTop, wrong: Any) -> None:
    assert rig.put("/game", {"following": True, "turn_s": wrong}).status_code == 422
