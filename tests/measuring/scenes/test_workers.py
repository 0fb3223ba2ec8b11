"""Scenes in several processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import measuring
from measuring.scenes.workers import run_each

WORK = """
import time
from measuring.scenes.workers import run_each

def work(number: int) -> None:
    print("works", flush=True)
    time.sleep(600)

if __name__ == "__main__":
    list(run_each(work, [1, 2], 2))
"""


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_the_order_of_the_jobs(processes: int) -> None:
    assert list(run_each(abs, [-3, 2, -1], processes)) == [3, 2, 1]


def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "work.py"
    script.write_text(WORK)
    beside = {**os.environ, "PYTHONPATH": str(Path(measuring.__file__).parents[1])}
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=beside) as parent:
        assert parent.stdout is not None
        assert [parent.stdout.readline() for _ in "12"] == ["works\n", "works\n"]
        parent.kill()
        # Its workers have it open as well: it ends when the last of them has ended.
        assert parent.communicate(timeout=60)[0] == ""
