"""What happens, as it happens: numbered events that every open page follows and can resume."""

import asyncio
import contextlib
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

KEPT = 500
"""So many events can be resumed from; a page that missed more is told to look again."""
KEEP_ALIVE_S = 15.0
ASKED_EVERY_S = 3.0
"""A phone that was sent away hears nothing more after this."""
MayListen = Callable[[], Awaitable[bool]]
EVENTS = {
    "hello": "The stream is open; nothing was missed.",
    "still-here": "Nothing happened for a while, and the line is alive.",
    "reset": "Events were missed, or the service is another: fetch everything again.",
    "frame-added": "A photo was kept.",
    "frame-progress": "A reading went on; `stage` is captured, table_found, cards_found or scored.",
    "frame-read": "A frame has its reading.",
    "frame-unread": "A frame could not be read; the frame says why.",
    "frame-changed": "A frame was corrected or blurred, a correction undone, or it is kept or not.",
    "frame-deleted": "A frame was deleted, by a person or to make room.",
    "match-changed": "A match began, or its players or rounds changed.",
    "match-deleted": "A match was deleted for good.",
    "round-changed": "A round began, ended, was signed, disputed, settled or opened again.",
    "game": "In the followed game something happened, or is judged otherwise; `events` has it.",
    "phones-changed": "A phone was paired or sent away.",
    "asks-changed": "A phone asks to be another's new phone or for a seat, or was answered.",
    "camera-changed": "The camera is in another condition.",
}
"""Every event's name and what it says."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event; `number` counts from 1 since the service started."""

    number: int
    name: str
    data: Mapping[str, Any]


class LiveEvents:
    """The events of this service. Only for the event loop's thread; `tell_soon` for others."""

    def __init__(self) -> None:
        self._start = secrets.token_hex(4)
        self._events: deque[Event] = deque(maxlen=KEPT)
        self._number = 0
        self._news = asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.listeners: list[Callable[[str, Mapping[str, Any]], None]] = []
        """Told every event as well, in the loop's thread: they must not take long."""
        self._closed = False

    def open(self) -> None:
        """Take the running loop for `tell_soon`."""
        self.loop = asyncio.get_running_loop()

    def tell(self, name: str, **data: Any) -> None:
        """Publish an event."""
        if name not in EVENTS:
            raise ValueError(f"expected a known event, found {name!r}")
        self._number += 1
        self._events.append(Event(self._number, name, data))
        for listener in tuple(self.listeners):
            listener(name, data)
        self._wake()

    def tell_soon(self, name: str, **data: Any) -> None:
        """Publish an event from any thread. Nothing happens once the service has stopped."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(lambda: self.tell(name, **data))

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def stream(
        self, last_id: str | None, longest_s: float, may_listen: MayListen | None = None
    ) -> AsyncIterator[bytes]:
        """Server-sent events after the one with `last_id`, for `longest_s` seconds at most.

        `may_listen` is asked again every few seconds, and before anything is told after phones
        have changed; the stream ends when it says no.
        """
        loop = asyncio.get_running_loop()
        ends, asked, spoken = loop.time() + longest_s, loop.time(), loop.time()
        number, greeting = self._resume(last_id)
        yield self._bytes(Event(number, greeting, {}))
        while not self._closed:
            news = self._news
            new = [event for event in self._events if event.number > number]
            is_due = loop.time() - asked >= ASKED_EVERY_S
            if may_listen and (is_due or any(event.name == "phones-changed" for event in new)):
                if not await may_listen():
                    return
                asked = loop.time()
            for event in new:
                number, spoken = event.number, loop.time()
                yield self._bytes(event)
            left = ends - loop.time()
            if left <= 0:
                return
            if loop.time() - spoken >= KEEP_ALIVE_S:
                spoken = loop.time()
                yield b"event: still-here\ndata: {}\n\n"
            wait_s = min(KEEP_ALIVE_S, left, ASKED_EVERY_S if may_listen else left)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), wait_s)

    def _resume(self, last_id: str | None) -> tuple[int, str]:
        """From which number on to tell, and the greeting that says whether something is lost."""
        if not last_id:
            return self._number, "hello"
        start, _, text = last_id.partition("-")
        number = int(text) if text.isdecimal() and len(text) < 16 else -1
        oldest = self._events[0].number if self._events else self._number + 1
        if start == self._start and oldest - 1 <= number <= self._number:
            return number, "hello"
        return self._number, "reset"

    def _bytes(self, event: Event) -> bytes:
        lines = (
            f"id: {self._start}-{event.number}",
            f"event: {event.name}",
            f"data: {json.dumps(dict(event.data))}",
        )
        return ("\n".join(lines) + "\n\n").encode()
