"""Corrections as they are kept: data, who made them and when, and whether they were taken back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rig.store.database import Row
from rig.store.frames import raise_version
from rig.store.kept_json import kept_json
from rig.store.readable import Kept
from rig.store.trouble import CorrectionUndone, CorrectionUnknown


@dataclass(frozen=True, slots=True)
class KeptCorrection:
    """One correction to a frame, in the order of its id. `undone_by` None: it holds."""

    id: int
    frame: str
    data: Mapping[str, Any]
    who: str
    made_at: str
    undone_by: str | None
    undone_at: str | None


class KeptCorrections(Kept):
    """The corrections of a store's frames."""

    def of(self, frame: str) -> list[KeptCorrection]:
        """All corrections to a frame in the order they were made, undone ones too.

        RowUnreadable where one of them is: a score without it may be wrong.
        """
        return [self._readable.one("corrections", row, _correction) for row in self._rows(frame)]

    def legible(self, frame: str) -> list[KeptCorrection]:
        """Those of them that read."""
        return self._readable.all("corrections", self._rows(frame), _correction)

    def _rows(self, frame: str) -> list[Row]:
        return self._database.rows(
            "SELECT * FROM corrections WHERE frame = ? ORDER BY id", (frame,)
        )

    def add(self, frame: str, data: Mapping[str, Any], who: str, at: str, version: int) -> int:
        """Keep a correction to this version of a frame and return its id.

        VersionConflict if the frame is not at that version any more.
        """
        with self._database.transaction() as connection:
            raise_version(connection, frame, version)
            added = connection.execute(
                "INSERT INTO corrections (frame, data, who, made_at) VALUES (?, ?, ?, ?)",
                (frame, json.dumps(dict(data)), who, at),
            )
            return int(added.lastrowid or 0)

    def undo(self, frame: str, correction: int, who: str, at: str, version: int) -> None:
        """Take a correction back; it stays on record. VersionConflict as for `add`."""
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT undone_by FROM corrections WHERE id = ? AND frame = ?", (correction, frame)
            ).fetchone()
            if row is None:
                raise CorrectionUnknown(correction=correction, frame=frame)
            if row["undone_by"] is not None:
                raise CorrectionUndone(correction=correction)
            raise_version(connection, frame, version)
            connection.execute(
                "UPDATE corrections SET undone_by = ?, undone_at = ? WHERE id = ?",
                (who, at, correction),
            )


def _correction(row: Row) -> KeptCorrection:
    return KeptCorrection(**{**dict(row), "data": kept_json(row["data"])})
