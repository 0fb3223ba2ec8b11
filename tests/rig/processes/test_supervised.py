"""A program beside the rig: what it is given, and its end."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from rig.processes.supervised import SupervisedProcess
from tests.rig.processes.running import is_running

PYTHON = [sys.executable, "-c"]
ECHO = "import socket, sys; s = socket.socket(fileno=int(sys.argv[1])); s.sendall(s.recv(99))"
FACTS = (
    "import os, socket, sys; s = socket.socket(fileno=int(sys.argv[1])); "
    "s.sendall(repr((sys.argv[2], os.getsid(0), os.environ['MARK'], sys.stdin.read())).encode())"
)
HANGS = "import time; time.sleep(60)"


def test_what_is_said_reaches_it_and_comes_back() -> None:
    process = SupervisedProcess([*PYTHON, ECHO])
    process.wire.settimeout(30)
    process.wire.sendall(b"hello")
    assert process.wire.recv(99) == b"hello"
    assert process.ended_with(30) == 0
    assert not process.is_alive()
    assert process.end()


def test_it_has_its_arguments_its_surroundings_and_no_terminal() -> None:
    process = SupervisedProcess([*PYTHON, FACTS], ["first"], {**os.environ, "MARK": "x"})
    process.wire.settimeout(30)
    assert process.wire.recv(99).decode() == repr(("first", process.pid, "x", ""))
    assert process.end()


def test_one_that_hangs_is_ended_from_another_thread() -> None:
    process = SupervisedProcess([*PYTHON, HANGS])
    assert process.ended_with(0.1) is None
    threading.Timer(0.2, process.interrupt).start()
    process.wire.settimeout(30)
    assert process.wire.recv(1) == b""
    assert process.end()
    assert not is_running(process.pid)


def test_one_that_cannot_be_started_leaves_nothing_open() -> None:
    before = open_files()
    with pytest.raises(FileNotFoundError):
        SupervisedProcess([str(Path("/nowhere/python3"))])
    assert open_files() == before


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
