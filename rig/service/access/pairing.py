"""Pairing: each phone once, by the code in the terminal's QR or by a PIN that soon expires."""

import re
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from referee.rounds.names import reads_like
from rig.service.access.asks import Ask, Asks
from rig.service.http.limits import WRONG_PINS, WRONG_PINS_A_MINUTE, WRONG_PINS_IN_ALL
from rig.service.http.trouble import NameTaken, PhoneUnknown, SecretWrong, TooManyTries
from rig.store.phones import Invitation, KeptPhones, Phone

Role = Literal["viewer", "player", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""From the one who may least to the one who may most."""
VALID_S = 600.0
PIN_DIGITS = 6
MOST_INVITED = 20
"""Phones of one invitation."""
_MINUTE_S = 60.0
_MOST_ADDRESSES = 1000
_TOKEN_BYTES = 32
_PIN = re.compile(rf"[0-9]{{{PIN_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation as it is shown, once: the code for the QR, the PIN to type, and how many
    phones it may pair.
    """

    id: int
    code: str
    pin: str
    role: Role
    expires_at: float
    phones: int


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

    def invite(self, role: Role, phones: int = 1) -> Invited:
        """Open an invitation for one phone, or for those of a whole table."""
        code = secrets.token_urlsafe(_TOKEN_BYTES)
        pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}"
        expires_at = self._clock() + VALID_S
        self._phones.forget_expired(self._clock())
        number = self._phones.invite(code, pin, role, expires_at, phones)
        return Invited(number, code, pin, role, expires_at, phones)

    def open_invitations(self) -> list[Invitation]:
        """Those that may still pair a phone."""
        return self._phones.open_invitations(self._clock())

    def pair(
        self, secret: str, name: str, now: str, address: str = "", device: str | None = None
    ) -> tuple[Phone, str]:
        """Pair a phone by code or PIN: it, and the token it is to show from now on.

        The first phone of all runs the table, unless it is only to look on. `address`: whose
        wrong PINs count together; a code is too long to be guessed, and none is counted.
        `device`: the id under which it is paired already; it stays that one phone.
        SecretWrong, TooManyTries, or NameTaken: then nothing of the invitation is used.
        """
        with self._lock:
            invitation = self._invitation(secret.strip(), address)
            phones = self._phones.all()
            here = next((one for one in phones if one.id == device), None)
            for other in phones:
                if other is not here and reads_like(other.name) == reads_like(name):
                    raise NameTaken(name=other.name)
            clock, token = self._clock(), secrets.token_urlsafe(_TOKEN_BYTES)
            if here is not None:
                role = max(here.role, invitation.role, key=_rank)
                phone = Phone(here.id, name, role, here.paired_at, clock)
                is_paired = self._phones.pair_again(phone, token, invitation.id)
            else:
                is_first = not self._phones.paired_once() and invitation.role != "viewer"
                role = "admin" if is_first else invitation.role
                phone = Phone(secrets.token_hex(8), name, role, now, clock)
                is_paired = self._phones.pair(phone, token, invitation.id)
            if not is_paired:
                raise SecretWrong
            return phone, token

    def ask_for(self, asks: Asks, secret: str, name: str, address: str = "") -> tuple[Ask, str]:
        """Ask to be the new phone of whoever reads like this name: the ask, and the key by which
        its outcome is asked for. It takes up one phone of the invitation. SecretWrong,
        TooManyTries, or PhoneUnknown if nobody is called so.
        """
        with self._lock:
            invitation = self._invitation(secret.strip(), address)
            named = [p for p in self._phones.all() if reads_like(p.name) == reads_like(name)]
            if not named:
                raise PhoneUnknown
            if not self._phones.use(invitation.id):
                raise SecretWrong
            return asks.for_phone(named[0])

    def become(self, phone_id: str) -> tuple[Phone, str]:
        """Give a phone's place to another device, which its owner let have it: from now on the
        token counts and the old one's does not. PhoneUnknown.
        """
        with self._lock:
            here = next((one for one in self._phones.all() if one.id == phone_id), None)
            if here is None:
                raise PhoneUnknown
            token, clock = secrets.token_urlsafe(_TOKEN_BYTES), self._clock()
            phone = Phone(here.id, here.name, here.role, here.paired_at, clock)
            if not self._phones.pair_again(phone, token):
                raise PhoneUnknown
            return phone, token

    def _invitation(self, secret: str, address: str) -> Invitation:
        is_pin = _PIN.fullmatch(secret) is not None
        if is_pin:
            self._guesses.check(address)
        invitation = self._phones.invitation(secret, self._clock())
        if invitation is None:
            if is_pin:
                self._guesses.add(address)
            raise SecretWrong
        return invitation


def _rank(role: str) -> int:
    return [str(one) for one in ROLES].index(role)


class Guesses:
    """Wrong PINs by address, as far back as an invitation lasts."""

    def __init__(self, ticks: Callable[[], float]) -> None:
        self._ticks = ticks
        self._of: OrderedDict[str, deque[float]] = OrderedDict()
        self._all: deque[float] = deque(maxlen=WRONG_PINS_IN_ALL)

    def check(self, address: str) -> None:
        """TooManyTries for an address that guesses, or where all guess and this one has too."""
        now = self._ticks()
        mine = self._of.get(address, deque())
        waits = [0.0]
        if len(mine) == WRONG_PINS:
            waits.append(mine[0] + VALID_S - now)
        if len(mine) >= WRONG_PINS_A_MINUTE:
            waits.append(mine[-WRONG_PINS_A_MINUTE] + _MINUTE_S - now)
        if len(self._all) == WRONG_PINS_IN_ALL and mine and mine[-1] > now - VALID_S:
            waits.append(self._all[0] + _MINUTE_S - now)
        if max(waits) > 0:
            raise TooManyTries(seconds=int(max(waits)) + 1)

    def add(self, address: str) -> None:
        """One more wrong PIN."""
        now = self._ticks()
        self._of.setdefault(address, deque(maxlen=WRONG_PINS)).append(now)
        self._of.move_to_end(address)
        while len(self._of) > _MOST_ADDRESSES:
            self._of.popitem(last=False)
        self._all.append(now)
