from __future__ import annotations

from pathlib import Path

import pytest

from rig.doctor.machine import check_kept
from rig.store.frame import NewFrame, PhotoFacts
from rig.store.store import Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    facts = PhotoFacts("jpeg", 4, 3)
    store.frames.add(NewFrame(b"photo", facts, "a.jpg", "upload", "2024-01-01T12:00:00+00:00"))
    store.close()
    return tmp_path / "rig"


def test_a_folder_in_order_or_none_is_good(folder: Path, tmp_path: Path) -> None:
    assert check_kept(folder).status == "good"
    assert check_kept(tmp_path / "none").status == "good"
    assert not (tmp_path / "none").exists()


def test_lost_and_unknown_photos_are_named(folder: Path) -> None:
    (folder / "lost").mkdir()
    (folder / "lost" / "holiday.png").write_bytes(b"x")
    found = check_kept(folder)
    assert (found.status, "holiday.png" in found.as_json()["found"]) == ("look", True)
    (folder / "rig.db").unlink()
    found = check_kept(folder)
    assert (found.status, found.facts["unknown"]) == ("look", 1)
    assert "tacta restore" in found.as_json()["advice"]


def test_a_damaged_database_is_bad(folder: Path) -> None:
    (folder / "rig.db").write_bytes(b"no database" * 999)
    assert check_kept(folder).status == "bad"
