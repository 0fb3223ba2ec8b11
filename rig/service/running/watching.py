"""The watcher in the service: what it takes is kept and read, what has moved is told."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rig.cameras.camera import Camera, Still
from rig.lens_file import parse_lens
from rig.service.frames.intake import keep_still
from rig.service.frames.parts import FrameParts
from rig.trouble import Trouble
from rig.watcher.button import Button
from rig.watcher.table_guard import TableGuard
from rig.watcher.watch_state import Habits
from rig.watcher.watcher import Watcher

_log = logging.getLogger(__name__)
_START_S = 10


def table_guard(folder: Path, lens: Mapping[str, Any] | None) -> TableGuard:
    """The guard of the table whose place is kept in a data folder."""
    return TableGuard(folder, None if lens is None else parse_lens(dict(lens)))


@contextlib.contextmanager
def watching(
    parts: FrameParts,
    camera: Camera,
    habits: Habits,
    guard: TableGuard | None = None,
    capture: bool = False,
    button: int | None = None,
) -> Iterator[Watcher]:
    """Somebody who watches the table. `capture`: a picture is taken as soon as it is still.

    `button`: a GPIO pin; ButtonMissing where that cannot be used.
    """
    watcher = Watcher(camera, _on_still(parts), habits, guard)
    parts.lookout.assign(watcher)
    pressed = None
    try:
        pressed = None if button is None else Button(button, watcher.ask)
        if capture:
            watcher.ask()
        yield watcher
    finally:
        if pressed is not None:
            pressed.close()
        parts.lookout.assign(None)
        watcher.close()


def _on_still(parts: FrameParts) -> Callable[[Still, str], None]:
    """Keep what the watcher takes, from its thread; what cannot be kept is logged, not raised."""

    def keep(still: Still, why: str) -> None:
        del why
        loop = _running_loop(parts)
        if loop is None:
            return
        done = asyncio.run_coroutine_threadsafe(keep_still(parts, still), loop)
        try:
            done.result(timeout=30)
        except (Trouble, TimeoutError) as trouble:
            _log.warning("a picture was taken, but not kept: %s", trouble)

    return keep


def _running_loop(parts: FrameParts) -> asyncio.AbstractEventLoop | None:
    """The service's event loop, waited for while it starts; None once it has ended."""
    until_s = time.monotonic() + _START_S
    while parts.events.loop is None and time.monotonic() < until_s:
        time.sleep(0.05)
    loop = parts.events.loop
    return None if loop is None or loop.is_closed() else loop
