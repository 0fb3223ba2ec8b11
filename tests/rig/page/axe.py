"""axe-core in the browser: what in a page keeps people from using it."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tests.rig.page.chromium import Phone

PACKAGE = "axe_playwright_python"
"""Carries axe-core as one script; nothing else of it is used."""
IS_ALL = os.environ.get("TACTA_AXE") == "all"
"""Whether every state is looked at in every way (`make axe`)."""
_RUN = """
const done = arguments[0];
axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => done(
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
    `${id}: ${html.slice(0, 160)}: ${failureSummary.replaceAll('\\n', ' ').slice(0, 240)}`))),
  (error) => done([`axe failed: ${error}`]));
"""


def script() -> Path | None:
    """Where axe-core lies; None where it is not installed."""
    spec = find_spec(PACKAGE)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "axe.min.js"


@cache
def _source() -> str:
    path = script()
    if path is None:
        raise ValueError(f"expected {PACKAGE} to be installed")
    return path.read_text("utf-8")


def violations(window: Phone) -> list[str]:
    """Everything that axe-core finds in the page as it is now, one line a place."""
    if not window.run("return typeof axe === 'object'"):
        window.run(f"{_source()}; window.axe = axe;")
    return list(window.run_async(_RUN))
