"""Connections: so many in all and from one address, and none that only begins to say something.

A connection that is needed for a new one is taken from whoever has most of those on which
nothing is being answered: strangers who hold hundreds open lose theirs, and nobody else does.
"""

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from rig.service.http.limits import CONNECTIONS_OF_ONE, HEADER_S, MOST_CONNECTIONS


class GuardedProtocol(H11Protocol):
    """HTTP/1.1 with limits on connections and on the time in which a request is said."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, and close an idle one where there are too many."""
        super().connection_made(transport)
        others = [
            one for one in self.connections if one is not self and not one.transport.is_closing()
        ]
        host = _host(self)
        mine = [one for one in others if _host(one) == host]
        if len(mine) >= CONNECTIONS_OF_ONE:
            self._make_room(mine)
        elif len(others) >= MOST_CONNECTIONS:
            counts = Counter(_host(one) for one in others)
            self._make_room(sorted(others, key=lambda one: counts[_host(one)], reverse=True))
        self._watch()

    def _make_room(self, others: list[Any]) -> None:
        """Close one on which nothing is being answered, else this one."""
        idle = next((one for one in others if _is_idle(one)), self)
        idle.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Hear, and once a request is whole wait no longer for its header."""
        super().data_received(data)
        if not _is_idle(self):
            self._forget_deadline()
        elif self._deadline is None:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._forget_deadline()
        super().connection_lost(exc)

    def _watch(self) -> None:
        self._deadline = self.loop.call_later(HEADER_S, self._too_late)

    def _too_late(self) -> None:
        self._deadline = None
        if _is_idle(self) and not self.transport.is_closing():
            self.transport.abort()

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _host(connection: Any) -> str:
    return connection.client[0] if connection.client else ""


def _is_idle(connection: Any) -> bool:
    """Whether nothing is being answered on it; what is left of a body nobody waits for."""
    cycle = connection.cycle
    return cycle is None or bool(cycle.response_complete)
