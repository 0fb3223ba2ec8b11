"""Previews of one simulated table, from a camera that stays or has moved a little."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck_file import published_deck
from rig.cameras.encoding import jpeg_of, small
from simulator import Conditions
from simulator.camera.camera import PlacedLens
from simulator.camera.photograph import photograph
from simulator.camera.viewpoint import choose_camera
from simulator.play.rounds import Played, play_round
from vision.lens import Lens
from vision.view import rotation_from_vector

Image = NDArray[np.uint8]
MOVES = {
    "still": ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    "x": ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0)),
    "y": ((0.0, 0.0, 0.0), (0.0, 2.0, 0.0)),
    "z": ((0.0, 0.0, 0.0), (0.0, 0.0, 2.0)),
    "tilt": ((0.2, 0.0, 0.0), (0.0, 0.0, 0.0)),
    "pan": ((0.0, 0.2, 0.0), (0.0, 0.0, 0.0)),
    "roll": ((0.0, 0.0, 0.2), (0.0, 0.0, 0.0)),
}
"""By name: turn in degrees about the camera's axes, shift in mm."""
_CONDITIONS = Conditions(cards=15, picture_wh=(1280, 960))


@cache
def _table() -> tuple[Played, PlacedLens]:
    play, look = np.random.default_rng(3).spawn(2)
    played = play_round(play, published_deck(), _CONDITIONS)
    return played, choose_camera(look, played.layout, _CONDITIONS)


def lens() -> Lens:
    """Of the stills, 1280 x 960."""
    return _table()[1].lens


@cache
def seen_after(move: str) -> Image:
    """The preview (480, 640, 3) after a move, without a sensor's noise of its own."""
    played, camera = _table()
    turn_deg, shift_mm = MOVES[move]
    turn = rotation_from_vector(np.deg2rad(np.array(turn_deg)))
    moved = PlacedLens(
        camera.lens, turn @ camera.rotation, turn @ camera.translation_mm + np.array(shift_mm)
    )
    return small(photograph(np.random.default_rng(9), played.layout, moved, _CONDITIONS).image_bgr)


class Sensor:
    """Noise, an exposure that wanders, lamps that flicker in rows, and JPEG."""

    def __init__(self, seed: int = 0, noise: float = 3.0) -> None:
        self._rng = np.random.default_rng(seed)
        self._noise = self._rng.normal(0, noise, (960, 1280)).astype(np.float32)
        self._frame = 0

    def grey(self, image_bgr: Image) -> Image:
        """One more preview (H, W), as the watcher gets it."""
        self._frame += 1
        height, width = image_bgr.shape[:2]
        top, left = self._rng.integers(0, (960 - height, 1280 - width))
        rows = 1 + 0.04 * np.sin(np.arange(height) / 40 + self._frame)[:, None]
        gain = 0.85 + 0.15 * np.sin(self._frame / 60)
        grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY) * np.float32(gain) * rows
        noisy = grey + self._noise[top : top + height, left : left + width]
        jpeg = jpeg_of(np.clip(noisy, 0, 255).astype(np.uint8), 80)
        decoded = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert decoded is not None
        return np.asarray(decoded, np.uint8)
