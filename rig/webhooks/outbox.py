"""What is to be told, and to whom, on the disk: told at least once, through restarts."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.store.trouble import StoreUnusable

FILE_NAME = "outbox.sqlite"
MOST_KEPT = 10_000
"""More events than these are not kept for a webhook that does not answer: the oldest go."""
_TABLES = """
CREATE TABLE IF NOT EXISTS events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  at TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS hooks (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  made_at TEXT NOT NULL,
  heard INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  last_at TEXT,
  last_status INTEGER,
  last_error TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS told (
  subject TEXT PRIMARY KEY,
  state TEXT NOT NULL
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; `sequence` counts them, and rises."""

    sequence: int
    id: str
    name: str
    at: str
    data: Mapping[str, Any]

    def body(self) -> bytes:
        """The event as it is sent."""
        values = {"id": self.id, "sequence": self.sequence, "event": self.name, "at": self.at}
        return json.dumps({**values, "data": self.data}).encode()


@dataclass(frozen=True, slots=True)
class Hook:
    """Somebody who is told; `heard` is the sequence number of the last event that was taken.

    `tries`: how often the next one was sent in vain. `last_...`: what came of the last try.
    """

    id: str
    name: str
    url: str
    secret: str
    made_at: str
    heard: int
    tries: int
    last_at: str | None
    last_status: int | None
    last_error: str | None


class Outbox:
    """Events and webhooks in a file of their own. Its methods may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        file = folder / FILE_NAME
        self._lock = threading.RLock()
        try:
            self._line = _opened(file)
        except sqlite3.DatabaseError:  # damaged: what was to be told is lost, and nothing else
            file.replace(file.with_suffix(".damaged"))
            self._line = _opened(file)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                self._line.execute("BEGIN IMMEDIATE")
                try:
                    yield self._line
                except BaseException:
                    self._line.execute("ROLLBACK")
                    raise
                self._line.execute("COMMIT")
            except sqlite3.Error as error:
                raise StoreUnusable(path=FILE_NAME, why=error) from error

    def add(
        self, name: str, at: str, data: Mapping[str, Any], told: tuple[str, str] | None = None
    ) -> bool:
        """Keep an event. `told`: its subject and state; False if that was told before."""
        with self._transaction() as line:
            if told is not None:
                row = line.execute("SELECT state FROM told WHERE subject = ?", told[:1]).fetchone()
                if row is not None and row["state"] == told[1]:
                    return False
                line.execute("INSERT OR REPLACE INTO told VALUES (?, ?)", told)
            added = line.execute(
                "INSERT INTO events (id, name, at, data) VALUES (?, ?, ?, ?)",
                (secrets.token_hex(8), name, at, json.dumps(dict(data))),
            )
            line.execute(
                "DELETE FROM events WHERE sequence <= ?", ((added.lastrowid or 0) - MOST_KEPT,)
            )
        return True

    def register(self, subject: str, state: str) -> None:
        """Take something for told without telling it."""
        with self._transaction() as line:
            line.execute("INSERT OR REPLACE INTO told VALUES (?, ?)", (subject, state))

    def state_of(self, subject: str) -> str | None:
        """What was told of a subject last."""
        with self._lock:
            row = self._line.execute(
                "SELECT state FROM told WHERE subject = ?", (subject,)
            ).fetchone()
        return None if row is None else str(row["state"])

    def hook(self, name: str, url: str, at: str) -> Hook:
        """Keep a webhook; it hears what happens from now on."""
        made = secrets.token_hex(6)
        with self._transaction() as line:
            line.execute(
                "INSERT INTO hooks (id, name, url, secret, made_at, heard) VALUES (?, ?, ?, ?, ?,"
                " (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'events'))",
                (made, name, url, secrets.token_urlsafe(24), at),
            )
        return next(one for one in self.hooks() if one.id == made)

    def hooks(self) -> list[Hook]:
        """Every webhook, the oldest first."""
        with self._lock:
            rows = self._line.execute("SELECT * FROM hooks ORDER BY rowid").fetchall()
        return [Hook(**dict(row)) for row in rows]

    def forget(self, hook: str) -> bool:
        """Remove a webhook. False if there is none."""
        with self._transaction() as line:
            return line.execute("DELETE FROM hooks WHERE id = ?", (hook,)).rowcount > 0

    def forget_match(self, match: str, round_: int | None = None) -> None:
        """Remove for good what was to be told of a match, or of one of its rounds."""
        with self._transaction() as line:
            line.execute(
                "DELETE FROM events WHERE name != 'match-deleted'"
                " AND json_extract(data, '$.match') = ?1"
                " AND (?2 IS NULL OR json_extract(data, '$.round') = ?2)",
                (match, round_),
            )
        with self._lock:  # so that it leaves the write-ahead log too
            self._line.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def next_for(self, hook: Hook) -> Event | None:
        """The first event that this webhook has not taken yet."""
        with self._lock:
            row = self._line.execute(
                "SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT 1", (hook.heard,)
            ).fetchone()
        if row is None:
            return None
        return Event(row["sequence"], row["id"], row["name"], row["at"], json.loads(row["data"]))

    def waiting(self, hook: Hook) -> int:
        """How many events this webhook has not taken yet."""
        with self._lock:
            (count,) = self._line.execute(
                "SELECT count(*) FROM events WHERE sequence > ?", (hook.heard,)
            ).fetchone()
        return int(count)

    def tried(
        self, hook: Hook, event: Event, at: str, status: int | None, error: str | None
    ) -> None:
        """Write down what came of sending an event: without an error it was taken."""
        heard, tries = (event.sequence, 0) if error is None else (hook.heard, hook.tries + 1)
        with self._transaction() as line:
            line.execute(
                "UPDATE hooks SET heard = ?, tries = ?, last_at = ?, last_status = ?,"
                " last_error = ? WHERE id = ?",
                (heard, tries, at, status, error, hook.id),
            )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._line.close()


def _opened(file: Path) -> sqlite3.Connection:
    line = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
    line.row_factory = sqlite3.Row
    line.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + _TABLES)
    line.execute("PRAGMA secure_delete = ON")  # deleted for good is gone from the file
    file.chmod(0o600)  # it holds the secrets that events are signed with
    return line
