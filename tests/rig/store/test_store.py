from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from rig.store.frame import NewFrame, PhotoFacts
from rig.store.schema import MIGRATIONS
from rig.store.store import DATABASE, LOST, PICTURES, Store, serving
from rig.store.trouble import (
    CorrectionUndone,
    CorrectionUnknown,
    FrameProtected,
    FrameUnknown,
    MatchUnknown,
    PictureMissing,
    RoundUnknown,
    RowUnreadable,
    StoreDamaged,
    StoreFull,
    StoreInUse,
    StoreNewer,
    StoreReadOnly,
    StoreUnusable,
    VersionConflict,
)
from tests.rig.store.dropping_files import DroppingFiles, PowerCut
from tests.rig.store.real_rows import CORRECTION, MATCH, ROUND

JPEG = PhotoFacts("jpeg", 640, 480)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "rig", reserve_bytes=0)


def photo(data: bytes, name: str = "a.jpg", lens: dict[str, object] | None = None) -> NewFrame:
    return NewFrame(data, JPEG, name, "upload", "2024-01-01T00:00:00Z", lens)


LENS: dict[str, object] = {
    "format": "tacta-lens/1",
    "size_px": [640, 480],
    "matrix": [[500.0, 0.0, 320.0], [0.0, 500.0, 240.0], [0.0, 0.0, 1.0]],
    "distortion": [0.0, 0.0, 0.0, 0.0, 0.0],
}
TROUBLE = {"key": "table-not-seen", "facts": {}, "sentence": "No table."}


def add(store: Store, data: bytes = b"photo") -> str:
    return store.frames.add(photo(data)).frame.id


def fill(store: Store) -> None:
    for n in range(2000):
        add(store, n.to_bytes(2, "big"))


def test_a_frame_is_kept_whole(store: Store) -> None:
    added = store.frames.add(photo(b"photo", lens=LENS))
    assert added.is_new
    frame = store.frames.get(added.frame.id)
    assert (frame.photo, frame.name, frame.size_bytes) == (JPEG, "a.jpg", 5)
    assert frame.state == "waiting"
    assert frame.lens == LENS
    assert store.frames.picture(frame) == b"photo"
    assert store.frames.unread() == [frame.id]


def test_the_same_photo_twice_is_one_frame(store: Store) -> None:
    first = add(store)
    again = store.frames.add(photo(b"photo", name="b.jpg"))
    assert (again.frame.id, again.is_new, again.frame.name) == (first, False, "a.jpg")
    assert store.frames.count() == 1


def test_newest_frames_first_page_by_page(store: Store) -> None:
    ids = [add(store, bytes([n])) for n in range(5)]
    page = store.frames.latest(2)
    assert [frame.id for frame in page] == [ids[4], ids[3]]
    assert [frame.id for frame in store.frames.latest(9, page[-1].seq)] == ids[2::-1]


def test_what_was_seen_is_kept_with_its_deck(store: Store) -> None:
    frame = add(store)
    assert store.frames.seen(frame) is None
    store.frames.set_seen(frame, "SEEN", "DECK", "digest")
    assert store.frames.seen(frame) == ("SEEN", "DECK")
    assert store.frames.get(frame).state == "read"
    assert store.frames.unread() == []


def test_why_there_is_no_reading_is_kept(store: Store) -> None:
    frame = add(store)
    store.frames.set_state(frame, "not_seen", TROUBLE)
    assert store.frames.get(frame).trouble == TROUBLE


def test_a_deleted_frame_is_gone_for_good(store: Store, tmp_path: Path) -> None:
    frame = add(store, b"a face that nobody should see")
    store.frames.delete(frame)
    with pytest.raises(FrameUnknown):
        store.frames.get(frame)
    assert list((tmp_path / "rig" / PICTURES).iterdir()) == []
    for name in (DATABASE, f"{DATABASE}-wal"):
        assert frame.encode() not in (tmp_path / "rig" / name).read_bytes()
    for change in (
        lambda: store.frames.delete(frame),
        lambda: store.frames.set_state(frame, "read"),
        lambda: store.frames.set_seen(frame, "", "", ""),
        lambda: store.frames.protect(frame, True),
        lambda: store.corrections.add(frame, {}, "A", "2024", 1),
    ):
        with pytest.raises(FrameUnknown):
            change()


def test_oldest_unprotected_frames_make_room(tmp_path: Path) -> None:
    files = DroppingFiles(room_bytes=450)
    store = Store(tmp_path / "rig", files, reserve_bytes=100)
    ids = [add(store, bytes([n]) * 100) for n in range(3)]
    for frame in ids:
        store.frames.set_state(frame, "not_seen")
    store.frames.protect(ids[0], True)
    added = store.frames.add(photo(b"x" * 100))
    assert added.removed == (ids[1],)
    assert files.free_bytes(tmp_path / "rig" / PICTURES) >= 100
    assert {frame.id for frame in store.frames.latest(9)} == {ids[0], ids[2], added.frame.id}


def test_nothing_is_removed_where_it_would_not_help(tmp_path: Path) -> None:
    """Something else has filled the disk: all frames together are too small."""
    files = DroppingFiles(room_bytes=450)
    store = Store(tmp_path / "rig", files, reserve_bytes=0)
    ids = [add(store, bytes([n]) * 100) for n in range(3)]
    for frame in ids:
        store.frames.set_state(frame, "not_seen")
    with pytest.raises(StoreFull):
        store.frames.add(photo(b"x" * 500))
    assert [frame.id for frame in store.frames.latest(9)] == ids[::-1]
    assert store.frames.add(photo(b"y" * 400)).removed == tuple(ids)


def test_frames_of_rounds_stay(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", DroppingFiles(room_bytes=250), reserve_bytes=0)
    frame = add(store, b"a" * 100)
    store.frames.set_state(frame, "not_seen")
    store.matches.begin("m", "2024-01-01", MATCH)
    store.matches.change_round(store.matches.begin_round("m", 1, ROUND), ROUND, frame)
    assert store.frames.get(frame).kept
    with pytest.raises(StoreFull):
        add(store, b"b" * 200)
    with pytest.raises(FrameProtected):
        store.frames.delete(frame)
    assert store.frames.picture(store.frames.get(frame)) == b"a" * 100


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    files = DroppingFiles(room_bytes=10)
    store = Store(tmp_path / "rig", files, reserve_bytes=0)
    store.frames.make_room = lambda size_bytes: ()  # type: ignore[method-assign]
    with pytest.raises(StoreFull):
        add(store, b"far too large")
    assert files.names(tmp_path / "rig" / PICTURES) == []
    assert store.frames.count() == 0


def test_a_full_database_leaves_nothing_half_written(store: Store, tmp_path: Path) -> None:
    (pages,) = store.database.row("PRAGMA page_count") or (0,)
    store.database.rows(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFull):
        fill(store)
    count = store.frames.count()
    assert len(list((tmp_path / "rig" / PICTURES).iterdir())) == count
    with pytest.raises(StoreFull):
        store.matches.begin("m", "2024-01-01", {"long": "x" * 100_000})
    with pytest.raises(MatchUnknown):
        store.matches.get("m")


def test_corrections_name_who_and_when_and_can_be_undone(store: Store) -> None:
    frame = add(store)
    made = store.corrections.add(frame, {"kind": "remove", "card": 3}, "Ada", "2024", 1)
    store.corrections.undo(frame, made, "Bob", "2025", 2)
    (kept,) = store.corrections.of(frame)
    assert (kept.who, kept.made_at) == ("Ada", "2024")
    assert (kept.undone_by, kept.undone_at) == ("Bob", "2025")
    assert kept.data == {"kind": "remove", "card": 3}
    with pytest.raises(CorrectionUndone):
        store.corrections.undo(frame, made, "Bob", "2025", 3)
    with pytest.raises(CorrectionUnknown):
        store.corrections.undo(frame, 99, "Bob", "2025", 3)
    assert store.frames.get(frame).version == 3


def test_two_phones_at_once_are_told_apart(store: Store) -> None:
    frame = add(store)
    store.corrections.add(frame, CORRECTION, "Ada", "2024", 1)
    with pytest.raises(VersionConflict) as caught:
        store.corrections.add(frame, {}, "Bob", "2024", 1)
    assert caught.value.facts == {"expected": 1, "found": 2}
    assert len(store.corrections.of(frame)) == 1


def test_matches_and_rounds_move_on_by_version(store: Store) -> None:
    match = store.matches.begin("m", "2024-01-01", MATCH)
    other = {**MATCH, "phones": {"Bob": "b"}}
    changed = store.matches.change("m", other, match.version)
    assert (changed.data, changed.version) == (other, 2)
    with pytest.raises(VersionConflict):
        store.matches.change("m", {}, match.version)
    begun = store.matches.begin_round("m", 1, ROUND)
    with pytest.raises(VersionConflict):
        store.matches.begin_round("m", 1, {})
    ended = store.matches.change_round(begun, {**ROUND, "state": "ended"}, add(store))
    with pytest.raises(VersionConflict):
        store.matches.change_round(begun, {}, None)
    assert store.matches.rounds("m") == [ended]
    assert store.matches.rounds_of_frame(str(ended.frame)) == [ended]
    with pytest.raises(RoundUnknown):
        store.matches.round("m", 2)
    with pytest.raises(MatchUnknown):
        store.matches.round("n", 1)


def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    Store(tmp_path / "rig").close()
    raw = sqlite3.connect(tmp_path / "rig" / DATABASE)
    raw.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    raw.close()
    with pytest.raises(StoreNewer, match="update the program"):
        Store(tmp_path / "rig")
    raw = sqlite3.connect(tmp_path / "rig" / DATABASE)
    assert raw.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
    raw.close()


def test_a_migration_that_fails_leaves_the_old_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(tmp_path / "rig").close()
    broken = (*MIGRATIONS, "CREATE TABLE half (a); CREATE TABLE half (a);")
    with monkeypatch.context() as patch:  # undone alone: what closes the databases stays
        patch.setattr("rig.store.store.MIGRATIONS", broken)
        with pytest.raises(StoreUnusable):
            Store(tmp_path / "rig")
    store = Store(tmp_path / "rig")
    assert store.database.row("SELECT 1 FROM sqlite_master WHERE name = 'half'") is None


def test_a_migrated_database_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(tmp_path / "rig").close()
    monkeypatch.setattr("rig.store.store.MIGRATIONS", (*MIGRATIONS, "CREATE TABLE more (a);"))
    assert [finding.key for finding in Store(tmp_path / "rig").check_up()] == ["store-migrated"]
    assert Store(tmp_path / "rig").check_up() == []


@pytest.mark.parametrize("garbage", [b"this is no database, it is a letter" * 99, b"\0" * 99])
def test_a_damaged_database_is_named(tmp_path: Path, garbage: bytes) -> None:
    (tmp_path / "rig").mkdir()
    (tmp_path / "rig" / DATABASE).write_bytes(garbage)
    with pytest.raises(StoreDamaged, match="move the folder aside"):
        Store(tmp_path / "rig")


def test_broken_pages_are_found_at_start(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig")
    for n in range(50):
        add(store, bytes([n]))
    store.database.fold_log()
    store.close()
    path = tmp_path / "rig" / DATABASE
    assert not path.with_name(f"{DATABASE}-wal").exists(), "a log would hold the pages too"
    data = path.read_bytes()
    page = 4096
    assert len(data) > 3 * page
    path.write_bytes(data[:page].ljust(len(data), b"\xff"))  # the first one says what it is
    with pytest.raises(StoreDamaged):
        Store(tmp_path / "rig")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnusable, match="check the folder"):
        Store(tmp_path / "file" / "rig")


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("secure_delete", 1)],
)
def test_durable_settings(store: Store, name: str, value: object) -> None:
    row = store.database.row(f"PRAGMA {name}")
    assert row is not None
    assert row[0] == value


def named(n: int) -> str:
    return f"{n:064x}.jpeg"


def test_unfinished_photos_go_and_unknown_files_are_moved_aside(
    store: Store, tmp_path: Path
) -> None:
    frame = add(store)
    pictures = tmp_path / "rig" / PICTURES
    for name in (f"{named(0)}.part", named(1), "holiday.png", "notes.part"):
        (pictures / name).write_bytes(name.encode())
    (tmp_path / "rig" / LOST).mkdir()
    (tmp_path / "rig" / LOST / named(1)).write_bytes(b"another one")
    found = store.check_up()
    assert [(f.key, f.subject) for f in found[:-1]] == [("file-unfinished", f"{named(0)}.part")]
    assert found[-1].key == "files-lost"
    assert list(pictures.iterdir()) == [store.frames.path(store.frames.get(frame))]
    kept = {file.name: file.read_bytes() for file in (tmp_path / "rig" / LOST).iterdir()}
    assert kept == {
        named(1): b"another one",
        f"{named(1)}.1": named(1).encode(),
        "holiday.png": b"holiday.png",
        "notes.part": b"notes.part",
    }
    assert store.lost_files() == sorted(kept)
    assert [f.key for f in store.check_up()] == ["files-lost"]
    assert store.database.read_only is None


@pytest.mark.parametrize("how", ["missing", "older"])
def test_photos_that_the_database_does_not_know_are_not_touched(tmp_path: Path, how: str) -> None:
    folder = tmp_path / "rig"
    store = Store(folder, reserve_bytes=0)
    add(store, b"first")
    store.database.fold_log()
    store.close()
    older = (folder / DATABASE).read_bytes()
    store = Store(folder, reserve_bytes=0)
    for n in range(4):
        add(store, bytes([n]))
    store.close()
    photos = {file.name: file.read_bytes() for file in (folder / PICTURES).iterdir()}
    for file in folder.glob(f"{DATABASE}*"):
        file.unlink()
    if how == "older":
        (folder / DATABASE).write_bytes(older)
    store = Store(folder, reserve_bytes=0)
    unknown = 4 if how == "older" else 5
    found = store.check_up()
    assert [f.key for f in found] == ["store-read-only"]
    assert f"{unknown} of the 5 photos" in found[0].sentence
    for write in (
        lambda: add(store, b"new"),
        lambda: add(store, b"\x01"),
        lambda: store.matches.begin("m", "2024-01-01", {}),
    ):
        with pytest.raises(StoreReadOnly):
            write()
    store.frames.latest(9)
    assert {file.name: file.read_bytes() for file in (folder / PICTURES).iterdir()} == photos
    assert len(store.unknown_photos()) == unknown
    store.set_aside(store.unknown_photos())
    assert [f.key for f in store.check_up()] == ["files-lost"]
    add(store, b"new")


def test_one_photo_without_its_row_stops_nothing(store: Store, tmp_path: Path) -> None:
    """The power went between a first photo and its row."""
    store.database.migrated = (1, 2)
    (tmp_path / "rig" / PICTURES / named(1)).write_bytes(b"photo")
    assert "files-lost" in [f.key for f in store.check_up()]
    assert store.database.read_only is None


def test_a_deletion_that_was_cut_off_is_finished(store: Store, tmp_path: Path) -> None:
    """What a person deleted for good must not come back as a lost file."""
    frame, other = add(store, b"a face"), add(store, b"a table")
    path = store.frames.path(store.frames.get(frame))

    def cut_off(path: Path) -> None:
        raise PowerCut

    files = store._files
    remove, files.remove = files.remove, cut_off  # type: ignore[method-assign]
    with pytest.raises(PowerCut):
        store.frames.delete(frame)
    files.remove = remove  # type: ignore[method-assign]
    assert path.exists()
    assert store.check_up() == []
    assert not path.exists()
    assert store.frames.latest(9)[0].id == other
    assert store.database.rows("SELECT * FROM deletions") == []


def test_lost_and_changed_pictures_are_named(store: Store) -> None:
    lost, changed = add(store, b"one"), add(store, b"two")
    store.frames.path(store.frames.get(lost)).unlink()
    store.frames.path(store.frames.get(changed)).write_bytes(b"three")
    found = {(f.key, f.subject) for f in (*store.check_up(), *store.changed_pictures())}
    assert found == {("picture-missing", lost), ("picture-changed", changed)}
    with pytest.raises(PictureMissing):
        store.frames.picture(store.frames.get(lost))


def test_a_folder_that_is_too_open_is_closed(tmp_path: Path) -> None:
    Store(tmp_path / "rig").close()
    (tmp_path / "rig").chmod(0o755)
    Store(tmp_path / "rig").close()
    assert (tmp_path / "rig").stat().st_mode & 0o777 == 0o700


def test_one_rig_a_folder(tmp_path: Path) -> None:
    with serving(tmp_path / "rig"), pytest.raises(StoreInUse), serving(tmp_path / "rig"):
        pass
    with serving(tmp_path / "rig"):
        pass


def test_a_row_that_reads_is_told_while_nothing_can_be_made_of_it(store: Store) -> None:
    frame = add(store)

    def nothing() -> None:
        raise ValueError("no table")

    with pytest.raises(RowUnreadable):
        store.readable.made("frames", frame, nothing)
    store.frames.get(frame)
    assert [(one.facts["table"], one.facts["name"]) for one in store.readable.told()] == [
        ("frames", frame)
    ]
    store.readable.made("frames", frame, lambda: None)
    assert store.readable.told() == []
