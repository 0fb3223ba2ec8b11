"""What the service answers about how things stand, and listeners, as models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rig.service.frames.documents import FrameDocument
from rig.service.http.documents import Document
from rig.service.matches.documents import MatchDocument


class HookDocument(Document):
    """A webhook. `waiting`: events it has not taken yet; `tries`: how often in vain by now."""

    id: str
    name: str
    url: str
    made_at: str
    waiting: int
    tries: int
    last_at: str | None
    last_status: int | None
    last_error: str | None = Field(description="Null: the last event was taken.")


class NewHookDocument(HookDocument):
    """A webhook that was just made, with the secret of its signatures, shown once."""

    secret: str


class HookList(Document):
    """Every webhook."""

    webhooks: list[HookDocument]


class BrokerDocument(Document):
    """An MQTT broker. `waiting`: events it has not taken yet; `tries`: how often in vain by now."""

    id: str
    name: str
    url: str
    made_at: str
    topic: str
    username: str
    discovery: str | None
    own_ca: bool = Field(description="Its certificate is checked against one that was given.")
    waiting: int
    tries: int
    last_at: str | None
    last_error: str | None = Field(description="Null: all is well, or nothing was tried yet.")


class BrokerList(Document):
    """Every broker."""

    brokers: list[BrokerDocument]


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
