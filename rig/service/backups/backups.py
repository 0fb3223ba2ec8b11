"""Backups that the rig makes by itself, once a day, and those that somebody asked for."""

import asyncio
import contextlib
import shutil
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from rig.store.backups.backup import backup_name, backups_in, is_daily, write_backup
from rig.store.backups.restore import Restored, restore
from rig.store.checkup import Finding
from rig.store.layout import BACKUPS
from rig.store.store import RESERVE_BYTES, Store
from rig.store.trouble import BackupFolderMissing, BackupUnknown, StoreFull
from rig.trouble import Trouble

KEPT = 7
"""So many of the daily backups are kept."""
EVERY = timedelta(days=1)
LOOK_EVERY_S = 600.0
FIRST_LOOK_S = 60.0
SPARE_BYTES = 1_000_000_000
"""On the disk of the photos themselves a backup leaves this free beside the store's reserve."""


class Backups:
    """The backups of a store: in its own folder, or on a second disk where one is named."""

    def __init__(
        self,
        store: Store,
        folder: Path | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`folder`: on a second disk; it has to be there, for its disk may not be mounted."""
        self._store = store
        self._second = folder is not None
        self._clock = clock
        self._lock = threading.Lock()
        self.folder = folder or store.folder / BACKUPS
        self.problem: Finding | None = None

    def all(self) -> list[Path]:
        """The backups there are, the newest first."""
        return backups_in(self.folder)

    def find(self, name: str) -> Path:
        """The backup of this name. BackupUnknown."""
        for file in self.all():
            if file.name == name:
                return file
        raise BackupUnknown(file=name)

    def make(self, daily: bool = False) -> Path:
        """Make a backup now. StoreTrouble if it cannot be made."""
        self._store.database.check_writable()
        with self._lock:
            self._make_folder()
            with_photos = self._has_room()
            if not with_photos and self._second:
                raise StoreFull
            at = self._clock().astimezone(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"
            file = self.folder / backup_name(at, daily)
            write_backup(
                self._store.folder, file, at, metadata.version("tacta-rig"), with_photos=with_photos
            )
        self.problem = None if with_photos else Finding("backup-without-photos", "")
        return file

    def _make_folder(self) -> None:
        if self._second and not self.folder.is_dir():
            raise BackupFolderMissing(folder=self.folder)
        with contextlib.suppress(OSError):  # writing says what is wrong
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def _has_room(self) -> bool:
        """Whether the photos fit too. The rounds are small, and go before."""
        try:
            free = shutil.disk_usage(self.folder).free
        except OSError:
            return True  # writing says what is wrong
        spare = 0 if self._second else SPARE_BYTES + RESERVE_BYTES
        return free - self._store.frames.total_bytes() > spare

    def restore(self, name: str, dry_run: bool, with_access: bool = False) -> Restored:
        """Bring a backup into the store, or say what that would do."""
        with self._lock:
            return restore(self.find(name), self._store, dry_run, with_access=with_access)

    def delete(self, name: str) -> None:
        """Remove a backup for good."""
        with self._lock:
            self.find(name).unlink(missing_ok=True)

    def is_due(self) -> bool:
        """Whether no daily backup was made for a day, by the clock as it stands now."""
        newest = next((file for file in self.all() if is_daily(file)), None)
        if newest is None:
            return True
        made = datetime.fromtimestamp(newest.stat().st_mtime, UTC)
        return abs(self._clock() - made) >= EVERY  # a clock that was wrong then holds up nothing

    def make_daily(self) -> None:
        """Make the day's backup if it is due, and drop those that are too old. Never raises."""
        try:
            if self._store.frames.count() and self.is_due():
                self.make(daily=True)
            self._drop_old()
        except Trouble as trouble:
            self.problem = Finding("backup-failed", "", {"why": str(trouble)})
        except OSError as error:
            why = error.strerror or str(error)
            self.problem = Finding("backup-failed", "", {"why": why})

    def _drop_old(self) -> None:
        """Where room runs short on the photos' own disk, one daily backup has to do."""
        tight = not self._second and self._store.free_bytes() < SPARE_BYTES
        with self._lock:
            daily = [file for file in self.all() if is_daily(file)]
            for file in daily[1 if tight else KEPT :]:
                file.unlink(missing_ok=True)

    async def run(self) -> None:
        """Look every few minutes, for ever."""
        await asyncio.sleep(FIRST_LOOK_S)
        while True:
            if self._store.database.read_only is None:
                await run_in_threadpool(self.make_daily)
            await asyncio.sleep(LOOK_EVERY_S)
