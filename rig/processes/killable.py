"""A process of our own that answers questions one by one, and is killed where it takes too long.

Whatever came from outside is decoded in one of these: a picture that is made to take for ever,
or to fill the memory, or that meets a fault in a decoder, takes this process down and nothing else.
"""

import contextlib
import os
import resource
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from rig.processes.supervised import SupervisedProcess, import_paths

_STATUS = Path("/proc/self/status")
_PROGRAM = (
    "import sys; _, name, fd, *sys.path = sys.argv; "
    "from rig.processes.killable import serve; serve(int(fd))"
)


class Ended(Exception):
    """The process ended, or was killed for taking too long; `why` is said to people.

    `after_s`: the time that was over, None where the process ended by itself.
    """

    def __init__(self, why: str, after_s: float | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.after_s = after_s


class Stopped(Exception):
    """Nothing is asked any more: the service stops."""


class KillableProcess:
    """`target(line, *arguments)` in a process; `ask` from one thread at a time, `end` from any.

    `name`: what the list of processes shows. `greets_s`: the process sends a word once it is
    ready, within so many seconds. After `close` no process is started again.
    """

    def __init__(
        self,
        target: Callable[..., None],
        arguments: tuple[Any, ...],
        name: str,
        greets_s: float | None = None,
    ) -> None:
        self._target = target
        self._arguments = arguments
        self._name = name
        self._greets_s = greets_s
        self._lock = threading.Lock()
        self._closed = False
        self._process: SupervisedProcess | None = None
        self._line: Connection | None = None

    @property
    def pid(self) -> int | None:
        """Number of the process, while there is one."""
        return None if self._process is None else self._process.pid

    def start(self) -> Connection:
        """Start the process if it does not run.

        Ended if it does not greet, Stopped after `close`.
        """
        with self._lock:
            if self._process is not None and self._process.is_alive() and self._line is not None:
                return self._line
        self.end()
        with self._lock:
            if self._closed:
                raise Stopped
            program = [sys.executable, "-P", "-c", _PROGRAM, self._name]
            self._process = SupervisedProcess(program, import_paths())
            self._line = ours = Connection(self._process.wire.detach())
        self._tell(ours, (self._target, self._arguments))
        if self._greets_s is not None:
            next(self._words(ours, self._greets_s, self._greets_s))
        return ours

    def ask(self, question: object, first_s: float, longest_s: float) -> Iterator[Any]:
        """Ask, and go through what comes back; whoever asked takes what is enough.

        Ended if the first word does not come within `first_s`, or all within `longest_s`.
        """
        line = self.start()
        self._tell(line, question)
        yield from self._words(line, first_s, longest_s)

    def _tell(self, line: Connection, what: object) -> None:
        try:
            line.send(what)
        except OSError as error:
            raise self._ended() from error

    def _words(self, line: Connection, first_s: float, longest_s: float) -> Iterator[Any]:
        begun = time.monotonic()
        limit_s = first_s
        try:
            while line.poll(max(0.0, begun + limit_s - time.monotonic())):
                yield line.recv()
                limit_s = longest_s
        except (EOFError, OSError) as error:
            raise self._ended() from error
        self.end()
        raise Ended(f"not done within {limit_s:g} s", limit_s)

    def _ended(self) -> Ended | Stopped:
        self.end()
        return Stopped() if self._closed else Ended("the process that decodes it ended")

    def end(self) -> None:
        """End the process; the next question starts another."""
        with self._lock:
            process, self._process = self._process, None
            line, self._line = self._line, None
        if process is not None:
            process.end()
        if line is not None:
            line.close()

    def close(self) -> None:
        """End the process for good."""
        self._closed = True
        self.end()


def serve(fd: int) -> None:
    """In the process: do what is told first, until it is done or the rig is gone."""
    line = Connection(fd)
    threading.Thread(target=_end_with_the_rig, args=(fd,), daemon=True).start()
    with contextlib.suppress(EOFError):
        target, arguments = line.recv()
        target(line, *arguments)


def _end_with_the_rig(fd: int) -> None:
    """Whatever is being decoded when the other end of the line is closed, nobody waits for it."""
    closed = select.poll()
    closed.register(fd, select.POLLRDHUP)
    closed.poll()
    os._exit(0)


def limit_memory(more_bytes: int) -> None:
    """From now on this process may take so much more memory than it has, and no more."""
    with contextlib.suppress(OSError, ValueError):  # a system that does not say, or a lower limit
        limit = _data_bytes() + more_bytes
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _data_bytes() -> int:
    """What the limit counts: everything writable that is this process's own."""
    for row in _STATUS.read_text().splitlines():
        if row.startswith("VmData:"):
            return int(row.split()[1]) * 1024
    raise ValueError("expected VmData")
