"""USB cameras and network streams, through OpenCV. Runs in the camera's process only."""

import errno
import os
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.cameras.encoding import jpeg_of, small
from rig.cameras.source import Facts, Json, Shot
from rig.cameras.trouble import (
    CameraBusy,
    CameraDenied,
    CameraFailed,
    CameraMissing,
    CameraSilent,
    CameraTrouble,
)

_EXPOSE_BY_HAND, _EXPOSE_BY_ITSELF = 1.0, 3.0
"""V4L2's values; the latter leaves the aperture alone, which webcams do not have."""


class Knobs(Protocol):
    """What is used of cv2.VideoCapture to set a camera."""

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """A setting's value."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        """Change a setting; False if the camera does not have it."""


def unlock(camera: Knobs) -> None:
    """Let the camera find its settings itself."""
    camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, _EXPOSE_BY_ITSELF)
    camera.set(cv2.CAP_PROP_AUTO_WB, 1)
    camera.set(cv2.CAP_PROP_AUTOFOCUS, 1)


def lock(camera: Knobs) -> bool:
    """Hold the settings that the camera has found. False if exposure or white balance go on."""
    exposure = camera.get(cv2.CAP_PROP_EXPOSURE)
    held = camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, _EXPOSE_BY_HAND)
    # Some cameras fall back to a value of their own when exposure is set by hand.
    held = held and camera.set(cv2.CAP_PROP_EXPOSURE, exposure)
    held = camera.set(cv2.CAP_PROP_AUTO_WB, 0) and held
    focus = camera.get(cv2.CAP_PROP_FOCUS)
    if camera.set(cv2.CAP_PROP_AUTOFOCUS, 0):  # many have a fixed focus
        camera.set(cv2.CAP_PROP_FOCUS, focus)
    return held and camera.get(cv2.CAP_PROP_AUTO_EXPOSURE) == _EXPOSE_BY_HAND


_FRAME_WAIT_S = 2.5
_REOPEN_S = 0.5
_SETTLE_S = 2.0
_USB_QUEUE_S = 0.2
"""How old a frame may be when it is taken off the queue of a USB camera's driver."""


class Capture(Knobs, Protocol):
    """What is used of cv2.VideoCapture."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether it could be opened."""

    def grab(self) -> bool:
        """Take the next frame off the queue."""

    def retrieve(self) -> tuple[bool, NDArray[np.uint8]]:
        """Decode that frame."""

    def release(self) -> None:
        """Close it."""


def open_usb(camera: str, device: str, size_wh: list[int] | None = None) -> "StreamCamera":
    """Open a USB camera at its largest size, or the given one, and lock its settings."""

    def opened() -> Capture:
        _check_device(camera, device)
        capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not capture.isOpened():
            raise CameraBusy(camera=camera, why="it cannot be opened")
        # Only as MJPEG are large pictures quick enough; a driver rounds the size down itself.
        width, height = size_wh or (10_000, 10_000)
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        return capture

    return StreamCamera(camera, opened, _USB_QUEUE_S, lockable=True)


def open_network(camera: str, url: str, delay_s: float = 0.5) -> "StreamCamera":
    """Open a network stream (RTSP, MJPEG over HTTP). delay_s: how far it lags behind."""

    def opened() -> Capture:
        timeouts = [
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 4000),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, 2500),
        ]
        capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, timeouts)
        if not capture.isOpened():
            raise CameraMissing(camera=camera, why="it does not answer")
        return capture

    return StreamCamera(camera, opened, delay_s, lockable=False)


class StreamCamera:
    """A stream that is read all the time, and opened again whenever it ends."""

    def __init__(
        self, camera: str, opened: Callable[[], Capture], delay_s: float, *, lockable: bool
    ) -> None:
        self._camera, self._opened = camera, opened
        self._delay_s, self._lockable = delay_s, lockable
        self._changed = threading.Condition()
        self._closing = False
        self._wanted = True
        self._frame: NDArray[np.uint8] | None = None
        self._begun_s = 0.0
        self._locked: bool | None = None
        self._trouble: CameraTrouble | None = None
        self._settle_at_s = time.monotonic() + _SETTLE_S if lockable else None
        self._thread = threading.Thread(target=self._read, name="stream", daemon=True)
        self._thread.start()
        try:
            first, _ = self._next(0.0, _FRAME_WAIT_S * 2)
            self._still_wh = (first.shape[1], first.shape[0])
            self.settle()
        except BaseException:
            self._closing = True
            raise

    def facts(self) -> Facts:
        """A real sensor behind a wire."""
        return Facts("video stream", True, self._lockable, self._still_wh)

    def preview(self) -> Shot:
        """The next frame, made small."""
        image, begun_s = self._next(0.0)
        shown = small(image)
        known: dict[str, Json] = {"locked": self._locked}
        size_wh = (shown.shape[1], shown.shape[0])
        checksum = zlib.crc32(np.ascontiguousarray(image[::4, ::4]).tobytes())
        return Shot(jpeg_of(shown, 80), size_wh, begun_s, checksum, known)

    def still(self, after_s: float) -> Shot:
        """A frame that was certainly exposed after that time."""
        image, begun_s = self._next(after_s + self._delay_s, _FRAME_WAIT_S + self._delay_s)
        data = jpeg_of(image, 95)
        known: dict[str, Json] = {"locked": self._locked}
        size_wh = (image.shape[1], image.shape[0])
        return Shot(data, size_wh, begun_s - self._delay_s, zlib.crc32(data), known)

    def settle(self) -> None:
        """Give exposure, white balance and focus two seconds by themselves, then lock them."""
        if not self._lockable:
            return
        with self._changed:
            self._locked = None
            self._settle_at_s = time.monotonic()
            done = self._changed.wait_for(lambda: self._locked is not None, _SETTLE_S * 2)
        if not done:
            raise CameraSilent(camera=self._camera, seconds=_SETTLE_S * 2)

    def close(self) -> None:
        """Stop reading."""
        self._closing = True
        self._thread.join(_FRAME_WAIT_S)

    def _next(
        self, after_s: float, wait_s: float = _FRAME_WAIT_S
    ) -> tuple[NDArray[np.uint8], float]:
        """The next frame whose reading began after that time, and when it began."""

        def is_new_enough() -> bool:
            found = self._frame is not None and self._begun_s >= after_s
            self._wanted = not found
            return found or self._trouble is not None

        with self._changed:
            self._forget()
            done = self._changed.wait_for(is_new_enough, wait_s)
            frame = self._frame
            if self._trouble is not None:
                raise self._trouble
            if not done or frame is None:
                raise CameraSilent(camera=self._camera, seconds=wait_s)
            return frame, self._begun_s

    def _forget(self) -> None:
        self._frame = None

    def _read(self) -> None:
        """The thread: open, read until it fails, open again."""
        while not self._closing:
            capture: Capture | None = None
            try:
                capture = self._opened()
                self._trouble = None
                self._read_until_it_fails(capture)
            except CameraTrouble as trouble:
                self._fail(trouble)
            except cv2.error as error:
                self._fail(CameraFailed(camera=self._camera, why=str(error).strip()[:200]))
            finally:
                if capture is not None:
                    capture.release()
            time.sleep(_REOPEN_S)

    def _fail(self, trouble: CameraTrouble) -> None:
        with self._changed:
            self._trouble = trouble
            self._changed.notify_all()

    def _read_until_it_fails(self, capture: Capture) -> None:
        while not self._closing:
            begun_s = time.monotonic()
            if not capture.grab():
                return
            if self._wanted:
                ok, image = capture.retrieve()
                if not ok:
                    return
                with self._changed:
                    self._wanted = False
                    self._frame, self._begun_s = image, begun_s
                    self._changed.notify_all()
            self._turn_knobs(capture)

    def _turn_knobs(self, capture: Capture) -> None:
        """Settings are changed here only: a capture may be used by one thread."""
        now_s = time.monotonic()
        if self._settle_at_s is None:
            return
        if self._settle_at_s <= now_s and self._locked is None:
            if now_s - self._settle_at_s < _SETTLE_S:
                if now_s - self._settle_at_s < _SETTLE_S / 4:
                    unlock(capture)
                return
            with self._changed:
                self._locked = lock(capture)
                self._settle_at_s = None
                self._changed.notify_all()


def _check_device(camera: str, device: str) -> None:
    """Say apart why a device cannot be opened, which OpenCV does not."""
    if not Path(device).exists():
        raise CameraMissing(camera=camera, why=f"there is no {device}")
    try:
        os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise CameraBusy(camera=camera, why=f"{device} is busy") from error
        if error.errno in (errno.EACCES, errno.EPERM):
            raise CameraDenied(camera=camera, why=f"no right to open {device}") from error
        raise CameraMissing(camera=camera, why=error.strerror) from error
