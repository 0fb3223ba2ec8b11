"""Backups in the service: asked for, made by itself once a day, restored; and a read-only rig."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rig.service.backups import backups as service_backups
from rig.service.backups.backups import KEPT, Backups
from rig.store.backups.backup import is_daily
from rig.store.store import DATABASE, PICTURES, Store
from rig.store.trouble import BackupFolderMissing
from tests.rig.service.table_top import TableTop, jpeg, table_top


def problem_keys(rig: TableTop) -> list[str]:
    return [one["key"] for one in rig.get("/state").json()["problems"]]


def test_a_backup_is_made_fetched_and_restored(rig: TableTop, tmp_path: Path) -> None:
    frame = rig.frame()
    made = rig.post("/backups")
    assert made.status_code == 201, made.text
    name = made.json()["name"]
    assert [one["name"] for one in rig.get("/backups").json()["backups"]] == [name]
    assert rig.get(f"/backups/{name}").content[:2] == b"PK"
    rig.delete(f"/frames/{frame}")
    other = rig.frame(7)
    look = rig.post(f"/backups/{name}/restore", {}).json()
    assert (look["dry_run"], look["frames"], look["photos"]) == (True, 1, 1)
    assert rig.get(f"/frames/{frame}").status_code == 404
    assert rig.post(f"/backups/{name}/restore", {"dry_run": False}).json()["frames"] == 1
    assert rig.get(f"/frames/{frame}/picture").content == jpeg()
    assert rig.get(f"/frames/{other}").status_code == 200
    assert rig.delete(f"/backups/{name}").status_code == 204
    assert rig.get(f"/backups/{name}").json()["code"] == "backup-unknown"


def test_only_who_runs_the_table_may(network_rig: TableTop) -> None:
    for invited in ("host", "player"):  # the first of all becomes admin
        secret = network_rig.pairing.invite("player").code
        network_rig.client.cookies.clear()
        answer = network_rig.post("/pairing", {"secret": secret, "name": invited})
        assert answer.status_code == 201
    assert network_rig.get("/backups").status_code == 403
    assert network_rig.post("/backups").status_code == 403


def spoiled(folder: Path, how: Callable[[Path], None]) -> None:
    with table_top(folder) as rig:
        for seed in range(3):
            rig.frame(seed)
        rig.post("/backups")
    how(folder)


def without_database(folder: Path) -> None:
    for file in folder.glob(f"{DATABASE}*"):
        file.unlink()


def test_a_rig_without_its_database_only_shows_and_can_be_restored(tmp_path: Path) -> None:
    folder = tmp_path / "rig"
    spoiled(folder, without_database)
    with table_top(folder) as rig:
        ready = rig.get("/ready", **{"Accept-Language": "fr"})
        assert ready.status_code == 503
        assert "ne connaît pas 3 photos sur 3" in ready.json()["problems"][0]["sentence"]
        assert "store-read-only" in problem_keys(rig)
        refused = rig.upload(jpeg(9))
        assert (refused.status_code, refused.json()["code"]) == (503, "store-read-only")
        assert rig.post("/capture").json()["code"] == "store-read-only"
        assert rig.post("/matches", {"players": []}).status_code in (422, 503)
        assert len(list((folder / PICTURES).iterdir())) == 3
        (backup,) = rig.get("/backups").json()["backups"]
        done = rig.post(f"/backups/{backup['name']}/restore", {"dry_run": False})
        assert done.json()["frames"] == 3
        assert rig.get("/ready").status_code == 200
        assert rig.upload(jpeg(9)).status_code == 201
        assert problem_keys(rig) in ([], ["disk-low"])


def told(backups: Backups) -> str | None:
    return None if backups.problem is None else backups.problem.key


def test_what_a_backup_brings_unread_is_read(rig: TableTop) -> None:
    frame = rig.frame()
    rig.store.frames.set_state(frame, "waiting")
    name = rig.post("/backups").json()["name"]
    rig.delete(f"/frames/{frame}")
    rig.post(f"/backups/{name}/restore", {"dry_run": False})
    until = time.monotonic() + 10
    while rig.get(f"/frames/{frame}").json()["state"] != "read":
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    with table_top(tmp_path / "rig") as rig:
        rig.frame()
    return Store(tmp_path / "rig", reserve_bytes=0)


def aged(file: Path, by: timedelta) -> None:
    import os

    when = (datetime.now(UTC) - by).timestamp()
    os.utime(file, (when, when))


def test_one_a_day_and_seven_are_kept(store: Store) -> None:
    now = datetime.now(UTC)
    clock = [now]
    backups = Backups(store, clock=lambda: clock[0])
    asked_for = backups.make()
    for day in range(KEPT + 3):
        clock[0] = now + timedelta(days=day, minutes=day)
        backups.make_daily()
        backups.make_daily()
        newest = backups.all()[0]
        aged(newest, now - clock[0])
    daily = [file for file in backups.all() if is_daily(file)]
    assert len(daily) == KEPT == 7
    assert asked_for in backups.all()
    assert backups.problem is None
    store.close()


def test_a_running_rig_makes_it_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_backups, "FIRST_LOOK_S", 0.1)
    monkeypatch.setattr(service_backups, "LOOK_EVERY_S", 0.1)
    with table_top(tmp_path / "rig") as rig:
        rig.frame()
        until = time.monotonic() + 20
        while not any(is_daily(file) for file in rig.assembly.backups.backups.all()):
            assert time.monotonic() < until
            time.sleep(0.05)


def test_a_second_disk_that_is_not_there_is_told(store: Store, tmp_path: Path) -> None:
    backups = Backups(store, tmp_path / "second")
    with pytest.raises(BackupFolderMissing):
        backups.make()
    backups.make_daily()
    assert told(backups) == "backup-failed"
    assert not (tmp_path / "second").exists()
    (tmp_path / "second").mkdir()
    backups.make_daily()
    assert told(backups) is None
    assert [file.parent for file in backups.all()] == [tmp_path / "second"]
    store.close()


def test_where_room_runs_short_the_rounds_go_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rig.service.backups.backups.SPARE_BYTES", 10**18)
    backups = Backups(store)
    made = backups.make()
    assert made.stat().st_size < 100_000
    assert backups.problem is not None
    assert backups.problem.key == "backup-without-photos"
    store.close()
