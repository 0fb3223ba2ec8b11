"""A camera's process, seen from the rig: every call has a deadline, and it can be killed."""

import contextlib
import itertools
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rig
from rig.cameras.source import Facts, Json, Shot
from rig.cameras.trouble import (
    TROUBLES,
    CameraFailed,
    CameraGarbage,
    CameraNotInstalled,
    CameraSilent,
    CameraTrouble,
)
from rig.cameras.wire import WireBroken, WireLate, receive, send
from rig.processes.supervised import SupervisedProcess

_CHILD = Path(__file__).with_name("child.py")
_KILL_S = 2.0


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """Which camera, and how its process is started.

    name: how the person called it. kind: pi, usb, stream, folder, table, game.
    factory: `module:function` that opens it in the process, with `arguments`.
    python: the interpreter that has what this camera needs. environment: added to ours.
    """

    name: str
    kind: str
    factory: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    python: str = sys.executable
    environment: Mapping[str, str] = field(default_factory=dict)


class CameraProcess:
    """Started at once; `open` opens the camera. After a late or broken call only `kill` helps."""

    def __init__(self, choice: CameraChoice) -> None:
        self.choice = choice
        self.spoilt = False
        """A call was late or broken: what comes next on the wire answers nothing."""
        self._numbers = itertools.count(1)
        paths = sys.path if choice.python == sys.executable else []
        try:
            self._process = SupervisedProcess(
                [choice.python, "-P", str(_CHILD)],
                [str(Path(rig.__file__).parent), *(path for path in paths if path)],
                _quiet(choice.environment),
            )
        except OSError as error:
            raise CameraNotInstalled(
                camera=choice.name,
                what=choice.python,
                why=error.strerror,
                how="name a Python with TACTA_CAMERA_PYTHON",
            ) from error

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def open(self, hello_s: float, open_s: float) -> Facts:
        """Wait until the process is up, then open the camera; a deadline each, in seconds."""
        self._heard(hello_s)
        answer, _ = self._call(
            open_s, do="open", factory=self.choice.factory, arguments=dict(self.choice.arguments)
        )
        try:
            facts = answer["facts"]
            still_wh = tuple(facts["still_wh"]) if facts["still_wh"] else None
            return Facts(facts["name"], facts["lively"], facts["settles"], still_wh)
        except (KeyError, TypeError) as error:
            raise self._garbage("facts that are none") from error

    def preview(self, deadline_s: float) -> Shot:
        """The newest small picture, within so many seconds."""
        return self._shot(*self._call(deadline_s, do="preview"))

    def still(self, after_s: float, deadline_s: float) -> Shot:
        """A full picture exposed after a time of the monotonic clock, within so many seconds."""
        return self._shot(*self._call(deadline_s, do="still", after_s=after_s))

    def settle(self, deadline_s: float) -> None:
        """Adapt to the light, within so many seconds."""
        self._call(deadline_s, do="settle")

    def close(self, deadline_s: float = 2.0) -> bool:
        """Ask it to give the camera back, then end it in any case. False as for `kill`."""
        with contextlib.suppress(CameraTrouble):
            self._call(deadline_s, do="close")
            self._process.ended_with(deadline_s)
        return self.kill()

    def kill(self) -> bool:
        """End the process at once. False: it cannot be killed, it hangs in the kernel."""
        return self._process.end(_KILL_S)

    def interrupt(self) -> None:
        """End the process from another thread: a call that waits for it ends at once."""
        self._process.interrupt()

    def is_alive(self) -> bool:
        """Whether the process is still there."""
        return self._process.is_alive()

    def _call(self, deadline_s: float, **request: Any) -> tuple[dict[str, Any], bytes]:
        number = next(self._numbers)
        try:
            self._process.wire.settimeout(deadline_s)
            send(self._process.wire, {"id": number, "camera": self.choice.name, **request})
        except WireLate as late:
            raise self._late(deadline_s) from late
        except WireBroken as broken:
            raise self._ended(broken) from broken
        answer, payload = self._heard(deadline_s)
        if answer.get("id") != number:
            raise self._garbage("an answer to another question")
        if "trouble" in answer:
            kind = TROUBLES.get(str(answer["trouble"]), CameraFailed)
            raise kind(**{"camera": self.choice.name, "why": "unknown", **answer["facts"]})
        return answer, payload

    def _heard(self, deadline_s: float) -> tuple[dict[str, Any], bytes]:
        try:
            return receive(self._process.wire, time.monotonic() + deadline_s)
        except WireLate as late:
            raise self._late(deadline_s) from late
        except WireBroken as broken:
            raise self._ended(broken) from broken

    def _late(self, deadline_s: float) -> CameraSilent:
        self.spoilt = True
        return CameraSilent(camera=self.choice.name, seconds=deadline_s)

    def _ended(self, broken: WireBroken) -> CameraTrouble:
        self.spoilt = True
        code = self._process.ended_with(0.2)
        if code is None:
            return self._garbage(str(broken))
        return CameraFailed(camera=self.choice.name, why=f"its process ended with {code}")

    def _garbage(self, why: str) -> CameraGarbage:
        self.spoilt = True
        return CameraGarbage(camera=self.choice.name, why=why)

    def _shot(self, answer: dict[str, Any], payload: bytes) -> Shot:
        try:
            width, height = answer["size_wh"]
            size = (int(width), int(height))
            taken_s, known = float(answer["taken_s"]), dict(answer["known"])
            return Shot(payload, size, taken_s, int(answer["print"]), known)
        except (KeyError, TypeError, ValueError) as error:
            raise self._garbage("a picture without its facts") from error


def _quiet(more: Mapping[str, str]) -> dict[str, str]:
    """Our environment for the process; libcamera reports errors only unless told otherwise."""
    return {"LIBCAMERA_LOG_LEVELS": "*:ERROR", **os.environ, **more}
