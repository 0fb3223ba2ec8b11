"""Sends every event to every webhook in order, again and again until it is taken."""

from __future__ import annotations

import threading
from collections.abc import Callable

from rig.webhooks.outbox import Event, Hook, Outbox
from rig.webhooks.sending import Answer, deliver

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 300.0
_LOOKED_S = 5.0
Deliver = Callable[[Hook, Event], Answer]


class Messenger:
    """A thread for each webhook, so that one that hangs holds up no other."""

    def __init__(
        self,
        outbox: Outbox,
        now: Callable[[], str],
        send: Deliver = deliver,
        first_wait_s: float = FIRST_WAIT_S,
    ) -> None:
        self._outbox = outbox
        self._now = now
        self._send = send
        self._first_wait_s = first_wait_s
        self._news = threading.Condition()
        self._stopped = False
        self._threads: dict[str, threading.Thread] = {}

    def wake(self) -> None:
        """There is something to tell, or somebody new to tell it."""
        with self._news:
            for hook in self._outbox.hooks():
                if hook.id not in self._threads and not self._stopped:
                    name = f"tacta-webhook-{hook.id}"
                    thread = threading.Thread(
                        target=self._serve, args=(hook.id,), name=name, daemon=True
                    )
                    self._threads[hook.id] = thread
                    thread.start()
            self._news.notify_all()

    def close(self) -> None:
        """Stop; what was not taken is sent after the next start."""
        with self._news:
            self._stopped = True
            self._news.notify_all()
            threads = list(self._threads.values())
        for thread in threads:
            thread.join(0.5)  # one that is being answered ends by itself

    def _serve(self, hook_id: str) -> None:
        while self._step(hook_id):
            pass
        with self._news:
            self._threads.pop(hook_id, None)

    def _step(self, hook_id: str) -> bool:
        """Send the next event, or wait for one; False once there is nothing more to do."""
        hook = next((one for one in self._outbox.hooks() if one.id == hook_id), None)
        if hook is None or self._is_stopped():
            return False
        event = self._outbox.next_for(hook)
        if event is None:
            with self._news:
                return self._stopped or self._news.wait(_LOOKED_S) or True
        answer = self._send(hook, event)
        if answer.error is not None and self._is_stopped():
            return False
        self._outbox.tried(hook, event, self._now(), answer.status, answer.error)
        if answer.error is not None:
            wait_s = min(LONGEST_WAIT_S, self._first_wait_s * 2.0 ** min(hook.tries, 20))
            with self._news:
                self._news.wait_for(self._is_stopped, wait_s)
        return True

    def _is_stopped(self) -> bool:
        return self._stopped
