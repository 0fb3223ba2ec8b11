"""The look round at start: what an interrupted program left behind is swept, and named.

Names and rows are compared before anything is served. Whether the pictures are still
those that were kept takes reading them, and is looked at while the service runs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from rig.store.database import Database
from rig.store.file_layer import TEMPORARY, FileLayer, disk_trouble
from rig.store.frames import Frames

NEWEST = 20
"""So many of the newest pictures are read in full: what a power cut can have hurt is among them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found at start: a key, what it concerns, and one sentence."""

    key: str
    subject: str
    sentence: str


def check_up(database: Database, files: FileLayer, folder: Path) -> list[Finding]:
    """Sweep unfinished and orphan files and compare the frames with their files."""
    try:
        names = set(files.names(folder))
        findings = _sweep(database, files, folder, names)
        findings += _missing(database, names)
        if findings:
            files.sync_folder(folder)
    except OSError as error:
        raise disk_trouble(error, folder) from error
    before, after = database.migrated
    if 0 < before < after:
        sentence = f"The store was brought from schema {before} to {after}."
        findings.append(Finding("store-migrated", str(after), sentence))
    return findings


def _sweep(database: Database, files: FileLayer, folder: Path, names: set[str]) -> list[Finding]:
    known = {f"{row[0]}.{row[1]}" for row in database.rows("SELECT sha256, kind FROM frames")}
    findings = []
    for name in sorted(names - known):
        files.remove(folder / name)
        unfinished = name.endswith(TEMPORARY)
        what = "an unfinished file" if unfinished else "a picture that belongs to no frame"
        key = "file-unfinished" if unfinished else "file-orphan"
        findings.append(Finding(key, name, f"Removed {name}: {what}, left by a sudden stop."))
    return findings


def _missing(database: Database, names: set[str]) -> list[Finding]:
    return [
        Finding(
            "picture-missing",
            str(row["id"]),
            f"The picture of frame {row['id']} is not in the store any more.",
        )
        for row in database.rows("SELECT id, sha256, kind FROM frames ORDER BY seq")
        if f"{row['sha256']}.{row['kind']}" not in names
    ]


def changed_pictures(files: FileLayer, frames: Frames) -> list[Finding]:
    """Read the newest pictures in full and name those that are not what was kept."""
    findings = []
    for frame in frames.latest(NEWEST):
        try:
            data = files.read(frames.path(frame))
        except FileNotFoundError:
            continue  # lost, which `check_up` names, or deleted only now
        except OSError as error:
            raise disk_trouble(error, frames.path(frame)) from error
        if hashlib.sha256(data).hexdigest() != frame.sha256:
            sentence = f"The picture of frame {frame.id} is not the one that was kept."
            findings.append(Finding("picture-changed", frame.id, sentence))
    return findings
