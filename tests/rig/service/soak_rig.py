"""The service of `quick_rig` on a disk that can be full and a clock that runs fast and steps.

    python -m tests.rig.service.soak_rig FOLDER CAMERA

FOLDER/../full: while it is there, the disk takes no photo. FOLDER/../clock: how many times as
fast as others the clock runs, the monotonic time at which it began, and by how many seconds it
is wrong.
"""

from __future__ import annotations

import errno
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

FULL, CLOCK = "full", "clock"
BEGUN_AT = 1_800_000_000.0


def clock_of(file: Path) -> float:
    """What the fast clock says, in seconds since 1970."""
    speed, begun, wrong_s = map(float, file.read_text().split())
    return BEGUN_AT + (time.monotonic() - begun) * speed + wrong_s


def main() -> None:
    beside = Path(sys.argv[1]).parent
    time.time = lambda: clock_of(beside / CLOCK)

    from rig.service.assembly import Assembly
    from rig.store.file_layer import DiskFiles
    from tests.rig.service import quick_rig

    write, free_bytes, say_port = DiskFiles.write, DiskFiles.free_bytes, quick_rig.say_port

    def write_if_room(self: DiskFiles, path: Path, data: bytes) -> None:
        if (beside / FULL).exists():
            write(self, path, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        write(self, path, data)

    def free(self: DiskFiles, folder: Path) -> int:
        return 0 if (beside / FULL).exists() else free_bytes(self, folder)

    def on_ready(assembly: Assembly) -> None:
        clock = lambda: datetime.fromtimestamp(clock_of(beside / CLOCK), UTC)  # noqa: E731
        assembly.access.clock.read = clock
        say_port(assembly)

    for owner, name, value in (
        (DiskFiles, "write", write_if_room),
        (DiskFiles, "free_bytes", free),
        (quick_rig, "say_port", on_ready),
    ):
        setattr(owner, name, value)
    quick_rig.main()


if __name__ == "__main__":
    main()
