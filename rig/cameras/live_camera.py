"""The camera as the rig uses it: a thread that keeps the camera's process alive and asks it.

Nothing a camera does can block a caller longer than the deadline the caller gave.
"""

import logging
import threading
import time
from collections import deque
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field

from rig.cameras.camera import CameraState, Preview, Reason, Still
from rig.cameras.picture_check import examined, is_picture
from rig.cameras.process import CameraChoice, CameraProcess
from rig.cameras.pulse import (
    GONE,
    Arrival,
    Patience,
    Pulse,
    heard,
    missed,
    must_restart,
    pause_s,
    restarted,
    state_of,
)
from rig.cameras.source import Facts, Shot
from rig.cameras.trouble import (
    CameraBusy,
    CameraDenied,
    CameraEmpty,
    CameraFailed,
    CameraGarbage,
    CameraMissing,
    CameraNotInstalled,
    CameraSilent,
    CameraTrouble,
    CameraWaiting,
)

_log = logging.getLogger(__name__)

_REASONS: dict[type[CameraTrouble], Reason] = {
    CameraMissing: "missing",
    CameraBusy: "busy",
    CameraDenied: "denied",
    CameraNotInstalled: "not-installed",
    CameraSilent: "silent",
    CameraEmpty: "empty",
    CameraGarbage: "damaged",
}
_BEARABLE = (CameraSilent, CameraEmpty)
"""Troubles after which the same process may well deliver the next picture."""
_TOO_DARK, _TOO_BURNT = 25.0, 0.25
_ANSWER_S = 1.0
"""A camera says within this that it has nothing to show yet. Asked with less time left it would
seem silent and be started again: a table that takes long to lay would never be finished.
"""
_FAREWELL_S = 3.0
"""libcamera takes a second to stop; a camera that hangs is killed after this."""


@dataclass(slots=True, eq=False)
class _Wanted:
    asked_s: float
    deadline_s: float
    answer: Future[Still] = field(default_factory=Future)


class LiveCamera:
    """Implements `rig.cameras.camera.Camera`. The thread starts at once."""

    def __init__(self, choice: CameraChoice, patience: Patience | None = None) -> None:
        self.choice = choice
        self._patience = patience or Patience()
        self._changed = threading.Condition()
        self._closing = False
        self._pulse = Pulse(since_s=time.monotonic())
        self._preview: Preview | None = None
        self._facts: Facts | None = None
        self._wanted: deque[_Wanted] = deque()
        self._process: CameraProcess | None = None
        self._stuck: list[CameraProcess] = []
        self._ill_lit_s: float | None = None
        self._settled_s = -self._patience.settle_every_s
        self._shown: tuple[str, str] = ("", "")
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def state(self) -> CameraState:
        """How the camera is doing."""
        with self._changed:
            pulse = self._pulse
        return state_of(pulse, time.monotonic(), self._patience, self.choice.name)

    def facts(self) -> Facts | None:
        """What the camera says of itself, None until it was open once."""
        with self._changed:
            return self._facts

    def latest_preview(self) -> Preview | None:
        """The newest good small picture, None before the first."""
        with self._changed:
            return self._preview

    def next_preview(self, after_s: float, wait_s: float) -> Preview | None:
        """A preview exposed after that time, or None when so many seconds have passed."""

        def newer() -> bool:
            return self._preview is not None and self._preview.taken_s > after_s

        with self._changed:
            return self._preview if self._changed.wait_for(newer, wait_s) else None

    def still(self, deadline_s: float = 8.0) -> Still:
        """A picture at full size, exposed after this call. CameraTrouble says why not."""
        now_s = time.monotonic()
        wanted = _Wanted(now_s, now_s + deadline_s)
        with self._changed:
            if self._closing:
                raise CameraFailed(camera=self.choice.name, why="it was closed")
            self._wanted.append(wanted)
            self._changed.notify_all()
        try:
            return wanted.answer.result(deadline_s)
        except TimeoutError as late:
            wanted.answer.cancel()
            raise CameraSilent(camera=self.choice.name, seconds=deadline_s) from late

    def close(self) -> None:
        """Stop, and give the camera back; takes at most a few seconds."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(_FAREWELL_S)
        process = self._process
        if self._thread.is_alive() and process is not None:
            process.interrupt()
        self._thread.join(5.0)

    def _run(self) -> None:
        while not self._closing:
            try:
                if self._process is None:
                    self._start()
                else:
                    self._ask(self._process)
            except Exception:  # noqa: BLE001 - no fault of ours may leave the rig without its camera
                _log.exception("a fault in the camera's thread")
                self._end(missed(self._pulse, "failed"))
            self._tell()
        if self._process is not None:
            self._process.close()
        self._fail_all(CameraFailed(camera=self.choice.name, why="it was closed"))

    def _start(self) -> None:
        patience = self._patience
        try:
            self._process = CameraProcess(self.choice)
            facts = self._process.open(patience.hello_s, patience.open_s)
        except CameraTrouble as trouble:
            self._end(missed(self._pulse, self._reason_of(trouble)), trouble)
            return
        with self._changed:
            self._facts = facts

    def _ask(self, process: CameraProcess) -> None:
        """A still if one is wanted, else a preview, then what follows from it."""
        wanted = self._next_wanted()
        try:
            if wanted is not None and self._take_still(process, wanted):
                return
            self._take_preview(process)
            self._settle_if_ill_lit(process)
        except CameraTrouble as trouble:
            pulse = missed(self._pulse, self._reason_of(trouble))
            if process.spoilt or not isinstance(trouble, _BEARABLE):
                self._end(pulse, trouble)
                return
            self._set(pulse)
        now_s = time.monotonic()
        if must_restart(self._pulse, now_s, self._patience):
            self._end(self._pulse)
            return
        with self._changed:
            self._changed.wait_for(self._has_work, self._patience.preview_every_s)

    def _take_preview(self, process: CameraProcess) -> None:
        pulse, lost_s = self._pulse, self._patience.lost_s
        begun = max(pulse.since_s, pulse.restarted_s or 0.0)
        # Never longer than until it counts as lost: then it is restarted.
        left_s = min(max(begun + lost_s - time.monotonic(), lost_s / 5), lost_s)
        shot = process.preview(left_s)
        preview, fault = examined(shot)
        lively = self._facts is None or self._facts.lively
        now_s = time.monotonic()
        after = heard(
            pulse, Arrival(shot.taken_s, shot.print, fault), now_s, lively, self._patience
        )
        with self._changed:
            self._pulse = after
            # A dark picture is shown: it helps a person to see that it is dark.
            if preview is not None and after.reason in ("none", "dark"):
                self._preview = preview
            self._changed.notify_all()
        self._note_light(preview, now_s)

    def _take_still(self, process: CameraProcess, wanted: _Wanted) -> bool:
        """Answer a request for a still. False: not ready yet, it stays in the queue as long as
        there is time for another answer.
        """
        try:
            shot = process.still(wanted.asked_s, max(0.05, wanted.deadline_s - time.monotonic()))
            _give(wanted, self._still_of(shot, wanted))
        except CameraWaiting as waiting:
            if wanted.deadline_s - time.monotonic() < _ANSWER_S:
                _fail(wanted, waiting)
                return False
            with self._changed:
                self._wanted.append(wanted)
            return False
        except CameraTrouble as trouble:
            _fail(wanted, trouble)
            raise
        return True

    def _still_of(self, shot: Shot, wanted: _Wanted) -> Still:
        lively = self._facts is None or self._facts.lively
        name = self.choice.name
        if not shot.data:
            raise CameraGarbage(camera=name, why="an empty picture")
        if not is_picture(shot.data):
            raise CameraGarbage(camera=name, why="what came is no picture")
        if shot.data.startswith(b"\xff\xd8") and b"\xff\xd9" not in shot.data[-64:]:
            raise CameraGarbage(camera=name, why="a picture that is cut off")
        if lively and shot.taken_s < wanted.asked_s:
            raise CameraGarbage(camera=name, why="a picture from before the request")
        locked = shot.known.get("locked")
        return Still(
            shot.data,
            shot.size_wh,
            wanted.asked_s,
            shot.taken_s,
            locked if isinstance(locked, bool) else None,
            shot.known,
        )

    def _note_light(self, preview: Preview | None, now_s: float) -> None:
        ill_lit = preview is not None and (
            preview.mean_level < _TOO_DARK or preview.burnt_share > _TOO_BURNT
        )
        if not ill_lit:
            self._ill_lit_s = None
        elif self._ill_lit_s is None:
            self._ill_lit_s = now_s

    def _settle_if_ill_lit(self, process: CameraProcess) -> None:
        """Locked settings fit the light they were locked in: adapt when that has changed."""
        now_s, patience = time.monotonic(), self._patience
        if self._facts is None or not self._facts.settles or self._ill_lit_s is None:
            return
        if now_s - self._ill_lit_s < patience.slow_s:
            return
        if now_s - self._settled_s < patience.settle_every_s:
            return
        self._settled_s = now_s
        process.settle(patience.open_s)

    def _next_wanted(self) -> _Wanted | None:
        with self._changed:
            while self._wanted:
                wanted = self._wanted.popleft()
                if not wanted.answer.cancelled() and time.monotonic() < wanted.deadline_s:
                    return wanted
        return None

    def _has_work(self) -> bool:
        return self._closing or bool(self._wanted)

    def _reason_of(self, trouble: CameraTrouble) -> Reason:
        self._stuck = [process for process in self._stuck if process.is_alive()]
        if self._stuck:
            return "stuck"
        return _REASONS.get(type(trouble), "failed")

    def _end(self, pulse: Pulse, trouble: CameraTrouble | None = None) -> None:
        """End the process, and pause before the next one is started."""
        if trouble is not None:
            _log.info("%s", trouble)
            if pulse.reason in GONE:  # waiting would not help whoever wants a still
                self._fail_all(trouble)
        process, self._process = self._process, None
        if process is not None and not process.kill():
            self._stuck.append(process)
            pulse = missed(pulse, "stuck")
        pulse = restarted(pulse, time.monotonic())
        self._set(pulse)
        self._tell()
        with self._changed:
            self._changed.wait_for(lambda: self._closing, pause_s(pulse, self._patience))

    def _fail_all(self, trouble: CameraTrouble) -> None:
        with self._changed:
            while self._wanted:
                _fail(self._wanted.popleft(), trouble)

    def _set(self, pulse: Pulse) -> None:
        with self._changed:
            self._pulse = pulse
            self._changed.notify_all()

    def _tell(self) -> None:
        state = self.state()
        shown = (state.condition, state.reason)
        if shown != self._shown and not self._closing:
            self._shown = shown
            level = logging.INFO if state.condition in ("fresh", "starting") else logging.WARNING
            _log.log(level, "%s", " ".join((state.sentence, state.advice)).strip())


def _give(wanted: _Wanted, still: Still) -> None:
    try:
        wanted.answer.set_result(still)
    except InvalidStateError:  # cancelled meanwhile: nobody waits any more
        _log.debug("a still came too late")


def _fail(wanted: _Wanted, trouble: CameraTrouble) -> None:
    try:
        wanted.answer.set_exception(trouble)
    except InvalidStateError:
        _log.debug("a still failed that nobody waits for")
