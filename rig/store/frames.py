"""Captured frames: a file each, named by its SHA-256, and a row that says what became of it.

The file is on the disk before the row is, and the row goes before the file
does: whatever happens in between leaves a file that no frame names, which the
start-up check sees to, and never a frame without its picture. A deletion under way
is written down, so that it is finished, and not taken for a lost photo.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rig.store.database import Database
from rig.store.file_layer import DiskFiles, disk_trouble, write_whole
from rig.store.frame import ID_LENGTH, Added, Frame, FrameState, NewFrame, Picture, frame_of
from rig.store.readable import ReadableRows
from rig.store.small_pictures import SmallPictures
from rig.store.trouble import (
    FrameProtected,
    FrameUnknown,
    PictureMissing,
    StoreFull,
    VersionConflict,
)

_IN_ROUND = "EXISTS (SELECT 1 FROM rounds WHERE rounds.frame = frames.id)"
_COLUMNS = f"*, protected OR {_IN_ROUND} AS kept"
_MAY_GO = f"NOT protected AND state NOT IN ('waiting', 'reading') AND NOT {_IN_ROUND}"


class Frames:
    """The frames of a store. Every method may be called from any thread."""

    def __init__(
        self,
        database: Database,
        files: DiskFiles,
        folder: Path,
        reserve_bytes: int,
        small: SmallPictures,
        readable: ReadableRows,
    ) -> None:
        """`reserve_bytes` stay free on the disk, for rounds."""
        self._readable = readable
        self._database = database
        self._files = files
        self._folder = folder
        self.small = small
        self._reserve_bytes = reserve_bytes
        self.adding = threading.Lock()

    def add(self, new: NewFrame) -> Added:
        """Keep a photo. When this returns it outlives a power cut; StoreFull if it does not fit.

        The same bytes twice are one frame, and its first name and time stay.
        """
        self._database.check_writable()
        digest = hashlib.sha256(new.data).hexdigest()
        with self.adding:
            known = self._find("came_sha256", new.came_sha256) or self._find("sha256", digest)
            known = known or self._find("id", digest[:ID_LENGTH])
            if known is not None:
                return Added(known, is_new=False)
            removed = self.make_room(len(new.data))
            path = self._folder / f"{digest}.{new.photo.kind}"
            write_whole(self._files, path, new.data)
            try:
                self._insert(digest, new)
            except Exception:
                self._files.remove(path)
                raise
            return Added(self.get(digest[:ID_LENGTH]), is_new=True, removed=removed)

    def _insert(self, digest: str, new: NewFrame) -> None:
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO frames (id, sha256, kind, bytes, width, height, name, source,"
                " taken_at, lens, came_sha256, sent_by, state)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting')",
                (
                    digest[:ID_LENGTH],
                    digest,
                    new.photo.kind,
                    len(new.data),
                    new.photo.width,
                    new.photo.height,
                    new.name,
                    new.source,
                    new.taken_at,
                    None if new.lens is None else json.dumps(dict(new.lens)),
                    new.came_sha256,
                    new.sent_by,
                ),
            )
            file = f"{digest}.{new.photo.kind}"  # deleted once, and here again
            connection.execute("DELETE FROM deletions WHERE file = ?", (file,))

    def get(self, frame: str) -> Frame:
        """The frame with this id. FrameUnknown if there is none, RowUnreadable."""
        found = self._find("id", frame)
        if found is None:
            raise FrameUnknown(frame=frame)
        return found

    def latest(self, limit: int, before: int | None = None) -> list[Frame]:
        """The newest frames first; `before` is the `seq` of the last one of the page before."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM frames WHERE ? IS NULL OR seq < ? ORDER BY seq DESC LIMIT ?",
            (before, before, limit),
        )
        return self._readable.all("frames", rows, frame_of)

    def named(self, frames: Sequence[str]) -> list[Frame]:
        """Those frames of these ids that are there and read."""
        rows = [
            self._database.row(f"SELECT {_COLUMNS} FROM frames WHERE id = ?", (frame,))
            for frame in frames
        ]
        there = [row for row in rows if row is not None]
        return self._readable.all("frames", there, frame_of)

    def unread(self) -> list[str]:
        """The frames whose reading was not finished, the oldest first."""
        rows = self._database.rows(
            "SELECT id FROM frames WHERE state IN ('waiting', 'reading') ORDER BY seq"
        )
        return [str(row["id"]) for row in rows]

    def path(self, frame: Frame) -> Path:
        """Where the frame's picture lies."""
        return self._folder / f"{frame.sha256}.{frame.photo.kind}"

    def picture(self, frame: Frame) -> bytes:
        """The photo's bytes as they came. PictureMissing if the disk lost them."""
        path = self.path(frame)
        try:
            return self._files.read(path)
        except FileNotFoundError as error:
            now = self.get(frame.id)
            if now.sha256 != frame.sha256:  # replaced since it was looked up
                return self.picture(now)
            raise PictureMissing(frame=frame.id) from error
        except OSError as error:
            raise disk_trouble(error, path) from error

    def tried(self, most: int) -> list[Frame]:
        """The frames whose reading was begun so often, and never finished."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM frames WHERE state = 'reading' AND tries >= ?", (most,)
        )
        return self._readable.all("frames", rows, frame_of)

    def begin_reading(self, frame: str) -> None:
        """Say that a frame is being read, before it can do any harm. FrameUnknown."""
        self._change(
            frame, "state = 'reading', trouble = NULL, tries = tries + 1, version = version + 1"
        )

    def set_state(self, frame: str, state: FrameState, trouble: object = None) -> None:
        """Say what became of a frame. FrameUnknown if it was deleted meanwhile."""
        text = None if trouble is None else json.dumps(trouble)
        self._change(frame, "state = ?, trouble = ?, version = version + 1", state, text)

    def _change(self, frame: str, changes: str, *values: object) -> None:
        with self._database.transaction() as connection:
            query = f"UPDATE frames SET {changes} WHERE id = ?"
            if not connection.execute(query, (*values, frame)).rowcount:
                raise FrameUnknown(frame=frame)

    def read_again(self, frame: str, lens: Mapping[str, Any] | None) -> Frame:
        """Have a frame that was not read wait for its reading again, with this lens if given."""
        text = None if lens is None else json.dumps(dict(lens))
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE frames SET state = 'waiting', trouble = NULL, version = version + 1,"
                " tries = 0, lens = coalesce(?, lens)"
                " WHERE id = ? AND state IN ('not_seen', 'failed')",
                (text, frame),
            )
        return self.get(frame)

    def set_seen(
        self, frame: str, seen: str, deck: str, deck_digest: str, picture: Picture | None = None
    ) -> None:
        """Keep what was seen in a frame, with the deck it was read with, as JSON texts.

        A `picture` takes the place of the frame's in the same step, as in `replace_picture`.
        """

        def keep(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR IGNORE INTO decks VALUES (?, ?)", (deck_digest, deck))
            changed = connection.execute(
                "UPDATE frames SET state = 'read', trouble = NULL, seen = ?, deck = ?,"
                " version = version + 1 WHERE id = ?",
                (seen, deck_digest, frame),
            )
            if not changed.rowcount:
                raise FrameUnknown(frame=frame)

        if picture is not None:
            self._replace(self.get(frame), picture, keep)
            return
        with self._database.transaction() as connection:
            keep(connection)

    def seen(self, frame: str) -> tuple[str, str] | None:
        """What was seen in a frame and the deck it was read with, as JSON texts; None: not read."""
        row = self._database.row(
            "SELECT frames.seen, decks.data FROM frames JOIN decks ON decks.digest = frames.deck"
            " WHERE frames.id = ?",
            (frame,),
        )
        return None if row is None else (str(row[0]), str(row[1]))

    def read_as_they_came(self) -> list[str]:
        """The frames that were read and whose picture is the one that came, the newest first."""
        rows = self._database.rows(
            "SELECT id FROM frames WHERE state = 'read' AND substr(sha256, 1, length(id)) = id"
            " ORDER BY seq DESC"
        )
        return [str(row["id"]) for row in rows]

    def replace_picture(self, frame: Frame, picture: Picture) -> None:
        """Put another picture in the place of a frame's, for good; its id stays. StoreTrouble.

        Each is written down as to be deleted while it is needless, so that at every moment a
        stop leaves the one or the other, and the start-up check removes the rest.
        """
        self._replace(frame, picture, lambda _connection: None)

    def _replace(
        self, frame: Frame, picture: Picture, keep: Callable[[sqlite3.Connection], None]
    ) -> None:
        """`keep` is done in the transaction that replaces the picture."""
        digest, photo = hashlib.sha256(picture.data).hexdigest(), picture.photo
        old, new = self.path(frame).name, f"{digest}.{photo.kind}"
        doomed = "INSERT OR IGNORE INTO deletions VALUES (?)"
        facts = (digest, photo.kind, len(picture.data), photo.width, photo.height)
        with self.adding:
            with self._database.transaction() as connection:
                connection.execute(doomed, (new,))
            write_whole(self._files, self._folder / new, picture.data)
            try:
                with self._database.transaction() as connection:
                    keep(connection)
                    changed = connection.execute(
                        "UPDATE frames SET came_sha256 = coalesce(came_sha256, sha256), sha256 = ?,"
                        " kind = ?, bytes = ?, width = ?, height = ?, version = version + 1"
                        " WHERE id = ? AND sha256 = ?",
                        (*facts, frame.id, frame.sha256),
                    )
                    if not changed.rowcount:
                        raise FrameUnknown(frame=frame.id)
                    connection.execute("DELETE FROM deletions WHERE file = ?", (new,))
                    connection.execute(doomed, (old,))
            except FrameUnknown:
                self._remove_file(new)
                raise
        self._remove_file(old)
        self._database.fold_log()

    def protect(self, frame: str, protected: bool) -> None:
        """Keep a frame when space runs short, or no longer."""
        self._change(frame, "protected = ?", int(protected))

    def delete(self, frame: str, check: Callable[[Frame], None] = lambda _frame: None) -> None:
        """Remove a frame for good. FrameProtected if a round needs it.

        `check` raises where the frame, as it is in the very step, is to stay.
        """
        try:
            with self._database.transaction() as connection:
                found = self.get(frame)
                check(found)
                file = self.path(found).name
                connection.execute("DELETE FROM frames WHERE id = ?", (frame,))
                connection.execute("INSERT OR IGNORE INTO deletions VALUES (?)", (file,))
        except sqlite3.IntegrityError as error:
            raise FrameProtected(frame=frame) from error
        self._remove_file(file)
        self._database.fold_log()

    def _remove_file(self, file: str) -> None:
        """Finish a deletion that is written down."""
        try:
            self._files.remove(self._folder / file)
            self._files.sync_folder(self._folder)
            self.small.forget(file.partition(".")[0])
        except OSError as error:
            raise disk_trouble(error, self._folder / file) from error
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM deletions WHERE file = ?", (file,))

    def check_room(self) -> None:
        """StoreFull if no photo fits, however many old ones made room for it."""
        free = self._files.free_bytes(self._folder)
        if free < self._reserve_bytes and free + self._removable_bytes() < self._reserve_bytes:
            raise StoreFull

    def sweep_small(self) -> None:
        """Remove small pictures of photos that are gone."""
        rows = self._database.rows("SELECT sha256 FROM frames")
        try:
            self.small.sweep({str(row["sha256"]) for row in rows})
        except OSError as error:
            raise disk_trouble(error, self._folder) from error

    def make_room(self, size_bytes: int) -> tuple[str, ...]:
        """Remove the oldest frames that nothing protects until this much fits; their ids.

        StoreFull if it would not fit even without all of them; then none is removed.
        """
        removed: list[str] = []
        needed = size_bytes + self._reserve_bytes
        while (free := self._files.free_bytes(self._folder)) < needed:
            oldest = self._database.row(
                f"SELECT id FROM frames WHERE {_MAY_GO} ORDER BY seq LIMIT 1"
            )
            if oldest is None or free + self._removable_bytes() < needed:
                raise StoreFull
            self.delete(oldest["id"])
            removed.append(oldest["id"])
        return tuple(removed)

    def _removable_bytes(self) -> int:
        return self._figure(f"total(bytes) FROM frames WHERE {_MAY_GO}")

    def total_bytes(self) -> int:
        """How many bytes all photos have together."""
        return self._figure("total(bytes) FROM frames")

    def count(self) -> int:
        """How many frames there are."""
        return self._figure("count(*) FROM frames")

    def _figure(self, what: str) -> int:
        row = self._database.row(f"SELECT {what}")
        return 0 if row is None else int(row[0])

    def _find(self, column: str, value: str | None) -> Frame | None:
        row = self._database.row(f"SELECT {_COLUMNS} FROM frames WHERE {column} = ?", (value,))
        return None if row is None else self._readable.one("frames", row, frame_of)


def raise_version(connection: sqlite3.Connection, frame: str, expected: int) -> int:
    """Take the next version of a frame inside a transaction: it, or VersionConflict."""
    row = connection.execute("SELECT version FROM frames WHERE id = ?", (frame,)).fetchone()
    if row is None:
        raise FrameUnknown(frame=frame)
    if row["version"] != expected:
        raise VersionConflict(expected=expected, found=row["version"])
    connection.execute("UPDATE frames SET version = version + 1 WHERE id = ?", (frame,))
    return expected + 1
