"""A program that runs beside the rig: started with a socket to it, and ended from any thread."""

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence

_KILL_S = 5.0


class SupervisedProcess:
    """Runs `[*program, FD, *arguments]` at once; FD is its end of a socket, `wire` is ours.

    It reads nothing from the terminal, prints nothing but errors, and Ctrl-C is ours alone.
    OSError where the program cannot be started.
    """

    def __init__(
        self,
        program: Sequence[str],
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.wire, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [*program, str(theirs.fileno()), *arguments],
                    pass_fds=(theirs.fileno(),),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    env=environment,
                    start_new_session=True,
                )
            except OSError:
                self.wire.close()
                raise

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    def ended_with(self, within_s: float) -> int | None:
        """The status it ended with, once it has; None if it goes on for so many seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(within_s)
        return None

    def interrupt(self) -> None:
        """End the process: whoever waits for a word on the wire is told at once."""
        self._process.kill()

    def end(self, within_s: float = _KILL_S) -> bool:
        """End the process and the wire. False: it cannot be killed, it hangs in the kernel."""
        self.interrupt()
        self.wire.close()
        return self.ended_with(within_s) is not None


def import_paths() -> list[str]:
    """Where this process looks for packages, to be handed to another of the same Python."""
    return [path or os.getcwd() for path in sys.path]  # noqa: PTH109 - a string is wanted
