from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from rig.service.rot_watch import watch_for_rot
from rig.store.checkup import Finding
from rig.store.frames import NewFrame, PhotoFacts
from rig.store.store import Store


def test_every_photo_is_looked_at_and_rot_is_told_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    photo = PhotoFacts("jpeg", 4, 3)
    frames = [
        store.frames.add(NewFrame(bytes([n]), photo, "a.jpg", "upload", "2024")).frame
        for n in range(30)
    ]
    rotten, lost = frames[0], frames[5]
    store.frames.path(rotten).write_bytes(b"rot")
    store.frames.path(lost).unlink()
    findings: list[Finding] = []

    async def run() -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(watch_for_rot(store, findings, 0.0), 1.5)

    asyncio.run(run())
    store.close()
    assert [(found.key, found.subject) for found in findings] == [("picture-changed", rotten.id)]
