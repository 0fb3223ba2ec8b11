"""Two databases into one: rows that are missing, and rows that were changed more often."""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

_ABSENT = "NOT EXISTS (SELECT 1 FROM main.{table} AS here WHERE {same})"
_BEHIND = (
    "EXISTS (SELECT 1 FROM main.{table} AS here WHERE {same} AND here.version < there.version)"
)
_SAME = {
    "frames": "here.id = there.id",
    "matches": "here.id = there.id",
    "rounds": "here.match = there.match AND here.number = there.number",
}
_GONE = "SELECT id FROM main.matches WHERE json_extract(data, '$.deleted') IS NOT NULL"
_WANTED = {"rounds": f" AND there.match NOT IN ({_GONE})"}
"""A match that was deleted here stays so, and its rounds with it."""
_KEY = {"frames": "id", "matches": "id", "rounds": "match, number"}
_PICTURE = "sha256, kind, bytes, width, height, came_sha256"
_WHEN = {"frames": "taken_at", "matches": "begun_at", "games": "begun_at"}


@dataclass(frozen=True, slots=True)
class Merged:
    """How many frames, matches and rounds are new, and how many were behind; phones, tokens."""

    frames: int
    frames_changed: int
    matches: int
    matches_changed: int
    rounds: int
    rounds_changed: int
    phones: int
    tokens: int


def compare(connection: sqlite3.Connection, with_access: bool) -> Merged:
    """What `merge` would change: the rows of `other` against those of `main`."""
    counts = {}
    for table, same in _SAME.items():
        for name, condition in ((table, _ABSENT), (f"{table}_changed", _BEHIND)):
            where = condition.format(table=table, same=same) + _WANTED.get(table, "")
            query = f"SELECT count(*) FROM other.{table} AS there WHERE {where}"
            counts[name] = int(connection.execute(query).fetchone()[0])
    counts["phones"] = _phones(connection) if with_access else 0
    counts["tokens"] = _tokens(connection) if with_access else 0
    return Merged(**counts)


def two_pictures(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """The frames that have another picture in `other`: id, its file here, its file there."""
    return connection.execute(
        "SELECT here.id, here.sha256 || '.' || here.kind, there.sha256 || '.' || there.kind"
        " FROM main.frames AS here JOIN other.frames AS there ON here.id = there.id"
        " WHERE here.sha256 != there.sha256"
    ).fetchall()


def merge(
    connection: sqlite3.Connection, lost: Collection[str] = (), with_access: bool = False
) -> Merged:
    """Bring the rows of `other` into `main`; the caller's transaction makes it one step.

    A frame keeps the picture that it has here, which may be blurred, unless it is one of those
    `lost`, by id, which take that of `other`. Phones and tokens come only `with_access`, phones
    only where none is known: one that was sent away must stay away.
    Tokens are never removed, and one revoked in either is revoked.
    """
    merged = compare(connection, with_access)
    connection.execute("INSERT OR IGNORE INTO main.decks SELECT * FROM other.decks")
    connection.execute(f"CREATE TEMP TABLE arriving AS SELECT id FROM ({_arriving('frames')})")
    connection.execute(
        f"CREATE TEMP TABLE pictures AS SELECT id, {_PICTURE} FROM main.frames WHERE false"
    )
    for frame, _, _ in two_pictures(connection):
        connection.execute(
            f"INSERT INTO temp.pictures SELECT id, {_PICTURE}"
            f" FROM {'other' if frame in lost else 'main'}.frames WHERE id = ?",
            (frame,),
        )
    _bring(connection, "frames")
    connection.execute(
        f"UPDATE main.frames SET ({_PICTURE}) = (SELECT {_PICTURE} FROM temp.pictures"
        " WHERE temp.pictures.id = main.frames.id) WHERE id IN (SELECT id FROM temp.pictures)"
    )
    connection.execute("DROP TABLE temp.pictures")
    _bring_corrections(connection)
    connection.execute("DROP TABLE temp.arriving")
    _bring(connection, "matches")
    _bring(connection, "rounds")
    connection.execute(f"DELETE FROM main.rounds WHERE match IN ({_GONE})")
    _bring_games(connection)
    if merged.phones:
        columns = ", ".join(_columns(connection, "phones"))
        connection.execute(
            f"INSERT INTO main.phones ({columns}) SELECT {columns} FROM other.phones ORDER BY rowid"
        )
        connection.execute("INSERT OR IGNORE INTO main.marks SELECT * FROM other.marks")
    if with_access:
        connection.execute("INSERT OR IGNORE INTO main.tokens SELECT * FROM other.tokens")
        connection.execute(
            "UPDATE main.tokens SET revoked_at = there.revoked_at FROM other.tokens AS there"
            " WHERE there.id = main.tokens.id AND main.tokens.revoked_at IS NULL"
        )
    connection.execute(
        "DELETE FROM main.deletions WHERE file IN (SELECT sha256 || '.' || kind FROM main.frames)"
    )
    return merged


def _phones(connection: sqlite3.Connection) -> int:
    (here,) = connection.execute("SELECT count(*) FROM main.phones").fetchone()
    (there,) = connection.execute("SELECT count(*) FROM other.phones").fetchone()
    return 0 if here else int(there)


def _tokens(connection: sqlite3.Connection) -> int:
    (count,) = connection.execute(
        "SELECT count(*) FROM other.tokens WHERE id NOT IN (SELECT id FROM main.tokens)"
    ).fetchone()
    return int(count)


def _arriving(table: str) -> str:
    same = _SAME[table]
    absent, behind = (way.format(table=table, same=same) for way in (_ABSENT, _BEHIND))
    order = "seq" if table in _WHEN else _KEY[table]
    which = f"({absent} OR {behind}){_WANTED.get(table, '')}"
    return f"SELECT there.* FROM other.{table} AS there WHERE {which} ORDER BY {order}"


def _bring(connection: sqlite3.Connection, table: str) -> None:
    """Add the missing rows and replace those behind; where both had rows, they stand by time."""
    (had_rows,) = connection.execute(f"SELECT EXISTS (SELECT 1 FROM main.{table})").fetchone()
    columns = [name for name in _columns(connection, table) if name != "seq"]
    names = ", ".join(columns)
    values = ", ".join(f"{name} = excluded.{name}" for name in columns)
    connection.execute(
        f"INSERT INTO main.{table} ({names}) SELECT {names} FROM ({_arriving(table)}) WHERE true"
        f" ON CONFLICT ({_KEY[table]}) DO UPDATE SET {values}"
    )
    if had_rows and table in _WHEN:
        _put_in_order(connection, table)


def _put_in_order(connection: sqlite3.Connection, table: str) -> None:
    connection.execute(f"UPDATE main.{table} SET seq = -seq")
    rows = connection.execute(
        f"SELECT id FROM main.{table} ORDER BY {_WHEN[table]}, -seq"
    ).fetchall()
    connection.executemany(
        f"UPDATE main.{table} SET seq = ? WHERE id = ?",
        [(place, row[0]) for place, row in enumerate(rows, start=1)],
    )


def _bring_corrections(connection: sqlite3.Connection) -> None:
    """A frame's corrections come with it; their order is that of their numbers."""
    connection.execute("DELETE FROM main.corrections WHERE frame IN (SELECT id FROM temp.arriving)")
    (taken,) = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM main.corrections WHERE id IN"
        " (SELECT id FROM other.corrections WHERE frame IN (SELECT id FROM temp.arriving)))"
    ).fetchone()
    number = "NULL" if taken else "id"
    rest = "frame, data, who, made_at, undone_by, undone_at"
    connection.execute(
        f"INSERT INTO main.corrections (id, {rest}) SELECT {number}, {rest} FROM other.corrections"
        " WHERE frame IN (SELECT id FROM temp.arriving) ORDER BY id"
    )


def _bring_games(connection: sqlite3.Connection) -> None:
    """Followed games that are not here come with their steps; one that is here stays as it is."""
    (had_rows,) = connection.execute("SELECT EXISTS (SELECT 1 FROM main.games)").fetchone()
    absent = "SELECT id FROM other.games WHERE id NOT IN (SELECT id FROM main.games)"
    connection.execute(f"CREATE TEMP TABLE coming AS {absent}")
    rest = "id, begun_at, data, version"
    connection.execute(
        f"INSERT INTO main.games ({rest}) SELECT {rest} FROM other.games"
        " WHERE id IN (SELECT id FROM temp.coming) ORDER BY seq"
    )
    rest = "game, number, at, data, seen, deck"
    connection.execute(
        f"INSERT INTO main.game_steps ({rest}) SELECT {rest} FROM other.game_steps"
        " WHERE game IN (SELECT id FROM temp.coming) ORDER BY id"
    )
    connection.execute("DROP TABLE temp.coming")
    if had_rows:
        _put_in_order(connection, "games")


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f"PRAGMA main.table_info({table})")]
