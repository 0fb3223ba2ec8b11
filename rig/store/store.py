"""The store as a whole: one folder with the database and the frames' pictures."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rig.store.checkup import Finding, changed_pictures, check_up
from rig.store.corrections import KeptCorrections
from rig.store.database import Database
from rig.store.file_layer import DiskFiles, FileLayer, disk_trouble
from rig.store.frames import Frames
from rig.store.matches import KeptMatches
from rig.store.phones import KeptPhones
from rig.store.trouble import StoreInUse

DATABASE = "rig.db"
PICTURES = "frames"
LOCK = "lock"
RESERVE_BYTES = 256 * 1024 * 1024
"""Room that frames leave for rounds, corrections and the system."""


class Store:
    """Frames, corrections, matches and phones. Several programs may have it open at once."""

    def __init__(
        self, folder: Path, files: FileLayer | None = None, reserve_bytes: int = RESERVE_BYTES
    ) -> None:
        """Open or make the store in a folder. StoreTrouble if it cannot be used."""
        self._files: FileLayer = DiskFiles() if files is None else files
        self._pictures = folder / PICTURES
        self.folder = folder
        self._make_folders()
        self.database = Database(folder / DATABASE)
        self.frames = Frames(self.database, self._files, self._pictures, reserve_bytes)
        self.corrections = KeptCorrections(self.database)
        self.matches = KeptMatches(self.database)
        self.phones = KeptPhones(self.database)

    def _make_folders(self) -> None:
        try:
            self._files.make_folder(self._pictures)
            self._files.sync_folder(self.folder)
            self._files.sync_folder(self.folder.parent)
        except OSError as error:
            raise disk_trouble(error, self.folder) from error

    def check_up(self) -> list[Finding]:
        """Sweep what a sudden stop left behind, compare frames and files, name what was found.

        Only for the program that holds the store by `serving`: it removes unfinished files.
        """
        return check_up(self.database, self._files, self._pictures)

    def changed_pictures(self) -> list[Finding]:
        """Those of the newest frames whose picture is not the one that was kept. Takes seconds."""
        return changed_pictures(self._files, self.frames)

    def free_bytes(self) -> int:
        """How much room is left on the disk, in bytes."""
        return self._files.free_bytes(self._pictures)

    def close(self) -> None:
        """Close the database. Nothing is lost if this is never called."""
        self.database.close()


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """Hold the store's folder for the one program that serves from it. StoreInUse if taken.

    The system lets go when the program ends, however it ends.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise disk_trouble(error, folder) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise StoreInUse(path=folder) from error
    try:
        yield
    finally:
        os.close(handle)
