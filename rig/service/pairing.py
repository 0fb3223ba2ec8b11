"""Pairing: each phone once, by the code in the terminal's QR or by a PIN that soon expires."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from rig.service.trouble import SecretWrong, TooManyTries
from rig.store.phones import KeptPhones, Phone

Role = Literal["viewer", "player", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""From the one who may least to the one who may most."""
VALID_S = 600.0
PIN_DIGITS = 6
MOST_WRONG = 20
"""So many wrong PINs from one address while an invitation lasts; then that address waits."""
MOST_A_MINUTE = 5
"""Wrong PINs a minute from one address."""
MOST_IN_ALL = 30
"""Wrong PINs a minute from all together; then only those are heard who tried none in vain."""
_MINUTE_S = 60.0
_MOST_ADDRESSES = 1000
_TOKEN_BYTES = 32
_PIN = re.compile(rf"[0-9]{{{PIN_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation as it is shown, once: the code for the QR, the PIN to type."""

    code: str
    pin: str
    role: Role
    expires_at: float


class Pairing:
    """Invites and pairs phones; `clock` gives seconds since 1970, `ticks` ones that only rise."""

    def __init__(
        self,
        phones: KeptPhones,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._phones = phones
        self._clock = clock
        self._guesses = Guesses(ticks)
        self._lock = threading.Lock()

    def invite(self, role: Role) -> Invited:
        """Open an invitation."""
        invited = Invited(
            code=secrets.token_urlsafe(_TOKEN_BYTES),
            pin=f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}",
            role=role,
            expires_at=self._clock() + VALID_S,
        )
        self._phones.forget_expired(self._clock())
        self._phones.invite(invited.code, invited.pin, role, invited.expires_at)
        return invited

    def pair(self, secret: str, name: str, now: str, address: str = "") -> tuple[Phone, str]:
        """Pair a phone by code or PIN: it, and the token it is to show from now on.

        The first phone of all runs the table, unless it is only to look on. `address`: whose
        wrong PINs count together; a code is too long to be guessed, and none is counted.
        SecretWrong, or TooManyTries.
        """
        secret = secret.strip()
        is_pin = _PIN.fullmatch(secret) is not None
        with self._lock:
            if is_pin:
                self._guesses.check(address)
            clock = self._clock()
            invitation = self._phones.invitation(secret, clock)
            if invitation is None:
                if is_pin:
                    self._guesses.add(address)
                raise SecretWrong
            is_first = not self._phones.paired_once() and invitation.role != "viewer"
            role = "admin" if is_first else invitation.role
            phone = Phone(secrets.token_hex(8), name, role, now, clock)
            token = secrets.token_urlsafe(_TOKEN_BYTES)
            self._phones.pair(phone, token)
            return phone, token


class Guesses:
    """Wrong PINs by address, as far back as an invitation lasts."""

    def __init__(self, ticks: Callable[[], float]) -> None:
        self._ticks = ticks
        self._of: OrderedDict[str, deque[float]] = OrderedDict()
        self._all: deque[float] = deque(maxlen=MOST_IN_ALL)

    def check(self, address: str) -> None:
        """TooManyTries for an address that guesses, or where all guess and this one has too."""
        now = self._ticks()
        mine = self._of.get(address, deque())
        waits = [0.0]
        if len(mine) == MOST_WRONG:
            waits.append(mine[0] + VALID_S - now)
        if len(mine) >= MOST_A_MINUTE:
            waits.append(mine[-MOST_A_MINUTE] + _MINUTE_S - now)
        if len(self._all) == MOST_IN_ALL and mine and mine[-1] > now - VALID_S:
            waits.append(self._all[0] + _MINUTE_S - now)
        if max(waits) > 0:
            raise TooManyTries(seconds=int(max(waits)) + 1)

    def add(self, address: str) -> None:
        """One more wrong PIN."""
        now = self._ticks()
        self._of.setdefault(address, deque(maxlen=MOST_WRONG)).append(now)
        self._of.move_to_end(address)
        while len(self._of) > _MOST_ADDRESSES:
            self._of.popitem(last=False)
        self._all.append(now)
