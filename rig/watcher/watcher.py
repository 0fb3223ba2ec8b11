"""Runs the watcher on a camera: previews in, stills out, and what it sees for the page."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from rig.cameras.camera import Camera, CameraState, Preview, Still
from rig.cameras.trouble import CameraTrouble, CameraWaiting
from rig.watcher.change import Glance, glance_of, looks_the_same
from rig.watcher.table_guard import LOOK_EVERY_S, TableGuard, TableMoved
from rig.watcher.watch_state import (
    Habits,
    Memory,
    Phase,
    WatchState,
    Why,
    asked,
    began,
    captured,
    due,
    looked,
)
from rig.wording.catalogue import sentence
from vision.reason import Reason

_log = logging.getLogger(__name__)
_LOOK_S = 0.5
_POLL_S = 0.05
_AGAIN_S = 3.0
"""Pause after a still that failed; the wish for it stays."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the watcher sees, as data. `key` is for translations, `sentence` for a person.

    quiet_s: for how long nothing has moved. moving: share of the picture that moves.
    moved: the camera or the table lies elsewhere than it did.
    """

    key: str
    sentence: str
    phase: Phase
    quiet_s: float
    moving: float
    where: tuple[float, float] | None
    waiting: bool
    cards: bool
    captures: int
    camera: CameraState
    moved: TableMoved | None = None


class Watcher:
    """Watches in a thread of its own. `on_still` gets each still, in that thread.

    A `guard` is shown the table while it is still, where the camera shows a real one.
    """

    def __init__(
        self,
        camera: Camera,
        on_still: Callable[[Still, Why], None],
        habits: Habits | None = None,
        guard: TableGuard | None = None,
    ) -> None:
        self._camera, self._on_still = camera, on_still
        self._habits = habits or Habits()
        self._guard = guard
        self._guarded_s = 0.0
        self._memory = Memory(self._habits)
        self._lock = threading.Lock()
        self._watched = began(time.monotonic())
        self._seen_s = 0.0
        self._captures = 0
        self._follows = False
        self._taken: Glance | None = None
        self._next_try_s = 0.0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._thread.start()

    def ask(self) -> None:
        """Take a picture as soon as the table is still; for buttons. Never blocks."""
        with self._lock:
            self._watched = asked(self._watched, time.monotonic())

    def follow(self, is_on: bool) -> None:
        """Take a picture whenever hands were at work and the table is still again, if it looks
        otherwise than in the last picture; or no longer.
        """
        with self._lock:
            self._follows = is_on

    def wait_until_still(self, longest_s: float) -> bool:
        """Wait until the table is seen to be still, from now on: whether it was in time.

        True at once where the camera shows nothing: what is wrong then is its own to say.
        """
        asked_s = time.monotonic()
        while not self._closing.is_set():
            with self._lock:
                still = self._watched.phase == "still" and self._seen_s > asked_s
            if still or self._camera.state().condition != "fresh":
                return True
            if time.monotonic() - asked_s >= longest_s:
                return False
            self._closing.wait(_POLL_S)
        return True

    def sight(self) -> Sight:
        """What is seen now. Never blocks."""
        with self._lock:
            state, captures = self._watched, self._captures
        sight = sight_of(state, self._camera.state(), time.monotonic(), captures)
        return sight if self._guard is None else replace(sight, moved=self._guard.moved())

    def close(self) -> None:
        """Stop watching; the camera stays open."""
        self._closing.set()
        self._thread.join(15)

    def _run(self) -> None:
        seen_s = 0.0
        while not self._closing.is_set():
            preview = self._camera.next_preview(seen_s, _LOOK_S)
            if preview is None:
                continue
            seen_s = preview.taken_s
            glance = glance_of(preview.grey, preview.taken_s)
            with self._lock:
                self._watched = looked(self._watched, glance, self._memory, self._habits)
                self._seen_s = seen_s
                why = due(self._watched, preview.taken_s, self._habits, self._follows)
                if why == "followed" and looks_the_same(self._taken, glance):
                    self._watched, why = captured(self._watched), None
                still = self._watched.phase == "still"
            if why is not None and time.monotonic() >= self._next_try_s:
                if self._capture(why):
                    self._taken = glance
            elif still:
                self._show_guard(preview)

    def _show_guard(self, preview: Preview) -> None:
        """Let the guard look, now and then; photos in a folder are not of one table."""
        facts = self._camera.facts()
        if self._guard is None or facts is None or not facts.lively:
            return
        if preview.taken_s - self._guarded_s < LOOK_EVERY_S:
            return
        self._guarded_s = preview.taken_s
        try:
            self._guard.look(preview.grey)
        except Exception:  # noqa: BLE001 - a fault of the guard must not end the watching
            _log.exception("the table could not be looked at")

    def _capture(self, why: Why) -> bool:
        """Take a picture: whether there is one."""
        try:
            still = self._camera.still()
            self._on_still(still, why)
        except CameraTrouble as trouble:
            # Waiting for a camera that gets ready is nothing that a person need know of.
            level = logging.INFO if isinstance(trouble, CameraWaiting) else logging.WARNING
            _log.log(level, "%s", trouble)
            self._next_try_s = time.monotonic() + _AGAIN_S
            return False
        except Exception:  # noqa: BLE001 - a fault of the receiver must not end the watching
            _log.exception("a picture was taken, but not received")
        with self._lock:
            self._watched = captured(self._watched)
            self._captures += 1
        return True


def sight_of(state: WatchState, camera: CameraState, now_s: float, captures: int = 0) -> Sight:
    """What a person is told of a state."""
    key = _key(state, camera)
    change = state.change
    return Sight(
        key,
        sentence(Reason(f"table-is-{key}")),
        state.phase,
        max(0.0, now_s - state.quiet_since_s),
        change.cells / 3072,
        change.middle,
        state.asked_s is not None,
        state.cards,
        captures,
        camera,
    )


def _key(state: WatchState, camera: CameraState) -> str:
    if camera.condition != "fresh":
        return "blind"
    if state.phase == "busy":
        return "light" if state.change.light else "hands"
    if state.phase == "settling":
        return "arm" if state.arm else "settling"
    return "still" if state.cards else "empty"
