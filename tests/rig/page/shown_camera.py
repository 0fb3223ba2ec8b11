"""A camera that shows pictures of a folder, one by one, as a test says. In the camera's process.

The picture that is up is the one whose number stands in the file `up`; `lens.json` is its lens, if
one is known. No two pictures of it are the same file, as of a real camera: each has its own noise.
"""

from __future__ import annotations

import json
import time
import zlib
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.cameras.encoding import jpeg_of
from rig.cameras.source import Facts, Json, Shot

UP, LENS = "up", "lens.json"
PREVIEW_WH = (320, 240)


def put_up(folder: Path, number: int) -> None:
    """Show this picture of the folder from now on."""
    new = folder / f"{UP}.new"
    new.write_text(f"{number:03}", "utf-8")
    new.replace(folder / UP)


class ShownPictures:
    """A camera: the picture that is up, with a sensor's noise."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._rng = folder, np.random.default_rng()
        lens = folder / LENS
        self._lens: dict[str, Json] = (
            {"lens": json.loads(lens.read_text("utf-8"))} if lens.exists() else {}
        )
        self._up: tuple[str, NDArray[np.uint8]] | None = None

    def facts(self) -> Facts:
        return Facts("pictures", False, False, None)

    def preview(self) -> Shot:
        small = cv2.resize(self._picture(), PREVIEW_WH, interpolation=cv2.INTER_AREA)
        return self._shot(np.asarray(small, np.uint8), 80, time.monotonic())

    def still(self, after_s: float) -> Shot:
        return self._shot(self._picture(), 92, max(after_s, time.monotonic()))

    def settle(self) -> None:
        """The light is as it is drawn."""

    def close(self) -> None:
        """There is nothing to give back."""

    def _shot(self, picture: NDArray[np.uint8], quality: int, taken_s: float) -> Shot:
        noise = self._rng.integers(-2, 3, picture.shape[:2], dtype=np.int16)[..., None]
        data = jpeg_of(np.clip(picture.astype(np.int16) + noise, 0, 255).astype(np.uint8), quality)
        known: dict[str, Json] = {"locked": True, **self._lens}
        return Shot(data, (picture.shape[1], picture.shape[0]), taken_s, zlib.crc32(data), known)

    def _picture(self) -> NDArray[np.uint8]:
        number = (self._folder / UP).read_text("utf-8")
        if self._up is None or self._up[0] != number:
            data = np.fromfile(self._folder / f"{number}.jpg", np.uint8)
            picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
            assert picture is not None
            self._up = number, np.asarray(picture, np.uint8)
        return self._up[1]


def open_shown(camera: str, folder: str) -> ShownPictures:
    return ShownPictures(Path(folder))
