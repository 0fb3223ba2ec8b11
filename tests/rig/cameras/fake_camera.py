"""A camera that misbehaves on command; runs in the camera's process.

What it does stands in a file, read before each picture: ok, hang, dark, frozen,
gone, busy, garbage, noise, cut, crash, nonsense, stale, waits, waits long.
"""

from __future__ import annotations

import os
import sys
import time
import zlib
from pathlib import Path

import cv2
import numpy as np

from rig.cameras.source import Facts, Shot
from rig.cameras.trouble import CameraBusy, CameraMissing, CameraWaiting

SMALL, LARGE = (160, 120), (640, 480)


class FakeCamera:
    def __init__(self, camera: str, behaviour: str) -> None:
        self._camera, self._file = camera, Path(behaviour)
        self._rng = np.random.default_rng()
        self._held: Shot | None = None
        self._settled = 0
        self._misbehave()

    def facts(self) -> Facts:
        return Facts("fake camera", True, True, LARGE)

    def preview(self) -> Shot:
        return self._shot(SMALL)

    def still(self, after_s: float) -> Shot:
        behaviour = self._file.read_text("utf-8")
        if behaviour == "waits long":
            time.sleep(0.3)
        if behaviour.startswith("waits"):
            raise CameraWaiting(camera=self._camera)
        return self._shot(LARGE)

    def settle(self) -> None:
        self._settled += 1

    def close(self) -> None:
        self._file.with_name("closed").touch()

    def _misbehave(self) -> str:
        behaviour = self._file.read_text("utf-8")
        if behaviour == "hang":
            while self._file.read_text("utf-8") == "hang" or True:
                time.sleep(60)
        if behaviour == "gone":
            raise CameraMissing(camera=self._camera, why="unplugged")
        if behaviour == "busy":
            raise CameraBusy(camera=self._camera, why="in use")
        if behaviour == "crash":
            os._exit(11)
        if behaviour == "nonsense":
            os.write(int(sys.argv[1]), os.urandom(5000))
        return behaviour

    def _shot(self, size_wh: tuple[int, int]) -> Shot:
        behaviour = self._misbehave()
        if behaviour == "frozen" and self._held is not None:
            held = self._held
            return Shot(held.data, held.size_wh, time.monotonic(), held.print, held.known)
        image = self._image(size_wh, behaviour)
        data = cv2.imencode(".jpg", image)[1].tobytes()
        if behaviour == "garbage":
            data = self._rng.bytes(len(data))
        if behaviour == "cut":
            data = data[: len(data) // 2]
        taken_s = time.monotonic() - (5.0 if behaviour == "stale" else 0.0)
        known = {"locked": True, "settled": self._settled}
        shot = Shot(data, size_wh, taken_s, zlib.crc32(image.tobytes()), known)
        if size_wh == SMALL:
            self._held = shot
        return shot

    def _image(self, size_wh: tuple[int, int], behaviour: str) -> np.ndarray:
        shape = (size_wh[1], size_wh[0], 3)
        if behaviour == "dark":
            return self._rng.integers(0, 4, shape, dtype=np.uint8)
        if behaviour == "noise":
            return self._rng.integers(0, 256, shape, dtype=np.uint8)
        if behaviour == "bright":
            return self._rng.integers(253, 256, shape, dtype=np.uint8)
        slope = np.linspace(40, 200, shape[1])[None, :, None]
        return np.clip(slope + self._rng.normal(0, 3, shape), 0, 255).astype(np.uint8)


def open_fake(camera: str, behaviour: str) -> FakeCamera:
    return FakeCamera(camera, behaviour)
