"""Small pictures of the photos, made once and kept; those that cannot be made are marked."""

import threading
from collections.abc import Sequence
from pathlib import Path

from rig.store.file_layer import DiskFiles, write_whole

WIDTHS = (320, 640, 1280)
"""In lists, on the first page, and as large as a phone shows a photo at first."""
IMPOSSIBLE = b""


class SmallPictures:
    """Files named SHA-256.WIDTH.jpg. They can be made again, so losing one is no loss."""

    def __init__(self, files: DiskFiles, folder: Path) -> None:
        self._files = files
        self._folder = folder
        self._keeping = threading.Lock()

    def get(self, sha256: str, width: int) -> bytes | None:
        """The small picture; IMPOSSIBLE if it cannot be made, None if it was not yet made."""
        try:
            return self._files.read(self._path(sha256, width))
        except OSError:
            return None

    def has(self, sha256: str) -> bool:
        """Whether they were made, or found to be impossible."""
        return all(self.get(sha256, width) is not None for width in WIDTHS)

    def keep(self, sha256: str, pictures: Sequence[bytes]) -> None:
        """Keep one of each width, in the order of WIDTHS. StoreTrouble."""
        with self._keeping:  # two who make the same at once write files of one name
            for width, picture in zip(WIDTHS, pictures, strict=True):
                write_whole(self._files, self._path(sha256, width), picture)

    def mark_impossible(self, sha256: str) -> None:
        """The photo is not tried again for the sake of a small picture."""
        self.keep(sha256, [IMPOSSIBLE] * len(WIDTHS))

    def forget(self, sha256: str) -> None:
        """Remove a photo's small pictures. OSError."""
        for width in WIDTHS:
            self._files.remove(self._path(sha256, width))

    def sweep(self, known: set[str]) -> None:
        """Remove those of photos that are gone; `known` are the SHA-256 of all that are here."""
        try:
            names = self._files.names(self._folder)
        except FileNotFoundError:
            return
        for name in names:
            if name.partition(".")[0] not in known:
                self._files.remove(self._folder / name)

    def _path(self, sha256: str, width: int) -> Path:
        return self._folder / f"{sha256}.{width}.jpg"
