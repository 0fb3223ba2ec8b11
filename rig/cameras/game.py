"""A simulated game as a camera: cards come one by one, hands come and go, and all is told.

Runs in the camera's process only. A game is played at once and photographed picture by picture,
which takes seconds each and happens beside; previews show the picture that is up. The next one is
up when a still of it was taken; one with a hand in it passes by itself, and so does, later, one
that nobody takes: whoever watches need not see that a card was nudged.
"""

import threading
import time
import zlib
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from calibration.lens.lens_data import lens_data
from rig.cameras.encoding import PREVIEW_WIDTH, jpeg_of, small
from rig.cameras.source import Facts, Json, Shot
from rig.cameras.trouble import CameraWaiting
from simulator.game import Film, GameFrame, film_game

SHOWN_S, HAND_S, UNTAKEN_S = 3.0, 1.5, 15.0
"""How long a picture is up at least, one with a hand in it at most, and one that is not taken."""
_UP_WITHIN_S = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class _Up:
    """The picture that is up, as a file and decoded, since when, and what is known of it."""

    number: int
    jpeg: bytes
    image_bgr: NDArray[np.uint8]
    size_wh: tuple[int, int]
    shown: NDArray[np.uint8]
    known: dict[str, Json]
    since_s: float
    has_hand: bool


def open_game(camera: str, seed: int = 0, cards_each: int | None = None) -> "GameCamera":
    """Begin the game with that seed; its last picture stays."""
    return GameCamera(camera, seed, cards_each)


class GameCamera:
    """A game that goes on by a picture after each still."""

    def __init__(self, camera: str, seed: int, cards_each: int | None = None) -> None:
        self._camera, self._seed, self._cards_each = camera, seed, cards_each
        self._changed = threading.Condition()
        self._up: _Up | None = None
        self._taken = False
        self._closed = False
        self._blank = np.full((PREVIEW_WIDTH * 3 // 4, PREVIEW_WIDTH, 3), 96, dtype=np.uint8)
        self._rng = np.random.default_rng(seed)
        self._fault: Exception | None = None
        threading.Thread(target=self._play, daemon=True).start()

    def facts(self) -> Facts:
        """The same table for hours is no fault."""
        return Facts("simulated game", False, False, None)

    def preview(self) -> Shot:
        """The picture that is up, with a sensor's noise; a blank one until the first is."""
        with self._changed:
            shown = self._blank if self._up is None else self._up.shown
        data = jpeg_of(self._noisy(shown), 80)
        size_wh = (shown.shape[1], shown.shape[0])
        return Shot(data, size_wh, time.monotonic(), zlib.crc32(data), {"locked": True})

    def still(self, after_s: float) -> Shot:
        """The picture that is up, with other noise each time. CameraWaiting until the first is."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._up is not None or self._fault is not None, _UP_WITHIN_S
            )
            if self._fault is not None:
                raise self._fault
            up = self._up
            if up is None:
                raise CameraWaiting(camera=self._camera)
            is_again, self._taken = self._taken, True
            self._changed.notify_all()
        taken_s = max(after_s, time.monotonic())
        data = jpeg_of(self._noisy(up.image_bgr), 95) if is_again else up.jpeg
        return Shot(data, up.size_wh, taken_s, zlib.crc32(data), up.known)

    def _noisy(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture as a sensor gives it once more."""
        noise = self._rng.integers(-2, 3, image.shape[:2], dtype=np.int16)[..., None]
        return np.asarray(np.clip(image.astype(np.int16) + noise, 0, 255), np.uint8)

    def settle(self) -> None:
        """The light is left as the game has it."""

    def close(self) -> None:
        """Photograph no more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _play(self) -> None:
        try:
            film = film_game(self._seed, cards_each=self._cards_each)
            for number in range(len(film.moments)):
                frame = film.frame(number)
                if not self._wait_for_turn():
                    return
                self._put_up(film, number, frame)
        except Exception as fault:  # noqa: BLE001 - told to whoever asks for a still
            with self._changed:
                self._fault = fault
                self._changed.notify_all()

    def _wait_for_turn(self) -> bool:
        """Wait until the picture that is up may go; False where the camera was closed."""
        with self._changed:
            while not self._closed and self._up is not None:
                passes_s = SHOWN_S if self._taken else UNTAKEN_S
                left = self._up.since_s + (HAND_S if self._up.has_hand else passes_s)
                left -= time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            return not self._closed

    def _put_up(self, film: Film, number: int, frame: GameFrame) -> None:
        lens = film.cameras[film.moments[number].pushed].lens
        height, width = frame.image_bgr.shape[:2]
        known: dict[str, Json] = {
            "name": f"game-{self._seed}-{number:03}",
            "locked": True,
            "lens": cast("Json", lens_data(lens)),
            "truth": cast("Json", {"event": dict(frame.event)}),
        }
        has_hand = frame.event["kind"] == "hand"
        shown = small(frame.image_bgr)
        with self._changed:
            self._taken = False
            self._up = _Up(
                number,
                frame.jpeg,
                frame.image_bgr,
                (width, height),
                shown,
                known,
                time.monotonic(),
                has_hand,
            )
            self._changed.notify_all()
