from __future__ import annotations

from pathlib import Path

import pytest

from rig.store.file_layer import DiskFiles, write_whole
from tests.rig.store import power_cuts


@pytest.mark.parametrize("seed", range(12))
def test_nothing_acknowledged_is_lost(seed: int, tmp_path: Path) -> None:
    power_cuts.run(seed, tmp_path)


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    write_whole(DiskFiles(), tmp_path / "a", b"one")
    write_whole(DiskFiles(), tmp_path / "a", b"two")
    assert (tmp_path / "a").read_bytes() == b"two"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
