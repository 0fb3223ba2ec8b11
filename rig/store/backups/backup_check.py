"""What a backup says it holds, and whether it does: every byte is read and compared.

A backup comes from outside as well: names that lead out of the folder, and sizes that are
not those announced, are damage too.
"""

import contextlib
import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rig.store.backups.foreign_database import check_header
from rig.store.backups.unpacking import opened, read_chunks, read_whole
from rig.store.kept_json import kept_json
from rig.store.layout import BESIDE, DATABASE, PICTURES
from rig.store.schema import MIGRATIONS
from rig.store.trouble import BackupDamaged, BackupNewer

FORMAT = "tacta-backup/1"
MANIFEST = "manifest.json"
_PHOTO = re.compile(rf"{PICTURES}/[0-9a-f]{{64}}\.(?:jpeg|png|webp|heic|avif)")
_LONGEST_MANIFEST = 6 << 20
"""Of about 40,000 photos; reading JSON takes up to 24 times as much memory."""
_LONGEST_BESIDE = 4 << 20
_LONGEST_PHOTO = 64 << 20


@dataclass(slots=True)
class Manifest:
    """What a backup holds: each file's SHA-256 and size; photos that were not there are missing."""

    made_at: str
    program: str
    schema: int
    with_photos: bool
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    @property
    def photos(self) -> list[str]:
        """The names of the photos in it."""
        start = f"{PICTURES}/"
        return [name[len(start) :] for name in self.files if name.startswith(start)]

    def text(self) -> str:
        """The manifest as it is written."""
        return json.dumps({"format": FORMAT, **asdict(self)})


def check_backup(file: Path) -> Manifest:
    """Read a backup in full and compare it with its manifest. BackupDamaged, BackupNewer."""
    with checked(file) as (_, manifest):
        return manifest


@contextlib.contextmanager
def checked(file: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """The backup, open, after every byte was compared: what is read then is what was checked.

    BackupDamaged, BackupNewer.
    """
    with contextlib.ExitStack() as stack:
        with naming(file):
            archive = stack.enter_context(opened(file))
            manifest = _compared(archive, file)
        yield archive, manifest


def _compared(archive: zipfile.ZipFile, file: Path) -> Manifest:
    manifest = _manifest(archive)
    if set(archive.namelist()) != {MANIFEST, *manifest.files}:
        raise ValueError("its files are not those of its list")
    if manifest.schema > len(MIGRATIONS):
        raise BackupNewer(file=file, found=manifest.schema, known=len(MIGRATIONS))
    for name, facts in manifest.files.items():
        if _digest(archive, name, facts["bytes"]) != facts["sha256"]:
            raise ValueError(f"{name} has changed")
    return manifest


@contextlib.contextmanager
def naming(file: Path) -> Iterator[None]:
    """Whatever is wrong with what is read of a backup, as BackupDamaged."""
    try:
        yield
    except OSError as error:
        raise BackupDamaged(file=file, why=error.strerror or error) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError) as error:
        raise BackupDamaged(file=file, why=_one_line(error)) from error
    except (KeyError, TypeError, RuntimeError, RecursionError) as error:
        raise BackupDamaged(file=file, why="its list of files is not complete") from error


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    size = archive.getinfo(MANIFEST).file_size
    if size > _LONGEST_MANIFEST:
        raise ValueError(f"{MANIFEST} is too long")
    data = kept_json(read_whole(archive, MANIFEST, size).decode())
    if data["format"] != FORMAT:
        raise ValueError(f"expected {FORMAT}, found {str(data['format'])[:40]}")
    manifest = Manifest(
        made_at=str(data["made_at"]),
        program=str(data["program"]),
        schema=int(data["schema"]),
        with_photos=bool(data["with_photos"]),
        files={str(name): _facts(str(name), facts) for name, facts in data["files"].items()},
        missing=[str(name) for name in data["missing"]],
    )
    if DATABASE not in manifest.files:
        raise ValueError(f"{DATABASE} is not in it")
    return manifest


def _facts(name: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """A file's facts, if it is one that a rig keeps."""
    size = int(facts["bytes"])
    is_photo = _PHOTO.fullmatch(name) is not None
    if not is_photo and name not in (DATABASE, *BESIDE):
        raise ValueError(f"{name[:80]!r} is no file of a rig")
    longest = _LONGEST_PHOTO if is_photo else _LONGEST_BESIDE
    if size < 0 or (name != DATABASE and size > longest):
        raise ValueError(f"{name} is too large")
    return {"sha256": str(facts["sha256"]), "bytes": size}


def _digest(archive: zipfile.ZipFile, name: str, size: int) -> str:
    digest = hashlib.sha256()
    is_first = True
    for chunk in read_chunks(archive, name, size):
        if name == DATABASE and is_first:
            check_header(chunk, size)
        digest.update(chunk)
        is_first = False
    return digest.hexdigest()


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
