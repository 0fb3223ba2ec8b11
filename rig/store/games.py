"""Followed games as they are kept: each with its steps, from which all that happened follows."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rig.store.database import Row
from rig.store.kept_json import kept_json
from rig.store.readable import Kept
from rig.store.trouble import GameUnknown, VersionConflict

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A followed game: `data` says how it is followed; `version` rises with every change of it."""

    seq: int
    id: str
    begun_at: str
    data: Document
    version: int


@dataclass(frozen=True, slots=True)
class KeptStep:
    """A step of a game, numbered from 1. `seen`: what its picture showed, and the deck it was read
    with, as JSON texts; None where nothing was read.
    """

    id: int
    game: str
    number: int
    at: str
    data: Document
    seen: tuple[str, str] | None


class KeptGames(Kept):
    """The followed games of a store. What a method wrote is on the disk when it returns."""

    def newest(self) -> KeptGame | None:
        """The game that began last; None if there is none. RowUnreadable."""
        row = self._database.row("SELECT * FROM games ORDER BY seq DESC LIMIT 1")
        return None if row is None else self._readable.one("games", row, _game)

    def latest(self, number: int) -> list[KeptGame]:
        """The games that began last and have a picture that was read, the newest first; those that
        read.
        """
        rows = self._database.rows(
            "SELECT * FROM games WHERE EXISTS (SELECT 1 FROM game_steps"
            " WHERE game = games.id AND seen IS NOT NULL) ORDER BY seq DESC LIMIT ?",
            (number,),
        )
        return self._readable.all("games", rows, _game)

    def get(self, game: str) -> KeptGame:
        """A game by its id. GameUnknown, RowUnreadable."""
        row = self._database.row("SELECT * FROM games WHERE id = ?", (game,))
        if row is None:
            raise GameUnknown(game=game)
        return self._readable.one("games", row, _game)

    def begin(self, game: str, begun_at: str, data: Document) -> KeptGame:
        """Keep a new game."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO games (id, begun_at, data) VALUES (?, ?, ?)",
                (game, begun_at, json.dumps(dict(data))),
            )
        return self.get(game)

    def change(self, game: str, data: Document) -> None:
        """Keep how a game is followed from now on."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE games SET data = ?, version = version + 1 WHERE id = ?",
                (json.dumps(dict(data)), game),
            )

    def delete(self, game: str) -> None:
        """Remove a game with its steps for good."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM game_steps WHERE game = ?", (game,))
            connection.execute("DELETE FROM games WHERE id = ?", (game,))
        self._database.fold_log()

    def steps(self, game: str) -> tuple[list[KeptStep], bool]:
        """The steps of a game in order, those that read; and whether all of them do."""
        rows = self._database.rows(
            "SELECT game_steps.*, decks.data AS deck_text FROM game_steps"
            " LEFT JOIN decks ON decks.digest = game_steps.deck"
            " WHERE game = ? ORDER BY number",
            (game,),
        )
        found = self._readable.all("game_steps", rows, _step)
        return found, len(found) == len(rows)

    def add(
        self, game: str, number: int, at: str, data: Document,
        seen: tuple[str, str, str] | None = None,
    ) -> None:  # fmt: skip
        """Keep a step; `seen`: what was seen, the deck it was read with, and that one's digest.

        VersionConflict if the game has a step of this number.
        """
        text, deck, digest = seen or (None, None, None)
        with self._database.transaction() as connection:
            if deck is not None:
                connection.execute("INSERT OR IGNORE INTO decks VALUES (?, ?)", (digest, deck))
            added = connection.execute(
                "INSERT OR IGNORE INTO game_steps (game, number, at, data, seen, deck)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (game, number, at, json.dumps(dict(data)), text, digest),
            )
            if not added.rowcount:
                raise VersionConflict(expected=number - 1, found=number)


def _game(row: Row) -> KeptGame:
    return KeptGame(row["seq"], row["id"], row["begun_at"], kept_json(row["data"]), row["version"])


def _step(row: Row) -> KeptStep:
    seen = None if row["seen"] is None else (str(row["seen"]), str(row["deck_text"]))
    return KeptStep(row["id"], row["game"], row["number"], row["at"], kept_json(row["data"]), seen)
