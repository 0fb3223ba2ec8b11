"""Backups that somebody prepared: refused whole, nothing changed, within bounds of memory."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rig.store.backups.backup import backups_in, write_backup
from rig.store.backups.backup_check import MANIFEST
from rig.store.backups.restore import restore
from rig.store.backups.unpacking import opened
from rig.store.frame import NewFrame, PhotoFacts
from rig.store.store import DATABASE, Store
from rig.store.tokens import Token
from rig.store.trouble import BackupDamaged, StoreFull
from tests.rig.store.real_rows import CORRECTION, DECK, DIGEST, MATCH, ROUND, SEEN

TROUBLE = """UPDATE frames SET state = 'not_seen',
    trouble = '{"key": "x", "facts": {"n": 5}, "sentence": "x"}'"""
HISTORY = """UPDATE matches SET data = replace(data, '{"players"',
    '{"history": [{"at": "2024", "who": "x", "what": "x", "round": 1, "facts": {}}], "players"')"""
ROWS = {
    "a match without players": "UPDATE matches SET data = '{}'",
    "players that are a number": """UPDATE matches SET data = '{"players": 5}'""",
    "a match that is a list": "UPDATE matches SET data = '[]'",
    "a match of deep nesting": f"UPDATE matches SET data = '{'[' * 200_000}'",
    "a match begun never": "UPDATE matches SET begun_at = 'never'",
    "a round that is empty": "UPDATE rounds SET data = '{}'",
    "a round of another state": "UPDATE rounds SET data = replace(data, 'open', 'nowhere')",
    "a frame of another state": "UPDATE frames SET state = 'nowhere'",
    "a frame of another kind": "UPDATE frames SET kind = 'exe'",
    "a frame whose id leads elsewhere": "UPDATE frames SET sha256 = '../../x'",
    "what was seen is no table": "UPDATE frames SET seen = '{}'",
    "a giant row": f"UPDATE frames SET name = hex(zeroblob({5 << 20}))",
    "a number without end": "UPDATE frames SET version = 9223372036854775807",
    "a lens that is none": "UPDATE frames SET lens = '{}'",
    "a trouble that is none": "UPDATE frames SET trouble = '5'",
    "a trouble without a sentence": """UPDATE frames SET trouble = '{"key": "x"}'""",
    "a deck that is empty": "UPDATE decks SET data = '{}'",
    "a correction of another kind": """UPDATE corrections SET data = '{"kind": "x"}'""",
    "a fact that is no number": TROUBLE.replace("5", "NaN"),
    "a fact without bound": TROUBLE.replace("5", "1e999"),
    "a fact of four thousand digits": TROUBLE.replace("5", "9" * 4000),
    "half a character": TROUBLE.replace("5", r'"\ud800"'),
    "a match deleted by nobody": """UPDATE matches SET data = '{"deleted": {}}'""",
    "a match deleted and not": """UPDATE matches SET data = replace(data, '{"players"',
        '{"deleted": {}, "deleted": null, "players"')""",
    "a change of a match without its round": HISTORY.replace('"round": 1, ', ""),
    "a change of a match with more": HISTORY.replace('"round"', '"more": 1, "round"'),
    "a change of a match in a round that is none": HISTORY.replace("1,", '"x",'),
    "a photo of no scale": "UPDATE frames SET seen = replace(seen, '2.0', '0.0')",
    "a photo of a scale without bound": "UPDATE frames SET seen = replace(seen, '2.0', '1e300')",
    "a token that is an admin's": "UPDATE tokens SET role = 'admin'",
    "a further table": "CREATE TABLE more (a TEXT) STRICT",
    "a view": "CREATE VIEW v AS SELECT 1",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON frames BEGIN SELECT 1; END",
    "an index": "CREATE INDEX i ON frames (name)",
    "a column more": "ALTER TABLE frames ADD COLUMN more BLOB",
    "a round of no match": "UPDATE rounds SET match = 'other'",
    "a photo that no frame names": "UPDATE frames SET sha256 = id || substr(sha256, 21, 43) || 'x'",
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    photo = NewFrame(b"one", PhotoFacts("jpeg", 640, 480), "a.jpg", "upload", "2024-01-01")
    frame = store.frames.add(photo).frame.id
    store.frames.set_seen(frame, SEEN, DECK, DIGEST)
    store.corrections.add(frame, CORRECTION, "Ada", "2024", 2)
    store.matches.begin("m", "2024-01-01", MATCH)
    store.matches.change_round(store.matches.begin_round("m", 1, ROUND), ROUND, frame)
    store.tokens.add(Token("t", "door", "player", 1.0, "Ada"), "secret")
    return store


def back_up(store: Store) -> Path:
    file = store.folder.parent / "b.zip"
    write_backup(store.folder, file, "2024-02-01T00:00:00Z", "1")
    return file


def prepared(store: Store, statement: str) -> Path:
    """A backup with this done to its database, and a manifest that agrees."""
    file, copy = back_up(store), store.folder.parent / "copy.db"
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    copy.write_bytes(parts[DATABASE])
    with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as database:
        database.executescript(statement)
    return packed(store, {**parts, DATABASE: copy.read_bytes()})


def packed(store: Store, parts: dict[str, bytes]) -> Path:
    manifest = json.loads(parts[MANIFEST])
    for name, data in parts.items():
        if name != MANIFEST:
            digest = hashlib.sha256(data).hexdigest()
            manifest["files"][name] = {"sha256": digest, "bytes": len(data)}
    bad = store.folder.parent / "bad.zip"
    with zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, json.dumps(manifest) if name == MANIFEST else data)
    return bad


def all_rows(store: Store) -> list[tuple[object, ...]]:
    tables = [str(row[0]) for row in store.database.rows("SELECT name FROM sqlite_master")]
    tables = [name for name in tables if name in ("frames", "matches", "rounds", "tokens", "decks")]
    return [tuple(row) for table in tables for row in store.database.rows(f"SELECT * FROM {table}")]


def test_the_same_without_anything_done_to_it_is_brought(store: Store, tmp_path: Path) -> None:
    again = Store(tmp_path / "again", reserve_bytes=0)
    done = restore(prepared(store, ""), again)
    assert (done.rows.frames, done.rows.rounds, done.photos) == (1, 1, 1)


@pytest.mark.parametrize("statement", [TROUBLE, HISTORY])
def test_what_a_rig_writes_is_brought(store: Store, tmp_path: Path, statement: str) -> None:
    again = Store(tmp_path / "again", reserve_bytes=0)
    assert restore(prepared(store, statement), again).rows.frames == 1


def test_photos_that_were_cleaned_or_not_read_are_brought(store: Store, tmp_path: Path) -> None:
    facts = PhotoFacts("jpeg", 640, 480)
    cleaned = NewFrame(b"two", facts, "b.jpg", "upload", "2024-01-01", None, "f" * 64)
    frame = store.frames.add(cleaned).frame.id
    trouble = {"key": "table-not-seen", "facts": {}, "sentence": "No table."}
    store.frames.set_state(frame, "not_seen", trouble)
    again = Store(tmp_path / "again", reserve_bytes=0)
    restore(prepared(store, ""), again)
    assert again.frames.get(frame).trouble == trouble


@pytest.mark.parametrize("what", ROWS)
def test_what_a_rig_does_not_write_is_refused_whole(
    store: Store, tmp_path: Path, what: str
) -> None:
    again = Store(tmp_path / "again", reserve_bytes=0)
    with pytest.raises(BackupDamaged, match="Nothing was changed"):
        restore(prepared(store, ROWS[what]), again, with_access=True)
    assert all_rows(again) == []
    assert list(again.pictures.iterdir()) == []


def test_access_comes_only_where_it_is_asked_for(store: Store, tmp_path: Path) -> None:
    again = Store(tmp_path / "again", reserve_bytes=0)
    again.tokens.add(Token("t", "door", "player", 1.0, "Ada"), "secret")
    file = prepared(
        store,
        "UPDATE tokens SET revoked_at = 5; INSERT INTO tokens (id, sha256, name, role, made_at,"
        " made_by) VALUES ('u', 'x', 'stranger', 'player', 1, 'me')",
    )
    done = restore(file, again)
    assert [one.name for one in done.access] == ["stranger"]
    assert [(token.id, token.revoked_at) for token in again.tokens.all()] == [("t", None)]
    restore(file, again, with_access=True)
    assert [(token.id, token.revoked_at) for token in again.tokens.all()] == [("t", 5), ("u", None)]


def test_a_link_among_the_backups_is_none(store: Store) -> None:
    file = back_up(store)
    (file.parent / "tacta-2024.zip").symlink_to(file)
    assert backups_in(file.parent) == []


@pytest.mark.parametrize("how", ["stray", "twice", "link", "zeros"])
def test_a_prepared_archive_is_refused(store: Store, tmp_path: Path, how: str) -> None:
    bad = packed(store, {**_parts(back_up(store))})
    with zipfile.ZipFile(bad, "a", zipfile.ZIP_DEFLATED) as archive:
        if how == "stray":
            archive.writestr("../x", b"x")
        elif how == "link":
            entry = zipfile.ZipInfo("lens.json")
            entry.external_attr = 0o120777 << 16
            archive.writestr(entry, "/etc/passwd")
        elif how == "twice":
            with pytest.warns(UserWarning, match="Duplicate"):
                archive.writestr(DATABASE, b"x")
    if how == "zeros":
        bad = packed(store, {**_parts(back_up(store)), DATABASE: bytes(80 << 20)})
    again = Store(tmp_path / "again", reserve_bytes=0)
    with pytest.raises(BackupDamaged):
        restore(bad, again, dry_run=True)


def test_many_files_are_packed_no_more_densely_than_one(tmp_path: Path) -> None:
    file = tmp_path / "bad.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(30):
            archive.writestr(f"{n}", bytes(4 << 20))
    with pytest.raises(ValueError, match="its files are packed too densely"), opened(file):
        pass


def _parts(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_database_that_the_disk_has_no_room_for_is_not_unpacked(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = back_up(store)
    again = Store(tmp_path / "again", reserve_bytes=0)
    monkeypatch.setattr(Store, "free_bytes", lambda self: 100)
    with pytest.raises(StoreFull):
        restore(file, again, dry_run=True)
    assert not (again.folder / "restoring").exists()


_CHILD = """
import sys
from pathlib import Path
from rig.store.backups.restore import restore
from rig.store.store import Store
from rig.store.backups.unpacking import opened
from rig.store.trouble import StoreTrouble
try:
    restore(Path(sys.argv[1]), Store(Path(sys.argv[2])), True)
except StoreTrouble as trouble:
    lines = Path("/proc/self/status").read_text().splitlines()
    print(next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM")))
"""


@pytest.mark.parametrize("how", ["row", "list", "manifest", "members"])
def test_whatever_comes_takes_little_memory(store: Store, tmp_path: Path, how: str) -> None:
    if how == "row":
        bad = prepared(store, f"UPDATE matches SET data = zeroblob({200 << 20}) || ''")
    elif how == "list":
        bad = prepared(store, f"UPDATE matches SET data = '[{'[],' * 1_300_000}[]]'")
    else:
        bad = tmp_path / "bad.zip"
        with zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, f"[{'[],' * (1_900_000 if how == 'manifest' else 1)}[]]")
            for n in range(200_000 if how == "members" else 0):
                archive.writestr(f"{n}", b"")
    command = [sys.executable, "-c", _CHILD, str(bad), str(tmp_path / "again")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 300
