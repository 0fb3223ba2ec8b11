from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from rig.store.database import Database
from rig.store.schema import MIGRATIONS


@pytest.fixture(autouse=True)
def _databases_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Python 3.13 warns of connections that nobody closed."""
    opened: list[Database] = []
    make = Database.__init__

    def remember(self: Database, path: Path, migrations: Sequence[str] = MIGRATIONS) -> None:
        make(self, path, migrations)
        opened.append(self)

    monkeypatch.setattr(Database, "__init__", remember)
    yield
    for database in opened:
        database.close()
