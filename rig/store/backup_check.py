"""What a backup says it holds, and whether it does: every byte is read and compared.

A backup comes from outside as well: names that lead out of the folder, and sizes that are
not those announced, are damage too.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rig.store.layout import BESIDE, DATABASE, PICTURES
from rig.store.schema import MIGRATIONS
from rig.store.trouble import BackupDamaged, BackupNewer

FORMAT = "tacta-backup/1"
MANIFEST = "manifest.json"
_PHOTO = re.compile(rf"{PICTURES}/[0-9a-f]{{64}}\.(?:jpeg|png|webp|heic)")
_CHUNK_BYTES = 1 << 20
_LONGEST_MANIFEST = 64 << 20
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
        return json.dumps(
            {
                "format": FORMAT,
                "made_at": self.made_at,
                "program": self.program,
                "schema": self.schema,
                "with_photos": self.with_photos,
                "files": self.files,
                "missing": self.missing,
            },
            indent=1,
        )


def check_backup(file: Path) -> Manifest:
    """Read a backup in full and compare it with its manifest. BackupDamaged, BackupNewer."""
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = _manifest(archive)
            for name, facts in manifest.files.items():
                if _digest(archive, name, facts["bytes"]) != facts["sha256"]:
                    raise ValueError(f"{name} has changed")
    except OSError as error:
        raise BackupDamaged(file=file, why=error.strerror or error) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError) as error:
        raise BackupDamaged(file=file, why=_one_line(error)) from error
    except (KeyError, TypeError, RuntimeError, RecursionError) as error:
        raise BackupDamaged(file=file, why="its list of files is not complete") from error
    if manifest.schema > len(MIGRATIONS):
        raise BackupNewer(file=file, found=manifest.schema, known=len(MIGRATIONS))
    return manifest


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    if archive.getinfo(MANIFEST).file_size > _LONGEST_MANIFEST:
        raise ValueError(f"{MANIFEST} is too long")
    data = json.loads(archive.read(MANIFEST))
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
    if size < 0 or (name != DATABASE and size > _LONGEST_PHOTO):
        raise ValueError(f"{name} is too large")
    return {"sha256": str(facts["sha256"]), "bytes": size}


def _digest(archive: zipfile.ZipFile, name: str, size: int) -> str:
    """The digest of a file in a backup, of which little more is read than its size."""
    digest = hashlib.sha256()
    with archive.open(name) as stream:
        left = size + 1
        while left > 0 and (chunk := stream.read(min(_CHUNK_BYTES, left))):
            digest.update(chunk)
            left -= len(chunk)
    return digest.hexdigest()


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
