"""What the pages say of lines, commands, figures and files is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main

from measuring.scenes import __main__ as score_sheet
from measuring.scenes.accuracy_tables import BEGIN, END, baseline_tables, write_tables
from measuring.scenes.baseline import read_baseline
from rig.command_line import app
from tests.docs.pages import PAGES, ROOT, named, prose, table

README = ROOT / "README.md"
ACCURACY = (ROOT / "docs" / "accuracy.md").read_text("utf-8")
MAKE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z][a-z0-9-]*):", MAKE, re.MULTILINE))
COMMANDS = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
SOURCES = [
    f"/{path.relative_to(ROOT).as_posix()}"
    for folder in (
        "geometry",
        "calibration",
        "vision",
        "simulator",
        "referee",
        "rig",
        "measuring",
        "tests",
        "deploy",
        "docs",
    )
    for path in (ROOT / folder).rglob("*.*")
]


@pytest.mark.parametrize(
    ("name", "most"), [("README.md", 120), ("CONTRIBUTING.md", 60), ("CHANGELOG.md", 45)]
)
def test_no_page_for_everybody_is_long(name: str, most: int) -> None:
    assert len((ROOT / name).read_text("utf-8").splitlines()) <= most


def test_the_picture_is_small() -> None:
    pictures = [ROOT / link for link in re.findall(r"!\[[^\]]*\]\((\S+)\)", README.read_text())]
    assert pictures
    assert all(picture.stat().st_size < 200_000 for picture in pictures)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_make_target_that_is_named_exists(page: Path) -> None:
    assert set(re.findall(r"`make ([a-z][a-z0-9-]*)", page.read_text("utf-8"))) <= TARGETS


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_command_that_is_named_exists(page: Path) -> None:
    assert set(re.findall(r"`tacta ([a-z]+)", page.read_text("utf-8"))) <= COMMANDS


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_source_that_is_named_exists(page: Path) -> None:
    """From the root on, or by the end of its path."""
    paths = re.findall(r"`([\w./-]+\.(?:py|js|sh))`", prose(page))
    assert [path for path in paths if not any(one.endswith(f"/{path}") for one in SOURCES)] == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_module_that_is_run_exists(page: Path) -> None:
    for module in re.findall(r"python -m ((?:rig|measuring|tests)[\w.]*)", page.read_text()):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


def test_accuracy_shows_the_baseline() -> None:
    shown = ACCURACY.partition(f"{BEGIN}\n")[2].partition(f"\n{END}")[0]
    assert shown == baseline_tables(read_baseline(ROOT / score_sheet.BASELINE))
    first = score_sheet.FIRST_SEED
    assert f"seeds {first} to {first + 119}" in ACCURACY


def test_the_tables_are_written_between_their_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", "utf-8")
    baseline = read_baseline(ROOT / score_sheet.BASELINE)
    write_tables(page, baseline)
    written = page.read_text("utf-8")
    assert written == f"before\n{BEGIN}\n{baseline_tables(baseline)}\n{END}\nafter\n"
    page.write_text("no marks\n", "utf-8")
    with pytest.raises(ValueError, match="needs the lines"):
        write_tables(page, baseline)


def test_the_readme_shows_what_the_page_on_accuracy_does() -> None:
    def numbers(cell: str) -> list[int]:
        return [int(number) for number in re.findall(r"\d+", cell)]

    shown = {row[0].split("`")[1]: row[1:] for row in table(README.read_text("utf-8"), "tables")}
    measured = {row[0].split("`")[1]: row[1:] for row in table(ACCURACY, "scenes")}
    assert set(shown) == set(measured) == {"ordinary", "printed", "real", "hard"}
    for preset, (read, both, exact, silent) in shown.items():
        read_there, exact_there, _, both_there, silent_there = measured[preset]
        assert numbers(read) == numbers(read_there)
        assert numbers(exact) == numbers(exact_there)
        assert numbers(both) == numbers(both_there)[:1]
        assert numbers(silent) == [sum(numbers(silent_there))]


def test_the_readme_names_the_commit_and_the_command_of_its_figures() -> None:
    text = README.read_text("utf-8")
    command = re.search(r"`make reported COMMIT=([0-9a-f]{40})`", text)
    assert command is not None
    assert command[1] in ACCURACY
    assert f"`{command[1][:7]}`" in text


def test_make_targets_and_commands_are_found() -> None:
    assert {"run", "test", "scenes", "wheel"} <= TARGETS
    assert {"score", "serve"} <= COMMANDS
