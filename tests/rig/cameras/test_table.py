"""The simulated table as a camera: each still a new round, or the same held."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from rig.cameras import table
from rig.cameras.source import Shot
from rig.cameras.table import TableCamera, open_table
from rig.cameras.trouble import CameraWaiting


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Scenes that take no time: grey in the seed's tone."""
    pause = [0.0]

    def simulate(seed: int, preset: str) -> SimpleNamespace:
        time.sleep(pause[0])
        if preset == "broken":
            raise ValueError("no such preset")
        image = np.full((960, 1280, 3), 40 + 20 * seed, dtype=np.uint8)
        view = {"size_px": [1280, 960], "matrix": [[1]], "distortion": [], "rotation": []}
        conditions = SimpleNamespace(jpeg_quality=90)
        return SimpleNamespace(image_bgr=image, truth={"camera": view}, conditions=conditions)

    monkeypatch.setattr(table, "simulate_scene", simulate)

    def set_pause(seconds: float) -> None:
        pause[0] = seconds

    return set_pause


def still_of(camera: TableCamera) -> Shot:
    for _ in range(20):
        try:
            return camera.still(time.monotonic())
        except CameraWaiting:
            continue
    raise AssertionError("never ready")


def names(camera: TableCamera, count: int) -> list[object]:
    return [still_of(camera).known["name"] for _ in range(count)]


def test_each_still_is_a_new_round() -> None:
    camera = open_table("it", seed=3)
    assert names(camera, 3) == ["ordinary-3", "ordinary-4", "ordinary-5"]


def test_a_held_table_stays() -> None:
    assert names(open_table("it", seed=3, held=True), 3) == ["ordinary-3"] * 3


def test_a_still_knows_its_lens_and_truth() -> None:
    still = still_of(open_table("it"))
    assert still.size_wh == (1280, 960)
    assert still.known["lens"] == {"size_px": [1280, 960], "matrix": [[1]], "distortion": []}
    assert "truth" in still.known


def test_previews_go_on_while_a_table_is_laid(quick: Callable[[float], None]) -> None:
    quick(0.5)
    camera = open_table("it")
    began = time.monotonic()
    assert camera.preview().size_wh == (640, 480)
    assert time.monotonic() - began < 0.3
    still_of(camera)
    assert camera.preview().print != camera.preview().print


def test_a_still_does_not_wait_long_for_a_table(quick: Callable[[float], None]) -> None:
    quick(1.0)
    camera = open_table("it")
    began = time.monotonic()
    with pytest.raises(CameraWaiting):
        camera.still(began)
    assert time.monotonic() - began < 0.6
    still_of(camera)


def test_a_fault_in_the_simulator_is_told() -> None:
    with pytest.raises(ValueError, match="no such preset"):
        open_table("it", preset="broken").still(time.monotonic())
