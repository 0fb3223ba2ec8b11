"""Power cuts at random moments: what the store acknowledged must be there when it is back.

    python -m tests.rig.store.power_cuts --seed 0 --count 100

Photos go through the dropping file layer. The database's log is torn inside
the write that the cut meets: SQLite wrote it, and never heard that it arrived.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rig.store.frame import NewFrame, PhotoFacts
from rig.store.store import DATABASE, PICTURES, Store
from tests.rig.store.dropping_files import DroppingFiles, PowerCut
from tests.rig.store.real_rows import CORRECTION, MATCH, ROUND

JPEG = PhotoFacts("jpeg", 640, 480)
MOST_STEPS = 60
Thing = TypeVar("Thing")


@dataclass
class Ledger:
    """What the store said was safe."""

    frames: dict[str, bytes] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    corrections: dict[int, str] = field(default_factory=dict)
    matches: set[str] = field(default_factory=set)
    rounds: dict[tuple[str, int], str | None] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)


class TornDatabase:
    """Cuts the power inside the n-th commit: only a part of what it wrote to the log arrives."""

    def __init__(self, store: Store, rng: np.random.Generator, cut_at: int, aside: Path) -> None:
        self.store, self.rng, self.cut_at, self.aside = store, rng, cut_at, aside
        self.commits = 0
        self._transaction = store.database.transaction
        store.database.transaction = self.transaction  # type: ignore[method-assign]

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        log = self.store.folder / f"{DATABASE}-wal"
        before = log.read_bytes() if log.exists() else b""
        with self._transaction() as connection:
            yield connection
        self.commits += 1
        if self.commits > self.cut_at:
            save_database(self.store.folder, self.aside, torn(before, log.read_bytes(), self.rng))
            raise PowerCut


def torn(before: bytes, after: bytes, rng: np.random.Generator) -> bytes:
    """The log with only the first part of what changed in it; the rest is as it was, or zero."""
    padded = before.ljust(len(after), b"\0")
    pairs = zip(padded, after, strict=False)
    first = next((i for i, (old, new) in enumerate(pairs) if old != new), len(after))
    arrived = int(rng.integers(first, len(after) + 1))
    return after[:arrived] + padded[arrived : len(after)]


def save_database(folder: Path, aside: Path, log: bytes | None = None) -> None:
    aside.mkdir(exist_ok=True)
    shutil.copy(folder / DATABASE, aside / DATABASE)
    source = folder / f"{DATABASE}-wal"
    if log is not None:
        (aside / source.name).write_bytes(log)
    elif source.exists():
        shutil.copy(source, aside / source.name)


def load(store: Store, ledger: Ledger, rng: np.random.Generator) -> None:
    """Work on the store for ever, writing down what it acknowledges."""
    works: list[Callable[[Store, Ledger, np.random.Generator], None]] = [
        _add, _add, _add, _see, _correct, _begin, _begin_round, _end_round, _delete,
    ]  # fmt: skip
    while True:
        works[rng.integers(len(works))](store, ledger, rng)


def _add(store: Store, ledger: Ledger, rng: np.random.Generator) -> None:
    data = rng.bytes(int(rng.integers(1, 5000)))
    added = store.frames.add(NewFrame(data, JPEG, "a.jpg", "upload", "2024-01-01"))
    ledger.frames[added.frame.id] = data
    for gone in added.removed:
        del ledger.frames[gone]


def _see(store: Store, ledger: Ledger, rng: np.random.Generator) -> None:
    for frame in _any(list(ledger.frames), rng):
        store.frames.set_seen(frame, "{}", "{}", "digest")
        ledger.seen.add(frame)


def _correct(store: Store, ledger: Ledger, rng: np.random.Generator) -> None:
    for frame in _any(list(ledger.frames), rng):
        version = store.frames.get(frame).version
        made = store.corrections.add(frame, CORRECTION, "A", "2024", version)
        ledger.corrections[made] = frame


def _begin(store: Store, ledger: Ledger, rng: np.random.Generator) -> None:
    match = f"m{rng.integers(10**9)}"
    store.matches.begin(match, "2024-01-01", MATCH)
    ledger.matches.add(match)


def _begin_round(store: Store, ledger: Ledger, rng: np.random.Generator) -> None:
    for match in _any(sorted(ledger.matches), rng):
        number = 1 + sum(key[0] == match for key in ledger.rounds)
        store.matches.begin_round(match, number, ROUND)
        ledger.rounds[match, number] = None


def _end_round(store: Store, ledger: Ledger, rng: np.random.Generator) -> None:
    open_rounds = [key for key, frame in ledger.rounds.items() if frame is None]
    for key in _any(open_rounds, rng):
        for frame in _any(list(ledger.frames), rng):
            store.matches.change_round(
                store.matches.round(*key), {**ROUND, "state": "ended"}, frame
            )
            ledger.rounds[key] = frame


def _delete(store: Store, ledger: Ledger, rng: np.random.Generator) -> None:
    kept = {*ledger.rounds.values(), *ledger.corrections.values()}
    for frame in _any([frame for frame in ledger.frames if frame not in kept], rng):
        data = ledger.frames.pop(frame)  # from here on it may be there or not
        ledger.seen.discard(frame)
        try:
            store.frames.delete(frame)
        except PowerCut:
            raise
        except Exception:
            ledger.frames[frame] = data
            raise
        ledger.deleted.add(frame)


def _any(things: list[Thing], rng: np.random.Generator) -> list[Thing]:
    return [things[rng.integers(len(things))]] if things else []


def run(seed: int, folder: Path) -> str:
    """One power cut. Returns where it came; AssertionError if something is lost."""
    rng = np.random.default_rng(seed)
    in_commit = bool(rng.integers(2))
    cut_at = int(rng.integers(MOST_STEPS))
    files = DroppingFiles(None if in_commit else cut_at)
    ledger = Ledger()
    before, after = folder / "before", folder / "after"
    try:
        store = Store(before, files, reserve_bytes=0)
        if in_commit:
            TornDatabase(store, rng, cut_at, after)
        load(store, ledger, rng)
    except PowerCut:
        if not in_commit and (before / DATABASE).exists():
            save_database(before, after)
    files.after_the_cut(rng, before / PICTURES, after / PICTURES)
    check(Store(after, reserve_bytes=0), ledger)
    return f"commit {cut_at}" if in_commit else f"file step {cut_at}"


def check(store: Store, ledger: Ledger) -> None:
    """Everything acknowledged is there, whole; and nothing half is."""
    findings = [*store.check_up(), *store.changed_pictures()]
    swept = {"file-unfinished", "files-lost"}
    assert not [f for f in findings if f.key not in swept], findings
    for frame, data in ledger.frames.items():
        assert store.frames.picture(store.frames.get(frame)) == data
        assert frame not in ledger.seen or store.frames.seen(frame) is not None
    for correction, frame in ledger.corrections.items():
        assert correction in [kept.id for kept in store.corrections.of(frame)]
    for match in ledger.matches:
        store.matches.get(match)
    for (match, number), ended in ledger.rounds.items():
        assert ended in (None, store.matches.round(match, number).frame)
    known = {kept.id for kept in store.frames.latest(10_000)}
    assert not known & ledger.deleted
    again = [found.key for found in store.check_up()]
    assert set(again) <= {"files-lost"}, "the second look finds nothing that was not moved"
    store.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    wanted = parser.parse_args()
    for seed in range(wanted.seed, wanted.seed + wanted.count):
        with tempfile.TemporaryDirectory() as folder:
            where = run(seed, Path(folder))
        sys.stdout.write(f"seed {seed}: {where}: nothing lost\n")
    sys.stdout.write(f"{wanted.count} power cuts, nothing acknowledged was lost\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
