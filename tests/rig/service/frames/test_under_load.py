"""A slow, full or dead disk: what only looks goes on, and nothing is called what it is not."""

from __future__ import annotations

import errno
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from rig.service.frames import reading_queue
from rig.store.database import Database
from rig.store.file_layer import DiskFiles
from rig.store.probe import Probe
from rig.store.store import Store
from rig.store.trouble import StoreFull, StoreUnusable
from tests.rig.service.table_top import TableTop, jpeg


def test_a_stalled_write_holds_up_no_look(network_rig: TableTop) -> None:
    rig = network_rig
    token = rig.pairing.pair(rig.pairing.invite("player").pin, "Ada", "t")[1]
    bearer = {"Authorization": f"Bearer {token}"}
    rig.get("/frames", **bearer)
    stalled, over = threading.Event(), threading.Event()

    def stall() -> None:
        with rig.store.database.transaction() as connection:
            connection.execute("UPDATE frames SET version = version")
            stalled.set()
            over.wait(120)

    writing = threading.Thread(target=stall)
    writing.start()
    assert stalled.wait(5)
    try:
        for path in ("/health", "/me", "/frames", "/state", "/matches"):
            assert rig.get(path, **bearer).status_code == 200
        assert rig.client.get("/").status_code == 200
        assert writing.is_alive()
    finally:
        over.set()
        writing.join()


def test_a_transaction_sees_its_own_rows_and_nobody_else_does(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    count = "SELECT count(*) FROM marks"
    seen: list[int] = []
    with store.database.transaction() as connection:
        connection.execute("INSERT INTO marks VALUES ('x')")
        looking = threading.Thread(target=lambda: seen.append(store.database.rows(count)[0][0]))
        looking.start()
        looking.join()
        seen.append(store.database.rows(count)[0][0])
    seen.append(store.database.rows(count)[0][0])
    store.close()
    assert seen == [0, 1, 1]


@pytest.mark.parametrize("trouble", [StoreFull(), StoreUnusable(path="x", why="I/O error")])
def test_a_reading_goes_on_when_there_is_room(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    monkeypatch.setattr(reading_queue, "AGAIN_S", 0.2)
    keep = rig.store.frames.set_seen
    fails = [trouble] * 3

    def full(*arguments: Any) -> None:
        if fails:
            raise fails.pop()
        keep(*arguments)

    monkeypatch.setattr(rig.store.frames, "set_seen", full)
    frame = rig.upload(Prefer="respond-async").json()["id"]
    until = time.monotonic() + 10
    while rig.get(f"/frames/{frame}").json()["state"] != "read":
        assert time.monotonic() < until
        time.sleep(0.05)
    assert rig.reader.read_names == ["a.jpg"], "it is not read again for that"


class BadDisk(DiskFiles):
    """Fails at each write, or never returns."""

    def __init__(self, error: int | None) -> None:
        self.error = error

    def write(self, path: Path, data: bytes) -> None:
        if self.error is None:
            time.sleep(2)
            return
        raise OSError(self.error, "bad disk")

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: None


@pytest.mark.parametrize(
    ("error", "code"),
    [(errno.ENOSPC, "store-full"), (errno.EIO, "store-unusable"), (None, "store-unusable")],
)
def test_readiness_is_found_by_keeping_something(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch, error: int | None, code: str
) -> None:
    assert rig.get("/ready").status_code == 200
    monkeypatch.setattr("rig.store.probe.PATIENCE_S", 0.2)
    probe = Probe(rig.store.folder, BadDisk(error))
    monkeypatch.setattr(probe, "check", lambda: Probe.check(probe, 0.2))
    monkeypatch.setattr(rig.store, "probe", probe)
    answer = rig.get("/ready")
    assert answer.status_code == 503
    assert [problem["key"] for problem in answer.json()["problems"]] == [code]
    assert rig.get("/health").status_code == 200


def test_a_disk_that_nothing_fits_on_is_not_ready(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rig.store.frames, "_reserve_bytes", 10**18)
    answer = rig.get("/ready")
    assert (answer.status_code, answer.json()["problems"][0]["key"]) == (503, "store-full")
    assert rig.upload(jpeg(1)).status_code == 507


def test_an_io_error_is_not_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(tmp_path / "rig").close()
    found = "*** in database main ***\nTree 5 page 3: unable to get the page. error code=266"

    class Broken(sqlite3.Connection):
        def execute(self, query: str, *values: Any) -> Any:
            if query.startswith("PRAGMA quick_check"):
                return [(found,)]
            return super().execute(query, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **k, factory=Broken))
    with pytest.raises(StoreUnusable, match="I/O"):
        Database(tmp_path / "rig" / "rig.db")
