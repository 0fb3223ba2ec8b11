"""Reading photos in a process of its own, so that nothing ever waits for it but its frame."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from geometry.deck import Deck
from geometry.rules import Rules
from rig.photo.trouble import PhotoTooHard
from rig.processes.killable import Ended, KillableProcess
from rig.service.frames.reader_process import READER, serve
from rig.store.seen_json import deck_text
from rig.trouble import Trouble
from rig.wording.catalogue import trouble_sentence
from rig.wording.kept_reasons import facts_data
from vision.reason import Reason

SECONDS = 60.0
"""After so long in all a reading looks for no more, and says what it has by then."""
BEYOND_S = 60.0
"""A reading that takes so much longer hangs, and its process is replaced."""
DECODED_S = 45.0
"""So is one whose photo is not decoded by then, the process's start and practice included."""
HAD = {
    "locate": Reason("photo-decoded"),
    "rectify": Reason("table-found"),
    "observe": Reason("table-found"),
    "reconstruct": Reason("cards-found"),
    "report": Reason("cards-ordered"),
}
"""What there is of a reading by the stage that it had reached."""
OnStage = Callable[[str], None]


class ReadingTooLong(Trouble, key="reading-too-long"):
    """The time for a reading was over; `why` is how far it had come."""


@dataclass(frozen=True, slots=True)
class Job:
    """A photo to read: its file, how people call it, and the lens file's values if known."""

    path: Path
    name: str
    lens: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class SeenText:
    """A photo that was read: what was seen in it, as JSON text."""

    text: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A photo that was not read. `seen` False: a good picture without a readable table.

    `key`, `facts` and `sentence` as those of a Trouble.
    """

    key: str
    facts: Mapping[str, Any]
    sentence: str
    not_seen: bool = False


Outcome = SeenText | Unread


class Reader(Protocol):
    """Reads one photo at a time; called from one thread."""

    def start(self) -> object:
        """Get ready, so that the first photo need not wait for it; nothing if it is."""

    def read(self, job: Job, on_stage: OnStage) -> Outcome:
        """Read a photo, saying each stage as it begins. Never raises for a bad photo."""

    def close(self) -> None:
        """Let go of what it holds."""


class ReaderProcess(KillableProcess):
    """The reader in its process, which is replaced when it dies or hangs."""

    def __init__(
        self, deck: Deck, rules: Rules, reader: str = READER, seconds: float = SECONDS
    ) -> None:
        """`reader` names the reading function, "module:function"; `seconds`: a reading's time."""
        super().__init__(serve, (deck_text(deck), rules, reader), "tacta-reader")
        self._seconds = seconds

    def read(self, job: Job, on_stage: OnStage) -> Outcome:
        """Read a photo. A process that died or hung is replaced, and the photo is unread.

        Stopped once the service stops: the photo is neither read nor at fault.
        """
        question = (str(job.path), job.name, job.lens, self._seconds)
        reached = ""
        try:
            for kind, value in self.ask(question, DECODED_S, self._seconds + BEYOND_S):
                if kind == "stage":
                    reached = value
                    on_stage(value)
                elif kind == "seen":
                    return SeenText(value)
                elif kind == "unread":
                    return Unread(**json.loads(value))
        except Ended as ended:
            if reached and ended.after_s is not None:
                return too_long(job.name, ended.after_s, reached)
            return too_hard(job.name, ended.why)
        raise ValueError("expected an outcome, found none")


def too_hard(name: str, why: str) -> Unread:
    """The outcome where a photo took its process down."""
    trouble = PhotoTooHard(name=name, why=why)
    return Unread(trouble.key, trouble.facts, str(trouble))


def too_long(name: str, seconds: float, reached: str) -> Unread:
    """The outcome where the time for a reading was over; it says how far it had come."""
    trouble = ReadingTooLong(name=name, seconds=f"{seconds:g}", why=HAD[reached])
    return Unread(trouble.key, facts_data(trouble.facts), str(trouble))


def failed(name: str, why: str) -> Unread:
    """The outcome where the program, not the photo, is at fault."""
    facts = {"name": name, "why": why}
    return Unread("reading-failed", facts, trouble_sentence("reading-failed", facts))
