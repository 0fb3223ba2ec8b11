"""What every test needs that drives a browser: the marks it carries, and where screenshots go."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from tests.conftest import LEFT_OUT
from tests.rig.page.chromium import missing_programs

MISSING = missing_programs()
Test = TypeVar("Test", bound=Callable[..., None])
browser_only = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(MISSING),
        reason=f"{LEFT_OUT}no {' or '.join(MISSING)} (sudo apt install chromium chromium-driver)",
    ),
]


def in_browser(test: Test) -> Test:
    """One test with the marks of `browser_only`, in a module whose others need no browser."""
    for mark in browser_only:
        test = mark(test)
    return test


def shots(name: str) -> Path | None:
    """Where this test's screenshots go: a folder in TACTA_SHOTS, if that names one."""
    folder = os.environ.get("TACTA_SHOTS")
    return Path(folder) / name if folder else None
