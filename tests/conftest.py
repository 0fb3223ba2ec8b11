"""Tests that need what this machine may lack leave themselves out, and the summary says so.

They skip with a reason that begins with `left out: `.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import pytest

# Read when numpy is first imported, which may be before any module of the rig. OpenBLAS's own
# threads wait in circles for each other: half the processor time of the tests of vision.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

LEFT_OUT = "left out: "


def quick_or_thorough(names: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Parameters of a test: the quick ones for `make test`, the others for `make thorough`."""
    return [n if n in quick else pytest.param(n, marks=pytest.mark.thorough) for n in names]


def cases_quick_or_thorough(
    cases: Iterable[tuple[Any, ...]], quick: Collection[tuple[Any, ...]]
) -> list[Any]:
    """The same of a test with several parameters."""
    return [c if c in quick else pytest.param(*c, marks=pytest.mark.thorough) for c in cases]


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        # Several workers share the cores already. Without -n, readings are shared out over them.
        importlib.import_module("cv2").setNumThreads(1)
    config.addinivalue_line(
        "markers", "picamera2: runs the real picamera2 and libcamera with a simulated sensor"
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    counts: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if reason.startswith(LEFT_OUT):
            counts[reason] = counts.get(reason, 0) + 1
    for reason, count in sorted(counts.items()):
        tests = "1 test was" if count == 1 else f"{count} tests were"
        terminalreporter.write_line(f"{tests} {reason}", yellow=True, bold=True)


@pytest.fixture(autouse=True, scope="module")
def _forget_what_was_read(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a module's own cached functions hold goes with the module: a reading holds its picture,
    and a small machine's memory would be full of them.
    """
    yield
    for made in vars(request.module).values():
        if getattr(made, "__module__", None) == request.module.__name__:
            getattr(made, "cache_clear", lambda: None)()
