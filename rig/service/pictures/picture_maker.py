"""Whoever makes pictures for the page out of photos: beside the service, where it can be killed."""

from typing import Any

import rig.photo.trouble
from rig.photo.trouble import PhotoTooHard
from rig.processes.killable import Ended, KillableProcess
from rig.service.http.limits import MOST_PICTURES
from rig.service.pictures.lanes import TwoLanes
from rig.service.pictures.picture_process import answer, serve

LONGEST_S = 30.0
"""A photo of 25 megapixels takes a second or two on a Pi; a hundred scans take longer than this."""
START_S = 60.0
"""Within this the process is there; a Pi that reads at the same time takes a while."""


class PictureMaker:
    """Does one of `picture_process.TASKS`. PhotoTrouble where the photo is at fault.

    This one does it in this process: for a command that somebody waits for, and for tests.
    """

    def start(self) -> None:
        """Get ready."""

    def make(self, task: str, *arguments: Any, in_front: bool = True) -> Any:
        """Do the task; the second of its arguments is the photo's name."""
        del in_front
        return made(*answer(task, arguments))

    def rest(self) -> None:
        """Hold nothing until there is another task."""

    def stop(self) -> None:
        """Let go of what it holds."""


class MakerBeside(PictureMaker):
    """In a process of its own, one picture at a time: that bounds the memory they take together.

    `name` is the process's. A task that takes more than `longest_s` (`LONGEST_S`) is given up.
    """

    def __init__(
        self,
        name: str = "tacta-pictures",
        longest_s: float | None = None,
        most_waiting: int = MOST_PICTURES,
    ) -> None:
        self._process = KillableProcess(serve, (), name, START_S)
        self._lanes = TwoLanes(most_waiting)
        self._longest_s = longest_s

    def start(self) -> None:
        """Start the process, if nobody is using it."""
        with self._lanes.turn(in_front=False):
            self._process.start()

    def make(self, task: str, *arguments: Any, in_front: bool = True) -> Any:
        """Do the task in the process, which is killed where it takes too long."""
        with self._lanes.turn(in_front):
            self._process.start()
            try:
                longest_s = LONGEST_S if self._longest_s is None else self._longest_s
                asked = self._process.ask((task, arguments), longest_s, longest_s)
                kind, value = next(asked)
            except Ended as ended:
                raise PhotoTooHard(name=arguments[1], why=ended.why) from ended
        return made(kind, value)

    def rest(self) -> None:
        """End the process, unless somebody uses it; the next task starts another."""
        with self._lanes.turn(in_front=False):
            self._process.end()

    def stop(self) -> None:
        """End the process for good."""
        self._process.close()


def made(kind: str, value: Any) -> Any:
    """What was made, or the trouble with it raised."""
    if kind == "done":
        return value
    name, facts = value
    raise getattr(rig.photo.trouble, name)(**facts)
