"""What a wheel of the project holds: the program that a user runs, and nothing that measures it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from setuptools import find_packages

ROOT = Path(__file__).parents[1]
SHIPPED = {"geometry", "vision", "calibration", "simulator", "referee", "rig"}


def packaged() -> set[str]:
    """The packages that the build takes, by the patterns in pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    include = settings["tool"]["setuptools"]["packages"]["find"]["include"]
    return set(find_packages(str(ROOT), include=include))


def test_what_a_user_runs_is_shipped_and_nothing_else() -> None:
    assert {name.split(".")[0] for name in packaged()} == SHIPPED


def test_every_folder_of_the_program_is_shipped() -> None:
    folders = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in SHIPPED
        for path in (ROOT / top).rglob("*.py")
    }
    assert folders <= packaged()


def test_the_installer_takes_what_is_shipped() -> None:
    script = (ROOT / "deploy" / "install.sh").read_text("utf-8")
    (taken,) = re.findall(r"cp -r \"\$source_folder\"/\{([\w.,]+)\}", script)
    assert set(taken.split(",")) - {"pyproject.toml", "README.md", "LICENSE"} == SHIPPED


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command in a folder outside the source, which it must not find."""
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=cwd, env=outside, capture_output=True, text=True, timeout=500, check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as `make wheel` builds it: from the source archive, with what is locked."""
    folder = tmp_path_factory.mktemp("dist")
    built = run(
        sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder
    )
    assert built.returncode == 0, built.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_program(wheel: Path) -> None:
    held = set(ZipFile(wheel).namelist())
    files = {
        path.relative_to(ROOT).as_posix()
        for top in SHIPPED
        for path in (ROOT / top).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files - held == set()
    assert {name.split("/")[0] for name in held} - SHIPPED == {"tacta_rig-0.1.0.dist-info"}


@pytest.mark.slow
@pytest.mark.thorough  # it asks a package index
def test_in_an_empty_environment_the_wheel_scores_a_photograph(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    programs = tmp_path / "empty" / "bin"
    pip = (programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    locked = ("--require-hashes", "--only-binary", ":all:", "-r", ROOT / "requirements.lock")
    fetched = run(*pip, *locked, cwd=tmp_path)
    if fetched.returncode and "Max retries" in fetched.stderr:
        pytest.skip("no package index can be reached")
    assert fetched.returncode == 0, fetched.stderr
    installed = run(*pip, "--no-deps", wheel, cwd=tmp_path)
    assert installed.returncode == 0, installed.stderr

    assert run(programs / "tacta", "--version", cwd=tmp_path).stdout.split() == ["tacta", "0.1.0"]
    scene = ROOT / "tests" / "fixtures" / "scenes" / "two-walnut"
    scored = run(programs / "tacta", "score", scene / "image.jpg", "--json", cwd=tmp_path)
    assert scored.returncode in (0, 3), scored.stderr
    truth = json.loads((scene / "truth.json").read_text("utf-8"))
    lain = {colour: dots for colour, dots in truth["scores"].items() if dots}
    assert json.loads(scored.stdout)["scores"] == lain
