"""What was changed about a match, by whom and when: kept with it."""

from collections.abc import Mapping
from typing import Any, Literal

from rig.service.matches.parts import MatchParts
from rig.store.matches import KeptMatch

Change = Literal[
    "players",
    "seat",
    "seat-freed",
    "resumed",
    "cancelled",
    "deleted",
    "finished-first",
    "frame",
    "reopened",
    "disagreed",
    "settled",
    "overruled",
]


def note(
    parts: MatchParts,
    match: str,
    who: str,
    what: Change,
    round_: int | None = None,
    **facts: object,
) -> KeptMatch:
    """Write down a change of a match, or of one of its rounds."""
    return note_with(parts, match, {}, who, what, round_, **facts)


def note_with(
    parts: MatchParts,
    match: str,
    changes: Mapping[str, Any],
    who: str,
    what: Change,
    round_: int | None = None,
    **facts: object,
) -> KeptMatch:
    """Change values of a match and write down that it was done, both or neither."""
    kept = parts.store.matches.get(match)
    entry = {"at": parts.clock.now(), "who": who, "what": what, "round": round_, "facts": facts}
    history = [*kept.data.get("history", ()), entry]
    data = {**kept.data, **changes, "history": history}
    return parts.store.matches.change(match, data, kept.version)
