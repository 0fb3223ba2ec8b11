"""Backups: made while others write, checked by hash, brought back without losing what is newer."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import threading
import zipfile
from pathlib import Path

import pytest

from rig.store.backups.backup import backups_in, write_backup
from rig.store.backups.backup_check import MANIFEST, check_backup
from rig.store.backups.restore import restore
from rig.store.checkup import changed_pictures
from rig.store.file_layer import DiskFiles
from rig.store.frame import NewFrame, PhotoFacts
from rig.store.phones import Phone
from rig.store.schema import MIGRATIONS
from rig.store.store import DATABASE, PICTURES, Store
from rig.store.trouble import BackupDamaged, BackupNewer, StoreFull, StoreUnusable
from tests.rig.store.backups import backup_cuts, backup_kills
from tests.rig.store.real_rows import CORRECTION, DECK, DIGEST, MATCH, ROUND, SEEN

JPEG = PhotoFacts("jpeg", 640, 480)


def add(store: Store, data: bytes, at: str = "2024-01-01") -> str:
    return store.frames.add(NewFrame(data, JPEG, "a.jpg", "upload", at)).frame.id


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Two frames, the first with a correction and in a round; a phone."""
    store = Store(tmp_path / "rig", reserve_bytes=0)
    frame = add(store, b"one", "2024-01-01")
    add(store, b"two", "2024-01-02")
    store.frames.set_seen(frame, SEEN, DECK, DIGEST)
    store.corrections.add(frame, CORRECTION, "Ada", "2024", 2)
    store.matches.begin("m", "2024-01-01", MATCH)
    store.matches.change_round(store.matches.begin_round("m", 1, ROUND), ROUND, frame)
    store.phones.pair(Phone("p", "Ada", "admin", "2024"), "token")
    return store


def back_up(store: Store, name: str = "b.zip", with_photos: bool = True) -> Path:
    file = store.folder.parent / name
    write_backup(store.folder, file, "2024-02-01T00:00:00Z", "1", with_photos=with_photos)
    return file


def contents(store: Store) -> dict[str, list[tuple[object, ...]]]:
    tables = ("frames", "corrections", "matches", "rounds", "phones", "decks")
    return {t: [tuple(r) for r in store.database.rows(f"SELECT * FROM {t}")] for t in tables}


def photos(store: Store) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (store.folder / PICTURES).iterdir()}


def test_a_backup_brings_all_back_into_an_empty_folder(store: Store, tmp_path: Path) -> None:
    (store.folder / "lens.json").write_text("{}")
    file = back_up(store)
    assert file.stat().st_mode & 0o077 == 0
    again = Store(tmp_path / "again", reserve_bytes=0)
    done = restore(file, again, with_access=True)
    assert (done.rows.frames, done.rows.matches, done.rows.rounds, done.photos) == (2, 1, 1, 2)
    assert contents(again) == contents(store)
    assert photos(again) == photos(store)
    assert (again.folder / "lens.json").exists()
    assert again.check_up() == []
    assert changed_pictures(DiskFiles(), again.frames) == []
    assert not (again.folder / "restoring").exists()
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_what_is_newer_in_the_folder_stays(store: Store) -> None:
    file = back_up(store)
    third = add(store, b"three", "2024-01-03")
    first = store.frames.latest(9)[-1]
    store.corrections.add(first.id, CORRECTION, "Bob", "2025", first.version)
    store.matches.begin("n", "2024-01-04", MATCH)
    before = contents(store)
    done = restore(file, store, with_access=True)
    assert (done.rows.frames, done.rows.frames_changed, done.photos) == (0, 0, 0)
    assert contents(store) == before
    assert store.frames.latest(1)[0].id == third


def test_what_was_lost_since_comes_back_in_its_place(store: Store) -> None:
    file = back_up(store)
    wanted = contents(store)
    store.close()
    for part in store.folder.glob(f"{DATABASE}*"):
        part.unlink()
    store = Store(store.folder, reserve_bytes=0)
    assert [f.key for f in store.check_up()] == ["store-read-only"]
    done = restore(file, store, with_access=True)
    assert done.photos == 0
    assert store.check_up() == []
    assert contents(store) == wanted
    # a frame that was taken in again meanwhile gets its corrections, newer ones keep their place
    store.database.rows("DELETE FROM rounds")
    first = store.frames.latest(9)[-1].id
    store.frames.delete(first)
    later = add(store, b"later", "2024-01-09")
    add(store, b"one", "2024-01-01")
    done = restore(file, store, with_access=True)
    assert (done.rows.frames, done.rows.frames_changed, done.rows.rounds) == (0, 1, 1)
    assert store.frames.latest(1)[0].id == later
    assert len(store.corrections.of(first)) == 1
    assert store.frames.seen(first) == (SEEN, DECK)


def test_a_dry_run_changes_nothing(store: Store, tmp_path: Path) -> None:
    file = back_up(store)
    again = Store(tmp_path / "again", reserve_bytes=0)
    before = contents(again)
    done = restore(file, again, dry_run=True, with_access=True)
    assert (done.rows.frames, done.rows.phones, done.photos) == (2, 1, 2)
    assert contents(again) == before
    assert photos(again) == {}


def test_a_phone_that_was_sent_away_stays_away(store: Store) -> None:
    file = back_up(store)
    store.phones.pair(Phone("q", "Bob", "player", "2024"), "other")
    store.phones.forget("p")
    restore(file, store)
    assert [phone.id for phone in store.phones.all()] == ["q"]


def test_rotten_photos_are_made_whole(store: Store) -> None:
    file = back_up(store)
    wanted = photos(store)
    for n, name in enumerate(wanted):
        path = store.folder / PICTURES / name
        path.write_bytes(b"rotten") if n else path.unlink()
    assert restore(file, store).photos == 2
    assert photos(store) == wanted


def test_an_older_schema_is_brought_up_to_date(store: Store, tmp_path: Path) -> None:
    file = back_up(store)
    old = tmp_path / "old.zip"
    with zipfile.ZipFile(file) as archive:
        (tmp_path / "new").write_bytes(archive.read(DATABASE))
    with contextlib.closing(sqlite3.connect(tmp_path / "db", isolation_level=None)) as database:
        database.executescript(MIGRATIONS[0])
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master")]
        database.execute("ATTACH DATABASE ? AS new", (str(tmp_path / "new"),))
        for table in ("decks", "frames", "corrections", "matches", "rounds"):
            assert table in tables
            names = ", ".join(row[1] for row in database.execute(f"PRAGMA table_info({table})"))
            database.execute(f"INSERT INTO main.{table} SELECT {names} FROM new.{table}")
        database.execute("PRAGMA user_version = 1")
    data = (tmp_path / "db").read_bytes()

    def altered(name: str, content: bytes) -> bytes:
        if name == DATABASE:
            return data
        if name != MANIFEST:
            return content
        manifest = json.loads(content)
        manifest["schema"] = 1
        manifest["files"][DATABASE] = {
            "sha256": hashlib.sha256(data).hexdigest(),
            "bytes": len(data),
        }
        return json.dumps(manifest).encode()

    rewrite(file, old, altered)
    again = Store(tmp_path / "again", reserve_bytes=0)
    assert restore(old, again).rows.frames == 2


def rewrite(file: Path, target: Path, altered: object) -> None:
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            archive.writestr(name, altered(name, source.read(name)))  # type: ignore[operator]


@pytest.mark.parametrize(
    "how", ["flip", "cut", "swap", "stray", "newer", "text", "zero", "trigger"]
)
def test_a_damaged_backup_changes_nothing(store: Store, tmp_path: Path, how: str) -> None:
    file = back_up(store)
    bad = tmp_path / "bad.zip"
    data = file.read_bytes()

    def altered(name: str, content: bytes) -> bytes:
        if how == "swap" and name.startswith(PICTURES):
            return b"other"[: len(content)]
        if name != MANIFEST or how == "swap":
            return content
        manifest = json.loads(content)
        if how == "newer":
            manifest["schema"] = len(MIGRATIONS) + 1
        else:
            manifest["files"]["../../x"] = manifest["files"][DATABASE]
        return json.dumps(manifest).encode()

    if how == "flip":
        at = data.index(b"two")
        bad.write_bytes(data[:at] + b"twa" + data[at + 3 :])
    elif how in ("cut", "text", "zero"):
        bad.write_bytes({"cut": data[:-400], "text": b"no zip", "zero": b""}[how])
    elif how == "trigger":
        store.database.rows("CREATE TRIGGER t AFTER INSERT ON frames BEGIN SELECT 1; END")
        bad = back_up(store, "bad.zip")
    else:
        rewrite(file, bad, altered)
    again = Store(tmp_path / "again", reserve_bytes=0)
    with pytest.raises(BackupNewer if how == "newer" else BackupDamaged, match="Nothing was"):
        restore(bad, again)
    assert contents(again)["frames"] == []
    assert photos(again) == {}


def test_a_backup_that_does_not_fit_changes_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = back_up(store)
    again = Store(tmp_path / "again", reserve_bytes=0)
    monkeypatch.setattr(Store, "free_bytes", lambda self: 100)
    with pytest.raises(StoreFull):
        restore(file, again, with_access=True)
    assert photos(again) == {}


def test_without_photos_the_rounds_are_still_there(store: Store, tmp_path: Path) -> None:
    file = back_up(store, with_photos=False)
    again = Store(tmp_path / "again", reserve_bytes=0)
    done = restore(file, again, with_access=True)
    assert (done.rows.rounds, done.photos, done.with_photos) == (1, 0, False)


def test_a_backup_while_others_write_is_of_one_moment(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    over = threading.Event()

    def work() -> None:
        n = 0
        while not over.is_set():
            frame = add(store, n.to_bytes(4, "big"))
            store.frames.set_seen(frame, SEEN, DECK, DIGEST)
            if n % 3 == 0:
                store.frames.delete(frame)
            n += 1

    writer = threading.Thread(target=work)
    writer.start()
    try:
        for n in range(5):
            file = back_up(store, f"{n}.zip")
            again = Store(tmp_path / f"again{n}", reserve_bytes=0)
            restore(file, again, with_access=True)
            assert again.check_up() == []
            for frame in again.frames.latest(10_000):
                assert again.frames.picture(frame)
    finally:
        over.set()
        writer.join()


def test_no_backup_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable):
        write_backup(tmp_path / "nowhere", tmp_path / "b.zip", "2024", "1")
    assert not (tmp_path / "b.zip").exists()
    assert backups_in(tmp_path) == []


def test_a_backup_says_what_it_holds(store: Store) -> None:
    manifest = check_backup(back_up(store))
    assert len(manifest.photos) == 2
    assert manifest.schema == len(MIGRATIONS)


@pytest.mark.slow
def test_killed_in_the_midst_of_either_nothing_is_lost(tmp_path: Path) -> None:
    backup_kills.run(1, 3, tmp_path)


def test_without_power_in_the_midst_of_either_nothing_is_lost(tmp_path: Path) -> None:
    told = backup_cuts.run(2, 6, tmp_path)
    assert len({line for line in told if line.startswith("restore")}) > 3
