"""Reading photos in a process of its own, so that nothing ever waits for it but its frame."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Protocol

from geometry.deck import Deck
from geometry.rules import Rules
from rig.service.reader_process import READER, serve
from rig.store.seen_json import deck_text

LONGEST_S = 120.0
"""A reading that takes longer hangs, and its process is replaced."""
OnStage = Callable[[str], None]


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

    def start(self) -> None:
        """Get ready, so that the first photo need not wait for it; nothing if it is."""

    def read(self, job: Job, on_stage: OnStage) -> Outcome:
        """Read a photo, saying each stage as it begins. Never raises for a bad photo."""

    def close(self) -> None:
        """Let go of what it holds."""


class ReaderProcess:
    """The reader in its process, which is replaced when it dies or hangs."""

    def __init__(self, deck: Deck, rules: Rules, reader: str = READER) -> None:
        """`reader` names the reading function, "module:function"."""
        self._settings = (deck_text(deck), rules, reader)
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None

    def start(self) -> None:
        """Start the process; it reads a practice picture first. Nothing if it runs."""
        if self._process is not None and self._process.is_alive():
            return
        self.close()
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=serve, args=(theirs, *self._settings), name="tacta-reader", daemon=True
        )
        process.start()
        theirs.close()
        self._process, self._line = process, ours

    def read(self, job: Job, on_stage: OnStage) -> Outcome:
        """Read a photo. A process that died or hung is replaced, and the photo is unread."""
        self.start()
        line = self._line
        if line is None:
            raise ValueError("expected a line to the reader's process, found none")
        try:
            line.send((str(job.path), job.name, job.lens))
            return self._listen(line, on_stage)
        except (EOFError, OSError):
            self.close()
            return failed(job.name, "the reading process ended")
        except TimeoutError:
            self.close()
            return failed(job.name, f"no answer within {LONGEST_S:g} s")

    def _listen(self, line: Connection, on_stage: OnStage) -> Outcome:
        while line.poll(LONGEST_S):
            kind, value = line.recv()
            if kind == "stage":
                on_stage(value)
            elif kind == "seen":
                return SeenText(value)
            else:
                return Unread(**json.loads(value))
        raise TimeoutError

    def close(self) -> None:
        """End the process."""
        if self._line is not None:
            self._line.close()
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
            with contextlib.suppress(ValueError):
                self._process.close()
        self._process = self._line = None


def failed(name: str, why: str) -> Unread:
    """The outcome where the program, not the photo, is at fault."""
    sentence = (
        f"{name} could not be read because of a fault in the program ({why}): "
        "please report it with the photo."
    )
    return Unread("reading-failed", {"name": name, "why": why}, sentence)
