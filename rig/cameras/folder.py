"""A folder that is watched: the newest photo in it, once it is complete.

For a phone that copies its photos over, or another program that takes them.
Runs in the camera's process only.
"""

import time
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

from rig.cameras.encoding import jpeg_of, small
from rig.cameras.source import Facts, Json, Shot
from rig.cameras.trouble import CameraEmpty, CameraMissing, CameraSilent
from rig.photo.decoding import decode_photo
from rig.trouble import PhotoTrouble

_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif"})
_QUIET_S = 0.5
"""A file that has not changed for so long is taken to be complete."""
_HOPE_S = 5.0
"""A file that cannot be read may still be growing for so long after its last change."""
_LOOK_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class _Stamp:
    changed_ns: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class _Seen:
    stamp: _Stamp
    since_s: float


@dataclass(frozen=True, slots=True)
class _Photo:
    path: Path
    stamp: _Stamp
    still: Shot
    preview: Shot


def open_folder(camera: str, folder: str) -> "FolderCamera":
    """Watch a folder. CameraMissing if there is none, or it may not be read."""
    watched = FolderCamera(camera, Path(folder))
    watched.look()
    return watched


class FolderCamera:
    """The newest photo in a folder. Damaged ones are passed over, and named in `skipped`."""

    def __init__(self, camera: str, folder: Path) -> None:
        self._camera, self._folder = camera, folder
        self._seen: dict[Path, _Seen] = {}
        self._damaged: dict[Path, _Stamp] = {}
        self._newest: _Photo | None = None

    def facts(self) -> Facts:
        """The same photo for hours is no fault."""
        return Facts(f"folder {self._folder}", False, False, None)

    def preview(self) -> Shot:
        """The newest complete photo, made small, as seen now. CameraEmpty if there is none."""
        self.look()
        if self._newest is None:
            raise CameraEmpty(camera=self._camera)
        return replace(self._newest.preview, taken_s=time.monotonic())

    def still(self, after_s: float) -> Shot:  # noqa: ARG002 - the photo is there already
        """The newest photo as it is; one that is still being copied is waited for."""
        until_s = time.monotonic() + _HOPE_S + 1
        while self.look():
            if time.monotonic() > until_s:
                raise CameraSilent(camera=self._camera, seconds=_HOPE_S + 1)
            time.sleep(_LOOK_EVERY_S)
        if self._newest is None:
            raise CameraEmpty(camera=self._camera)
        return self._newest.still

    def settle(self) -> None:
        """Nothing to adapt."""

    def close(self) -> None:
        """Nothing to give back."""

    def look(self) -> bool:
        """Take up the newest complete photo. True while a newer one is being copied."""
        now_s = time.monotonic()
        stamps = self._stamps()
        seen = {}
        for path, stamp in stamps.items():
            before = self._seen.get(path)
            same = before is not None and before.stamp == stamp
            seen[path] = before if same and before is not None else _Seen(stamp, now_s)
        self._seen = seen
        newest_first = sorted(stamps, key=lambda p: (stamps[p].changed_ns, p.name), reverse=True)
        for path in newest_first:
            if self._damaged.get(path) == stamps[path]:
                continue
            if self._newest is not None and (path, stamps[path]) == (
                self._newest.path,
                self._newest.stamp,
            ):
                return False
            if not self._is_quiet(path, now_s):
                return True
            taken = self._take(path, stamps[path])
            if taken:
                return False
            if now_s - self._since_change_s(path, now_s) < _HOPE_S:
                return True
            self._damaged[path] = stamps[path]
        self._newest = None
        return False

    def _is_quiet(self, path: Path, now_s: float) -> bool:
        long_ago = time.time() - self._seen[path].stamp.changed_ns / 1e9 > 2 * _HOPE_S
        return long_ago or now_s - self._seen[path].since_s >= _QUIET_S

    def _since_change_s(self, path: Path, now_s: float) -> float:
        """When the file last changed, on the monotonic clock, as far as that is known."""
        changed_s = now_s - (time.time() - self._seen[path].stamp.changed_ns / 1e9)
        return min(self._seen[path].since_s, changed_s)

    def _take(self, path: Path, stamp: _Stamp) -> bool:
        try:
            data = path.read_bytes()
            image = decode_photo(data, path.name)
        except (PhotoTrouble, OSError):
            return False
        taken_s = time.monotonic() - (time.time() - stamp.changed_ns / 1e9)
        skipped = [other.name for other in sorted(self._damaged)]
        known: dict[str, Json] = {"name": path.name, "skipped": skipped}
        checksum = zlib.crc32(data)
        size_wh = (image.shape[1], image.shape[0])
        shown = small(image)
        shown_wh = (shown.shape[1], shown.shape[0])
        self._newest = _Photo(
            path,
            stamp,
            Shot(data, size_wh, taken_s, checksum, known),
            Shot(jpeg_of(shown, 80), shown_wh, taken_s, checksum, known),
        )
        return True

    def _stamps(self) -> dict[Path, _Stamp]:
        try:
            paths = [
                path
                for path in self._folder.iterdir()
                if path.suffix.lower() in _SUFFIXES and not path.name.startswith(".")
            ]
        except OSError as error:
            raise CameraMissing(camera=self._camera, why=error.strerror) from error
        stamps = {}
        for path in paths:
            try:
                info = path.stat()
            except FileNotFoundError:  # renamed or removed since
                continue
            stamps[path] = _Stamp(info.st_mtime_ns, info.st_size)
        return stamps
