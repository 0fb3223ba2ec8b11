"""Simulated previews: a table with cards, a hand that comes and goes, lamps, a sensor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.cameras.encoding import small
from rig.watcher.change import Glance, glance_of
from rig.watcher.watch_state import Habits, Memory, WatchState, asked, began, captured, due, looked
from tests.scenes import SCENES

Grey = NDArray[np.uint8]
Scene = Callable[[float], NDArray[np.float64]]
RATE_HZ = 5.0


@cache
def played(name: str = "panel-oak") -> NDArray[np.float64]:
    image = cv2.imread(str(SCENES / name / "image.jpg"), cv2.IMREAD_GRAYSCALE)
    assert image is not None
    return np.asarray(small(np.asarray(image, np.uint8)), np.float64)


@cache
def bare() -> NDArray[np.float64]:
    """Wood with a grain, and lit from one side."""
    rng = np.random.default_rng(1)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (480, 640)), (0, 0), sigmaX=30, sigmaY=1.5)
    slope = np.linspace(150, 95, 640)[None, :]
    return np.asarray(slope + grain, np.float64)


def with_card(table: NDArray[np.float64], x: int, y: int) -> NDArray[np.float64]:
    image = table.copy()
    cv2.rectangle(image, (x - 22, y - 33), (x + 22, y + 33), 110.0, -1)
    cv2.rectangle(image, (x - 19, y - 30), (x + 19, y + 30), 20.0, -1)
    cv2.rectangle(image, (x - 12, y - 20), (x + 12, y + 5), 210.0, 2)
    return image


def with_hand(table: NDArray[np.float64], x: float, y: float) -> NDArray[np.float64]:
    """A hand at that place, shares of the picture, its arm reaching in from the right."""
    image = table.copy()
    height, width = image.shape
    at = (round(x * width), round(y * height))
    cv2.line(image, at, (width + 40, at[1] + 60), 120.0, 46)
    cv2.circle(image, at, 34, 165.0, -1)
    for finger in range(4):
        tip = (at[0] - 50, at[1] - 27 + 18 * finger)
        cv2.line(image, at, tip, 155.0, 11)
    return image


class Player:
    """Plays scenes to the watcher and keeps what it thought."""

    def __init__(
        self, habits: Habits | None = None, noise: float = 2.0, follows: bool = False
    ) -> None:
        self.habits, self.follows = habits or Habits(), follows
        self.noise = noise
        self.memory = Memory(self.habits)
        self.now_s = 1000.0
        self.watch_state = began(self.now_s)
        self.phases: list[str] = []
        self.captures: list[tuple[float, str]] = []
        self._rng = np.random.default_rng(3)

    def play(self, scene: Scene, seconds: float, rate_hz: float = RATE_HZ) -> list[str]:
        """The phases while the scene, a function of seconds since its start, is shown."""
        start = self.now_s
        phases: list[str] = []
        for now in frame_times(start, seconds, rate_hz):
            self.now_s = now
            self.watch_state = looked(
                self.watch_state, self.glance(scene(now - start)), self.memory, self.habits
            )
            why = due(self.watch_state, now, self.habits, self.follows)
            if why is not None:
                self.captures.append((now - start, why))
                self.watch_state = captured(self.watch_state)
            phases.append(self.watch_state.phase)
        self.phases += phases
        return phases

    def glance(self, image: NDArray[np.float64]) -> Glance:
        noisy = image + self._rng.normal(0, self.noise, image.shape)
        return glance_of(np.clip(noisy, 0, 255).astype(np.uint8), self.now_s)

    def ask(self) -> None:
        self.watch_state = asked(self.watch_state, self.now_s)

    def settle(self, image: NDArray[np.float64]) -> WatchState:
        self.play(lambda _: image, 4)
        assert self.watch_state.phase == "still"
        return self.watch_state


def frame_times(start: float, seconds: float, rate_hz: float) -> Iterator[float]:
    for number in range(1, round(seconds * rate_hz) + 1):
        yield start + number / rate_hz


def hand_visits(before: NDArray[np.float64], after: NDArray[np.float64], seconds: float) -> Scene:
    """A hand comes in from the right, lays what is in `after`, and goes."""

    def scene(t: float) -> NDArray[np.float64]:
        part = t / seconds
        reach = 1 - abs(2 * part - 1)
        table = before if part < 0.5 else after
        if part >= 1:
            return after
        return with_hand(table, 1.15 - 0.7 * reach, 0.5 + 0.05 * np.sin(7 * t))

    return scene
