"""What was seen in several frames together, kept with the first one: its own is kept beside it.

Frames are joined from what each shows alone, however often, so that nothing counts twice.
"""

import json
from dataclasses import dataclass

from rig.store.kept_json import kept_json

_KEY = "joint"


@dataclass(frozen=True, slots=True)
class Joint:
    """Which frames were read as one, and their photos' names, the first that which keeps it."""

    frames: tuple[str, ...]
    names: tuple[str, ...]


def joint_text(seen: str, joint: Joint, alone: str) -> str:
    """A text of what was seen together, with those of whom, and what the first shows alone."""
    more = {"frames": list(joint.frames), "names": list(joint.names), "alone": alone_text(alone)}
    return json.dumps({**kept_json(seen), _KEY: more})


def alone_text(seen: str) -> str:
    """The text of what a frame shows alone."""
    kept = kept_json(seen).get(_KEY)
    return seen if kept is None else str(kept["alone"])


def joint_of(seen: str) -> Joint | None:
    """With which frames a text was seen together; None where a frame was read alone."""
    kept = kept_json(seen).get(_KEY)
    if kept is None:
        return None
    return Joint(tuple(map(str, kept["frames"])), tuple(map(str, kept["names"])))
