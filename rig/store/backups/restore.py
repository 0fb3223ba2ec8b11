"""Putting a backup into a rig's folder, which may hold newer things: those stay.

Frames, matches and rounds that the folder does not have are added; of those that both have,
the one that was changed more often stands, but a frame keeps the picture that it has here, which
may have been blurred since. Photos are written before the rows that name
them, and all rows come in one transaction: whatever happens in between, doing it again
completes it.
"""

import contextlib
import hashlib
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rig.store.backups.backup_check import Manifest, checked
from rig.store.backups.foreign_database import check_database, check_photos
from rig.store.backups.merging import Merged, compare, merge, two_pictures
from rig.store.backups.row_check import check_rows
from rig.store.backups.unpacking import read_chunks, read_whole
from rig.store.database import Database
from rig.store.file_layer import DISK, DiskFiles, disk_trouble, write_whole
from rig.store.layout import BESIDE, DATABASE, PICTURES, RESTORING
from rig.store.store import RESERVE_BYTES, Store
from rig.store.trouble import BackupDamaged, StoreDamaged, StoreFull, StoreUnusable


@dataclass(frozen=True, slots=True)
class Access:
    """A phone or a token of a backup: whose it is, and what it may do."""

    kind: Literal["phone", "token"]
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restoration brought, or would bring."""

    made_at: str
    rows: Merged
    photos: int
    photo_bytes: int
    with_photos: bool
    access: tuple[Access, ...] = ()


def restore(
    file: Path,
    store: Store,
    dry_run: bool = False,
    files: DiskFiles = DISK,
    *,
    with_access: bool = False,
) -> Restored:
    """Bring a backup into a store, or only say what that would do.

    Phones and access tokens come only `with_access`; without it those here stay as they are.
    BackupDamaged, BackupNewer, StoreFull: then nothing was changed. A read-only store takes
    it too: that is how it becomes whole again.
    """
    aside = store.folder / RESTORING
    try:
        with (
            checked(file) as (archive, manifest),
            _database_of(archive, manifest, aside, store) as other,
        ):
            with store.database.beside(other) as connection:
                rows, pairs = compare(connection, with_access), two_pictures(connection)
                people = _people(connection)
            wanted, lost = _wanted(manifest, store.folder / PICTURES, pairs)
            size = sum(manifest.files[f"{PICTURES}/{name}"]["bytes"] for name in wanted)
            if size + RESERVE_BYTES > store.free_bytes() and wanted:
                raise StoreFull
            if not dry_run:
                _write_photos(archive, manifest, wanted, store.folder, files)
                with store.database.beside(other) as connection:
                    rows = merge(connection, lost, with_access)
    except (sqlite3.Error, StoreDamaged, ValueError, RecursionError, zipfile.BadZipFile) as error:
        raise BackupDamaged(file=file, why=error) from error
    except OSError as error:
        raise disk_trouble(error, store.folder) from error
    return Restored(manifest.made_at, rows, len(wanted), size, manifest.with_photos, people)


@contextlib.contextmanager
def _database_of(
    archive: zipfile.ZipFile, manifest: Manifest, aside: Path, store: Store
) -> Iterator[Path]:
    """The backup's database in a file, brought to this program's schema."""
    size = manifest.files[DATABASE]["bytes"]
    if 2 * size + RESERVE_BYTES > store.free_bytes():  # its log may become as long
        raise StoreFull
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True, mode=0o700)
    try:
        path = aside / DATABASE
        with path.open("wb") as target:
            for chunk in read_chunks(archive, DATABASE, size):
                target.write(chunk)
        check_database(path, manifest.schema)
        check_photos(path, manifest.photos, manifest.missing if manifest.with_photos else None)
        try:
            database = Database(path)
        except StoreUnusable as error:  # not for want of room, but for what is in it
            raise StoreDamaged(path=path.name, why=error.facts["why"]) from error
        database.fold_log()
        database.close()
        check_rows(path)
        yield path
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _people(connection: sqlite3.Connection) -> tuple[Access, ...]:
    """Who would have access by the backup."""
    phones = connection.execute("SELECT 'phone', name, role FROM other.phones ORDER BY rowid")
    tokens = connection.execute(
        "SELECT 'token', name, role FROM other.tokens WHERE revoked_at IS NULL ORDER BY rowid"
    )
    return tuple(Access(*row) for query in (phones.fetchall(), tokens.fetchall()) for row in query)


def _wanted(
    manifest: Manifest, pictures: Path, pairs: list[tuple[str, str, str]]
) -> tuple[list[str], set[str]]:
    """The backup's photos that the folder does not have, or has damaged; and the frames that lost
    the picture they have here, so that they need that of the backup.

    `pairs`: the frames that have another picture in the backup.
    """
    photos = set(manifest.photos)
    lost = {
        frame
        for frame, here, there in pairs
        if there in photos and here not in photos and not _is_whole(pictures / here)
    }
    needless = {there for frame, _, there in pairs if frame not in lost}
    wanted = [n for n in manifest.photos if n not in needless and not _is_whole(pictures / n)]
    return wanted, lost


def _is_whole(photo: Path) -> bool:
    try:
        return hashlib.sha256(photo.read_bytes()).hexdigest() == photo.stem
    except FileNotFoundError:
        return False


def _write_photos(
    archive: zipfile.ZipFile, manifest: Manifest, wanted: list[str], folder: Path, files: DiskFiles
) -> None:
    for name in wanted:
        path = folder / PICTURES / name
        data = _read(archive, manifest, f"{PICTURES}/{name}")
        is_whole = hashlib.sha256(data).hexdigest() == path.stem
        if is_whole or not path.exists():  # what had changed before the backup is no better
            write_whole(files, path, data)
    for name in BESIDE:
        if name in manifest.files and not (folder / name).exists():
            write_whole(files, folder / name, _read(archive, manifest, name))


def _read(archive: zipfile.ZipFile, manifest: Manifest, name: str) -> bytes:
    return read_whole(archive, name, manifest.files[name]["bytes"])
