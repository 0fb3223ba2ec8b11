"""Rows that are read, and those that no longer read: left out of lists, refused by name, told.

However a row got damaged, it costs itself alone: the rest of its table is served.
"""

import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

from referee.misfit import Misfit
from rig.store.database import Database, Row
from rig.store.trouble import RowUnreadable
from rig.trouble import Trouble

Made = TypeVar("Made")
Check = Callable[[str, Row], None]
FAULTS = (
    ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, Trouble, Misfit,
)  # fmt: skip
"""What reading a damaged row raises."""
_NAMED_BY = {"decks": "digest", "deletions": "file", "marks": "name", "rounds": "match"}
MOST_TOLD = 50
"""Rows that are named; with more the database is another matter."""


def name_of(table: str, row: Row) -> str:
    """What a row of a table is called: its id, or what is in its place."""
    name = str(row[_NAMED_BY.get(table, "id")])[:64]
    return f"{name}/{row['number']}" if table == "rounds" else name


class ReadableRows:
    """What was made of rows, and which of them did not read. Every method from any thread."""

    def __init__(self, check: Check) -> None:
        """`check` raises one of FAULTS for a row of a table that no rig writes."""
        self._check = check
        self._unreadable: dict[tuple[str, str], str] = {}
        self._unmade: dict[tuple[str, str], str] = {}
        self._lock = threading.Lock()

    def all(self, table: str, rows: Iterable[Row], make: Callable[[Row], Made]) -> list[Made]:
        """What is made of those rows that read."""
        found = []
        for row in rows:
            try:
                found.append(self.one(table, row, make))
            except RowUnreadable:
                continue
        return found

    def if_any(self, table: str, row: Row | None, make: Callable[[Row], Made]) -> Made | None:
        """What is made of a row; None where there is none, or it does not read."""
        found = [] if row is None else self.all(table, [row], make)
        return found[0] if found else None

    def one(self, table: str, row: Row, make: Callable[[Row], Made]) -> Made:
        """What is made of a row. RowUnreadable."""
        name = name_of(table, row)
        try:
            self._check(table, row)
            made = make(row)
        except FAULTS as error:
            raise self.unreadable(table, name, error) from error
        self._forget(table, name)
        return made

    def made(self, table: str, name: str, make: Callable[[], Made]) -> Made:
        """What is made of the values of a row of this name, all at once. RowUnreadable.

        That the row itself reads does not take back that nothing could be made of it.
        """
        try:
            found = make()
        except FAULTS as error:
            why = _why(error)
            with self._lock:
                if len(self._unmade) < MOST_TOLD:
                    self._unmade[table, name] = why
            raise RowUnreadable(table=table, name=name, why=why) from error
        if self._unmade:
            with self._lock:
                self._unmade.pop((table, name), None)
        return found

    def unreadable(self, table: str, name: str, error: Exception) -> RowUnreadable:
        """Keep that a row does not read."""
        why = _why(error)
        with self._lock:
            if len(self._unreadable) < MOST_TOLD:
                self._unreadable[table, name] = why
        return RowUnreadable(table=table, name=name, why=why)

    def told(self) -> list[RowUnreadable]:
        """The rows that did not read when they were last asked for."""
        with self._lock:
            found = {**self._unmade, **self._unreadable}
        return [RowUnreadable(table=t, name=name, why=why) for (t, name), why in found.items()]

    def _forget(self, table: str, name: str) -> None:
        if self._unreadable:
            with self._lock:
                self._unreadable.pop((table, name), None)


def _why(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:160]


class Kept:
    """What a store keeps of one subject: the database, and its rows that read."""

    def __init__(self, database: Database, readable: ReadableRows) -> None:
        self._database = database
        self._readable = readable
