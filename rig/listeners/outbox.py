"""What is to be told, and to whom, on the disk: told at least once, through restarts."""

import contextlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rig.store.database import Database, Row
from rig.store.trouble import StoreDamaged
from rig.wording.kept_reasons import reason_data, reason_of
from vision.reason import Reason

FILE_NAME = "outbox.sqlite"
MOST_KEPT = 10_000
"""More events than these are not kept for a listener that does not answer: the oldest go."""
_FIRST = """
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
_BROKERS = """
ALTER TABLE hooks ADD COLUMN broker TEXT;
"""
_CODES = """
UPDATE hooks SET last_error = json_object(
  'code', 'in-english', 'facts', json_object('sentence', last_error)
) WHERE last_error IS NOT NULL;
"""
_MIGRATIONS = (_FIRST, _BROKERS, _CODES)
"""Each is applied once, in order; a file's number is how many were."""


LONGEST_WHY = 150
"""Letters of a cause: more is noise."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a listener answered; without an error it has taken the event."""

    status: int | None
    error: Reason | None


def cause(why: object) -> dict[str, str]:
    """What a system or a listener gives as its reason, as the fact of ours."""
    return {"why": str(why)[:LONGEST_WHY]}


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
class Broker:
    """What an MQTT broker wants beside its address.

    `ca`: the certificate that its own is checked against, as PEM; "": the system's. `topic`: what
    all that is published begins with. `discovery`: the topic at which Home Assistant looks for
    devices; None: nothing is put there. `language`: of the names that it shows.
    """

    topic: str = "tacta"
    username: str = ""
    password: str = ""
    ca: str = ""
    discovery: str | None = "homeassistant"
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told: a webhook, or an MQTT broker if there is a `broker`.

    `heard` is the sequence number of the last event that was taken, `tries` how often the next
    one was sent in vain, and `last_...` what came of the last try.
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
    last_error: Reason | None
    broker: Broker | None = None


class Outbox:
    """Events and listeners in a file of their own. Its methods may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        """StoreTrouble where nothing can be kept there."""
        file = folder / FILE_NAME
        try:
            self._database = _opened(file)
        except StoreDamaged:  # what was to be told is lost, and nothing else
            for part in ("", "-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    left = file.with_name(f"{file.name}{part}")
                    left.replace(file.with_name(f"{file.stem}.damaged{part}"))
            self._database = _opened(file)

    def add(
        self, name: str, at: str, data: Mapping[str, Any], told: tuple[str, str] | None = None
    ) -> bool:
        """Keep an event. `told`: its subject and state; False if that was told before."""
        with self._database.transaction() as line:
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
        with self._database.transaction() as line:
            line.execute("INSERT OR REPLACE INTO told VALUES (?, ?)", (subject, state))

    def state_of(self, subject: str) -> str | None:
        """What was told of a subject last."""
        row = self._database.row("SELECT state FROM told WHERE subject = ?", (subject,))
        return None if row is None else str(row["state"])

    def webhook(self, name: str, url: str, at: str) -> Listener:
        """Keep a webhook; it hears what happens from now on."""
        return self._listener(name, url, secrets.token_urlsafe(24), at, None)

    def broker(self, name: str, url: str, broker: Broker, at: str) -> Listener:
        """Keep a broker; it hears what happens from now on."""
        return self._listener(name, url, "", at, json.dumps(asdict(broker)))

    def _listener(self, name: str, url: str, secret: str, at: str, broker: str | None) -> Listener:
        made = secrets.token_hex(6)
        with self._database.transaction() as line:
            line.execute(
                "INSERT INTO hooks (id, name, url, secret, made_at, broker, heard)"
                " VALUES (?, ?, ?, ?, ?, ?,"
                " (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'events'))",
                (made, name, url, secret, at, broker),
            )
        return next(one for one in self.listeners() if one.id == made)

    def listeners(self) -> list[Listener]:
        """Every webhook and broker, the oldest first."""
        rows = self._database.rows("SELECT * FROM hooks ORDER BY rowid")
        return [_listener_of(row) for row in rows]

    def webhooks(self) -> list[Listener]:
        """Every webhook, the oldest first."""
        return [one for one in self.listeners() if one.broker is None]

    def brokers(self) -> list[Listener]:
        """Every broker, the oldest first."""
        return [one for one in self.listeners() if one.broker is not None]

    def listener(self, listener: str) -> Listener | None:
        """The webhook or broker of this id."""
        row = self._database.row("SELECT * FROM hooks WHERE id = ?", (listener,))
        return None if row is None else _listener_of(row)

    def forget(self, listener: str) -> bool:
        """Remove a webhook or broker. False if there is none."""
        with self._database.transaction() as line:
            return line.execute("DELETE FROM hooks WHERE id = ?", (listener,)).rowcount > 0

    def forget_match(self, match: str, round_: int | None = None) -> None:
        """Remove for good what was to be told of a match, or of one of its rounds."""
        with self._database.transaction() as line:
            line.execute(
                "DELETE FROM events WHERE name != 'match-deleted'"
                " AND json_extract(data, '$.match') = ?1"
                " AND (?2 IS NULL OR json_extract(data, '$.round') = ?2)",
                (match, round_),
            )
        self._database.fold_log()

    def next_for(self, listener: Listener) -> Event | None:
        """The first event that this listener has not taken yet."""
        row = self._database.row(
            "SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT 1", (listener.heard,)
        )
        if row is None:
            return None
        return Event(row["sequence"], row["id"], row["name"], row["at"], json.loads(row["data"]))

    def waiting(self, listener: Listener) -> int:
        """How many events this listener has not taken yet."""
        (found,) = self._database.rows(
            "SELECT count(*) FROM events WHERE sequence > ?", (listener.heard,)
        )
        return int(found[0])

    def tried(self, listener: Listener, event: Event | None, at: str, answer: Answer) -> None:
        """Write down what came of sending an event, or, without one, of reaching the listener."""
        heard, tries = listener.heard, listener.tries + 1
        if answer.error is None:
            heard, tries = heard if event is None else event.sequence, 0
        error = None if answer.error is None else json.dumps(reason_data(answer.error))
        with self._database.transaction() as line:
            line.execute(
                "UPDATE hooks SET heard = ?, tries = ?, last_at = ?, last_status = ?,"
                " last_error = ? WHERE id = ?",
                (heard, tries, at, answer.status, error, listener.id),
            )

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _listener_of(row: Row) -> Listener:
    values = dict(row)
    broker, error = values.pop("broker"), values.pop("last_error")
    return Listener(
        **values,
        last_error=None if error is None else reason_of(json.loads(error)),
        broker=None if broker is None else Broker(**json.loads(broker)),
    )


def _opened(file: Path) -> Database:
    file.touch(0o600)
    file.chmod(0o600)  # it holds secrets and passwords
    return Database(file, _MIGRATIONS)
