"""A backup's database looked at before it is used: its tables, that it holds together, its rows.

It may be one that somebody prepared. It is only read here, and nothing in it is run.
"""

import contextlib
import sqlite3
from collections.abc import Collection
from pathlib import Path

from rig.store.checkup import is_photo_name
from rig.store.schema import MIGRATIONS, schema_number

LONGEST_VALUE = 4 << 20
"""In bytes: a longer value of a row is not read at all."""
_HEADER = 100
_MAGIC = b"SQLite format 3\x00"
_TABLES = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"


def check_header(start: bytes, size: int) -> None:
    """Whether a database that begins so can be of this size (bytes). ValueError if not."""
    if len(start) < _HEADER or not start.startswith(_MAGIC):
        raise ValueError("its database is none")
    page = int.from_bytes(start[16:18], "big")
    pages = int.from_bytes(start[28:32], "big")
    if (65_536 if page == 1 else page) * pages != size:
        raise ValueError("its database is not as long as it says")


def check_database(path: Path, schema: int) -> None:
    """Whether it has the tables of this schema and no others, and is whole. ValueError if not."""
    with contextlib.closing(open_foreign(path)) as connection:
        if schema_number(connection) != schema or not 0 < schema <= len(MIGRATIONS):
            raise ValueError("its database is of another schema than is said")
        found, wanted = _shape(connection), _wanted_shape(schema)
        if found != wanted:
            names = sorted({str(row[1]) for row in found ^ wanted})
            raise ValueError(f"its tables are not a rig's: {', '.join(names)[:120]}")
        (whole,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if whole != "ok":
            raise ValueError(str(whole))
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        if broken is not None:
            raise ValueError(
                f"{broken[0]} {broken[1]} names a row of {broken[2]} that is not there"
            )


def check_photos(path: Path, photos: Collection[str], missing: Collection[str] | None) -> None:
    """Whether the frames and the backup's photos name each other. ValueError if not.

    `missing`: the photos that the rig itself had lost; None: the backup is without photos.
    """
    there, lost = set(photos), set(missing or ())
    with contextlib.closing(open_foreign(path)) as connection:
        for frame, name in connection.execute("SELECT id, sha256 || '.' || kind FROM frames"):
            if not is_photo_name(str(name)):
                raise ValueError(f"frames {frame[:40]}: {str(name)[:80]!r} is no photo's name")
            if missing is not None and name not in there and name not in lost:
                raise ValueError(f"frames {frame[:40]}: its photo is not there")
            there.discard(name)
    if there:
        raise ValueError(f"no frame names the photo {min(there)}")


def open_foreign(path: Path) -> sqlite3.Connection:
    """Only to be read; nothing that its schema says is trusted, and no value is too long."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def _wanted_shape(schema: int) -> set[tuple[str, ...]]:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for statements in MIGRATIONS[:schema]:
            connection.executescript(statements)
        return _shape(connection)


def _shape(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Everything that the database has, as it was made; the text apart from its spaces."""
    return {
        (kind, name, table, " ".join((sql or "").split()))
        for kind, name, table, sql in connection.execute(_TABLES)
    }
