"""Decisions are context, choice and cost, and numbered without a gap."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, named

DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))


@pytest.mark.parametrize("page", DECISIONS, ids=named)
def test_a_decision_says_its_context_its_choice_and_its_cost(page: Path) -> None:
    parts = re.findall(
        r"^(?:## |\*\*)(Context|Choice|Cost)\b", page.read_text("utf-8"), re.MULTILINE
    )
    assert parts == ["Context", "Choice", "Cost"]


def test_they_are_numbered_in_order() -> None:
    numbers = [int(page.name[:4]) for page in DECISIONS]
    assert numbers == list(range(1, len(DECISIONS) + 1))
    for number, page in zip(numbers, DECISIONS, strict=True):
        assert re.match(rf"# {number}\. ", page.read_text("utf-8")), page.name
