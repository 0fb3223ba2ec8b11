"""Another picture in the place of a frame's: one of both is there at each moment, and one only."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rig.service.pictures.picture_maker import PictureMaker
from rig.service.pictures.small_picture_maker import make_small
from rig.store.backups import backup
from rig.store.backups.restore import restore
from rig.store.frame import Frame, NewFrame, PhotoFacts, Picture
from rig.store.layout import PICTURES, SMALL
from rig.store.store import Store
from rig.store.trouble import FrameUnknown
from tests.rig.store.dropping_files import DroppingFiles, PowerCut
from tests.rig.store.real_rows import DECK, DIGEST, MATCH, ROUND, SEEN

JPEG = PhotoFacts("jpeg", 640, 480)
HEIC = PhotoFacts("heic", 480, 640)
BLURRED = Picture(b"blurred", JPEG)


def new(data: bytes, came: str | None = None) -> NewFrame:
    return NewFrame(data, HEIC, "a.heic", "upload", "2024-01-01T00:00:00Z", None, came)


def read_frame(store: Store) -> str:
    frame = store.frames.add(new(b"as it came")).frame.id
    store.frames.set_seen(frame, SEEN, DECK, DIGEST)
    return frame


def replace(store: Store, frame: str) -> None:
    store.frames.replace_picture(store.frames.get(frame), BLURRED)


def is_replaced(frame: Frame) -> bool:
    """Whether another picture is in the place of the one that came, which the id is of."""
    return not frame.sha256.startswith(frame.id)


def test_the_frame_stays_and_the_picture_that_came_is_gone(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    frame = read_frame(store)
    store.frames.small.keep(store.frames.get(frame).sha256, [b"a", b"b", b"c"])
    assert store.frames.read_as_they_came() == [frame]
    replace(store, frame)
    kept = store.frames.get(frame)
    assert (is_replaced(kept), kept.photo, kept.size_bytes) == (True, JPEG, 7)
    assert store.frames.picture(kept) == b"blurred"
    assert store.frames.read_as_they_came() == []
    assert store.frames.seen(frame) == (SEEN, DECK)
    files = [path for path in store.folder.rglob("*") if path.is_file()]
    assert not any(b"as it came" in path.read_bytes() for path in files)
    assert [path.name for path in files if path.suffix in (".jpeg", ".heic", ".jpg")] == [
        store.frames.path(kept).name
    ]
    assert store.check_up() == []
    assert store.changed_pictures() == []


def test_whoever_looked_the_frame_up_before_gets_what_is_there_now(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    frame = read_frame(store)
    before = store.frames.get(frame)
    replace(store, frame)
    assert store.frames.picture(before) == b"blurred"


def test_small_pictures_of_what_came_are_not_kept_beside_the_others(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    frame = read_frame(store)
    before = store.frames.get(frame)

    class SlowMaker(PictureMaker):
        """Makes them while the picture is replaced."""

        def make(self, task: str, *arguments: Any, in_front: bool = True) -> Any:
            replace(store, frame)
            return [b"told", b"told", b"told"]

    make_small(store, SlowMaker(), before)
    assert not store.frames.small.has(before.sha256)
    assert [path.read_bytes() for path in (store.folder / SMALL).iterdir()] == []


def test_small_pictures_may_be_made_twice_at_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)

    def keep(_turn: int) -> None:
        store.frames.small.keep("a" * 64, [b"a", b"b", b"c"])

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(keep, range(200)))
    assert store.frames.small.has("a" * 64)


def test_the_same_photo_is_still_told(tmp_path: Path) -> None:
    """As it came, cleaned, and as it is kept now."""
    store = Store(tmp_path / "rig", reserve_bytes=0)
    frame = store.frames.add(new(b"as it came", "came")).frame.id
    store.frames.set_seen(frame, SEEN, DECK, DIGEST)
    replace(store, frame)
    for again in (new(b"as it came"), new(b"cleaned otherwise", "came"), new(b"blurred")):
        added = store.frames.add(again)
        assert (added.is_new, added.frame.id) == (False, frame)


def test_of_a_frame_that_was_deleted_meanwhile_nothing_is_left(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    frame = read_frame(store)
    before = store.frames.get(frame)
    store.frames.delete(frame)
    with pytest.raises(FrameUnknown):
        store.frames.replace_picture(before, BLURRED)
    assert list(store.pictures.iterdir()) == []
    assert store.database.rows("SELECT * FROM deletions") == []


class CutStore(Store):
    """The power may also go when a transaction begins, and when it ends."""

    def __init__(self, folder: Path, files: DroppingFiles) -> None:
        super().__init__(folder, files, reserve_bytes=0)
        self._whole = self.database.transaction
        self._cut = files
        self.database.transaction = self._transaction  # type: ignore[method-assign]

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        with self._whole() as connection:
            yield connection
            self._cut._step()
        self._cut._step()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("is_read", [True, False])
def test_whenever_the_power_goes_one_of_both_is_there(
    tmp_path: Path, seed: int, is_read: bool
) -> None:
    """Replaced after it was read, or in the step that keeps its reading."""
    rng = np.random.default_rng(seed)
    found = []
    for cut_at in range(100):
        files = DroppingFiles()
        store = CutStore(tmp_path / str(cut_at), files)
        frame = read_frame(store) if is_read else store.frames.add(new(b"as it came")).frame.id
        files.cut_at = files.steps + cut_at
        try:
            if is_read:
                replace(store, frame)
            else:
                store.frames.set_seen(frame, SEEN, DECK, DIGEST, BLURRED)
        except PowerCut:
            is_cut = True
        else:
            is_cut = False
        store.pictures.rmdir()
        files.after_the_cut(rng, store.pictures, store.pictures)
        store.close()
        again = Store(store.folder, reserve_bytes=0)
        assert {finding.key for finding in again.check_up()} <= {"file-unfinished"}
        kept = again.frames.get(frame)
        picture = again.frames.picture(kept)
        assert hashlib.sha256(picture).hexdigest() == kept.sha256
        assert picture == (b"blurred" if is_replaced(kept) else b"as it came")
        assert (kept.state == "read") == (is_read or is_replaced(kept))
        assert [path.name for path in again.pictures.iterdir()] == [again.frames.path(kept).name]
        assert again.lost_files() == []
        again.close()
        found.append(picture)
        if not is_cut:
            break
    assert len(found) > 8
    assert found[0] == b"as it came"
    assert found[-1] == b"blurred"
    assert found == sorted(found)


def a_rig_and_its_backup(tmp_path: Path, blurred: bool) -> tuple[Store, str, Path]:
    """With a frame, blurred before the backup was made or not; and its round."""
    store = Store(tmp_path / "rig", reserve_bytes=0)
    frame = read_frame(store)
    if blurred:
        replace(store, frame)
    file = tmp_path / "b.zip"
    backup.write_backup(store.folder, file, "2024-02-01T00:00:00Z", "1")
    return store, frame, file


def test_what_was_blurred_since_a_backup_stays_so(tmp_path: Path) -> None:
    store, frame, file = a_rig_and_its_backup(tmp_path, blurred=False)
    replace(store, frame)
    look = restore(file, store, dry_run=True)
    done = restore(file, store)
    assert (look.photos, done.photos, done.rows.frames_changed) == (0, 0, 0)
    assert store.frames.picture(store.frames.get(frame)) == b"blurred"
    assert store.check_up() == []
    kept = [path.read_bytes() for path in store.folder.rglob("*") if path.is_file()]
    assert not any(b"as it came" in data for data in kept)


def test_a_blurred_picture_that_was_lost_comes_back_as_the_backup_has_it(tmp_path: Path) -> None:
    store, frame, file = a_rig_and_its_backup(tmp_path, blurred=False)
    replace(store, frame)
    store.frames.path(store.frames.get(frame)).unlink()
    assert restore(file, store).photos == 1
    kept = store.frames.get(frame)
    assert (store.frames.picture(kept), kept.photo, is_replaced(kept)) == (
        b"as it came",
        HEIC,
        False,
    )
    assert store.check_up() == []
    assert store.frames.read_as_they_came() == [frame]


def test_a_newer_backup_takes_no_photo_away(tmp_path: Path) -> None:
    """The folder has it as it came, the backup blurred and with a newer row."""
    store, frame, file = a_rig_and_its_backup(tmp_path, blurred=True)
    older = Store(tmp_path / "older", reserve_bytes=0)
    assert older.frames.add(new(b"as it came")).frame.id == frame
    assert restore(file, older).rows.frames_changed == 1
    kept = older.frames.get(frame)
    assert (older.frames.picture(kept), kept.state) == (b"as it came", "read")
    assert kept.version == store.frames.get(frame).version
    assert older.check_up() == []
    older.frames.path(kept).unlink()
    restore(file, older)
    assert older.frames.picture(older.frames.get(frame)) == b"blurred"
    assert older.check_up() == []


def test_a_backup_made_meanwhile_has_the_picture_and_its_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    frame = store.frames.add(new(b"as it came")).frame.id
    store.matches.begin("m", "2024-01-01", MATCH)
    store.matches.change_round(store.matches.begin_round("m", 1, ROUND), ROUND, frame)
    snapshot = backup._snapshot

    def then_replace(database: Path, target: Path) -> None:
        snapshot(database, target)
        store.frames.set_seen(frame, SEEN, DECK, DIGEST)
        replace(store, frame)

    monkeypatch.setattr(backup, "_snapshot", then_replace)
    backup.write_backup(store.folder, tmp_path / "b.zip", "2024-02-01T00:00:00Z", "1")
    again = Store(tmp_path / "again", reserve_bytes=0)
    restore(tmp_path / "b.zip", again)
    kept = again.frames.get(frame)
    assert again.frames.picture(kept) == b"blurred"
    assert (again.frames.seen(frame), kept.state) == ((SEEN, DECK), "read")
    assert [path.name for path in (again.folder / PICTURES).iterdir()] == [
        again.frames.path(kept).name
    ]
