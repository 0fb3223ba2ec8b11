"""A followed game as it stands, as one value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from referee.history import QUIET, History, ReadAt, Told
from referee.kept_game import GameSettings
from rig.trouble import Trouble

Doing = Literal["watching", "reading", "waiting", "disturbed", "off"]
PLACES = 1000
"""An event's number is its step's times this, and its place in the step."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A step's number in its game, and when it was made."""

    number: int
    at: str


@dataclass(frozen=True, slots=True)
class Numbered:
    """An event with its number and the time of its step."""

    number: int
    at: str
    told: Told


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """A game that is kept, by its id, and how it was followed."""

    game: str
    begun_at: str
    settings: GameSettings


@dataclass(frozen=True, slots=True)
class Now:
    """`game`: its id, None where there is none. `marks`: of the history's entries, one each.
    `is_whole`: all steps that were kept do read. `unread`: frames of the game that wait for their
    reading, and when each was taken, in seconds since 1970. `refused`: the last picture that was
    not taken in, and why.
    """

    game: str | None
    settings: GameSettings
    history: History
    marks: tuple[Mark, ...] = ()
    is_whole: bool = True
    unread: Mapping[str, float] = field(default_factory=dict)
    refused: tuple[str, Trouble] | None = None

    @property
    def has_ended(self) -> bool:
        """Whether the game was ended, by a frame."""
        return self.settings.frame is not None

    @property
    def doing(self) -> Doing:
        """What the rig does about the game."""
        if self.game is None or not self.settings.following:
            return "off"
        if self.unread:
            return "reading"
        read = [one for one in self.history.entries if isinstance(one.step, ReadAt)]
        kinds = {told.event.kind for told in read[-1].told} if read else set()
        if "disturbed" in kinds:
            return "disturbed"
        return "waiting" if "waiting" in kinds else "watching"

    def events(self) -> Iterator[Numbered]:
        """What happened in the round, in order."""
        for mark, entry in zip(self.marks, self.history.entries, strict=True):
            for place, told in enumerate(entry.told):
                if told.event.kind not in QUIET:
                    yield Numbered(PLACES * mark.number + place, mark.at, told)

    def event(self, number: int) -> Numbered | None:
        """The event of this number."""
        return next((one for one in self.events() if one.number == number), None)
