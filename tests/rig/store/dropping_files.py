"""A file layer that forgets what was not synced, as a disk does when the power goes.

Content that was not synced is cut off, zeroed or empty afterwards; of a
folder's unsynced entries only the first few, in order, have happened.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from rig.store.file_layer import DiskFiles


class PowerCut(BaseException):
    """Nothing runs after this: it is no Exception, so that no clean-up code catches it."""


@dataclass
class Inode:
    content: bytes
    synced: bytes | None = None


Entries = dict[str, Inode]
Change = Callable[[Entries], None]


@dataclass
class Folder:
    now: Entries = field(default_factory=dict)
    synced: Entries = field(default_factory=dict)
    pending: list[Change] = field(default_factory=list)

    def change(self, change: Change) -> None:
        change(self.now)
        self.pending.append(change)


class DroppingFiles(DiskFiles):
    """`cut_at`: the number of the step at which the power goes, None: never."""

    def __init__(self, cut_at: int | None = None, room_bytes: int = 10**12) -> None:
        self.folders: dict[Path, Folder] = {}
        self.steps = 0
        self.cut_at = cut_at
        self.room_bytes = room_bytes

    def _step(self) -> None:
        if self.cut_at is not None and self.steps >= self.cut_at:
            raise PowerCut
        self.steps += 1

    def make_folder(self, folder: Path) -> None:
        self.folders.setdefault(folder, Folder())
        folder.mkdir(parents=True, exist_ok=True)  # the database beside it is a real file

    def write(self, path: Path, data: bytes) -> None:
        self._step()
        if len(data) > self.free_bytes(path.parent):
            half = Inode(data[: len(data) // 2])
            self.folders[path.parent].change(lambda entries: entries.update({path.name: half}))
            raise OSError(errno.ENOSPC, "No space left on device")
        inode = Inode(data)
        self.folders[path.parent].change(lambda entries: entries.update({path.name: inode}))

    def sync_file(self, path: Path) -> None:
        self._step()
        inode = self.folders[path.parent].now[path.name]
        inode.synced = inode.content

    def sync_folder(self, folder: Path) -> None:
        if folder not in self.folders:
            return
        self._step()
        self.folders[folder].synced = dict(self.folders[folder].now)
        self.folders[folder].pending = []

    def rename(self, source: Path, target: Path) -> None:
        self._step()

        def change(entries: Entries) -> None:
            entries[target.name] = entries.pop(source.name)

        if source.parent == target.parent:
            self.folders[source.parent].change(change)
            return
        inode = self.folders[source.parent].now[source.name]

        def arrive(entries: Entries) -> None:
            entries[target.name] = inode

        def leave(entries: Entries) -> None:
            entries.pop(source.name, None)

        self.folders[target.parent].change(arrive)
        self.folders[source.parent].change(leave)

    def remove(self, path: Path) -> None:
        self._step()

        def change(entries: Entries) -> None:
            entries.pop(path.name, None)

        self.folders[path.parent].change(change)

    def read(self, path: Path) -> bytes:
        try:
            return self.folders[path.parent].now[path.name].content
        except KeyError:
            raise FileNotFoundError(errno.ENOENT, "No such file", str(path)) from None

    def names(self, folder: Path) -> list[str]:
        return sorted(self.folders[folder].now)

    def free_bytes(self, folder: Path) -> int:
        return self.room_bytes - sum(len(i.content) for i in self.folders[folder].now.values())

    def after_the_cut(self, rng: np.random.Generator, folder: Path, target: Path) -> None:
        """Write what the disk holds of `folder` once the power is back to a real folder."""
        held = self.folders[folder]
        entries = dict(held.synced)
        for change in held.pending[: rng.integers(len(held.pending) + 1)]:
            change(entries)
        target.mkdir(parents=True)
        for name, inode in entries.items():
            content = inode.synced if inode.synced is not None else _torn(inode.content, rng)
            (target / name).write_bytes(content)


def _torn(content: bytes, rng: np.random.Generator) -> bytes:
    kept = int(rng.integers(len(content) + 1))
    return content[:kept] + bytes(len(content) - kept) * int(rng.integers(2))
