"""Whether something can be kept now: found by keeping a little, not by asking how much is free."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from rig.store.file_layer import DiskFiles, write_whole
from rig.store.trouble import StoreUnusable

NAME = "probe"
PATIENCE_S = 3.0
"""A disk that takes longer to keep a few bytes keeps no photos in good time."""


class Probe:
    """Writes a few bytes to a folder. A disk that hangs holds up one thread, and one alone."""

    def __init__(self, folder: Path, files: DiskFiles | None = None) -> None:
        self._file = folder / NAME
        self._files = files or DiskFiles()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tacta-probe")
        self._lock = threading.Lock()
        self._under_way: Future[None] | None = None

    def check(self, patience_s: float = PATIENCE_S) -> None:
        """Return if something can be kept. StoreFull, or StoreUnusable also where it takes long."""
        with self._lock:
            if self._under_way is None or self._under_way.done():
                self._under_way = self._thread.submit(self._write)
            trying = self._under_way
        try:
            trying.result(patience_s)
        except TimeoutError:
            raise StoreUnusable(path=self._file.parent, why="the disk does not answer") from None

    def _write(self) -> None:
        write_whole(self._files, self._file, b"can something be kept?")

    def close(self) -> None:
        """Wait for nothing."""
        self._thread.shutdown(wait=False, cancel_futures=True)
