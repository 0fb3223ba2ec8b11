"""A process that answers questions: it hangs, dies, fills the memory, and is ended."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest

from rig.processes.killable import Ended, KillableProcess, Stopped, limit_memory
from tests.rig.processes.running import ends, with_our_paths


def oddly(line: Connection) -> None:
    """A process that does as it is told, however bad that is."""
    limit_memory(200_000_000)
    while True:
        try:
            told = line.recv()
        except (EOFError, KeyboardInterrupt):
            return
        if told == "sleep":
            time.sleep(60)
        elif told == "die":
            return
        elif told == "fill":
            try:
                line.send(int(np.ones(400_000_000, np.uint8)[0]))
            except MemoryError:
                line.send("no room")
        line.send(told)


@pytest.fixture
def process() -> Iterator[KillableProcess]:
    process = KillableProcess(oddly, (), "oddly")
    yield process
    process.close()


def asked(process: KillableProcess, what: str, first_s: float = 30.0) -> Any:
    return next(process.ask(what, first_s, 30.0))


def test_a_process_that_hangs_or_dies_is_replaced(process: KillableProcess) -> None:
    assert asked(process, "hello") == "hello"
    begun = time.monotonic()
    with pytest.raises(Ended, match=r"not done within 0\.2 s"):
        asked(process, "sleep", first_s=0.2)
    assert time.monotonic() - begun < 5
    with pytest.raises(Ended, match="ended"):
        asked(process, "die")
    assert asked(process, "hello") == "hello"


def test_the_memory_is_limited(process: KillableProcess) -> None:
    assert asked(process, "fill") == "no room"


def test_stopping_in_the_midst_of_a_question_is_no_fault(process: KillableProcess) -> None:
    process.start()
    found: list[BaseException] = []

    def ask() -> None:
        try:
            asked(process, "sleep")
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is looked at
            found.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(0.3)
    stopping = [threading.Thread(target=process.close) for _ in range(4)]
    for thread in stopping:
        thread.start()
    for thread in (*stopping, asking):
        thread.join(10)
    assert [type(error) for error in found] == [Stopped]
    with pytest.raises(Stopped):
        process.start()


PARENT = """
from rig.processes.killable import KillableProcess
from tests.rig.processes.test_killable import oddly
process = KillableProcess(oddly, (), "oddly")
next(process.ask("hello", 30, 30))
print(process.pid, flush=True)
next(process.ask("sleep", 100, 100))
"""


def test_the_process_ends_with_the_rig_whatever_it_is_at() -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env=with_our_paths(), text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(0.3)
        parent.send_signal(signal.SIGKILL)
    assert ends(child)
