"""A rig in a process of its own: a test puts pictures before its camera, and cuts its power."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from tests.rig.page.browser_pool import PATIENCE_S
from tests.rig.page.shown_camera import put_up
from tests.rig.service.table_top import API, NO_TLS, WRITE

ROOT = Path(__file__).parents[3]


@dataclass
class PoweredRig:
    """The rig of a data folder and a folder of pictures; always at the same address.

    It closes lines that nobody has used for 5 s: none is used again that has waited so long.
    """

    folder: Path
    pictures: Path
    port: int = 0
    reading_s: float = PATIENCE_S
    client: httpx2.Client = field(
        default_factory=lambda: httpx2.Client(
            headers=WRITE, timeout=60, verify=NO_TLS, limits=httpx2.Limits(keepalive_expiry=1.0)
        )
    )
    _process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        names = [str(self.folder), str(self.pictures), str(self.port)]
        command = [sys.executable, "-m", "tests.rig.page.round_rig", *names]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert self._process.stdout is not None
        port = self._process.stdout.readline().strip()
        assert port, "the service did not start"
        self.port = int(port)

    def cut_power(self) -> None:
        """SIGKILL, and what it started is gone too: nothing holds the camera."""
        process = self._process
        if process is None:
            return
        children = children_of(process.pid)
        assert process.poll() is not None or children
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
        self._process = None
        until = time.monotonic() + PATIENCE_S
        while left := [one for one in children if is_running(one)]:
            assert time.monotonic() < until, f"still there: {left}"
            time.sleep(0.05)

    def get(self, path: str) -> Any:
        answer = self.client.get(f"{self.url}{API}{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None) -> Any:
        answer = self.client.post(f"{self.url}{API}{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def show(self, number: int) -> None:
        """From now on this picture is what the camera sees."""
        put_up(self.pictures, number)

    def event(self, after: int, kind: str) -> dict[str, Any]:
        """The first event of this kind with a greater number, once there is one."""
        until = time.monotonic() + self.reading_s
        while True:
            events = self.get("/game")["events"]
            for one in events:
                if one["id"] > after and one["event"] == kind:
                    return dict(one)
            assert time.monotonic() < until, events[-2:]
            time.sleep(0.25)

    def last(self) -> int:
        """The number of the newest event; 0 before the first."""
        events = self.get("/game")["events"]
        return int(events[-1]["id"]) if events else 0


@contextmanager
def powered(folder: Path, pictures: Path, reading_s: float = PATIENCE_S) -> Iterator[PoweredRig]:
    """Running, until the test ends. `reading_s`: how long a picture may take to be read."""
    rig = PoweredRig(folder, pictures, reading_s=reading_s)
    try:
        rig.start()
        yield rig
    finally:
        rig.cut_power()
        rig.client.close()


def _stat(pid: int) -> list[str]:
    """A process's state, parent and more, as the kernel has them; nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return []


def is_running(pid: int) -> bool:
    return _stat(pid)[:1] not in ([], ["Z"])


def children_of(pid: int) -> list[int]:
    every = (int(one.name) for one in Path("/proc").iterdir() if one.name.isdecimal())
    return [one for one in every if _stat(one)[1:2] == [str(pid)]]
