"""Every command and option is described in a section of a page under docs/."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main

from rig.command_line import app

DOCS = Path(__file__).parents[3] / "docs"
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def options(name: str) -> list[str]:
    """The long names of a command's options."""
    names = (option for parameter in COMMANDS[name].params for option in parameter.opts)
    return [name for name in names if name.startswith("--") and name != "--help"]


def test_options_are_found() -> None:
    assert options("score") == [
        "--deck",
        "--lens",
        "--rules",
        "--json",
        "--overlay",
        "--together",
        "--seconds",
    ]


def sections(name: str) -> list[str]:
    """What stands under the headings `tacta NAME`, on whatever page."""
    pages = "\n".join(page.read_text("utf-8") for page in sorted(DOCS.glob("*.md")))
    heading = re.compile(rf"^#+ `?tacta {name}`?\n(.*?)(?=^#{{1,2}} |\Z)", re.MULTILINE | re.DOTALL)
    return heading.findall(pages)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_docs_describe_each_command_and_option(name: str) -> None:
    found = "".join(sections(name))
    assert found, f"no page under docs/ has a section headed `tacta {name}`"
    assert [option for option in options(name) if option not in found] == []
