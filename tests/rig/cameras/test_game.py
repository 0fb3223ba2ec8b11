"""The simulated game as a camera: a picture goes on once it was taken, and hands pass by."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from rig.cameras import game
from rig.cameras.game import GameCamera, open_game
from rig.cameras.source import Shot
from rig.cameras.trouble import CameraWaiting
from vision.lens import Lens

KINDS = ("placed", "hand", "placed", "placed")


def a_film(kinds: tuple[str, ...] = KINDS) -> SimpleNamespace:
    """Pictures that take no time: grey, each in its own tone."""

    def frame(number: int) -> SimpleNamespace:
        image = np.full((96, 128, 3), 40 + 20 * number, dtype=np.uint8)
        event = {"kind": kinds[number], "cards": number + 1}
        return SimpleNamespace(image_bgr=image, jpeg=b"picture %d" % number, event=event)

    camera = SimpleNamespace(lens=Lens((128, 96), np.diag([100.0, 100.0, 1.0]), np.zeros(5)))
    moments = [SimpleNamespace(pushed=0) for _ in kinds]
    return SimpleNamespace(moments=moments, cameras=[camera], frame=frame)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "film_game", lambda seed, cards_each=None: a_film())
    monkeypatch.setattr(game, "SHOWN_S", 0.02)
    monkeypatch.setattr(game, "HAND_S", 0.01)


@pytest.fixture
def camera() -> Iterator[GameCamera]:
    opened = open_game("the game", 7)
    yield opened
    opened.close()


def still_of(camera: GameCamera) -> Shot:
    for _ in range(20):
        try:
            return camera.still(time.monotonic())
        except CameraWaiting:
            continue
    raise AssertionError("never ready")


def up(camera: GameCamera, name: str) -> Shot:
    """The still with this name, once it is up."""
    for _ in range(200):
        shot = still_of(camera)
        if shot.known["name"] == name:
            return shot
        time.sleep(0.01)
    raise AssertionError(f"{name} never came")


def test_pictures_come_in_their_order_and_the_last_one_stays(camera: GameCamera) -> None:
    first = still_of(camera)
    assert first.known["name"] == "game-7-000"
    assert first.data == b"picture 0"
    matrix = [[100, 0, 0], [0, 100, 0], [0, 0, 1]]
    assert first.known["lens"] == {"size_px": [128, 96], "matrix": matrix, "distortion": [0] * 5}
    assert first.known["truth"] == {"event": {"kind": "placed", "cards": 1}}
    up(camera, "game-7-002")
    up(camera, "game-7-003")
    time.sleep(0.1)
    assert still_of(camera).known["name"] == "game-7-003"


def test_no_two_stills_are_the_same_file(camera: GameCamera) -> None:
    """Else the second would be no picture of its own: whatever is asked twice was seen once."""
    first = up(camera, "game-7-003")
    again = still_of(camera)
    assert again.known == first.known
    assert again.data != first.data
    shown = cv2.imdecode(np.frombuffer(again.data, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert np.abs(shown.astype(int) - 100).max() < 8


def test_nothing_goes_on_before_a_picture_is_taken(camera: GameCamera) -> None:
    while not camera.preview().known or camera._up is None:
        time.sleep(0.01)
    time.sleep(0.15)
    assert still_of(camera).known["name"] == "game-7-000"


def test_a_hand_passes_by_itself(camera: GameCamera) -> None:
    still_of(camera)
    time.sleep(0.3)
    assert still_of(camera).known["name"] == "game-7-002"


def test_what_nobody_takes_passes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "UNTAKEN_S", 0.1)
    opened = open_game("the game", 7)
    until_s = time.monotonic() + 5
    while time.monotonic() < until_s and (opened._up is None or opened._up.number < 3):
        time.sleep(0.01)
    assert opened._up is not None
    assert opened._up.number == 3
    opened.close()


def test_a_fault_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_seed: int, cards_each: int | None = None) -> None:
        raise ValueError("no such light")

    monkeypatch.setattr(game, "film_game", broken)
    with pytest.raises(ValueError, match="no such light"):
        still_of(open_game("the game", 1))
