"""Pairing: each phone once, by the code in the terminal's QR or by a PIN that soon expires."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
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
"""So many wrong tries and an open PIN is worth nothing any more; its QR code still is."""
MOST_A_MINUTE = 5
"""Wrong tries a minute, from everybody together."""
_MINUTE_S = 60.0
_TOKEN_BYTES = 32


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation as it is shown, once: the code for the QR, the PIN to type."""

    code: str
    pin: str
    role: Role
    expires_at: float


class Pairing:
    """Invites and pairs phones; `clock` gives seconds since 1970."""

    def __init__(self, phones: KeptPhones, clock: Callable[[], float] = time.time) -> None:
        self._phones = phones
        self._clock = clock
        self._wrong: deque[float] = deque(maxlen=MOST_A_MINUTE)
        self._lock = threading.Lock()

    def invite(self, role: Role) -> Invited:
        """Open an invitation."""
        invited = Invited(
            code=secrets.token_urlsafe(_TOKEN_BYTES),
            pin=f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}",
            role=role,
            expires_at=self._clock() + VALID_S,
        )
        self._phones.invite(invited.code, invited.pin, role, invited.expires_at)
        return invited

    def pair(self, secret: str, name: str, now: str) -> tuple[Phone, str]:
        """Pair a phone by code or PIN: it, and the token it is to show from now on.

        The first phone of all runs the table, whatever it was invited as.
        SecretWrong, or TooManyTries.
        """
        with self._lock:
            self._check_tries()
            clock = self._clock()
            invitation = self._phones.invitation(secret.strip(), clock, MOST_WRONG)
            if invitation is None:
                self._wrong.append(clock)
                self._phones.tried_in_vain(clock)
                raise SecretWrong
            role = invitation.role if self._phones.all() else "admin"
            phone = Phone(secrets.token_hex(8), name, role, now)
            token = secrets.token_urlsafe(_TOKEN_BYTES)
            self._phones.pair(phone, token)
            return phone, token

    def _check_tries(self) -> None:
        if len(self._wrong) == MOST_A_MINUTE:
            left = self._wrong[0] + _MINUTE_S - self._clock()
            if left > 0:
                raise TooManyTries(seconds=int(left) + 1)
