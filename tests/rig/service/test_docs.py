"""docs/service.md names every route, event, code and kind of correction."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.corrections.kinds import KINDS
from rig.service.answers import STATUS
from rig.service.live_events import EVENTS

PAGE = (Path(__file__).parents[3] / "docs" / "service.md").read_text("utf-8")


@pytest.mark.parametrize("word", [*STATUS, *EVENTS, *KINDS])
def test_the_page_names_it(word: str) -> None:
    assert f"`{word}`" in PAGE


@pytest.mark.parametrize("code", STATUS)
def test_codes_stand_beside_their_status(code: str) -> None:
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| {STATUS[code]} |")]
    assert f"`{code}`" in line
