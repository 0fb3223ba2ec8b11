"""One SQLite database, opened so that what was committed outlives a power cut."""

import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rig.store.schema import MIGRATIONS, migrate
from rig.store.trouble import StoreDamaged, StoreFull, StoreReadOnly, StoreUnusable

_BUSY_S = 10.0
_CODE = re.compile(r"error code=(\d+)")
Row = sqlite3.Row


class Database:
    """Rows in and out, from any thread. StoreTrouble when the disk or file fails.

    Writers take turns on one connection; whoever only looks has another, and does not wait
    for a disk that is slow to write.
    """

    def __init__(self, path: Path, migrations: Sequence[str] = MIGRATIONS) -> None:
        """Open or make the database and bring its tables up to date. StoreTrouble if it cannot.

        `migrations`: each is applied once, in order; the store's own unless others are given.
        """
        self.path = path
        self._migrations = migrations
        self.read_only: StoreReadOnly | None = None
        self._lock = threading.RLock()
        self._looking = threading.Lock()
        self._writer: int | None = None
        self._fold_after = False
        with _as_trouble(path):
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
            )
        try:
            with _as_trouble(path):
                self._prepare()
                self._reader = open_to_look(path)
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        connection = self._connection
        connection.row_factory = sqlite3.Row
        connection.text_factory = _text
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # deleted for good is gone from the file
        self._check()
        self.migrated = migrate(connection, self.path, self._migrations)

    def _check(self) -> None:
        found = [str(row[0]) for row in self._connection.execute("PRAGMA quick_check(3)")]
        if found == ["ok"]:
            return
        codes = [int(code) & 0xFF for row in found for code in _CODE.findall(row)]
        if sqlite3.SQLITE_IOERR in codes:  # the disk, and not what is on it
            raise StoreUnusable(path=self.path, why="disk I/O error")
        raise StoreDamaged(path=self.path, why="; ".join(found))

    def check_writable(self) -> None:
        """StoreReadOnly where nothing may be kept."""
        if self.read_only is not None:
            raise self.read_only

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Everything done in it happens at once, on the disk when this ends, or not at all.

        Within another of the same thread it is part of that one. StoreReadOnly where nothing may
        be kept.
        """
        self.check_writable()
        with self.transaction_even_read_only() as connection:
            yield connection

    @contextmanager
    def transaction_even_read_only(self) -> Iterator[sqlite3.Connection]:
        """The same for who may look, which a read-only rig has to know, and for restoring."""
        with self._lock, _as_trouble(self.path):
            within = self._writer == threading.get_ident()
            with self._savepoint() if within else self._begun():
                yield self._connection

    @contextmanager
    def _begun(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        self._writer = threading.get_ident()
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._fold_after = False
            raise
        finally:
            self._writer = None
        if self._fold_after:
            self._fold_after = False
            self.fold_log()

    @contextmanager
    def _savepoint(self) -> Iterator[None]:
        """A transaction within another of the same thread: it alone can be taken back."""
        self._connection.execute("SAVEPOINT within")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:  # a full disk ends the whole
                self._connection.execute("ROLLBACK TO within")
                self._connection.execute("RELEASE within")
            raise
        self._connection.execute("RELEASE within")

    @contextmanager
    def beside(self, other: Path) -> Iterator[sqlite3.Connection]:
        """A transaction in which another database file can be read as `other`."""
        with self._lock, _as_trouble(self.path):
            self._connection.execute("ATTACH DATABASE ? AS other", (str(other),))
            try:
                with self.transaction_even_read_only() as connection:
                    yield connection
            finally:
                self._connection.execute("DETACH DATABASE other")

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Row]:
        """All rows of a query; within a transaction of the same thread as they are in it."""
        is_writer = self._writer == threading.get_ident()
        if query.startswith("SELECT") and not is_writer:
            with self._looking, _as_trouble(self.path):
                return self._reader.execute(query, values).fetchall()
        with self._lock, _as_trouble(self.path):
            return self._connection.execute(query, values).fetchall()

    def row(self, query: str, values: Sequence[Any] = ()) -> Row | None:
        """The first row of a query, or None."""
        found = self.rows(query, values)
        return found[0] if found else None

    def fold_log(self) -> None:
        """Move the write-ahead log into the database file, so that deleted rows leave both.

        Within a transaction that is done when it ends.
        """
        if self._writer == threading.get_ident():
            self._fold_after = True
            return
        with self._lock, self._looking, _as_trouble(self.path):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the file. Nothing is lost if this is never called."""
        with self._lock, self._looking:
            self._reader.close()
            self._connection.close()


def open_to_look(path: Path) -> sqlite3.Connection:
    """A connection for whoever only looks at a database, from any thread. sqlite3.Error."""
    connection = sqlite3.connect(
        path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    connection.text_factory = _text
    connection.execute("PRAGMA query_only = ON")
    return connection


def _text(stored: bytes) -> str:
    """A text; what is no UTF-8 in it costs its row, and not all that come with it."""
    return stored.decode("utf-8", "replace")


@contextmanager
def _as_trouble(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _trouble(error, path) from error


def _trouble(error: sqlite3.Error, path: Path) -> Exception:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary == sqlite3.SQLITE_FULL:
        return StoreFull()
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreDamaged(path=path, why=error)
    if isinstance(error, sqlite3.OperationalError):
        return StoreUnusable(path=path, why=error)
    return error  # a broken constraint or a misspelt query is a fault of the program
