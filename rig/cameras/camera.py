"""What the rest of the rig sees of a camera: previews, stills, and how it is doing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from rig.cameras.source import Facts, Json

Condition = Literal["starting", "fresh", "slow", "lost"]
Reason = Literal[
    "none",
    "waiting",
    "silent",
    "frozen",
    "dark",
    "damaged",
    "noise",
    "missing",
    "busy",
    "denied",
    "not-installed",
    "empty",
    "failed",
    "stuck",
]


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """A small picture: JPEG bytes for the page, and grey (H, W) uint8 for the watcher.

    taken_s: when it was exposed, seconds of the monotonic clock.
    burnt_share: the part of its pixels that is burnt out. mean_level: 0 to 255.
    """

    jpeg: bytes
    grey: NDArray[np.uint8]
    taken_s: float
    mean_level: float
    burnt_share: float


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """A picture at full size, encoded as the camera gave it; read it with `rig.photo.decoding`.

    asked_s and taken_s: seconds of the monotonic clock; a camera's still is never
    older than the request. locked: exposure, white balance and focus were those
    that were locked (None where the camera cannot tell). known: what the camera
    knows beside the pixels, such as `lens` (CONTRACT.md's form), `truth`, `exposure`.
    """

    data: bytes
    size_wh: tuple[int, int]
    asked_s: float
    taken_s: float
    locked: bool | None
    known: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class CameraState:
    """How a camera is doing, as data for the page, the doctor and the log.

    condition: `starting`, `fresh`, `slow` (no good picture for 3 s), `lost` (for
    10 s, or it is not there; restarted again and again). reason: why not fresh.
    sentence and advice: for a person; the key for translations is the reason.
    age_s: since the last good picture, None before the first. restarts: so far.
    reboot: the process hangs in the kernel, and only a reboot of the machine helps;
    never asked for in the first half hour after one.
    """

    camera: str
    condition: Condition
    reason: Reason
    sentence: str
    advice: str
    age_s: float | None
    restarts: int
    reboot: bool = False


class Camera(Protocol):
    """A camera over the table. All methods may be called from any thread."""

    def state(self) -> CameraState:
        """How it is doing; never blocks."""

    def facts(self) -> Facts | None:
        """What it is, None until it was open once; never blocks."""

    def latest_preview(self) -> Preview | None:
        """The newest good small picture, None before the first; never blocks."""

    def next_preview(self, after_s: float, wait_s: float) -> Preview | None:
        """A preview exposed after that time, or None when so many seconds have passed."""

    def still(self, deadline_s: float = 8.0) -> Still:
        """A picture at full size, exposed after this call. CameraTrouble says why not."""

    def close(self) -> None:
        """Stop, and give the camera back."""
