"""The store as a whole: one folder with the database and the frames' pictures."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rig.store.checkup import (
    Finding,
    changed_picture,
    changed_pictures,
    check_up,
    known_files,
    set_aside,
    unknown_photos,
)
from rig.store.corrections import KeptCorrections
from rig.store.database import Database, Row
from rig.store.file_layer import DiskFiles, disk_trouble
from rig.store.frames import Frames
from rig.store.games import KeptGames
from rig.store.layout import DATABASE, LOCK, LOST, PICTURES, SMALL
from rig.store.matches import KeptMatches
from rig.store.phones import KeptPhones
from rig.store.probe import Probe
from rig.store.readable import ReadableRows
from rig.store.schema import MIGRATIONS, TABLES
from rig.store.small_pictures import SmallPictures
from rig.store.tokens import KeptTokens
from rig.store.trouble import StoreInUse

__all__ = ["DATABASE", "LOCK", "LOST", "PICTURES", "Store", "is_served", "serving"]
RESERVE_BYTES = 256 * 1024 * 1024
"""Room that frames leave for rounds, corrections and the system."""
_ROWS_AT_ONCE = 20
"""What was seen in a frame takes 100 kilobytes."""


class Store:
    """Frames, corrections, matches, phones and tokens; several programs may have it open."""

    def __init__(
        self, folder: Path, files: DiskFiles | None = None, reserve_bytes: int = RESERVE_BYTES
    ) -> None:
        """Open or make the store in a folder. StoreTrouble if it cannot be used."""
        self._files = files or DiskFiles()
        self.pictures = folder / PICTURES
        self.folder = folder
        self._make_folders()
        self.database = Database(folder / DATABASE, MIGRATIONS)
        small = SmallPictures(self._files, folder / SMALL)
        self.readable = ReadableRows(_check_row)
        self.frames = Frames(
            self.database, self._files, self.pictures, reserve_bytes, small, self.readable
        )
        self.probe = Probe(folder)
        self.corrections = KeptCorrections(self.database, self.readable)
        self.matches = KeptMatches(self.database, self.readable)
        self.games = KeptGames(self.database, self.readable)
        self.phones = KeptPhones(self.database, self.readable)
        self.tokens = KeptTokens(self.database, self.readable)

    def _make_folders(self) -> None:
        try:
            self._close_to_others()
            self._files.make_folder(self.pictures)
            self._files.make_folder(self.folder / SMALL)
            self._files.sync_folder(self.folder)
            self._files.sync_folder(self.folder.parent)
        except OSError as error:
            raise disk_trouble(error, self.folder) from error

    def _close_to_others(self) -> None:
        """A folder of a rig that others may look into, as a copy may be, is closed to them."""
        if not (self.folder / DATABASE).exists():
            return
        found = self.folder.stat()
        if found.st_mode & 0o077 and found.st_uid == os.geteuid():
            self.folder.chmod(found.st_mode & 0o700)

    def check_up(self) -> list[Finding]:
        """Tidy up after a sudden stop, compare frames and files, name what was found.

        Only for the program that holds the store by `serving`: it moves unknown files to
        `lost`. Where the database does not know most of the photos, the store is read-only
        from now on.
        """
        with self.frames.adding:  # a photo that is just coming has its file before its row
            self.database.read_only = None
            checked = check_up(self.database, self._files, self.pictures, self.lost)
            self.database.read_only = checked.read_only
            if checked.read_only is None:
                self.frames.sweep_small()
        return checked.findings

    @property
    def lost(self) -> Path:
        """Where files that belong to no frame are moved to."""
        return self.folder / LOST

    def lost_files(self) -> list[str]:
        """The names of the files in `lost`."""
        try:
            return self._files.names(self.lost)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise disk_trouble(error, self.lost) from error

    def unknown_photos(self) -> list[str]:
        """The names of the photos that no frame needs."""
        try:
            names = set(self._files.names(self.pictures))
        except OSError as error:
            raise disk_trouble(error, self.pictures) from error
        return unknown_photos(names, known_files(self.database))

    def set_aside(self, names: list[str]) -> None:
        """Move photos that no frame needs to `lost`. Only for the one who holds the store."""
        try:
            set_aside(self._files, self.pictures, self.lost, names)
        except OSError as error:
            raise disk_trouble(error, self.lost) from error

    def changed_pictures(self) -> list[Finding]:
        """Those of the newest frames whose picture is not the one that was kept. Takes seconds."""
        return changed_pictures(self._files, self.frames)

    def look_at_rows(self) -> None:
        """Read every row once, so that `readable` tells of those that do not. Takes seconds."""
        for table in TABLES:
            place = -1
            while rows := self.database.rows(
                f"SELECT rowid AS place, *, 0 AS kept FROM {table} WHERE rowid > ?"
                " ORDER BY rowid LIMIT ?",
                (place, _ROWS_AT_ONCE),
            ):
                place = int(rows[-1]["place"])
                self.readable.all(table, rows, lambda _row: None)

    def next_rot(self, before: int | None) -> tuple[int | None, Finding | None]:
        """Look at one more picture, from the newest to the oldest and round again.

        `before`: where the last look ended, None at first. Returns where this one did.
        """
        found = self.frames.latest(1, before)
        if not found:
            return None, None
        return found[0].seq, changed_picture(self._files, self.frames, found[0])

    def free_bytes(self) -> int:
        """How much room is left on the disk, in bytes."""
        return self._files.free_bytes(self.pictures)

    def close(self) -> None:
        """Close the database. Nothing is lost if this is never called."""
        self.probe.close()
        self.database.close()


def _check_row(table: str, row: Row) -> None:
    from rig.store.backups.row_check import check_row  # pydantic is large

    check_row(table, row)


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


def is_served(folder: Path) -> bool:
    """Whether a program serves from this folder now."""
    try:
        handle = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(handle)
