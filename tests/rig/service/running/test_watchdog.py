"""The system hears that the service is well from the event loop, and nothing while that hangs."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rig.service.running.warm_up import is_well
from rig.service.running.watchdog import keep_watch, tell_system
from tests.rig.service.table_top import TableTop

UNIT = Path(__file__).parents[4] / "deploy" / "tacta-rig.service"


@pytest.fixture
def heard(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.setblocking(False)
        yield line


def words(heard: socket.socket) -> list[bytes]:
    found = []
    with contextlib.suppress(BlockingIOError):
        while True:
            found.append(heard.recv(100))
    return found


def environment(heard: socket.socket) -> dict[str, str]:
    return {"NOTIFY_SOCKET": heard.getsockname(), "WATCHDOG_USEC": "60000"}


def test_a_loop_that_hangs_says_nothing(heard: socket.socket) -> None:
    async def well() -> bool:
        return True

    async def run() -> tuple[int, int]:
        watch = asyncio.create_task(keep_watch(well, environment(heard)))
        await asyncio.sleep(0.2)
        running = len(words(heard))
        time.sleep(0.2)
        hanging = len(words(heard))
        watch.cancel()
        return running, hanging

    running, hanging = asyncio.run(run())
    assert running >= 3
    assert hanging == 0


def test_a_service_that_is_not_well_says_nothing(heard: socket.socket) -> None:
    async def ill() -> bool:
        return False

    async def run() -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(keep_watch(ill, environment(heard)), 0.1)

    asyncio.run(run())
    assert words(heard) == []


def test_without_a_watchdog_nothing_is_told() -> None:
    async def run() -> None:
        await asyncio.wait_for(keep_watch(lambda: asyncio.sleep(0, True), {}), 1)

    asyncio.run(run())
    assert not tell_system("WATCHDOG=1", {})
    assert not tell_system("WATCHDOG=1", {"NOTIFY_SOCKET": "/nowhere/at/all"})


def test_the_service_itself_is_asked(rig: TableTop) -> None:
    assert asyncio.run(is_well(rig.app))


@pytest.mark.parametrize(
    "setting", ["MALLOC_ARENA_MAX=2", "MemoryMax=", "LimitNOFILE=", "WatchdogSec=", "NotifyAccess="]
)
def test_the_unit_sets_limits(setting: str) -> None:
    assert setting in UNIT.read_text("utf-8")
