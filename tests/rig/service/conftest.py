from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rig.service.table_top import TableTop, table_top


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[TableTop]:
    """Loopback only: whoever asks may do everything."""
    with table_top(tmp_path / "rig") as found:
        yield found


@pytest.fixture
def network_rig(tmp_path: Path) -> Iterator[TableTop]:
    """Served to the network: every phone is paired."""
    with table_top(tmp_path / "rig", network=True) as found:
        yield found
