"""Settings and defaults are those that the pages say."""

from __future__ import annotations

import re
from collections.abc import Iterator

import typer.main

from rig.command_line import app
from tests.docs.pages import ROOT

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
SETTING = re.compile(r"\bTACTA_[A-Z_]+\b")
DESCRIBED = re.compile(r"^`(--[a-z-]+)[^`]*`\n: ((?:.+\n)+)", re.MULTILINE)


def settings_of_the_program() -> set[str]:
    sources = [
        *(path for top in ("rig", "calibration", "vision") for path in (ROOT / top).rglob("*.py")),
        *(ROOT / "deploy").iterdir(),
    ]
    return {name for path in sources for name in SETTING.findall(path.read_text("utf-8"))}


def test_every_setting_is_on_a_page() -> None:
    pages = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md"))
    found = settings_of_the_program()
    assert len(found) >= 6
    assert found - set(SETTING.findall(pages)) == set()


def defaults_on_the_page() -> Iterator[tuple[str, str, float]]:
    """A command, its option, and the number in brackets with which a description ends."""
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    for section in re.split(r"^## ", page, flags=re.MULTILINE):
        name = section.partition("\n")[0].strip("` ").removeprefix("tacta ")
        for option, text in DESCRIBED.findall(section):
            said = re.search(r"\(([\d.]+)\)(?:[.,]|$)", " ".join(text.split()))
            if said and name in COMMANDS:
                yield name, option, float(said[1].rstrip("."))


def test_defaults_are_those_of_the_program() -> None:
    said = list(defaults_on_the_page())
    assert len(said) >= 3
    for name, option, number in said:
        (parameter,) = (one for one in COMMANDS[name].params if option in one.opts)
        assert parameter.default == number, (name, option)
