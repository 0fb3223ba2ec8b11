"""The Pi's camera: real picamera2 and libcamera, simulated sensor, in its own process and Python.

`prepare.sh` beside this file builds what is needed.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rig.cameras.live_camera import LiveCamera
from rig.cameras.picture_check import decoded_grey
from rig.cameras.process import CameraChoice, CameraProcess
from rig.cameras.pulse import Patience
from rig.cameras.source import Json
from rig.cameras.trouble import CameraMissing, CameraNotInstalled, CameraSilent
from tests.conftest import LEFT_OUT

ROOT = Path(__file__).parents[4]
PREFIX = Path(os.environ.get("TACTA_PICAMERA2_PREFIX", ROOT / "var" / "picamera2"))

pytestmark = [
    pytest.mark.picamera2,
    pytest.mark.skipif(
        not (PREFIX / "ready").exists(),
        reason=f"{LEFT_OUT}no picamera2 here; tests/rig/cameras/picamera2/prepare.sh builds it",
    ),
    pytest.mark.xdist_group("picamera2"),
]

FULL_WH = (2304, 1296)
CAMERA_YAML = """%YAML 1.1
---
"a camera for tests":
  supported_formats:
  - {{width: 1152, height: 648, frame_rates: [10, 30]}}
  - {{width: 2304, height: 1296, frame_rates: [10, 30]}}
  frames:
    path: "{scene}"
  stall_file: "{stall}"
  autofocus: {autofocus}
  location: "CameraLocationBack"
  model: "test_sensor"
"""


class Sensor:
    """The simulated sensor: its scene can be changed, and it can be stalled."""

    def __init__(self, folder: Path, autofocus: bool = True) -> None:
        self._scene, self._stall = folder / "scene.jpg", folder / "stall"
        self._folder = folder
        self.show(table(120))
        text = CAMERA_YAML.format(
            scene=self._scene, stall=self._stall, autofocus=str(autofocus).lower()
        )
        (folder / "cameras.yaml").write_text(text, "utf-8")

    def show(self, image_bgr: NDArray[np.uint8]) -> float:
        part = self._folder / "part.jpg"
        cv2.imwrite(str(part), image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])
        part.replace(self._scene)
        return time.monotonic()

    def stall(self) -> float:
        self._stall.touch()
        time.sleep(0.3)  # the exposure under way is still finished
        return time.monotonic()

    def go_on(self) -> float:
        self._stall.unlink()
        return time.monotonic()

    def choice(self, number: int = 0) -> CameraChoice:
        library = PREFIX / "lib"
        environment = {
            "LD_LIBRARY_PATH": str(library),
            "PYTHONPATH": str(library / "python3" / "dist-packages"),
            "LD_PRELOAD": str(library / "dmashim.so"),
            "LIBCAMERA_VIRTUAL_CONFIG_FILE": str(self._folder / "cameras.yaml"),
        }
        arguments: dict[str, Json] = {"camera": "the Pi's camera", "number": number}
        python = str(PREFIX / "venv" / "bin" / "python")
        return CameraChoice(
            "the Pi's camera", "pi", "rig.cameras.pi:open_pi", arguments, python, environment
        )


def table(level: int) -> NDArray[np.uint8]:
    """Blue to the left, red to the right, a white disc, on a ground of that brightness."""
    width, height = FULL_WH
    image = np.full((height, width, 3), level, dtype=np.uint8)
    image[200:500, 200:700] = (200, 40, 30)
    image[200:500, 1600:2100] = (30, 40, 200)
    cv2.circle(image, (width // 2, height // 2), 150, (235, 235, 235), -1)
    return image


@pytest.fixture
def sensor(tmp_path: Path) -> Sensor:
    return Sensor(tmp_path)


@contextlib.contextmanager
def started(choice: CameraChoice) -> Iterator[CameraProcess]:
    process = CameraProcess(choice)
    try:
        yield process
    finally:
        process.close()


@pytest.fixture
def process(sensor: Sensor) -> Iterator[CameraProcess]:
    with started(sensor.choice()) as process:
        process.open(30, 10)
        yield process


def decoded(jpeg: bytes) -> NDArray[np.uint8]:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, dtype=np.uint8)


def assert_shows_table(image: NDArray[np.uint8], level: int) -> None:
    """Colours are where they belong: channels, strides and planes are all right."""
    height, width = image.shape[:2]
    scale = width / FULL_WH[0]

    def colour(x: int, y: int) -> NDArray[np.int64]:
        at = image[round(y * scale), round(x * scale)]
        return np.asarray(at, dtype=np.int64)

    assert height == round(FULL_WH[1] * scale / 2) * 2
    assert np.abs(colour(450, 350) - (200, 40, 30)).max() < 12
    assert np.abs(colour(1850, 350) - (30, 40, 200)).max() < 12
    assert np.abs(colour(FULL_WH[0] // 2, FULL_WH[1] // 2) - 235).max() < 12
    assert np.abs(colour(100, 1200) - level).max() < 12


def test_says_what_it_is(sensor: Sensor) -> None:
    with started(sensor.choice()) as process:
        facts = process.open(30, 10)
    assert (facts.still_wh, facts.lively, facts.settles) == (FULL_WH, True, True)
    assert "test_sensor" in facts.name


def test_previews_are_small_and_in_colour(process: CameraProcess) -> None:
    shot = process.preview(5)
    assert shot.size_wh == (640, 360)
    assert_shows_table(decoded(shot.data), 120)


def test_stills_are_full_size_locked_and_newer_than_the_request(process: CameraProcess) -> None:
    for _ in range(3):
        time.sleep(0.5)  # after a pause a frame from before it is still queued
        asked = time.monotonic()
        shot = process.still(asked, 5)
        assert shot.taken_s >= asked
        assert shot.size_wh == FULL_WH
        assert shot.known["locked"] is True
    assert_shows_table(decoded(shot.data), 120)


def test_frames_until_then_are_passed_over(process: CameraProcess) -> None:
    """This sensor stamps a frame at its end, a real one at its start: so time is moved instead."""
    for _ in range(3):
        after = time.monotonic() + 0.4
        assert process.still(after, 5).taken_s >= after


def test_a_still_shows_what_lies_there_now(sensor: Sensor, process: CameraProcess) -> None:
    for level in (60, 160, 90):
        asked = sensor.show(table(level))
        time.sleep(0.12)  # the simulated sensor takes a new scene up with its next frame
        assert_shows_table(decoded(process.still(asked + 0.12, 5).data), level)


def test_settings_stay_locked(process: CameraProcess) -> None:
    seen = [process.still(time.monotonic(), 5).known["exposure"] for _ in range(4)]
    assert all(exposure == seen[0] for exposure in seen)
    names = {"ExposureTime", "AnalogueGain", "ColourGains", "LensPosition"}
    assert isinstance(seen[0], dict)
    assert names <= set(seen[0])
    process.settle(6)
    assert process.still(time.monotonic(), 5).known["locked"] is True


def test_a_lens_that_cannot_be_focused(tmp_path: Path) -> None:
    with started(Sensor(tmp_path, autofocus=False).choice()) as process:
        process.open(30, 10)
        shot = process.still(time.monotonic(), 5)
    exposure = shot.known["exposure"]
    assert isinstance(exposure, dict)
    assert "LensPosition" not in exposure
    assert shot.known["locked"] is True


def test_a_missing_camera(sensor: Sensor) -> None:
    with (
        started(sensor.choice(number=1)) as process,
        pytest.raises(CameraMissing, match="finds 1 camera"),
    ):
        process.open(30, 10)


def test_without_picamera2_says_how_to_install_it(sensor: Sensor) -> None:
    bare = replace(sensor.choice(), python="/usr/bin/python3", environment={})
    with (
        started(bare) as process,
        pytest.raises(CameraNotInstalled, match="sudo apt install python3-picamera2"),
    ):
        process.open(30, 10)


@pytest.mark.slow
def test_a_stalled_sensor_is_told_and_comes_back_by_itself(
    sensor: Sensor, process: CameraProcess
) -> None:
    sensor.stall()
    with contextlib.suppress(CameraSilent):
        process.preview(5)  # what was finished before may still come
    for _ in range(4):  # more often than there are buffers: none may be lost
        with pytest.raises(CameraSilent):
            process.preview(5)
    assert not process.spoilt
    sensor.go_on()
    for _ in range(5):
        process.preview(5)
    assert_shows_table(decoded(process.still(time.monotonic(), 5).data), 120)


def test_a_still_in_a_stalled_sensor(sensor: Sensor, process: CameraProcess) -> None:
    sensor.stall()
    with pytest.raises(CameraSilent):
        process.still(time.monotonic(), 5)


@pytest.mark.slow
def test_a_live_camera_is_lost_and_back(sensor: Sensor) -> None:
    camera = LiveCamera(sensor.choice(), replace(Patience(), dark_again_s=5))
    try:
        assert camera.next_preview(0, 30) is not None
        assert camera.state().condition == "fresh"
        sensor.stall()
        wait_until(camera, "slow", 3.5)
        wait_until(camera, "lost", 8)
        time.sleep(6)
        assert camera.state().restarts >= 1
        sensor.go_on()
        wait_until(camera, "fresh", 15)
        assert decoded_grey(camera.still(8).data) is not None
    finally:
        camera.close()


def wait_until(camera: LiveCamera, condition: str, limit_s: float) -> None:
    until = time.monotonic() + limit_s
    while camera.state().condition != condition:
        assert time.monotonic() < until, camera.state()
        time.sleep(0.05)
