from __future__ import annotations

from pathlib import Path

import pytest

from rig.service.running import served
from rig.service.running.served import FILE_NAME, Served, saying
from rig.store.trouble import StoreFull


def test_a_full_disk_keeps_nobody_from_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_of: object) -> None:
        raise StoreFull

    monkeypatch.setattr(served, "write_whole", full)
    with saying(tmp_path, Served("127.0.0.1", 8000)):
        assert not (tmp_path / FILE_NAME).exists()


def test_the_address_is_left_for_as_long_as_it_holds(tmp_path: Path) -> None:
    with saying(tmp_path, Served("127.0.0.1", 8000)):
        assert (tmp_path / FILE_NAME).exists()
    assert not (tmp_path / FILE_NAME).exists()
