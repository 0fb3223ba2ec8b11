"""Matches and their rounds as they are kept: documents with a version each.

A match that is deleted leaves behind only that it was, when and by whom.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rig.store.database import Row
from rig.store.kept_json import kept_json
from rig.store.readable import Kept
from rig.store.trouble import FrameUnknown, MatchUnknown, RoundUnknown, VersionConflict

Document = Mapping[str, Any]
_THERE = (
    "(CASE WHEN json_valid(data) AND json_type(data) = 'object'"
    " THEN json_extract(data, '$.deleted') END) IS NULL"
)


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match as data; `version` rises with every change of it."""

    seq: int
    id: str
    begun_at: str
    data: Document
    version: int


@dataclass(frozen=True, slots=True)
class KeptRound:
    """A round as data, and the frame that shows how it ended, once there is one."""

    match: str
    number: int
    frame: str | None
    data: Document
    version: int


class KeptMatches(Kept):
    """The matches of a store. What a method wrote is on the disk when it returns."""

    def begin(self, match: str, begun_at: str, data: Document) -> KeptMatch:
        """Keep a new match."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO matches (id, begun_at, data) VALUES (?, ?, ?)",
                (match, begun_at, json.dumps(dict(data))),
            )
        return self.get(match)

    def get(self, match: str) -> KeptMatch:
        """The match with this id. MatchUnknown if there is none, RowUnreadable."""
        row = self._database.row(f"SELECT * FROM matches WHERE id = ? AND {_THERE}", (match,))
        if row is None:
            raise MatchUnknown(match=match)
        return self._readable.one("matches", row, _match)

    def latest(self, limit: int, before: int | None = None) -> list[KeptMatch]:
        """The newest matches first; `before` is the `seq` of the last one of the page before."""
        rows = self._database.rows(
            f"SELECT * FROM matches WHERE {_THERE} AND (? IS NULL OR seq < ?)"
            " ORDER BY seq DESC LIMIT ?",
            (before, before, limit),
        )
        return self._readable.all("matches", rows, _match)

    def change(self, match: str, data: Document, version: int) -> KeptMatch:
        """Keep a match as changed from this version. VersionConflict if it moved on."""
        with self._database.transaction() as connection:
            changed = connection.execute(
                "UPDATE matches SET data = ?, version = version + 1 WHERE id = ? AND version = ?"
                f" AND {_THERE}",
                (json.dumps(dict(data)), match, version),
            )
            if not changed.rowcount:
                raise VersionConflict(expected=version, found=self.get(match).version)
        return self.get(match)

    def delete(self, match: str, record: Document) -> None:
        """Remove a match with its rounds for good; `record` says who did, and when."""
        with self._database.transaction() as connection:
            self.get(match)
            connection.execute("DELETE FROM rounds WHERE match = ?", (match,))
            connection.execute(
                "UPDATE matches SET data = ?, version = version + 1 WHERE id = ?",
                (json.dumps({"deleted": dict(record)}), match),
            )
        self._database.fold_log()

    def delete_round(self, match: str, number: int) -> None:
        """Remove a round for good; the others keep their numbers. RoundUnknown."""
        with self._database.transaction() as connection:
            gone = connection.execute(
                "DELETE FROM rounds WHERE match = ? AND number = ?", (match, number)
            ).rowcount
            if not gone:
                raise RoundUnknown(match=match, round=number)
        self._database.fold_log()

    def deleted(self, limit: int) -> list[KeptMatch]:
        """What is left of matches that were deleted, the newest first."""
        rows = self._database.rows(
            f"SELECT * FROM matches WHERE NOT ({_THERE}) ORDER BY seq DESC LIMIT ?", (limit,)
        )
        return self._readable.all("matches", rows, _match)

    def rounds(self, match: str) -> list[KeptRound]:
        """The rounds of a match in order."""
        rows = self._database.rows("SELECT * FROM rounds WHERE match = ? ORDER BY number", (match,))
        return self._readable.all("rounds", rows, _round)

    def round(self, match: str, number: int) -> KeptRound:
        """One round. MatchUnknown or RoundUnknown if it is not there, RowUnreadable."""
        self.get(match)
        row = self._database.row(
            "SELECT * FROM rounds WHERE match = ? AND number = ?", (match, number)
        )
        if row is None:
            raise RoundUnknown(match=match, round=number)
        return self._readable.one("rounds", row, _round)

    def rounds_of_frame(self, frame: str) -> list[KeptRound]:
        """The rounds that a frame shows the end of."""
        rows = self._database.rows(
            "SELECT * FROM rounds WHERE frame = ? ORDER BY match, number", (frame,)
        )
        return self._readable.all("rounds", rows, _round)

    def begin_round(self, match: str, number: int, data: Document) -> KeptRound:
        """Keep a new round. MatchUnknown; VersionConflict if somebody else began it first."""
        with self._database.transaction() as connection:
            self.get(match)
            added = connection.execute(
                "INSERT OR IGNORE INTO rounds (match, number, data) VALUES (?, ?, ?)",
                (match, number, json.dumps(dict(data))),
            )
            if not added.rowcount:
                raise VersionConflict(expected=0, found=1)
        return self.round(match, number)

    def cancel_round(self, kept: KeptRound) -> None:
        """Take a round away. VersionConflict if it moved on since."""
        with self._database.transaction() as connection:
            gone = connection.execute(
                "DELETE FROM rounds WHERE match = ? AND number = ? AND version = ?",
                (kept.match, kept.number, kept.version),
            )
            if not gone.rowcount:
                found = self.round(kept.match, kept.number).version
                raise VersionConflict(expected=kept.version, found=found)

    def change_round(self, kept: KeptRound, data: Document, frame: str | None) -> KeptRound:
        """Keep a round as changed from `kept`. VersionConflict if it moved on since, FrameUnknown
        if there is no such frame.
        """
        with self._database.transaction() as connection:
            is_there = connection.execute("SELECT 1 FROM frames WHERE id = ?", (frame,)).fetchone()
            if frame is not None and is_there is None:
                raise FrameUnknown(frame=frame)
            changed = connection.execute(
                "UPDATE rounds SET data = ?, frame = ?, version = version + 1"
                " WHERE match = ? AND number = ? AND version = ?",
                (json.dumps(dict(data)), frame, kept.match, kept.number, kept.version),
            )
            if not changed.rowcount:
                found = self.round(kept.match, kept.number).version
                raise VersionConflict(expected=kept.version, found=found)
        return self.round(kept.match, kept.number)


def _match(row: Row) -> KeptMatch:
    data = kept_json(row["data"])
    return KeptMatch(row["seq"], row["id"], row["begun_at"], data, row["version"])


def _round(row: Row) -> KeptRound:
    return KeptRound(
        row["match"], row["number"], row["frame"], kept_json(row["data"]), row["version"]
    )
