"""What one phone asks of another: to be somebody's new phone, or to have a player's seat.

Kept in memory: whoever asked asks again after a restart.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from rig.service.http.trouble import AskUnknown
from rig.store.phones import Phone

VALID_S = 600.0
MOST_OPEN = 50
"""More than these are not kept: the oldest go."""
_KEY_BYTES = 32
State = Literal["waiting", "granted", "refused"]


@dataclass(frozen=True, slots=True)
class Ask:
    """One ask. `of`: the phone's name or the player whose seat it is; `phone`: the id of the phone
    whose place is asked for, `asker`: that of the phone that asks for a seat in `match`.
    """

    id: str
    kind: Literal["phone", "seat"]
    name: str
    of: str
    expires_at: float
    phone: str | None = None
    asker: str | None = None
    match: str | None = None
    state: State = "waiting"


class Asks:
    """The open asks. Its methods may be called from any thread."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock`: seconds since 1970."""
        self._clock = clock
        self._lock = threading.Lock()
        self._asks: dict[str, Ask] = {}

    def for_phone(self, phone: Phone) -> tuple[Ask, str]:
        """Ask to be this phone: the ask, and the key that only whoever asks has."""
        key = secrets.token_urlsafe(_KEY_BYTES)
        ends = self._clock() + VALID_S
        ask = Ask(_id(key), "phone", phone.name, phone.name, ends, phone=phone.id)
        return self._keep(ask), key

    def for_seat(self, match: str, player: str, asker: str, name: str) -> Ask:
        """Ask for a player's seat; asked again it is the same ask."""
        ask = Ask(
            _id(f"{match}/{asker}/{player}"), "seat", name, player, self._clock() + VALID_S,
            asker=asker, match=match,
        )  # fmt: skip
        return self._keep(ask)

    def waiting(self) -> list[Ask]:
        """Those that nobody has answered, the first one first."""
        with self._lock:
            return [ask for ask in self._open() if ask.state == "waiting"]

    def get(self, ask: str) -> Ask:
        """The waiting ask of this id. AskUnknown."""
        found = next((one for one in self.waiting() if one.id == ask), None)
        if found is None:
            raise AskUnknown
        return found

    def by_key(self, key: str) -> Ask:
        """The ask of whoever has this key, answered or not. AskUnknown."""
        with self._lock:
            found = next((one for one in self._open() if one.id == _id(key)), None)
        if found is None or found.kind != "phone":
            raise AskUnknown
        return found

    def answer(self, ask: str, state: State) -> Ask:
        """Grant or refuse, once. AskUnknown if it does not wait."""
        with self._lock:
            self._open()
            found = self._asks.get(ask)
            if found is None or found.state != "waiting":
                raise AskUnknown
            if found.kind == "seat":
                del self._asks[ask]
            else:
                self._asks[ask] = replace(found, state=state)
            return found

    def _keep(self, ask: Ask) -> Ask:
        with self._lock:
            self._open()
            self._asks.pop(ask.id, None)
            while len(self._asks) >= MOST_OPEN:
                del self._asks[next(iter(self._asks))]
            self._asks[ask.id] = ask
        return ask

    def _open(self) -> list[Ask]:
        now = self._clock()
        self._asks = {name: one for name, one in self._asks.items() if one.expires_at > now}
        return list(self._asks.values())


def _id(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:16]
