"""The power goes in the midst of a backup or of restoring one: nothing kept may be lost.

    python -m tests.rig.store.backups.backup_cuts --seed 0 --count 50

The files are real, and damaged afterwards as a disk leaves them: what was not synced is cut off
or zeroed, and of the folder's unsynced changes only the first few have happened. In every third
restoration the cut meets the database's commit, of which a part is in its log.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from rig.store.backups.backup import backups_in, write_backup
from rig.store.backups.backup_check import check_backup
from rig.store.backups.restore import restore
from rig.store.file_layer import DiskFiles
from rig.store.frame import NewFrame, PhotoFacts
from rig.store.store import DATABASE, Store
from tests.rig.store.dropping_files import PowerCut
from tests.rig.store.power_cuts import torn
from tests.rig.store.real_rows import CORRECTION

FRAMES, PHOTO_BYTES = 12, 3000
JPEG = PhotoFacts("jpeg", 640, 480)


class CutFiles(DiskFiles):
    """The disk, until the power goes at the step `cut_at`."""

    def __init__(self, cut_at: int) -> None:
        self.cut_at, self.steps = cut_at, 0
        self.synced: set[Path] = set()
        self.unsynced: set[Path] = set()
        self.pending: list[tuple[Path, Path, bytes | None]] = []

    def _step(self) -> None:
        if self.steps >= self.cut_at:
            raise PowerCut
        self.steps += 1

    def write(self, path: Path, data: bytes) -> None:
        self.unsynced.add(path)
        self.synced.discard(path)
        super().write(path, data)
        self._step()

    def sync_file(self, path: Path) -> None:
        self.unsynced.add(path)  # whoever wrote it may have written it past this layer
        self._step()
        super().sync_file(path)
        self.unsynced.discard(path)
        self.synced.add(path)

    def rename(self, source: Path, target: Path) -> None:
        self._step()
        before = target.read_bytes() if target.exists() else None
        super().rename(source, target)
        self.pending.append((source, target, before))
        if source not in self.synced:
            self.unsynced.discard(source)
            self.unsynced.add(target)
        self.synced.discard(source)

    def sync_folder(self, folder: Path) -> None:
        self._step()
        super().sync_folder(folder)
        self.pending = [one for one in self.pending if one[1].parent != folder]

    def remove(self, path: Path) -> None:
        self._step()
        super().remove(path)

    def lose_what_was_not_synced(self, rng: np.random.Generator) -> None:
        for path in self.unsynced:
            if path.exists():
                content = path.read_bytes()
                kept = int(rng.integers(len(content) + 1))
                rest = bytes(len(content) - kept) * int(rng.integers(2))
                path.write_bytes(content[:kept] + rest)
        undone = int(rng.integers(len(self.pending) + 1))
        for source, target, before in reversed(self.pending[len(self.pending) - undone :]):
            target.replace(source)
            if before is not None:
                target.write_bytes(before)


def filled(folder: Path, rng: np.random.Generator) -> Store:
    store = Store(folder, reserve_bytes=0)
    for n in range(FRAMES):
        photo = NewFrame(
            rng.bytes(PHOTO_BYTES), JPEG, f"{n}.jpg", "upload", f"2024-01-01T00:00:00.{n:06d}"
        )
        frame = store.frames.add(photo).frame.id
        store.corrections.add(frame, CORRECTION, "A", "2024", 1)
    return store


def photos_of(store: Store) -> dict[str, bytes]:
    return {frame.id: store.frames.picture(frame) for frame in store.frames.latest(10_000)}


def cut_backup(folder: Path, backups: Path, rng: np.random.Generator) -> str:
    """A backup is whole or does not count, an older one stays, and what is kept is as it was."""
    older, newer = backups / "tacta-1.zip", backups / "tacta-2.zip"
    write_backup(folder, older, "2024", "1")
    files = CutFiles(int(rng.integers(4)))
    try:
        write_backup(folder, newer, "2024", "1", files=files)
    except PowerCut:
        files.lose_what_was_not_synced(rng)
    found = backups_in(backups)
    assert older in found
    for file in found:
        assert len(check_backup(file).photos) == FRAMES
    with_store(folder, lambda store: len(photos_of(store)) == FRAMES and not store.check_up())
    shutil.rmtree(backups)
    backups.mkdir()
    return f"step {files.steps}, {len(found)} whole"


def cut_restore(
    folder: Path, backup: Path, wanted: dict[str, bytes], rng: np.random.Generator
) -> str:
    """What the folder had is there afterwards, and a second go brings the rest."""
    newer = Store(folder, reserve_bytes=0)
    newer.frames.add(NewFrame(b"newer", JPEG, "n.jpg", "upload", "2999-01-01"))
    in_commit = rng.integers(3) == 0
    files = CutFiles(10**9 if in_commit else int(rng.integers(4 * FRAMES + 1)))
    after = folder.with_name("after")
    try:
        if in_commit:
            _tear_the_commit(newer, rng)
        restore(backup, newer, files=files)
    except PowerCut:
        log = folder / f"{DATABASE}-wal.torn"
        torn_log = log.read_bytes() if log.exists() else None
        shutil.copytree(folder, after)
        files.pending = [
            (after / a.relative_to(folder), after / b.relative_to(folder), was)
            for a, b, was in files.pending
        ]
        files.unsynced = {after / path.relative_to(folder) for path in files.unsynced}
        files.lose_what_was_not_synced(rng)
        (after / f"{DATABASE}-shm").unlink(missing_ok=True)
        if torn_log is not None:
            (after / f"{DATABASE}-wal").write_bytes(torn_log)
            (after / log.name).unlink()
    else:
        newer.close()
        shutil.copytree(folder, after)
    store = Store(after, reserve_bytes=0)
    rows = store.frames.count()
    assert rows in (1, FRAMES + 1), "all rows come in one step"
    assert b"newer" in photos_of(store).values()
    store.check_up()
    restore(backup, store)
    found = photos_of(store)
    assert {frame: found[frame] for frame in wanted} == wanted
    assert len(found) == FRAMES + 1, "what was newer in the folder stays"
    assert {one.key for one in store.check_up()} <= {"files-lost"}
    store.close()
    return f"{'commit' if in_commit else f'step {files.steps}'}, {rows} rows"


def _tear_the_commit(store: Store, rng: np.random.Generator) -> None:
    """The power goes inside the commit: only a part of what it writes to the log arrives."""
    beside = store.database.beside
    log = store.folder / f"{DATABASE}-wal"

    @contextmanager
    def torn_beside(other: Path) -> Iterator[Any]:
        before = log.read_bytes() if log.exists() else b""
        with beside(other) as connection:
            yield connection
        aside = log.with_name(f"{log.name}.torn")
        aside.write_bytes(torn(before, log.read_bytes(), rng))
        raise PowerCut

    store.database.beside = torn_beside  # type: ignore[method-assign]


def with_store(folder: Path, holds: Callable[[Store], bool]) -> None:
    store = Store(folder, reserve_bytes=0)
    assert holds(store)
    store.close()


def run(seed: int, count: int, folder: Path) -> list[str]:
    """So many cuts of each; what was there after each."""
    rng = np.random.default_rng(seed)
    store = filled(folder / "rig", rng)
    wanted = photos_of(store)
    store.close()
    backups, backup = folder / "backups", folder / "b.zip"
    backups.mkdir()
    write_backup(folder / "rig", backup, "2024", "1")
    told = [f"backup: {cut_backup(folder / 'rig', backups, rng)}" for _ in range(count)]
    for _ in range(count):
        with tempfile.TemporaryDirectory(dir=folder) as name:
            told.append(f"restore: {cut_restore(Path(name) / 'rig', backup, wanted, rng)}")
    return told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=50)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        told = run(wanted.seed, wanted.count, Path(folder))
    sys.stdout.write("\n".join(told))
    sys.stdout.write(f"\n{wanted.count} power cuts of each, nothing was lost\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
