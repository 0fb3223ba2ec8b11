"""What the rig has found amiss stands on the page: files set aside, photos without their rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.store.layout import DATABASE, LOST
from tests.rig.page.browser import browser_only
from tests.rig.page.chromium import phone
from tests.rig.service.table_top import table_top

pytestmark = browser_only


@pytest.mark.parametrize(
    ("language", "lost", "read_only"),
    [
        ("en", "to no frame lie in", "does not know 2"),
        pytest.param("fr", "aucune photo connue", "pas 2 photos sur 2", marks=pytest.mark.thorough),
    ],
)
def test_lost_files_and_a_rig_that_only_shows_are_told(
    tmp_path: Path, language: str, lost: str, read_only: str
) -> None:
    folder = tmp_path / "rig"
    with table_top(folder) as top:
        top.frame(1)
        top.frame(2)
    (folder / LOST).mkdir(exist_ok=True)
    (folder / LOST / "holiday.png").write_bytes(b"x")
    with (
        table_top(folder, serve=True) as top,
        phone(language) as window,
    ):
        window.open(str(top.client.base_url))
        window.until_text(lost)
        window.until_text("holiday.png")
    for file in folder.glob(f"{DATABASE}*"):
        file.unlink()
    with (
        table_top(folder, serve=True) as top,
        phone(language) as window,
    ):
        window.open(str(top.client.base_url))
        window.until_text(read_only)
