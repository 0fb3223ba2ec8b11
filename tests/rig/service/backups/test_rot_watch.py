from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from pathlib import Path

import pytest

from rig.service import app
from rig.service.backups.rot_watch import watch_for_rot
from rig.store.checkup import Finding
from rig.store.frame import NewFrame, PhotoFacts
from rig.store.store import Store
from tests.rig.service.table_top import table_top


def test_every_photo_is_looked_at_and_rot_is_told_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    photo = PhotoFacts("jpeg", 4, 3)
    frames = [
        store.frames.add(NewFrame(bytes([n]), photo, "a.jpg", "upload", "2024-01-01")).frame
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


def test_a_running_rig_looks_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "changed_pictures", lambda _: [])  # the look at the start
    monkeypatch.setattr(app, "watch_for_rot", functools.partial(watch_for_rot, every_s=0.05))
    with table_top(tmp_path / "rig") as rig:
        frames = rig.store.frames
        frames.path(frames.get(rig.frame())).write_bytes(b"rot")
        until = time.monotonic() + 20
        while "picture-changed" not in {one["key"] for one in rig.get("/ready").json()["problems"]}:
            assert time.monotonic() < until
            time.sleep(0.05)
