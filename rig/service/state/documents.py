"""What the service answers about how things stand, as models."""

from typing import Literal

from rig.service.frames.documents import FrameDocument
from rig.service.http.documents import Document
from rig.service.matches.documents import MatchDocument


class CameraDocument(Document):
    """How the camera is doing; `condition` is `none` where there is no camera."""

    camera: str | None
    condition: Literal["none", "starting", "fresh", "slow", "lost"]
    reason: str
    sentence: str
    advice: str
    age_s: float | None
    restarts: int


class ProblemDocument(Document):
    """Something that is not as it should be, and what to do."""

    key: str
    sentence: str


class StateDocument(Document):
    """Everything a page shows first."""

    camera: CameraDocument
    latest: FrameDocument | None
    match: MatchDocument | None
    queue: int
    frames: int
    free_bytes: int
    problems: list[ProblemDocument]


class HealthDocument(Document):
    """The service answers."""

    status: Literal["ok"]
    version: str


class ReadyDocument(Document):
    """Whether the service can do its work now."""

    ready: bool
    problems: list[ProblemDocument]
