"""A little of what `make soak` does for half an hour; `.ci/run` asks for a minute."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.rig.service import soak

SECONDS = float(os.environ.get("TACTA_SOAK_SECONDS", "20"))


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 600)
def test_with_all_that_can_go_wrong_nothing_is_lost(tmp_path: Path) -> None:
    run = soak.Run(tmp_path, seed=1, seconds=SECONDS)
    soak.soak(run)
    assert soak.faults(run, with_times=False) == [], run.report()
    assert run.counts["kills"] >= 1
    assert len(run.ledger.frames) > 3
    assert {"disk full", "camera changed", "clock stepped"} <= set(run.counts)
