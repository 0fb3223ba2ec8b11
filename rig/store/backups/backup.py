"""One file that holds all that a rig has kept, made while it runs: a ZIP with a manifest.

The database in it is a snapshot by SQLite's own backup, and the photos are those that the
snapshot names. The manifest holds the SHA-256 of each, by which a backup is checked.
"""

import contextlib
import hashlib
import os
import sqlite3
import time
import zipfile
from pathlib import Path

from rig.store.backups.backup_check import MANIFEST, Manifest, check_backup
from rig.store.database import open_to_look
from rig.store.file_layer import DISK, TEMPORARY, DiskFiles, disk_trouble
from rig.store.layout import BESIDE, DATABASE, PICTURES
from rig.store.schema import schema_number
from rig.store.trouble import StoreUnusable

_PREFIX, _DAILY, _SUFFIX = "tacta-", "daily-", ".zip"
_CHUNK_BYTES = 1 << 20


def backup_name(at: str, daily: bool = False) -> str:
    """A backup's name, by the time (ISO 8601) at which it is made."""
    return f"{_PREFIX}{_DAILY if daily else ''}{at.replace(':', '-')}{_SUFFIX}"


def is_daily(file: Path) -> bool:
    """Whether a backup was made by the rig itself."""
    return file.name.startswith(_PREFIX + _DAILY)


def backups_in(folder: Path) -> list[Path]:
    """The finished backups in a folder, the newest first."""
    with contextlib.suppress(OSError):
        found = folder.glob(f"{_PREFIX}*{_SUFFIX}")
        return sorted(
            (one for one in found if one.is_file() and not one.is_symlink()),
            key=lambda file: file.name.replace(_DAILY, "", 1),
            reverse=True,
        )
    return []


def write_backup(
    data: Path,
    file: Path,
    at: str,
    program: str,
    *,
    with_photos: bool = True,
    files: DiskFiles = DISK,
) -> Manifest:
    """Back up the data folder to a file, whole or not at all, and read it back.

    StoreTrouble if it cannot be done; then nothing is left of it. BackupDamaged if what was
    written is not what was read.
    """
    unfinished = file.with_name(f"{file.name}{TEMPORARY}")
    snapshot = file.with_name(f"{file.name}.db{TEMPORARY}")
    try:
        manifest = _write(data, unfinished, snapshot, Manifest(at, program, 0, with_photos))
        files.sync_file(unfinished)
        check_backup(unfinished)
        files.rename(unfinished, file)
        files.sync_folder(file.parent)
    except OSError as error:
        raise disk_trouble(error, file) from error
    except sqlite3.Error as error:
        raise StoreUnusable(path=data, why=error) from error
    finally:
        for path in (unfinished, snapshot):
            with contextlib.suppress(OSError):
                files.remove(path)
    return manifest


def _write(data: Path, unfinished: Path, snapshot: Path, manifest: Manifest) -> Manifest:
    _snapshot(data / DATABASE, snapshot)
    with contextlib.closing(sqlite3.connect(snapshot, isolation_level=None)) as copied:
        manifest.schema = schema_number(copied)
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as stream, zipfile.ZipFile(stream, "w") as archive:
            if manifest.with_photos:
                _add_photos(archive, manifest, data, copied)
            for name in BESIDE:
                with contextlib.suppress(FileNotFoundError):
                    _add(archive, manifest, name, (data / name).read_bytes())
            copied.close()
            _add_file(archive, manifest, DATABASE, snapshot)
            archive.writestr(MANIFEST, manifest.text(), zipfile.ZIP_DEFLATED)
    return manifest


def _snapshot(database: Path, target: Path) -> None:
    """The database as it is at one moment; whoever writes meanwhile is not held up."""
    if not database.exists():
        raise StoreUnusable(path=database, why="not there")
    target.unlink(missing_ok=True)
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT, 0o600))
    with (
        contextlib.closing(open_to_look(database)) as source,
        contextlib.closing(sqlite3.connect(target)) as copied,
    ):
        source.backup(copied)
        copied.execute("PRAGMA journal_mode = DELETE")


def _add_photos(
    archive: zipfile.ZipFile, manifest: Manifest, data: Path, copied: sqlite3.Connection
) -> None:
    """Add the snapshot's photos. One that was deleted for good since then goes from both; where
    another is in its place since then, the frame is taken as it is now.
    """
    copied.execute("PRAGMA foreign_keys = ON")
    rows = copied.execute("SELECT id, sha256, kind FROM frames ORDER BY seq").fetchall()
    for frame, sha256, kind in rows:
        name = f"{sha256}.{kind}"
        try:
            photo = (data / PICTURES / name).read_bytes()
        except FileNotFoundError:
            now = _file_now(data / DATABASE, frame)
            if now == name:
                manifest.missing.append(name)
                continue
            if now is None:
                copied.execute("DELETE FROM frames WHERE id = ?", (frame,))
                continue
            _bring_frame(data / DATABASE, frame, copied)
            name, photo = now, (data / PICTURES / now).read_bytes()
        _add(archive, manifest, f"{PICTURES}/{name}", photo)
        time.sleep(0)  # whoever is being answered goes first


def _file_now(database: Path, frame: str) -> str | None:
    """The name of the frame's photo as it is now; None where the frame was deleted."""
    query = "SELECT sha256 || '.' || kind FROM frames WHERE id = ?"
    with contextlib.closing(open_to_look(database)) as now:
        row = now.execute(query, (frame,)).fetchone()
    return None if row is None else str(row[0])


def _bring_frame(database: Path, frame: str, copied: sqlite3.Connection) -> None:
    """Bring a frame's row, as it is now, into the snapshot, with the deck it was read with."""
    names = (str(row[1]) for row in copied.execute("PRAGMA table_info(frames)"))
    columns = ", ".join(name for name in names if name not in ("seq", "id"))
    copied.execute("ATTACH DATABASE ? AS now", (str(database),))
    copied.execute("INSERT OR IGNORE INTO decks SELECT * FROM now.decks")
    copied.execute(
        f"UPDATE frames SET ({columns}) = (SELECT {columns} FROM now.frames WHERE id = ?)"
        " WHERE id = ?",
        (frame, frame),
    )
    copied.execute("DETACH DATABASE now")


def _add(archive: zipfile.ZipFile, manifest: Manifest, name: str, data: bytes) -> None:
    archive.writestr(_entry(name), data)
    manifest.files[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def _add_file(archive: zipfile.ZipFile, manifest: Manifest, name: str, path: Path) -> None:
    digest = hashlib.sha256()
    size = 0
    entry = _entry(name, zipfile.ZIP_DEFLATED)
    with path.open("rb") as source, archive.open(entry, "w", force_zip64=True) as target:
        while chunk := source.read(_CHUNK_BYTES):
            digest.update(chunk)
            size += len(chunk)
            target.write(chunk)
    manifest.files[name] = {"sha256": digest.hexdigest(), "bytes": size}


def _entry(name: str, compression: int = zipfile.ZIP_STORED) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.compress_type = compression
    entry.external_attr = 0o600 << 16
    return entry
