"""Steps of a match on the page."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from tests.rig.page.browser import shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.service.table_top import TableTop


@contextlib.contextmanager
def paired_phone(
    top: TableTop, folder: Path, name: str, language: str, role: str = "player"
) -> Iterator[Phone]:
    """A phone's window, paired under this name by the code of an invitation."""
    code = top.pairing.invite(role).code  # type: ignore[arg-type]
    with phone(language, shots(f"match-{language}-{name}")) as window:
        window.open(f"{str(top.client.base_url).rstrip('/')}/#pair={code}")
        window.type("#phone-name", name)
        window.tap("button[type=submit]")
        window.find(".camera")
        yield window


def yes(window: Phone) -> None:
    """Every question that the browser asks is answered with yes, and remembered."""
    window.run(
        "window.asked = []; window.confirm = (text) => { window.asked.push(text); return true; }"
    )
