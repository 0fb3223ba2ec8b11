"""Paired phones and open invitations. Secrets are kept as digests only."""

import hashlib
from dataclasses import dataclass

from rig.store.database import Row
from rig.store.readable import Kept

UNUSED_S = 90 * 24 * 3600.0
"""A phone that nobody used for so long has to be paired again."""
RENEWED_S = 12 * 3600.0
"""Its use is written down no more often."""
_OPEN = "expires_at > ? AND used < phones"
_PAIRED_ONCE = "paired-once"


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone that was paired: who uses it, and what it may do.

    `used_at`: seconds since 1970, to the day or so; 0: not yet.
    """

    id: str
    name: str
    role: str
    paired_at: str
    used_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Invitation:
    """An open invitation. `expires_at`: seconds since 1970; `phones`: how many it may pair,
    `used`: how many it has.
    """

    id: int
    role: str
    expires_at: float
    phones: int = 1
    used: int = 0

    @property
    def left(self) -> int:
        """How many phones it may still pair."""
        return self.phones - self.used


class KeptPhones(Kept):
    """The phones and invitations of a store."""

    def invite(self, code: str, pin: str, role: str, expires_at: float, phones: int = 1) -> int:
        """Keep an invitation that either its long code or its PIN takes up; its id."""
        with self._database.transaction_even_read_only() as connection:
            added = connection.execute(
                "INSERT INTO invitations (code_sha256, pin_sha256, role, expires_at, phones)"
                " VALUES (?, ?, ?, ?, ?)",
                (_digest(code), _digest(pin), role, expires_at, phones),
            )
            return int(added.lastrowid or 0)

    def invitation(self, secret: str, now: float) -> Invitation | None:
        """The open invitation that this code or PIN takes up."""
        digest = _digest(secret)
        row = self._database.row(
            f"SELECT * FROM invitations WHERE {_OPEN}"
            " AND (code_sha256 = ? OR pin_sha256 = ?) ORDER BY id DESC",
            (now, digest, digest),
        )
        return self._readable.if_any("invitations", row, _invitation)

    def open_invitations(self, now: float) -> list[Invitation]:
        """Those that may still pair a phone, the first one first."""
        rows = self._database.rows(f"SELECT * FROM invitations WHERE {_OPEN} ORDER BY id", (now,))
        return self._readable.all("invitations", rows, _invitation)

    def use(self, invitation: int) -> bool:
        """Count one phone more that an invitation pairs. False if it may pair no more."""
        with self._database.transaction_even_read_only() as connection:
            used = connection.execute(
                "UPDATE invitations SET used = used + 1 WHERE id = ? AND used < phones",
                (invitation,),
            )
            return used.rowcount > 0

    def end_invitation(self, invitation: int) -> bool:
        """Have an invitation pair no more phones. False if there is none."""
        with self._database.transaction_even_read_only() as connection:
            gone = connection.execute("DELETE FROM invitations WHERE id = ?", (invitation,))
            return gone.rowcount > 0

    def forget_expired(self, now: float) -> None:
        """Forget the invitations that nobody can take up any more."""
        with self._database.transaction_even_read_only() as connection:
            connection.execute("DELETE FROM invitations WHERE expires_at <= ?", (now,))

    def pair(self, phone: Phone, token: str, invitation: int | None = None) -> bool:
        """Keep a phone with the token that it will show. False if its invitation is used up."""
        with self._database.transaction_even_read_only() as connection:
            if invitation is not None and not self.use(invitation):
                return False
            connection.execute(
                "INSERT INTO phones (id, token_sha256, name, role, paired_at, used_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (phone.id, _digest(token), phone.name, phone.role, phone.paired_at, phone.used_at),
            )
            connection.execute("INSERT OR IGNORE INTO marks VALUES (?)", (_PAIRED_ONCE,))
            return True

    def pair_again(self, phone: Phone, token: str, invitation: int | None = None) -> bool:
        """Give a phone that is paired this name, role and token. False if it is not paired, or its
        invitation is used up.
        """
        with self._database.transaction_even_read_only() as connection:
            if invitation is not None and not self.use(invitation):
                return False
            changed = connection.execute(
                "UPDATE phones SET token_sha256 = ?, name = ?, role = ?, used_at = ? WHERE id = ?",
                (_digest(token), phone.name, phone.role, phone.used_at, phone.id),
            )
            return changed.rowcount > 0

    def paired_once(self) -> bool:
        """Whether any phone was ever paired, though it may be gone."""
        row = self._database.row("SELECT 1 FROM marks WHERE name = ?", (_PAIRED_ONCE,))
        return row is not None

    def by_token(self, token: str, now: float) -> Phone | None:
        """The phone that shows this token at this time (seconds since 1970); using it renews it.

        One that nobody used for UNUSED_S is forgotten. None if there is none.
        """
        row = self._database.row("SELECT * FROM phones WHERE token_sha256 = ?", (_digest(token),))
        phone = self._readable.if_any("phones", row, _phone)
        if phone is None:
            return None
        if phone.used_at and now - phone.used_at > UNUSED_S:
            self.forget(phone.id)
            return None
        if abs(now - phone.used_at) > RENEWED_S:
            self._renew(phone.id, now)
        return phone

    def _renew(self, phone: str, now: float) -> None:
        with self._database.transaction_even_read_only() as connection:
            connection.execute("UPDATE phones SET used_at = ? WHERE id = ?", (now, phone))

    def is_paired(self, phone: str) -> bool:
        """Whether this phone still has access."""
        return self._database.row("SELECT 1 FROM phones WHERE id = ?", (phone,)) is not None

    def all(self) -> list[Phone]:
        """Every paired phone, the first one first."""
        rows = self._database.rows("SELECT * FROM phones ORDER BY rowid")
        return self._readable.all("phones", rows, _phone)

    def forget(self, phone: str) -> bool:
        """Take a phone's access away. False if there is no such phone."""
        with self._database.transaction_even_read_only() as connection:
            return connection.execute("DELETE FROM phones WHERE id = ?", (phone,)).rowcount > 0


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _invitation(row: Row) -> Invitation:
    return Invitation(row["id"], row["role"], row["expires_at"], row["phones"], row["used"])


def _phone(row: Row) -> Phone:
    return Phone(row["id"], row["name"], row["role"], row["paired_at"], row["used_at"])
