"""Every command and option is described on the command line's page."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer.main

from rig.command_line import app

PAGE = (Path(__file__).parents[3] / "docs" / "command-line.md").read_text("utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def options(name: str) -> list[str]:
    """The long names of a command's options."""
    names = (option for parameter in COMMANDS[name].params for option in parameter.opts)
    return [name for name in names if name.startswith("--") and name != "--help"]


def test_options_are_found() -> None:
    assert options("score") == ["--deck", "--lens", "--rules", "--json", "--overlay"]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_describes_each_command_and_option(name: str) -> None:
    _, heading, section = PAGE.partition(f"## tacta {name}\n")
    assert heading, f"docs/command-line.md has no section on tacta {name}"
    section = section.partition("\n## ")[0]
    assert [option for option in options(name) if option not in section] == []
