"""Access tokens of programs. The tokens themselves are kept as digests only.

None is ever removed: one that was revoked is still known as that, and whoever shows it is told.
"""

import hashlib
from dataclasses import dataclass

from rig.store.database import Row
from rig.store.readable import Kept

RENEWED_S = 3600.0
"""Its use is written down no more often."""


@dataclass(frozen=True, slots=True)
class Token:
    """A program's access. Times are seconds since 1970.

    `expires_at` None: never; `used_at` None: not yet; `revoked_at` None: it was not.
    """

    id: str
    name: str
    role: str
    made_at: float
    made_by: str
    expires_at: float | None = None
    used_at: float | None = None
    revoked_at: float | None = None


class KeptTokens(Kept):
    """The access tokens of a store."""

    def add(self, token: Token, secret: str) -> None:
        """Keep a token; `secret` is what the program shows."""
        with self._database.transaction_even_read_only() as connection:
            connection.execute(
                "INSERT INTO tokens (id, sha256, name, role, made_at, made_by, expires_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    token.id,
                    _digest(secret),
                    token.name,
                    token.role,
                    token.made_at,
                    token.made_by,
                    token.expires_at,
                ),
            )

    def by_secret(self, secret: str) -> Token | None:
        """The token that a program shows, whether it still counts or not."""
        row = self._database.row("SELECT * FROM tokens WHERE sha256 = ?", (_digest(secret),))
        return self._readable.if_any("tokens", row, _token)

    def get(self, token: str) -> Token | None:
        """The token of this id."""
        row = self._database.row("SELECT * FROM tokens WHERE id = ?", (token,))
        return None if row is None else self._readable.one("tokens", row, _token)

    def used(self, token: Token, now: float) -> None:
        """Write down that it was used, if that was not done lately."""
        if token.used_at is not None and abs(now - token.used_at) <= RENEWED_S:
            return
        with self._database.transaction_even_read_only() as connection:
            connection.execute("UPDATE tokens SET used_at = ? WHERE id = ?", (now, token.id))

    def all(self) -> list[Token]:
        """Every token that was ever made, the oldest first."""
        rows = self._database.rows("SELECT * FROM tokens ORDER BY rowid")
        return self._readable.all("tokens", rows, _token)

    def revoke(self, token: str, now: float) -> bool:
        """End a token's access for good. False if there is no such token."""
        with self._database.transaction_even_read_only() as connection:
            changed = connection.execute(
                "UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", (now, token)
            )
            return changed.rowcount > 0


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _token(row: Row) -> Token:
    values = {name: row[name] for name in Token.__dataclass_fields__}
    return Token(**values)
