"""Sends every event to every listener in order, again and again until it is taken."""

import contextlib
import logging
import threading
from collections.abc import Callable
from typing import Protocol

from rig.listeners.outbox import Answer, Event, Listener, Outbox

_log = logging.getLogger(__name__)
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 300.0
_LOOKED_S = 5.0


class Line(Protocol):
    """What an event travels on to one listener. Used by one thread."""

    def send(self, listener: Listener, event: Event) -> Answer:
        """Send an event, once."""

    def rest(self, listener: Listener, news: int) -> Answer | None:
        """Called while no event waits; None if there is nothing to keep up meanwhile.

        `news` rises whenever something has happened.
        """

    def close(self, is_removed: bool) -> None:
        """Send nothing more. `is_removed`: never again either."""


class Messenger:
    """A thread for each listener, so that one that hangs holds up no other."""

    def __init__(
        self,
        outbox: Outbox,
        now: Callable[[], str],
        line_to: Callable[[Listener], Line],
        first_wait_s: float = FIRST_WAIT_S,
    ) -> None:
        self._outbox = outbox
        self._now = now
        self._line_to = line_to
        self._first_wait_s = first_wait_s
        self._news = threading.Condition()
        self._count = 0
        self._hurried: set[str] = set()
        self._stopped = False
        self._threads: dict[str, threading.Thread] = {}

    def wake(self, hurried: str | None = None) -> None:
        """There is something to tell, or somebody new to tell it; `hurried` is tried at once."""
        with self._news:
            self._count += 1
            if hurried is not None:
                self._hurried.add(hurried)
            for listener in self._outbox.listeners():
                if listener.id not in self._threads and not self._stopped:
                    self._threads[listener.id] = self._started(listener)
            self._news.notify_all()

    def _started(self, listener: Listener) -> threading.Thread:
        name = f"tacta-listener-{listener.id}"
        thread = threading.Thread(target=self._serve, args=(listener,), name=name, daemon=True)
        thread.start()
        return thread

    def close(self) -> None:
        """Stop; what was not taken is sent after the next start."""
        with self._news:
            self._stopped = True
            self._news.notify_all()
            threads = list(self._threads.values())
        for thread in threads:
            thread.join(0.5)  # one that is being answered ends by itself

    def _serve(self, listener: Listener) -> None:
        line = self._line_to(listener)
        try:
            while self._step(listener.id, line):
                pass
            line.close(is_removed=not self._stopped)
        except Exception:  # noqa: BLE001 - the next wake begins anew; nothing is lost meanwhile
            _log.exception("%s is told nothing for now", listener.name)
            with contextlib.suppress(Exception):  # what is at fault may not close either
                line.close(is_removed=False)
        finally:
            with self._news:
                self._threads.pop(listener.id, None)

    def _step(self, listener_id: str, line: Line) -> bool:
        """Send the next event, or wait for one; False once there is nothing more to do."""
        news = self._count
        listener = None if self._stopped else self._outbox.listener(listener_id)
        if listener is None:
            return False
        event = self._outbox.next_for(listener)
        answer = line.rest(listener, news) if event is None else line.send(listener, event)
        if answer is not None and answer.error is not None and self._stopped:
            return False
        if answer is not None and _is_new(listener, event, answer):
            self._outbox.tried(listener, event, self._now(), answer)
        if answer is not None and answer.error is not None:
            self._wait_again(listener)
        elif event is None:
            with self._news:
                self._news.wait_for(lambda: self._stopped or self._count != news, _LOOKED_S)
        return True

    def _wait_again(self, listener: Listener) -> None:
        """Wait longer after each try in vain; not for one that is hurried or removed meanwhile."""
        wait_s = min(LONGEST_WAIT_S, self._first_wait_s * 2.0 ** min(listener.tries, 20))

        def has_ended() -> bool:
            is_hurried = listener.id in self._hurried
            return self._stopped or is_hurried or self._outbox.listener(listener.id) is None

        with self._news:
            self._news.wait_for(has_ended, wait_s)
            self._hurried.discard(listener.id)


def _is_new(listener: Listener, event: Event | None, answer: Answer) -> bool:
    """Whether that is worth writing down: every try, but not that all is well as before."""
    is_well = listener.last_at is not None and listener.last_error is None
    return event is not None or answer.error is not None or not is_well
