"""The look round at start: what an interrupted program left behind is tidied up, and named.

Names and rows are compared before anything is served. Whether the pictures are still
those that were kept takes reading them, and is looked at while the service runs.

A file that no row names may be the only copy of somebody's photograph: the database may
be an old one, or a new one. Such files are moved aside, and never deleted. Where most of
the photos are unknown it is the database that is wrong, and nothing is touched at all.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rig.store.database import Database
from rig.store.file_layer import TEMPORARY, DiskFiles, disk_trouble
from rig.store.frame import Frame
from rig.store.frames import Frames
from rig.store.trouble import StoreReadOnly
from rig.wording.catalogue import trouble_sentence

NEWEST = 20
"""So many of the newest pictures are read in full: what a power cut can have hurt is among them."""
LEAST_UNKNOWN = 2
"""A sudden stop leaves one photo at most without its row; more are another matter."""
NAMED = 5
"""So many lost files are named in the sentence; the folder has them all."""
_OURS = r"[0-9a-f]{64}\.(?:jpeg|png|webp|heic|avif)"
_PHOTO = re.compile(_OURS)
_UNFINISHED = re.compile(_OURS + re.escape(TEMPORARY))


def is_photo_name(name: str) -> bool:
    """Whether a file of this name may be a frame's photo."""
    return _PHOTO.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found at start: a trouble's key, what it concerns, and the facts of it."""

    key: str
    subject: str
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """What it says in English."""
        return trouble_sentence(self.key, self.facts)


@dataclass(frozen=True, slots=True)
class CheckUp:
    """What was found; `read_only` where the database does not know most of the photos."""

    findings: list[Finding]
    read_only: StoreReadOnly | None = None


def check_up(database: Database, files: DiskFiles, folder: Path, lost: Path) -> CheckUp:
    """Move files that no row names to `lost`, and compare the frames with their files.

    `folder` holds the photos. Nothing is moved where most photos are unknown.
    """
    try:
        names = set(files.names(folder))
        _finish_deletions(database, files, folder, names)
        foreign = sorted(names - known_files(database))
        read_only = _wrong_database(database, names, foreign)
        findings = [] if read_only else _tidy(files, folder, lost, foreign)
        findings += _missing(database, names)
        findings += lying_in(files, lost)
    except OSError as error:
        raise disk_trouble(error, folder) from error
    if read_only is not None:
        findings.insert(0, Finding(read_only.key, "", read_only.facts))
    before, after = database.migrated
    if 0 < before < after:
        facts = {"before": before, "after": after}
        findings.append(Finding("store-migrated", str(after), facts))
    return CheckUp(findings, read_only)


def known_files(database: Database) -> set[str]:
    """The names of all photos that a frame needs."""
    return {f"{row[0]}.{row[1]}" for row in database.rows("SELECT sha256, kind FROM frames")}


def unknown_photos(names: set[str], known: set[str]) -> list[str]:
    """The photos among these names that no frame needs."""
    return sorted(name for name in names - known if _PHOTO.fullmatch(name))


def _wrong_database(
    database: Database, names: set[str], foreign: list[str]
) -> StoreReadOnly | None:
    """Whether the database is not the one that belongs to these photos."""
    photos = sum(_PHOTO.fullmatch(name) is not None for name in names)
    unknown = sum(_PHOTO.fullmatch(name) is not None for name in foreign)
    is_new = database.migrated[0] == 0
    if 2 * unknown > photos and (unknown >= LEAST_UNKNOWN or is_new):
        return StoreReadOnly(unknown=unknown, photos=photos)
    return None


def _finish_deletions(database: Database, files: DiskFiles, folder: Path, names: set[str]) -> None:
    """What a person deleted for good goes, although the power went in between."""
    doomed = {str(row["file"]) for row in database.rows("SELECT file FROM deletions")}
    for file in filter(is_photo_name, doomed - known_files(database)):
        files.remove(folder / file)
        names.discard(file)
    if doomed:
        files.sync_folder(folder)
        with database.transaction() as connection:
            connection.execute("DELETE FROM deletions")
        database.fold_log()


def _tidy(files: DiskFiles, folder: Path, lost: Path, foreign: list[str]) -> list[Finding]:
    """Remove what this program was writing when it stopped; move everything else aside."""
    unfinished = [name for name in foreign if _UNFINISHED.fullmatch(name)]
    for name in unfinished:
        files.remove(folder / name)
    set_aside(files, folder, lost, [name for name in foreign if name not in unfinished])
    if unfinished:
        files.sync_folder(folder)
    return [Finding("file-unfinished", name, {"file": name}) for name in unfinished]


def set_aside(files: DiskFiles, folder: Path, lost: Path, names: list[str]) -> None:
    """Move files to the folder of lost ones; one of the same name there stays beside it."""
    if not names:
        return
    files.make_folder(lost)
    taken = set(files.names(lost))
    for name in names:
        free = next(new for new in _names_like(name) if new not in taken)
        taken.add(free)
        files.rename(folder / name, lost / free)
    files.sync_folder(lost)
    files.sync_folder(folder)


def _names_like(name: str) -> list[str]:
    return [name, *(f"{name}.{number}" for number in range(1, 10_000))]


def lying_in(files: DiskFiles, lost: Path) -> list[Finding]:
    """Say what lies in the folder of lost files, if anything does."""
    try:
        names = files.names(lost)
    except FileNotFoundError:
        return []
    if not names:
        return []
    more = len(names) - NAMED
    listed = ", ".join(names[:NAMED]) + (f" (+{more})" if more > 0 else "")
    facts = {"folder": lost, "count": len(names), "files": listed}
    return [Finding("files-lost", listed, facts)]


def _missing(database: Database, names: set[str]) -> list[Finding]:
    return [
        Finding("picture-missing", str(row["id"]), {"frame": row["id"]})
        for row in database.rows("SELECT id, sha256, kind FROM frames ORDER BY seq")
        if f"{row['sha256']}.{row['kind']}" not in names
    ]


def changed_pictures(files: DiskFiles, frames: Frames) -> list[Finding]:
    """Read the newest pictures in full and name those that are not what was kept."""
    found = (changed_picture(files, frames, frame) for frame in frames.latest(NEWEST))
    return [finding for finding in found if finding is not None]


def changed_picture(files: DiskFiles, frames: Frames, frame: Frame) -> Finding | None:
    """Read a picture in full; a finding if it is not what was kept, None if it is, or is lost."""
    try:
        data = files.read(frames.path(frame))
    except FileNotFoundError:
        return None  # which `check_up` names, or it was deleted only now
    except OSError as error:
        raise disk_trouble(error, frames.path(frame)) from error
    if hashlib.sha256(data).hexdigest() == frame.sha256:
        return None
    return Finding("picture-changed", frame.id, {"frame": frame.id})
