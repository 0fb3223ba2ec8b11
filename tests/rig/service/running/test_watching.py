"""The watcher in the service: rounds that end by themselves, buttons, and tables that move."""

from __future__ import annotations

import dataclasses
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration.table.table_watch import AGREEING_FRAMES
from rig.service.running.lookout import Lookout
from rig.service.running.watching import watching
from rig.watcher.button import ButtonMissing
from rig.watcher.table_guard import TRIAL_S, TableGuard
from rig.watcher.watch_state import Habits
from tests.rig.service.table_top import TableTop, table_top
from tests.rig.watcher.moved_tables import Sensor, seen_after
from tests.rig.watcher.sequences import played, with_hand
from tests.rig.watcher.shown_camera import QUICK, ShownCamera

BY_ITSELF = dataclasses.replace(QUICK, by_itself=True)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[TableTop]:
    """On a real port: the watcher hands its pictures to the service's running loop."""
    with table_top(tmp_path / "rig", serve=True) as found:
        yield found


def wait(true: Callable[[], Any], limit_s: float = 15.0) -> None:
    until_s = time.monotonic() + limit_s
    while not true():
        assert time.monotonic() < until_s
        time.sleep(0.02)


def read_frames(served: TableTop) -> list[dict[str, Any]]:
    frames = served.get("/frames").json()["frames"]
    return [frame for frame in frames if frame["state"] == "read"]


def play_a_turn(camera: ShownCamera, seconds: float = 0.8) -> None:
    """A hand moves over the table, and then is gone."""
    until_s = time.monotonic() + seconds
    while time.monotonic() < until_s:
        at = 0.5 + 0.1 * np.sin(8 * time.monotonic())
        camera.image = with_hand(played() * 0.9, at, at)
        time.sleep(0.04)
    camera.image = played() * 0.9


def test_a_round_ends_by_itself(served: TableTop) -> None:
    camera = ShownCamera()
    with watching(served.assembly.frames, camera, BY_ITSELF) as watcher:
        wait(lambda: watcher.sight().key == "still")
        play_a_turn(camera)
        assert camera.stills == 0  # not while hands are at work, nor at once
        wait(lambda: read_frames(served))
        time.sleep(1.0)
        assert camera.stills == 1  # one picture a round
        (frame,) = read_frames(served)
        reading = served.get(f"/frames/{frame['id']}/reading").json()
        assert reading["scores"]
        play_a_turn(camera)
        wait(lambda: camera.stills == 2)


def test_a_picture_asked_for_on_the_page_waits_for_hands_to_go(served: TableTop) -> None:
    camera = ShownCamera()
    with watching(served.assembly.frames, camera, QUICK) as watcher:
        wait(lambda: watcher.sight().key == "still")
        hand = threading.Thread(target=play_a_turn, args=(camera, 1.2))
        hand.start()
        wait(lambda: watcher.sight().key == "hands")
        assert served.post("/capture").status_code == 201
        assert not hand.is_alive()
        assert watcher.sight().key == "still"


def test_what_never_comes_to_rest_ends_no_picture_taking(tmp_path: Path) -> None:
    camera, impatient = ShownCamera(), Lookout(patience_s=0.3)
    with (
        table_top(tmp_path / "rig", serve=True, lookout=impatient) as served,
        watching(served.assembly.frames, camera, QUICK) as watcher,
    ):
        wait(lambda: watcher.sight().key == "still")
        hand = threading.Thread(target=play_a_turn, args=(camera, 2.5))
        hand.start()
        wait(lambda: watcher.sight().key == "hands")
        assert served.post("/capture").status_code == 201
        assert hand.is_alive()
        hand.join()
    assert impatient.wait_until_still()  # nobody watches any more


def test_nothing_is_taken_unasked(served: TableTop) -> None:
    camera = ShownCamera()
    with watching(served.assembly.frames, camera, QUICK) as watcher:
        wait(lambda: watcher.sight().key == "still")
        play_a_turn(camera)
        time.sleep(1.5)
    assert camera.stills == 0


def test_the_button_takes_a_picture_once_the_table_is_still(
    served: TableTop, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []

    def make(pin: int, **_: object) -> SimpleNamespace:
        made.append(SimpleNamespace(pin=pin, when_pressed=None, close=made.clear))
        return made[-1]  # type: ignore[no-any-return]

    monkeypatch.setitem(sys.modules, "gpiozero", SimpleNamespace(Button=make))
    camera = ShownCamera()
    with watching(served.assembly.frames, camera, QUICK, button=17) as watcher:
        wait(lambda: watcher.sight().key == "still")
        hand = threading.Thread(target=play_a_turn, args=(camera,))
        hand.start()
        wait(lambda: watcher.sight().key == "hands")
        made[0].when_pressed()
        assert (made[0].pin, watcher.sight().waiting, camera.stills) == (17, True, 0)
        hand.join()
        wait(lambda: read_frames(served))
    assert made == []


def test_a_button_that_cannot_be_used_ends_the_start(
    served: TableTop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with (
        pytest.raises(ButtonMissing),
        watching(served.assembly.frames, ShownCamera(), QUICK, button=17),
    ):
        pass
    assert "watcher" not in {thread.name for thread in threading.enumerate()}


def guard_of_a_moved_table(folder: Path) -> TableGuard:
    clock = [1_700_000_000.0]
    guard, sensor = TableGuard(folder, clock=lambda: clock[0]), Sensor()
    for move, looks in (("still", 8), ("x", AGREEING_FRAMES)):
        for _ in range(looks):
            clock[0] += TRIAL_S / 4
            guard.look(sensor.grey(seen_after(move)))
    return guard


def test_a_moved_table_is_shown_as_a_problem(rig: TableTop, tmp_path: Path) -> None:
    assert "table-moved" not in {one["key"] for one in rig.get("/state").json()["problems"]}
    guard = guard_of_a_moved_table(tmp_path)
    rig.app.state.state = dataclasses.replace(rig.assembly.state, guard=guard)
    for language, said in (("en", "has moved by "), ("fr", "a bougé de ")):
        answer = rig.get("/state", **{"Accept-Language": language}).json()
        (problem,) = [one for one in answer["problems"] if one["key"] == "table-moved"]
        assert said in problem["sentence"]
        assert "tacta doctor --accept-table" in problem["sentence"]
    ready = rig.get("/ready").json()
    assert ready["ready"]
    assert "table-moved" in {one["key"] for one in ready["problems"]}


def test_the_usual_habits_are_patient() -> None:
    assert Habits().round_over_s >= 10
    assert not Habits().by_itself
