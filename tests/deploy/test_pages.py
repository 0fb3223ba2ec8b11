"""The pages say what the code does: every word, state, reason, check and figure."""

from __future__ import annotations

import re
from math import radians, tan
from pathlib import Path
from typing import get_args

import pytest

from rig.cameras.camera import Condition, Reason
from rig.cameras.choice import PYTHON_VARIABLE, choose_camera
from rig.cameras.pulse import Patience
from rig.command_line.table.capture import CAMERA_VARIABLE
from rig.command_line.table.serve import DATA_VARIABLE
from rig.doctor import machine, picture
from rig.doctor.examination import CHECKS
from rig.watcher.watch_state import Habits

DOCS = Path(__file__).parents[2] / "docs"
CAMERAS = (DOCS / "cameras.md").read_text("utf-8")
BUILD = (DOCS / "build-the-rig.md").read_text("utf-8")
SCRIPT = (DOCS.parent / "deploy" / "install.sh").read_text("utf-8")


def section(title: str) -> str:
    return CAMERAS.partition(f"## {title}\n")[2].partition("\n## ")[0]


def first_cells(text: str) -> set[str]:
    return set(re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE))


def test_states_and_reasons() -> None:
    assert first_cells(section("States")) == set(get_args(Condition)) | set(get_args(Reason)) - {
        "none"
    }


def test_times() -> None:
    patience, habits = Patience(), Habits()
    assert f"none for {patience.slow_s:.0f} s" in CAMERAS
    assert f"none for {patience.lost_s:.0f} s" in CAMERAS
    pauses = f"{patience.first_pause_s} s to {patience.longest_pause_s:.0f} s"
    assert pauses in CAMERAS
    assert f"moved for {habits.still_s} s" in CAMERAS
    assert f"one {habits.round_over_s:.0f} s after the last hand" in CAMERAS
    assert 1 / patience.preview_every_s == 5


def test_checks_and_their_limits() -> None:
    text = section("tacta doctor")
    assert first_cells(text) == set(CHECKS)
    assert f"{machine.ENOUGH_MB} MB free or more" in text
    assert f"below {machine.LEAST_MB} MB is bad" in text
    assert f"{picture.ENOUGH_PX_PER_MM} pixels per mm or more" in text
    assert f"below {picture.LEAST_PX_PER_MM} is bad" in text
    assert f"white at {100 * picture.ENOUGH:.0f} % of full scale" in text
    assert f"below {100 * picture.DIMMEST:.0f} % is bad" in text
    assert f"at most {100 * picture.BURNT_MUCH} % of" in text
    assert f"above {100 * picture.BURNT_MOST:.0f} % is bad" in text


@pytest.mark.parametrize("name", [CAMERA_VARIABLE, DATA_VARIABLE, PYTHON_VARIABLE])
def test_variables(name: str) -> None:
    assert f"`{name}`" in CAMERAS


def test_every_word_that_the_page_names_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PYTHON_VARIABLE, "/usr/bin/python3")
    rows = CAMERAS.partition("| Word |")[2].partition("\n\n")[0].splitlines()[2:]
    words = [word for row in rows for word in re.findall(r"`([^`]+)`", row)]
    assert len(words) > 10
    for word in words:
        if word != "auto":
            choose_camera(word.replace("...", "camera.local/"))


def test_every_option_of_watch_and_capture() -> None:
    for option in ("--save", "--by-itself", "--button", "--seconds", "--lens", "--wait", "--json"):
        assert f"`{option}" in CAMERAS


def rows_of(text: str, first: str) -> list[list[str]]:
    lines = text.partition(f"| {first} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


def test_heights_follow_from_the_formula() -> None:
    header = next(line for line in BUILD.splitlines() if line.startswith("| Camera | Pixels"))
    columns = header.strip("| ")
    areas = [numbers(cell)[1:] for cell in columns.split("|")[3:]]
    rows = rows_of(BUILD, columns)
    assert len(areas) == 3
    assert len(rows) >= 7
    for _, pixels, degrees, *cells in rows:
        across = numbers(pixels)[0]
        half_h, half_v = (tan(radians(angle) / 2) for angle in numbers(degrees))
        for (width, depth), cell in zip(areas, cells, strict=True):
            height = 1.05 * max((width + 160) / half_h, (depth + 160) / half_v) / 2
            shown_mm, shown_scale = numbers(cell)
            assert shown_mm == pytest.approx(height, abs=5.01)
            assert shown_scale == pytest.approx(across / (2 * height * half_h), abs=0.051)


def test_lamps_follow_from_the_formula() -> None:
    rows = rows_of(BUILD, "Play area's width | lamp at 600 mm | lamp at 1200 mm | lamp at 1800 mm")
    assert len(rows) == 3
    for width, *cells in rows:
        for lamp, cell in zip((600, 1200, 1800), cells, strict=True):
            needed = numbers(width)[0] / 2 * (1200 + lamp) / 1200
            assert numbers(cell)[0] == pytest.approx(needed, abs=5.01)


def test_the_install_options_that_the_page_names_exist() -> None:
    commands = [line for line in BUILD.splitlines() if "install.sh" in line]
    options = {option for line in commands for option in re.findall(r"--[a-z-]+", line)}
    assert {"--camera", "--network", "--uninstall", "--purge"} <= options
    for option in options:
        assert f"{option})" in SCRIPT
