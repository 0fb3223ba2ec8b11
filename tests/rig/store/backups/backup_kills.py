"""Killed with -9 in the midst of a backup or of restoring one: nothing kept may be lost.

    python -m tests.rig.store.backups.backup_kills --seed 0 --count 50

A killed backup leaves no half backup that counts, and the data as they were. A killed restoration
leaves what the folder had, and is completed by doing it again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from rig.store.backups.backup import backups_in
from rig.store.backups.backup_check import check_backup
from rig.store.backups.restore import restore
from rig.store.frame import NewFrame, PhotoFacts
from rig.store.store import PICTURES, Store
from tests.rig.store.real_rows import CORRECTION

ROOT = Path(__file__).parents[4]
FRAMES, PHOTO_BYTES = 120, 200_000
LONGEST_S = 0.5
JPEG = PhotoFacts("jpeg", 640, 480)
BACK_UP = """
import sys; from pathlib import Path
from rig.store.backups.backup import backup_name, write_backup
folder = Path(sys.argv[1]); (folder / "backups").mkdir(exist_ok=True)
print("begun", flush=True)
while True: write_backup(folder, folder / "backups" / backup_name("2024"), "2024", "1")
"""
RESTORE = """
import sys; from pathlib import Path
from rig.store.backups.restore import restore
from rig.store.store import Store
store = Store(Path(sys.argv[1]), reserve_bytes=0)
print("begun", flush=True)
restore(Path(sys.argv[2]), store)
"""


def filled(folder: Path, first: int, rng: np.random.Generator) -> Store:
    store = Store(folder, reserve_bytes=0)
    for n in range(first, first + FRAMES):
        photo = NewFrame(
            rng.bytes(PHOTO_BYTES), JPEG, f"{n}.jpg", "upload", f"2024-01-01T00:00:00.{n:06d}"
        )
        frame = store.frames.add(photo).frame.id
        store.corrections.add(frame, CORRECTION, "A", "2024", 1)
    return store


def killed(program: str, after_s: float, *arguments: Path) -> None:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"begun"
    time.sleep(after_s)
    process.kill()
    process.wait()
    process.stdout.close()


def photos_of(store: Store) -> dict[str, bytes]:
    return {frame.id: store.frames.picture(frame) for frame in store.frames.latest(10_000)}


def cut_backup(folder: Path, after_s: float) -> None:
    """A backup is whole or it does not count, and what is kept is as it was."""
    killed(BACK_UP, after_s, folder)
    store = Store(folder, reserve_bytes=0)
    assert len(photos_of(store)) == FRAMES
    assert store.check_up() == []
    store.close()
    for file in backups_in(folder / "backups"):
        assert len(check_backup(file).photos) == FRAMES
        file.unlink()


def cut_restore(folder: Path, backup: Path, wanted: dict[str, bytes], after_s: float) -> str:
    """What the folder had is there afterwards, and a second go brings the rest."""
    killed(RESTORE, after_s, folder, backup)
    store = Store(folder, reserve_bytes=0)
    written = len(list((folder / PICTURES).iterdir()))
    rows = store.frames.count()
    assert rows in (1, FRAMES + 1), "all rows come in one step"
    store.check_up()
    restore(backup, store)
    found = photos_of(store)
    assert {frame: found[frame] for frame in wanted} == wanted
    assert len(found) == FRAMES + 1, "what was newer in the folder stays"
    assert [one.key for one in store.check_up()] in ([], ["files-lost"])
    assert store.database.read_only is None
    store.close()
    return f"{written} photos and {rows} rows were there"


def run(seed: int, count: int, folder: Path) -> None:
    rng = np.random.default_rng(seed)
    store = filled(folder / "rig", 0, rng)
    wanted = photos_of(store)
    store.close()
    for number in range(count):
        cut_backup(folder / "rig", float(rng.uniform(0, LONGEST_S)))
        sys.stdout.write(f"backup {number + 1}: nothing lost\n")
    from rig.store.backups.backup import write_backup

    backup = folder / "b.zip"
    write_backup(folder / "rig", backup, "2024", "1")
    for number in range(count):
        with tempfile.TemporaryDirectory(dir=folder) as name:
            newer = Store(Path(name) / "rig", reserve_bytes=0)
            newer.frames.add(NewFrame(b"newer", JPEG, "n.jpg", "upload", "2999-01-01"))
            newer.close()
            after_s = float(rng.uniform(0, LONGEST_S))
            told = cut_restore(Path(name) / "rig", backup, wanted, after_s)
        sys.stdout.write(f"restore {number + 1}: {told}; complete after a second go\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=50)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(wanted.seed, wanted.count, Path(folder))
    sys.stdout.write(f"{wanted.count} kills of each, nothing was lost\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
