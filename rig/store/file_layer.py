"""The few things the store asks of a disk, and the one way in which it writes a file.

The interface is small so that tests can put a layer in its place that forgets
what was not synced, as a disk does when the power goes.
"""

import errno
import os
import shutil
from pathlib import Path

from rig.store.trouble import StoreFull, StoreUnusable

TEMPORARY = ".part"
"""How the names of unfinished files end; the start-up check sees to them."""
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class DiskFiles:
    """Files in folders. Nothing outlives a power cut before it is synced. OSError on failure."""

    def make_folder(self, folder: Path) -> None:
        """Make a folder and its parents, readable by this user alone."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def write(self, path: Path, data: bytes) -> None:
        """Write a whole file, unsynced."""
        path.write_bytes(data)

    def sync_file(self, path: Path) -> None:
        """Return when the file's content is on the disk."""
        _sync(path, os.O_RDONLY)

    def sync_folder(self, folder: Path) -> None:
        """Return when the folder's entries are on the disk."""
        _sync(folder, os.O_RDONLY | os.O_DIRECTORY)

    def rename(self, source: Path, target: Path) -> None:
        """Put a file in another's place, in one step."""
        source.replace(target)

    def remove(self, path: Path) -> None:
        """Remove a file; one that is not there is no fault."""
        path.unlink(missing_ok=True)

    def read(self, path: Path) -> bytes:
        """The file's content."""
        return path.read_bytes()

    def names(self, folder: Path) -> list[str]:
        """The names of the files in a folder, sorted."""
        return sorted(entry.name for entry in folder.iterdir() if entry.is_file())

    def free_bytes(self, folder: Path) -> int:
        """Room left for this user, in bytes."""
        return shutil.disk_usage(folder).free


DISK = DiskFiles()


def write_whole(files: DiskFiles, path: Path, data: bytes) -> None:
    """Write a file so that it is either wholly there or not at all, whatever happens.

    When this returns, the file outlives a power cut. StoreFull if there is no
    room, StoreUnusable for anything else; then nothing is left of it.
    """
    unfinished = path.with_name(f"{path.name}{TEMPORARY}")
    try:
        files.write(unfinished, data)
        files.sync_file(unfinished)
        files.rename(unfinished, path)
        files.sync_folder(path.parent)
    except OSError as error:
        _forget(files, unfinished)
        raise disk_trouble(error, path) from error


def disk_trouble(error: OSError, path: Path) -> StoreFull | StoreUnusable:
    """Which trouble a failure of the disk is."""
    if error.errno in _NO_ROOM:
        return StoreFull()
    return StoreUnusable(path=path, why=error.strerror or error)


def _forget(files: DiskFiles, path: Path) -> None:
    try:
        files.remove(path)
    except OSError:
        return  # the start-up check sees to it


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
