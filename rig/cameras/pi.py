"""The Raspberry Pi's camera, through picamera2. Runs in the camera's process only.

picamera2 is imported here and nowhere else, and nothing here needs more than
what `apt install python3-picamera2` brings: this runs on the system's Python.

One configuration serves previews and stills: switching modes is fragile, and a
12-megapixel buffer takes 36 MB of the contiguous memory, so there are three and
no raw stream.
"""

import contextlib
import time
import zlib
from typing import Any

from rig.cameras.locking import Settings, holds, is_settled, settings_from
from rig.cameras.source import Facts, Json, Shot
from rig.cameras.trouble import (
    CameraBusy,
    CameraFailed,
    CameraMissing,
    CameraNotInstalled,
    CameraSilent,
)

_FRAME_US = (100_000, 100_000)
"""Ten frames a second: what the slowest module gives at full size, and a tenth of a
second of exposure for a dim room; nothing on the table moves while it matters."""
_FRAME_WAIT_S = 2.0
_SETTLE_S = 3.0
_SETTLE_FRAMES = 5
_HOLD_FRAMES = 8
"""New settings take about five frames to come through."""
_PREVIEW_WIDTH = 640
_STILL_QUALITY, _PREVIEW_QUALITY = 95, 80
_HOW = (
    "run: sudo apt install python3-picamera2 --no-install-recommends "
    "(pip alone cannot: libcamera belongs to the system)"
)


def open_pi(camera: str, number: int = 0) -> "PiCamera":
    """Open the Pi's camera with that number, settle, and lock. CameraTrouble says why not."""
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraNotInstalled(camera=camera, what="picamera2", why=error, how=_HOW) from error
    except ValueError as error:  # an extension built for another numpy says it like this
        raise CameraNotInstalled(
            camera=camera, what="picamera2", why=error, how=f"{_HOW}, and leave numpy to the system"
        ) from error
    found = Picamera2.global_camera_info()
    if number >= len(found):
        raise CameraMissing(camera=camera, why=f"libcamera finds {len(found)} cameras")
    try:
        device = Picamera2(number)
    except (RuntimeError, OSError) as error:
        why = _innermost(error)
        busy = "busy" in why.lower()
        raise (CameraBusy if busy else CameraFailed)(camera=camera, why=why) from error
    try:
        return PiCamera(camera, device, str(found[number].get("Model", "camera")))
    except BaseException:
        with contextlib.suppress(Exception):
            device.close()
        raise


class PiCamera:
    """An open camera, streaming, with its settings locked."""

    def __init__(self, camera: str, device: Any, model: str) -> None:
        self._camera, self._device, self._model = camera, device, model
        width, height = device.sensor_resolution
        small = (_PREVIEW_WIDTH, round(_PREVIEW_WIDTH * height / width / 2) * 2)
        self._still_wh = (int(width), int(height))
        configuration = device.create_video_configuration(
            main={"size": self._still_wh, "format": "RGB888"},  # B, G, R in memory
            lores={"size": small, "format": "YUV420"},
            raw=None,
            buffer_count=3,
            queue=False,
            display=None,
            encode=None,
            controls={"FrameDurationLimits": _FRAME_US},
        )
        device.configure(configuration)
        self._small_wh = (int(small[0]), int(small[1]))
        self._settings = Settings()
        device.start()
        self.settle()

    def facts(self) -> Facts:
        """A real sensor: no two exposures are equal."""
        return Facts(f"Raspberry Pi camera {self._model}", True, True, self._still_wh)

    def preview(self) -> Shot:
        """The next frame of the small stream."""
        with self._frame(flush=False) as request:
            metadata = request.get_metadata()
            planes = request.make_array("lores")
        return self._small_shot(planes, metadata)

    def still(self, after_s: float) -> Shot:
        """The first frame after that time that was taken with the locked settings.

        If none of several was, the last, marked as not locked.
        """
        import simplejpeg  # type: ignore[import-not-found, unused-ignore]

        after_ns = int(after_s * 1e9)
        for _ in range(_HOLD_FRAMES):
            with self._frame(flush=after_ns) as request:
                metadata = request.get_metadata()
                if metadata["SensorTimestamp"] < after_ns:
                    continue
                locked = holds(self._settings, metadata)
                image = request.make_array("main") if locked else None
            if image is not None:
                break
        else:
            image, metadata, locked = self._unlocked_frame(after_ns)
        data = simplejpeg.encode_jpeg(
            image, quality=_STILL_QUALITY, colorspace="BGR", colorsubsampling="444"
        )
        known: dict[str, Json] = {
            "locked": locked,
            "exposure": _exposure(metadata),
            "camera": self._model,
        }
        return Shot(data, self._still_wh, _taken_s(metadata), zlib.crc32(data), known)

    def settle(self) -> None:
        """Let exposure, white balance and focus find their values, then hold them."""
        device = self._device
        automatic: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        if "AfMode" in device.camera_controls:
            automatic["AfMode"] = 2  # continuous
        device.set_controls(self._supported(automatic))
        seen: list[dict[str, Any]] = []
        until_s = time.monotonic() + _SETTLE_S
        while time.monotonic() < until_s and not is_settled(seen, _SETTLE_FRAMES):
            with self._frame(flush=not seen) as request:
                seen.append(request.get_metadata())
        self._settings = settings_from(seen[-_SETTLE_FRAMES:])
        device.set_controls(self._supported(self._settings.controls()))
        for _ in range(_HOLD_FRAMES):
            with self._frame(flush=False) as request:
                if holds(self._settings, request.get_metadata()):
                    return

    def close(self) -> None:
        """Stop streaming and give the camera back; may block, as everything here."""
        self._device.stop()
        self._device.close()

    def _unlocked_frame(self, after_ns: int) -> tuple[Any, dict[str, Any], bool]:
        with self._frame(flush=after_ns) as request:
            metadata = request.get_metadata()
            return request.make_array("main"), metadata, holds(self._settings, metadata)

    @contextlib.contextmanager
    def _frame(self, flush: bool | int) -> Any:
        """The next frame; with `flush` one exposed after now, or after that time in ns."""
        try:
            request = self._device.capture_request(flush=flush or None, wait=_FRAME_WAIT_S)
        except TimeoutError as late:
            # The job stays queued otherwise, and the next capture gets its frame.
            self._device.cancel_all_and_flush()
            raise CameraSilent(camera=self._camera, seconds=_FRAME_WAIT_S) from late
        try:
            yield request
        finally:
            request.release()

    def _supported(self, controls: dict[str, Any]) -> dict[str, Any]:
        """Without what this camera lacks: setting that raises, as focus on a fixed lens."""
        return {key: v for key, v in controls.items() if key in self._device.camera_controls}

    def _small_shot(self, planes: Any, metadata: dict[str, Any]) -> Shot:
        import numpy as np
        import simplejpeg  # type: ignore[import-not-found, unused-ignore]

        width, height = self._small_wh
        stride = planes.shape[1]
        flat = planes.reshape(-1)
        chroma = height // 2 * (stride // 2)
        y = flat[: height * stride].reshape(height, stride)[:, :width]
        u, v = (
            flat[start : start + chroma].reshape(height // 2, stride // 2)[:, : width // 2]
            for start in (height * stride, height * stride + chroma)
        )
        y, u, v = (np.ascontiguousarray(plane) for plane in (y, u, v))
        data = simplejpeg.encode_jpeg_yuv_planes(y, u, v, quality=_PREVIEW_QUALITY)
        known: dict[str, Json] = {
            "locked": holds(self._settings, metadata),
            "exposure": _exposure(metadata),
        }
        return Shot(data, self._small_wh, _taken_s(metadata), zlib.crc32(y.tobytes()), known)


def _innermost(error: BaseException) -> str:
    """picamera2 wraps what libcamera said into sentences that do not say it."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error)


def _taken_s(metadata: dict[str, Any]) -> float:
    # Since the machine's start, as the monotonic clock on a machine that never sleeps.
    return float(metadata["SensorTimestamp"]) / 1e9


def _exposure(metadata: dict[str, Any]) -> dict[str, Json]:
    names = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition", "Lux")
    return {name: metadata[name] for name in names if name in metadata}
