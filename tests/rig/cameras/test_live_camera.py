"""A camera that misbehaves is noticed in 3 s and back 15 s after it returns; the rest waits never.

The clock is shortened ten times; one test runs in real time.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

from rig.cameras.live_camera import LiveCamera
from rig.cameras.picture_check import decoded_grey
from rig.cameras.process import CameraChoice
from rig.cameras.pulse import Patience
from rig.cameras.trouble import (
    CameraBusy,
    CameraFailed,
    CameraGarbage,
    CameraMissing,
    CameraSilent,
    CameraWaiting,
)
from tests.rig.cameras.fake_camera import LARGE, SMALL

SHORTENED = 10.0
ROOT = str(Path(__file__).parents[3])


def shortened(patience: Patience) -> Patience:
    """All of it but the start of the process and of the camera, so many times shorter.

    Both wait for imports, which no shortened clock makes quicker.
    """
    shorter = {
        one.name: getattr(patience, one.name) / SHORTENED
        for one in fields(patience)
        if one.name not in ("hello_s", "open_s")
    }
    return replace(patience, **shorter)


class Bench:
    """A live camera on a fake one whose behaviour can be changed."""

    def __init__(self, folder: Path, patience: Patience, behaviour: str = "ok") -> None:
        self.folder = folder
        self._file = folder / "behaviour"
        self.behave(behaviour)
        factory = "tests.rig.cameras.fake_camera:open_fake"
        arguments = {"camera": "the fake", "behaviour": str(self._file)}
        self.camera = LiveCamera(CameraChoice("the fake", "fake", factory, arguments), patience)
        self._started = 0

    def behave(self, behaviour: str) -> float:
        part = self._file.with_suffix(".part")
        part.write_text(behaviour, "utf-8")
        part.replace(self._file)
        return time.monotonic()

    def wait_until_started(self) -> None:
        """Restarts are counted from here on: a loaded machine may need two starts."""
        self.seconds_until("fresh", time.monotonic(), 20)
        self._started = self.camera.state().restarts

    def restarts(self) -> int:
        return self.camera.state().restarts - self._started

    def seconds_until(self, condition: str, since_s: float, limit_s: float) -> float:
        return self.seconds_until_true(
            lambda: self.camera.state().condition == condition, since_s, limit_s
        )

    def seconds_until_true(self, true: Callable[[], bool], since_s: float, limit_s: float) -> float:
        while not true():
            assert time.monotonic() - since_s < limit_s, self.camera.state()
            time.sleep(0.005)
        return time.monotonic() - since_s


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path, shortened(Patience()))
    bench.wait_until_started()
    yield bench
    bench.camera.close()


BROKEN = {
    "hang": "silent",
    "dark": "dark",
    "frozen": "frozen",
    "gone": "missing",
    "busy": "busy",
    "garbage": "damaged",
    "cut": "damaged",
    "noise": "noise",
    "nonsense": "damaged",
    "crash": "failed",
}
NOTICED_S, BACK_S = 3.0, 15.0
START_S = 4.0
"""To start a process and import OpenCV in it; does not shrink with the clock."""


@pytest.mark.parametrize(("behaviour", "reason"), BROKEN.items())
def test_is_noticed_and_comes_back(bench: Bench, behaviour: str, reason: str) -> None:
    began = bench.behave(behaviour)
    noticed = bench.seconds_until_true(
        lambda: bench.camera.state().condition in ("slow", "lost"), began, 30
    )
    assert noticed <= NOTICED_S / SHORTENED + 0.25
    bench.seconds_until("lost", began, 30)
    state = bench.camera.state()
    assert state.reason == reason
    assert "the fake" in state.sentence.lower()
    assert state.advice
    returned = bench.behave("ok")
    assert bench.seconds_until("fresh", returned, 30) <= BACK_S / SHORTENED + START_S
    assert bench.camera.state().reason == "none"
    assert bench.camera.still(5).size_wh == LARGE


@pytest.mark.parametrize("behaviour", ["hang", "frozen", "garbage", "noise", "crash"])
def test_is_restarted_when_lost(bench: Bench, behaviour: str) -> None:
    began = bench.behave(behaviour)
    bench.seconds_until_true(lambda: bench.restarts() >= 2, began, 30)


def test_a_dark_room_is_no_reason_to_restart_again_and_again(bench: Bench) -> None:
    began = bench.behave("dark")
    bench.seconds_until_true(lambda: bench.restarts() == 1, began, 30)
    time.sleep(3 * 10 / SHORTENED)
    assert bench.restarts() == 1
    assert bench.camera.state().reason == "dark"


def test_short_hiccups_are_not_worth_a_word(bench: Bench) -> None:
    bench.behave("noise")
    time.sleep(0.1)
    bench.behave("ok")
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        assert bench.camera.state().condition == "fresh"
        time.sleep(0.01)
    assert bench.restarts() == 0


def test_previews_and_stills(bench: Bench) -> None:
    asked = time.monotonic()
    preview = bench.camera.next_preview(asked, 5)
    assert preview is not None
    assert preview.taken_s > asked
    assert preview.grey.shape == SMALL[::-1]
    asked = time.monotonic()
    still = bench.camera.still(5)
    grey = decoded_grey(still.data)
    assert grey is not None
    assert grey.shape == LARGE[::-1]
    assert asked <= still.asked_s <= still.taken_s <= time.monotonic()
    assert still.locked is True


def test_a_still_from_before_the_request_is_refused(bench: Bench) -> None:
    bench.behave("stale")
    with pytest.raises(CameraGarbage, match="before the request"):
        bench.camera.still(2)


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        ("hang", CameraSilent),
        ("gone", CameraMissing),
        ("cut", CameraGarbage),
        ("garbage", CameraGarbage),
        ("crash", CameraFailed),
        ("nonsense", CameraGarbage),
    ],
)
def test_a_still_fails_within_its_deadline(
    bench: Bench, behaviour: str, error: type[Exception]
) -> None:
    bench.seconds_until("fresh", time.monotonic(), 5)
    began = bench.behave(behaviour)
    with pytest.raises((error, CameraSilent)):
        bench.camera.still(1.0)
    assert time.monotonic() - began < 1.5


def test_a_still_waits_for_what_is_not_ready_while_previews_go_on(bench: Bench) -> None:
    bench.behave("waits")
    threading.Timer(1.0, bench.behave, ["ok"]).start()
    began = time.monotonic()
    still = bench.camera.still(5)
    assert still.taken_s - began > 0.9
    preview = bench.camera.latest_preview()
    assert preview is not None
    assert still.taken_s - preview.taken_s < 0.5
    bench.behave("waits")
    with pytest.raises(CameraWaiting):
        bench.camera.still(0.5)
    assert bench.restarts() == 0


def test_what_is_not_ready_in_time_is_not_started_again(bench: Bench) -> None:
    """It takes a while to say so, and would begin anew."""
    bench.behave("waits long")
    with pytest.raises(CameraWaiting, match="not ready yet"):
        bench.camera.still(2.0)
    assert bench.restarts() == 0
    bench.behave("ok")
    assert bench.camera.still(5).size_wh == LARGE


@pytest.mark.parametrize(("behaviour", "error"), [("gone", CameraMissing), ("busy", CameraBusy)])
def test_a_still_of_what_is_not_there_is_refused_soon(
    tmp_path: Path, behaviour: str, error: type[Exception]
) -> None:
    bench = Bench(tmp_path, Patience(), behaviour)
    try:
        began = time.monotonic()
        with pytest.raises(error, match=r"^The fake"):
            bench.camera.still(60)
        assert time.monotonic() - began < 10
    finally:
        bench.camera.close()


def test_nothing_blocks_while_the_camera_hangs(bench: Bench) -> None:
    bench.behave("hang")
    longest, until = 0.0, time.monotonic() + 2.5
    while time.monotonic() < until:
        began = time.monotonic()
        bench.camera.state()
        bench.camera.latest_preview()
        bench.camera.facts()
        longest = max(longest, time.monotonic() - began)
        time.sleep(0.002)
    # What waited for the camera would wait until it is given up, a second.
    assert longest < 0.5


def test_adapts_to_the_light_when_it_is_far_off(bench: Bench) -> None:
    began = bench.behave("bright")

    def settled() -> bool:
        known = bench.camera.still(5).known
        return known["settled"] != 0

    bench.seconds_until_true(settled, began, 10)


def test_close_ends_the_process_of_a_hanging_camera(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Patience())
    bench.seconds_until("fresh", time.monotonic(), 20)
    process = bench.camera._process
    assert process is not None
    bench.behave("hang")
    time.sleep(0.5)
    began = time.monotonic()
    bench.camera.close()
    assert time.monotonic() - began < 7
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)
    with pytest.raises(CameraFailed):
        bench.camera.still(1)


def test_close_lets_a_healthy_camera_go_gently(bench: Bench) -> None:
    bench.camera.close()
    assert (bench.folder / "closed").exists()


def test_starts_although_the_camera_is_not_there_yet(tmp_path: Path) -> None:
    bench = Bench(tmp_path, shortened(Patience()), "gone")
    try:
        bench.seconds_until("lost", time.monotonic(), 10)
        assert bench.camera.state().age_s is None
        began = bench.behave("ok")
        bench.seconds_until("fresh", began, 10)
    finally:
        bench.camera.close()


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["hang", "gone"])
def test_in_real_time(tmp_path: Path, behaviour: str) -> None:
    bench = Bench(tmp_path, Patience())
    try:
        bench.seconds_until("fresh", time.monotonic(), 20)
        began = bench.behave(behaviour)
        noticed = bench.seconds_until_true(
            lambda: bench.camera.state().condition != "fresh", began, 10
        )
        assert noticed <= 3.1
        bench.seconds_until("lost", began, 11)
        assert bench.seconds_until("fresh", bench.behave("ok"), 20) <= 15
    finally:
        bench.camera.close()
