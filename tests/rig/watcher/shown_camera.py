"""A camera for the watcher's tests, which shows what it is told to."""

from __future__ import annotations

import time

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.cameras.camera import CameraState, Preview, Still
from rig.cameras.pulse import Patience, Pulse, state_of
from rig.cameras.source import Facts
from rig.cameras.trouble import CameraSilent, CameraTrouble
from rig.watcher.watch_state import Habits
from tests.rig.watcher.sequences import played

QUICK = Habits(still_s=0.3, compare_s=0.1, round_over_s=0.6)


class ShownCamera:
    """Shows `image`, grey, again and again with new noise; stills can fail."""

    def __init__(self) -> None:
        self.image: NDArray[np.float64] = played() * 0.9
        self.fails = 0
        self.failure: type[CameraTrouble] = CameraSilent
        self.lively = True
        self.stills = 0
        self._rng = np.random.default_rng(0)

    def state(self) -> CameraState:
        now = time.monotonic()
        return state_of(Pulse(now, True, "none"), now, Patience(), "it")

    def facts(self) -> Facts | None:
        return Facts("it", self.lively, False, None)

    def latest_preview(self) -> Preview | None:
        return None

    def next_preview(self, after_s: float, wait_s: float) -> Preview | None:
        time.sleep(0.05)
        noisy = self.image + self._rng.normal(0, 2, self.image.shape)
        grey = np.clip(noisy, 0, 255).astype(np.uint8)
        return Preview(b"", grey, time.monotonic(), 100.0, 0.0)

    def still(self, deadline_s: float = 8.0) -> Still:
        self.stills += 1
        if self.fails > 0:
            self.fails -= 1
            raise self.failure(camera="it", seconds=deadline_s)
        now = time.monotonic()
        height, width = self.image.shape
        ok, data = cv2.imencode(".jpg", np.clip(self.image, 0, 255).astype(np.uint8))
        assert ok
        return Still(data.tobytes(), (width, height), now, now, True, {})

    def close(self) -> None:
        pass
