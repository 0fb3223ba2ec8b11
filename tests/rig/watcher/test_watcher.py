"""The watcher on a camera: asks, failures, and what it says it sees."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from rig.cameras.camera import CameraState, Still
from rig.cameras.pulse import Patience, Pulse, state_of
from rig.cameras.trouble import CameraSilent, CameraTrouble, CameraWaiting
from rig.watcher.button import Button, ButtonMissing
from rig.watcher.change import NOTHING, Change
from rig.watcher.table_guard import TableGuard
from rig.watcher.watch_state import WatchState
from rig.watcher.watcher import Watcher, sight_of
from rig.wording.catalogue import CATALOGUE
from tests.rig.watcher.moved_tables import seen_after
from tests.rig.watcher.sequences import played, with_hand
from tests.rig.watcher.shown_camera import QUICK, ShownCamera


class Bench:
    def __init__(self) -> None:
        self.camera = ShownCamera()
        self.received: list[str] = []
        self.on_still: Callable[[], None] = lambda: None
        self.guard = TableGuard(trial_s=0.0)
        self.watcher = Watcher(self.camera, self._receive, QUICK, self.guard)

    def _receive(self, still: Still, why: str) -> None:
        self.received.append(why)
        self.on_still()

    def wait(self, true: Callable[[], bool], limit_s: float = 5.0) -> None:
        until = time.monotonic() + limit_s
        while not true():
            assert time.monotonic() < until, self.watcher.sight()
            time.sleep(0.01)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.watcher.close()


def test_takes_the_picture_that_is_asked_for(bench: Bench) -> None:
    bench.wait(lambda: bench.watcher.sight().key == "still")
    bench.watcher.ask()
    bench.wait(lambda: bench.received == ["asked"])
    bench.wait(lambda: not bench.watcher.sight().waiting)
    assert bench.watcher.sight().captures == 1


def test_waits_while_hands_are_at_work(bench: Bench) -> None:
    bench.wait(lambda: bench.watcher.sight().key == "still")
    moving = threading.Event()

    def move() -> None:
        while not moving.wait(0.05):
            at = 0.5 + 0.1 * np.sin(6 * time.monotonic())
            bench.camera.image = with_hand(played() * 0.9, at, at)

    mover = threading.Thread(target=move)
    mover.start()
    bench.wait(lambda: bench.watcher.sight().key == "hands")
    assert bench.watcher.sight().moving > 0
    bench.watcher.ask()
    time.sleep(0.5)
    assert bench.received == []
    assert bench.watcher.sight().waiting
    moving.set()
    mover.join()
    bench.camera.image = played() * 0.9
    bench.wait(lambda: bench.received == ["asked"])


def test_a_still_that_fails_is_tried_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.watcher.watcher._AGAIN_S", 0.3)
    bench.camera.fails = 2
    bench.watcher.ask()
    bench.wait(lambda: bench.received == ["asked"])
    assert bench.camera.stills == 3


@pytest.mark.parametrize(("failure", "told"), [(CameraSilent, 1), (CameraWaiting, 0)])
def test_a_camera_that_gets_ready_is_no_warning(
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failure: type[CameraTrouble],
    told: int,
) -> None:
    monkeypatch.setattr("rig.watcher.watcher._AGAIN_S", 0.1)
    bench.camera.fails, bench.camera.failure = 1, failure
    bench.watcher.ask()
    bench.wait(lambda: bench.received == ["asked"])
    assert [record.levelname for record in caplog.records] == ["WARNING"] * told


def test_a_fault_of_the_receiver_does_not_end_the_watching(bench: Bench) -> None:
    def fail() -> None:
        raise RuntimeError("disk on fire")

    bench.on_still = fail
    for count in (1, 2):
        bench.watcher.ask()
        bench.wait(lambda count=count: len(bench.received) == count)  # type: ignore[misc]
        bench.wait(lambda: not bench.watcher.sight().waiting)


def grey(move: str) -> NDArray[np.float64]:
    return np.asarray(seen_after(move).mean(axis=2), np.float64)


def test_a_table_that_moves_is_told(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.watcher.watcher.LOOK_EVERY_S", 0.05)
    bench.camera.image = grey("still")
    bench.wait(lambda: bench.guard.since() is not None)
    assert bench.watcher.sight().moved is None
    bench.camera.image = grey("pan")
    bench.wait(lambda: bench.watcher.sight().moved is not None)


def test_pictures_that_are_not_of_one_table_are_not_compared(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rig.watcher.watcher.LOOK_EVERY_S", 0.0)
    bench.camera.lively = False
    bench.camera.image = grey("still")
    bench.wait(lambda: bench.watcher.sight().key in ("still", "empty"))
    time.sleep(0.5)
    assert bench.guard.since() is None


NOW_S = 100.0
FRESH = state_of(Pulse(NOW_S, True, "none"), NOW_S, Patience(), "it")
LOST = state_of(Pulse(NOW_S - 60, True, "none"), NOW_S, Patience(), "it")
MOVED = Change(40, at_edge=True, light=False, middle=(0.5, 0.5))


@pytest.mark.parametrize(
    ("watch_state", "camera", "key"),
    [
        (WatchState("still", cards=True), FRESH, "still"),
        (WatchState("still"), FRESH, "empty"),
        (WatchState("busy", change=MOVED), FRESH, "hands"),
        (WatchState("busy", change=Change(0, False, True, None)), FRESH, "light"),
        (WatchState("settling", arm=True), FRESH, "arm"),
        (WatchState("settling", change=NOTHING), FRESH, "settling"),
        (WatchState("still", cards=True), LOST, "blind"),
    ],
)
def test_says_what_it_sees(watch_state: WatchState, camera: CameraState, key: str) -> None:
    sight = sight_of(watch_state, camera, NOW_S)
    assert (sight.key, sight.sentence) == (key, CATALOGUE[f"table-is-{key}"].english)


def test_a_button_without_pins_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(ButtonMissing, match="sudo apt install python3-gpiozero"):
        Button(17, lambda: None)


def test_a_button_that_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[SimpleNamespace] = []
    closed: list[bool] = []

    def make(pin: int, pull_up: bool, bounce_time: float) -> SimpleNamespace:
        made.append(SimpleNamespace(pin=pin, pull_up=pull_up, when_pressed=None))
        made[-1].close = lambda: closed.append(True)
        return made[-1]

    monkeypatch.setitem(sys.modules, "gpiozero", SimpleNamespace(Button=make))
    presses: list[int] = []
    button = Button(17, lambda: presses.append(1))
    assert (made[0].pin, made[0].pull_up) == (17, True)
    made[0].when_pressed()
    assert presses == [1]
    button.close()
    assert closed
