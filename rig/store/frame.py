"""A captured frame as it is kept: its photo, where it came from, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rig.store.database import Row
from rig.store.kept_json import kept_json

FrameState = Literal["waiting", "reading", "read", "not_seen", "failed"]
ID_LENGTH = 20


@dataclass(frozen=True, slots=True)
class PhotoFacts:
    """What is known of a photo from its header: kind ("jpeg", ...) and size as stored, in px."""

    kind: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class NewFrame:
    """A photo that is to be kept. `lens`: the lens file's values, where the camera knows them.

    `came_sha256`: the SHA-256 of the file as it came, where something was taken out of it since.
    `sent_by`: the id of the phone or token that sent it, or had the camera take it.
    """

    data: bytes
    photo: PhotoFacts
    name: str
    source: str
    taken_at: str
    lens: Mapping[str, Any] | None = None
    came_sha256: str | None = None
    sent_by: str | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """A kept frame. `kept`: never removed to make room. `version` rises with every change.

    `trouble` says why there is no reading: a code and the facts of its sentence.
    """

    seq: int
    id: str
    sha256: str
    photo: PhotoFacts
    size_bytes: int
    name: str
    source: str
    taken_at: str
    state: FrameState
    trouble: Mapping[str, Any] | None
    version: int
    kept: bool
    lens: Mapping[str, Any] | None
    sent_by: str | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that is to take the place of a frame's."""

    data: bytes
    photo: PhotoFacts


@dataclass(frozen=True, slots=True)
class Added:
    """A frame that was added, or was there before; and which frames made room for it."""

    frame: Frame
    is_new: bool
    removed: tuple[str, ...] = ()


def frame_of(row: Row) -> Frame:
    """The frame of a row; ValueError or KeyError if it does not read."""
    return Frame(
        seq=row["seq"],
        id=row["id"],
        sha256=row["sha256"],
        photo=PhotoFacts(row["kind"], row["width"], row["height"]),
        size_bytes=row["bytes"],
        name=row["name"],
        source=row["source"],
        taken_at=row["taken_at"],
        state=row["state"],
        trouble=None if row["trouble"] is None else kept_json(row["trouble"]),
        version=row["version"],
        kept=bool(row["kept"]),
        lens=None if row["lens"] is None else kept_json(row["lens"]),
        sent_by=row["sent_by"],
    )
