"""The database's tables, as numbered migrations: each is applied once, in order, for good."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from rig.store.trouble import StoreNewer

_FIRST = """
CREATE TABLE decks (
  digest TEXT PRIMARY KEY,
  data TEXT NOT NULL
) STRICT;
CREATE TABLE frames (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  sha256 TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  taken_at TEXT NOT NULL,
  lens TEXT,
  state TEXT NOT NULL,
  trouble TEXT,
  seen TEXT,
  deck TEXT REFERENCES decks (digest),
  version INTEGER NOT NULL DEFAULT 1,
  protected INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE corrections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  frame TEXT NOT NULL REFERENCES frames (id) ON DELETE CASCADE,
  data TEXT NOT NULL,
  who TEXT NOT NULL,
  made_at TEXT NOT NULL,
  undone_by TEXT,
  undone_at TEXT
) STRICT;
CREATE INDEX corrections_by_frame ON corrections (frame, id);
CREATE TABLE matches (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  begun_at TEXT NOT NULL,
  data TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE rounds (
  match TEXT NOT NULL REFERENCES matches (id),
  number INTEGER NOT NULL,
  frame TEXT REFERENCES frames (id),
  data TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (match, number)
) STRICT;
CREATE INDEX rounds_by_frame ON rounds (frame);
CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code_sha256 TEXT NOT NULL,
  pin_sha256 TEXT NOT NULL,
  role TEXT NOT NULL,
  expires_at REAL NOT NULL,
  wrong INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE phones (
  id TEXT PRIMARY KEY,
  token_sha256 TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  paired_at TEXT NOT NULL
) STRICT;
"""

_DELETIONS = """
CREATE TABLE deletions (
  file TEXT PRIMARY KEY
) STRICT;
"""

_TRIES = """
ALTER TABLE frames ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
"""

_PHONES = """
ALTER TABLE phones ADD COLUMN used_at REAL NOT NULL DEFAULT 0;
CREATE TABLE marks (
  name TEXT PRIMARY KEY
) STRICT;
INSERT INTO marks SELECT 'paired-once' WHERE EXISTS (SELECT 1 FROM phones);
"""

_CAME = """
ALTER TABLE frames ADD COLUMN came_sha256 TEXT;
CREATE UNIQUE INDEX frames_by_came ON frames (came_sha256);
"""

_TOKENS = """
CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  made_at REAL NOT NULL,
  made_by TEXT NOT NULL,
  expires_at REAL,
  used_at REAL,
  revoked_at REAL
) STRICT;
"""

_PAIRING = """
ALTER TABLE invitations ADD COLUMN phones INTEGER NOT NULL DEFAULT 1;
ALTER TABLE invitations ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
ALTER TABLE frames ADD COLUMN sent_by TEXT;
"""

_GAMES = """
CREATE TABLE games (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  begun_at TEXT NOT NULL,
  data TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE game_steps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  game TEXT NOT NULL,
  number INTEGER NOT NULL,
  at TEXT NOT NULL,
  data TEXT NOT NULL,
  seen TEXT,
  deck TEXT REFERENCES decks (digest)
) STRICT;
CREATE UNIQUE INDEX game_steps_in_order ON game_steps (game, number);
"""

_SEEN_2 = "-- What was seen is written as tacta-seen/2, which earlier versions do not read."
_SEEN_3 = "-- What was seen is written as tacta-seen/3, which earlier versions do not read."
_SEEN_4 = "-- What was seen is written as tacta-seen/4, which earlier versions do not read."

MIGRATIONS: tuple[str, ...] = (
    _FIRST, _DELETIONS, _TRIES, _PHONES, _CAME, _TOKENS, _SEEN_2, _SEEN_3, _PAIRING,
    _GAMES, _SEEN_4,
)  # fmt: skip
"""Never edit one that was released; add another. The schema's number is how many were applied."""


TABLES = (
    "decks", "frames", "corrections", "matches", "rounds", "phones", "tokens", "invitations",
    "deletions", "marks", "games", "game_steps",
)  # fmt: skip


def migrate(
    connection: sqlite3.Connection, path: Path, migrations: Sequence[str]
) -> tuple[int, int]:
    """Bring a file's tables up to date: the schema's number before and after.

    Each migration is one transaction, number included. StoreNewer if the database is ahead.
    """
    found = schema_number(connection)
    if found > len(migrations):
        raise StoreNewer(path=path, found=found, known=len(migrations))
    for number, statements in enumerate(migrations[found:], start=found + 1):
        script = f"BEGIN IMMEDIATE;\n{statements}\nPRAGMA user_version = {number};\nCOMMIT;"
        try:
            connection.executescript(script)
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    return found, len(migrations)


def schema_number(connection: sqlite3.Connection) -> int:
    """How many migrations the database has seen."""
    (number,) = connection.execute("PRAGMA user_version").fetchone()
    return int(number)
