"""A followed game as JSON values: how it is followed, and its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from referee.history import Named, Playing, ReadAt, Ruled, Step
from referee.turn_clock import Taken
from vision.reading import Reading

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GameSettings:
    """How a game is followed. `players`: the colours that play; `turns`: in the order of turns,
    none where there are none, both as they were when it began. `after`: frames that were
    kept up to this one, by their order, are not part of it. `match`, `round`: what it is a round
    of. `frame`: the one that ended it; None while it goes on. `hide_scores`: until the end.
    `turn_s`: how long a turn may last (V3), None where that is not asked.
    """

    following: bool = True
    players: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    hide_scores: bool = False
    after: int = 0
    match: str | None = None
    round: int | None = None
    frame: str | None = None
    turn_s: int | None = None


def settings_data(settings: GameSettings) -> dict[str, Any]:
    """Settings as a JSON object."""
    return {**asdict(settings), "players": list(settings.players), "turns": list(settings.turns)}


def settings_of(data: Data) -> GameSettings:
    """The settings that `settings_data` wrote. TypeError or KeyError for anything else."""
    given = {
        "players": tuple(data["players"]),
        "turns": tuple(data["turns"]),
        "turn_s": None if data.get("turn_s") is None else _number(data["turn_s"]),
    }
    return GameSettings(**{**data, **given})


def step_data(step: Step) -> dict[str, Any]:
    """A step as a JSON object; what a reading saw is kept beside it."""
    match step:
        case ReadAt():
            taken = {key: value for key, value in asdict(step.taken).items() if value is not None}
            return {"kind": "read", "frame": step.frame, "picture": step.picture, **taken}
        case Named():
            colour, face = step.name
            return {
                "kind": "named", "card": step.card, "colour": colour, "face": face, "by": step.by,
            }  # fmt: skip
        case Ruled():
            return {"kind": "ruled", "card": step.card, "stays": step.stays, "by": step.by}
        case Playing():
            return {"kind": "playing", "players": list(step.players)}


def step_of(data: Data, reading: Reading | None = None) -> Step:
    """The step that `step_data` wrote. KeyError, TypeError or ValueError for anything else."""
    match data["kind"]:
        case "read":
            taken = Taken(_seconds(data.get("at_s")), _seconds(data.get("turn_s")))
            return ReadAt(_text(data["frame"]), _text(data["picture"]), reading, taken)
        case "named":
            name = (_text(data["colour"]), _text(data["face"]))
            return Named(_number(data["card"]), name, _text(data["by"]))
        case "ruled":
            return Ruled(_number(data["card"]), data["stays"] is True, _text(data["by"]))
        case "playing":
            return Playing(tuple(_text(colour) for colour in data["players"]))
        case kind:
            raise ValueError(f"there is no step {kind!r:.40}")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, found {type(value).__name__}")
    return value


def _seconds(value: object) -> float | None:
    """Of a game that was kept before turns were timed there are none."""
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise TypeError(f"expected seconds, found {type(value).__name__}")


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(f"expected a number, found {type(value).__name__}")
    return value
