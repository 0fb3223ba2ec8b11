"""Paired phones and open invitations. Secrets are kept as digests only."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from rig.store.database import Database, Row


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone that was paired: who uses it, and what it may do."""

    id: str
    name: str
    role: str
    paired_at: str


@dataclass(frozen=True, slots=True)
class Invitation:
    """An open invitation. `expires_at`: seconds since 1970; `wrong`: PINs tried in vain."""

    id: int
    role: str
    expires_at: float
    wrong: int


class KeptPhones:
    """The phones and invitations of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def invite(self, code: str, pin: str, role: str, expires_at: float) -> None:
        """Keep an invitation that either its long code or its PIN takes up."""
        with self._database.transaction_even_read_only() as connection:
            connection.execute(
                "INSERT INTO invitations (code_sha256, pin_sha256, role, expires_at)"
                " VALUES (?, ?, ?, ?)",
                (_digest(code), _digest(pin), role, expires_at),
            )

    def invitation(self, secret: str, now: float, most_wrong: int) -> Invitation | None:
        """The open invitation that this code or PIN takes up.

        A PIN is worth nothing any more once `most_wrong` others were tried on it.
        """
        digest = _digest(secret)
        row = self._database.row(
            "SELECT * FROM invitations WHERE expires_at > ?"
            " AND (code_sha256 = ? OR (pin_sha256 = ? AND wrong < ?)) ORDER BY id DESC",
            (now, digest, digest, most_wrong),
        )
        if row is None:
            return None
        return Invitation(row["id"], row["role"], row["expires_at"], row["wrong"])

    def tried_in_vain(self, now: float) -> None:
        """Count a wrong secret against every open invitation, and forget the expired ones."""
        with self._database.transaction_even_read_only() as connection:
            connection.execute("UPDATE invitations SET wrong = wrong + 1")
            connection.execute("DELETE FROM invitations WHERE expires_at <= ?", (now,))

    def pair(self, phone: Phone, token: str) -> None:
        """Keep a phone with the token that it will show."""
        with self._database.transaction_even_read_only() as connection:
            connection.execute(
                "INSERT INTO phones (id, token_sha256, name, role, paired_at)"
                " VALUES (?, ?, ?, ?, ?)",
                (phone.id, _digest(token), phone.name, phone.role, phone.paired_at),
            )

    def by_token(self, token: str) -> Phone | None:
        """The phone that shows this token."""
        row = self._database.row("SELECT * FROM phones WHERE token_sha256 = ?", (_digest(token),))
        return None if row is None else _phone(row)

    def all(self) -> list[Phone]:
        """Every paired phone, the first one first."""
        rows = self._database.rows("SELECT * FROM phones ORDER BY rowid")
        return [_phone(row) for row in rows]

    def forget(self, phone: str) -> bool:
        """Take a phone's access away. False if there is no such phone."""
        with self._database.transaction_even_read_only() as connection:
            return connection.execute("DELETE FROM phones WHERE id = ?", (phone,)).rowcount > 0


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _phone(row: Row) -> Phone:
    return Phone(row["id"], row["name"], row["role"], row["paired_at"])
