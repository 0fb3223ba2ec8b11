"""Every row of a backup's database read by the readers that the service itself uses.

The dataclasses that these make say what types their values have; they are held to it here, as a
rig that writes them does by its own types.
"""

import contextlib
import json
import re
import sqlite3
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from referee.corrections.kinds import correction_of
from referee.kept_game import settings_of, step_of
from referee.rounds.rounds_json import match_of, round_of
from rig.lens_file import parse_lens
from rig.store.backups.foreign_database import open_foreign
from rig.store.checkup import is_photo_name
from rig.store.frame import ID_LENGTH, frame_of
from rig.store.kept_json import kept_json
from rig.store.readable import FAULTS, name_of
from rig.store.schema import TABLES
from rig.store.seen_json import deck_digest, deck_of, seen_of
from vision.reading import AnswerOdds, SeenCard

_LARGEST = 1 << 48
"""Numbers of rows count on from what a backup brings, and may not come to an end."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(f"[0-9a-f]{{{ID_LENGTH}}}")
_OF_A_CHANGE = {"at", "who", "what", "round", "facts"}
_ROLES = {
    "phones": ("viewer", "player", "admin"),
    "tokens": ("viewer", "player"),
    "invitations": ("viewer", "player", "admin"),
}


def check_rows(path: Path) -> None:
    """Read every row of a database of this program's schema. ValueError names the first bad one."""
    with contextlib.closing(open_foreign(path)) as connection:
        connection.row_factory = sqlite3.Row
        for table in TABLES:
            _check_table(connection, table)


def check_row(table: str, row: sqlite3.Row) -> None:
    """Read one row, but for what was seen in a frame. One of FAULTS if no rig writes such a row."""
    _check_numbers(row)
    if table in _READERS:
        _READERS[table](row)
    if table in _ROLES and row["role"] not in _ROLES[table]:
        raise ValueError(f"there is no role {row['role'][:40]!r}")


def _check_table(connection: sqlite3.Connection, table: str) -> None:
    name = "?"
    try:
        for row in connection.execute(f"SELECT *, 0 AS kept FROM {table}"):
            name = name_of(table, row)
            check_row(table, row)
            if table in ("frames", "game_steps") and row["seen"] is not None:
                _check_seen(connection, row)
    except (*FAULTS, sqlite3.Error) as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())[:160]
        raise ValueError(f"{table} {name} does not read: {why}") from error


def _check_numbers(row: sqlite3.Row) -> None:
    for value in tuple(row):
        is_count = isinstance(value, int) and not 0 <= value < _LARGEST
        if is_count or (isinstance(value, float) and not abs(value) < _LARGEST):
            raise ValueError(f"no number of a row is {value}")


def _check_frame(row: sqlite3.Row) -> None:
    frame = frame_of(row)
    _hold(frame)
    # Its id is of the photo that was kept first, which may have been cleaned and blurred since.
    if not _DIGEST.fullmatch(frame.sha256) or not _ID.fullmatch(frame.id):
        raise ValueError("its id is none")
    if not is_photo_name(f"{frame.sha256}.{frame.photo.kind}"):
        raise ValueError(f"there is no photo of kind {frame.photo.kind[:40]!r}")
    datetime.fromisoformat(frame.taken_at)
    if min(frame.photo.width, frame.photo.height) < 1:
        raise ValueError("its photo has no size")
    if frame.lens is not None:
        parse_lens(frame.lens)
    if frame.trouble is not None:
        told = frame.trouble
        if not isinstance(told["key"], str) or not isinstance(told["sentence"], str):
            raise ValueError("its trouble has no sentence")
        if not isinstance(told["facts"], dict):
            raise ValueError("its trouble has no facts")
    if frame.state == "read" and row["seen"] is None:
        raise ValueError("it was read, and nothing was seen")


def _check_seen(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    (deck,) = connection.execute(
        "SELECT data FROM decks WHERE digest = ?", (row["deck"],)
    ).fetchone()
    seen = seen_of(row["seen"], deck_of(deck))
    _hold_all(SeenCard, seen.cards)
    _hold_all(AnswerOdds, [odds for doubt in seen.doubts for odds in doubt.odds])


def _check_deck(row: sqlite3.Row) -> None:
    deck_of.__wrapped__(row["data"])
    if deck_digest(row["data"]) != row["digest"]:
        raise ValueError("its digest is another's")


def _check_correction(row: sqlite3.Row) -> None:
    _hold(correction_of(kept_json(row["data"])))


def _check_match(row: sqlite3.Row) -> None:
    data = kept_json(row["data"])
    datetime.fromisoformat(row["begun_at"])
    deleted = data.get("deleted")
    if isinstance(deleted, dict):
        if set(data) != {"deleted"} or not _are_texts(deleted["at"], deleted["who"]):
            raise ValueError("when it was deleted, and by whom, does not read")
        return
    _hold(match_of(data))
    for entry in data.get("history", ()):
        _check_change(entry)
    taken = data.get("phones", {})
    if not _are_texts(*taken.keys(), *taken.values()):
        raise ValueError("its seats do not read")


def _check_change(entry: dict[str, Any]) -> None:
    """One change of a match's history: it has what an answer tells of it, and nothing else."""
    number = entry["round"]
    is_counted = number is None or (isinstance(number, int) and not isinstance(number, bool))
    is_told = _are_texts(entry["at"], entry["who"], entry["what"]) and is_counted
    if not is_told or set(entry) != _OF_A_CHANGE or not isinstance(entry["facts"], dict):
        raise ValueError("its history does not read")


def _are_texts(*values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _check_round(row: sqlite3.Row) -> None:
    _hold(round_of(kept_json(row["data"])))


def _check_game(row: sqlite3.Row) -> None:
    datetime.fromisoformat(row["begun_at"])
    _hold(settings_of(kept_json(row["data"])))


def _check_step(row: sqlite3.Row) -> None:
    datetime.fromisoformat(row["at"])
    step_of(kept_json(row["data"]))
    if (row["seen"] is None) is not (row["deck"] is None):
        raise ValueError("what was seen has no deck")


def _hold(value: Any) -> None:
    """ValueError where a dataclass has values of other types than it says."""
    kind: type = type(value)
    text = json.dumps(asdict(value), default=list)
    _adapter(kind).validate_json(text, strict=True)


def _hold_all(kind: type, values: Any) -> None:
    for value in values:
        if not isinstance(value, kind):
            raise TypeError(f"no {kind.__name__}")
        _hold(value)


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


_READERS: dict[str, Callable[[sqlite3.Row], None]] = {
    "decks": _check_deck,
    "frames": _check_frame,
    "corrections": _check_correction,
    "matches": _check_match,
    "rounds": _check_round,
    "games": _check_game,
    "game_steps": _check_step,
}
