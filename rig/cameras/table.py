"""The simulated table as a camera: rounds that nobody played, with their truth.

Runs in the camera's process only. Laying out and photographing a table takes
seconds, so that happens beside; previews show the table that lies there.
"""

import threading
import time
import zlib
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from rig.cameras.encoding import PREVIEW_WIDTH, jpeg_of, small
from rig.cameras.source import Facts, Json, Shot
from rig.cameras.trouble import CameraWaiting
from simulator import simulate_scene

_LAID_WITHIN_S = 0.3
"""Longer waits are up to the caller, so that previews go on meanwhile."""
_LENS_KEYS = ("size_px", "matrix", "distortion", "model")


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    jpeg: bytes
    size_wh: tuple[int, int]
    shown: NDArray[np.uint8]
    known: dict[str, Json]


def open_table(
    camera: str, seed: int = 0, preset: str = "ordinary", *, held: bool = False
) -> "TableCamera":
    """Lay the table with that seed. held: it stays, else each still is followed by a new one."""
    return TableCamera(camera, seed, preset, held)


class TableCamera:
    """A table that is laid anew, with the next seed, after each still."""

    def __init__(self, camera: str, seed: int, preset: str, held: bool) -> None:
        self._camera, self._seed, self._preset, self._held = camera, seed, preset, held
        self._changed = threading.Condition()
        self._table: _Table | None = None
        self._shown = np.full((PREVIEW_WIDTH * 3 // 4, PREVIEW_WIDTH, 3), 96, dtype=np.uint8)
        self._rng = np.random.default_rng(seed)
        self._fault: Exception | None = None
        self._lay(seed)

    def facts(self) -> Facts:
        """The same table for hours is no fault."""
        return Facts("simulated table", False, False, None)

    def preview(self) -> Shot:
        """The table as it lies, with a sensor's noise; an empty one until the first is laid."""
        with self._changed:
            shown = self._shown
        noise = self._rng.integers(-2, 3, shown.shape[:2], dtype=np.int16)[..., None]
        image = np.clip(shown.astype(np.int16) + noise, 0, 255).astype(np.uint8)
        data = jpeg_of(image, 80)
        size_wh = (shown.shape[1], shown.shape[0])
        return Shot(data, size_wh, time.monotonic(), zlib.crc32(data), {"locked": True})

    def still(self, after_s: float) -> Shot:
        """The table that lies there. CameraWaiting while it is being laid."""
        with self._changed:
            ready = self._changed.wait_for(
                lambda: self._table is not None or self._fault is not None, _LAID_WITHIN_S
            )
            table = self._table
        if self._fault is not None:
            raise self._fault
        if not ready or table is None:
            raise CameraWaiting(camera=self._camera)
        taken_s = max(after_s, time.monotonic())
        if not self._held:
            self._seed += 1
            self._clear()
            self._lay(self._seed)
        return Shot(table.jpeg, table.size_wh, taken_s, zlib.crc32(table.jpeg), table.known)

    def settle(self) -> None:
        """The light never changes here."""

    def close(self) -> None:
        """Nothing to give back."""

    def _clear(self) -> None:
        with self._changed:
            self._table = None

    def _lay(self, seed: int) -> None:
        threading.Thread(target=self._play, args=(seed,), daemon=True).start()

    def _play(self, seed: int) -> None:
        try:
            scene = simulate_scene(seed, self._preset)
        except Exception as fault:  # noqa: BLE001 - told to whoever asks for a still
            with self._changed:
                self._fault = fault
                self._changed.notify_all()
            return
        view = cast("dict[str, Json]", scene.truth["camera"])
        known: dict[str, Json] = {
            "name": f"{self._preset}-{seed}",
            "locked": True,
            "lens": {key: view[key] for key in _LENS_KEYS if key in view},
            "truth": cast("Json", scene.truth),
        }
        image = scene.image_bgr
        table = _Table(
            jpeg_of(image, scene.conditions.jpeg_quality),
            (image.shape[1], image.shape[0]),
            small(image),
            known,
        )
        with self._changed:
            self._table, self._shown = table, table.shown
            self._changed.notify_all()
