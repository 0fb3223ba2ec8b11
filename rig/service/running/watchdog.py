"""Telling the system that the service still answers: a rig whose event loop hangs is restarted.

systemd names its socket and how long it waits in the environment (sd_notify(3)); without
them nothing is told.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import Awaitable, Callable, Mapping

_SHARE = 1 / 3
"""Of the time that the system waits: two words may be late."""


def tell_system(word: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send a word to the system's socket; False where there is none, or it takes nothing."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(word.encode(), address)
        return True
    return False


async def keep_watch(
    is_well: Callable[[], Awaitable[bool]], environment: Mapping[str, str] = os.environ
) -> None:
    """Say for ever that all is well, each time after asking; nothing where nobody waits for it.

    It runs on the event loop that answers requests: while that is held up, nothing is said.
    """
    text = environment.get("WATCHDOG_USEC", "")
    if not text.isdecimal():
        return
    every_s = int(text) / 1e6 * _SHARE
    while True:
        if await is_well():
            tell_system("WATCHDOG=1", environment)
        await asyncio.sleep(every_s)
