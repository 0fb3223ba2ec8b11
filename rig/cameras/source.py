"""The interface inside the camera's process: one module a kind of camera implements it.

Times are seconds of the monotonic clock, which all processes of a machine share.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture as it leaves the camera's process.

    data: the encoded picture (JPEG, or a photo file as it was found).
    size_wh: its size in pixels. taken_s: when it was exposed, or the earliest time
    that is certain. print: a checksum of its pixels before encoding.
    known: what the camera knows of it: `exposure`, `locked`, `lens`, `truth`, `name`.
    """

    data: bytes
    size_wh: tuple[int, int]
    taken_s: float
    print: int
    known: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a camera says of itself once it is open.

    lively: two exposures are never the same to the last bit, so that the same
    picture again and again means that it is frozen. settles: it can adapt to new
    light when asked. still_wh: size of its stills in pixels, None if not known yet.
    """

    name: str
    lively: bool
    settles: bool
    still_wh: tuple[int, int] | None


class Source(Protocol):
    """A camera. Every call may block or raise CameraTrouble; the parent has the deadlines."""

    def facts(self) -> Facts:
        """What it says of itself."""

    def preview(self) -> Shot:
        """The newest small picture."""

    def still(self, after_s: float) -> Shot:
        """A picture at full size, exposed after that time."""

    def settle(self) -> None:
        """Adapt exposure, white balance and focus to the light, then lock them again."""

    def close(self) -> None:
        """Give the camera back."""
