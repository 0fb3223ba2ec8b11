from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata

import pytest

from rig import start
from rig.command_line import app, run
from rig.json_file import FileUnusable
from rig.photo.decoding import PhotoEmpty
from rig.trouble import Trouble

COMMANDS = sorted(
    command.name or command.callback.__name__
    for command in app.registered_commands
    if command.callback is not None
)
HEAVY = ("cv2", "numpy", "shapely", "scipy", "PIL", "fastapi", "pydantic", "rich.console")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"tacta {metadata.version('tacta-rig')}\n"


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_every_help_reads_well(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    assert run([*command, "--help"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "Usage: tacta" in out
    assert "TODO" not in out
    if not command:
        assert all(name in out for name in COMMANDS)


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "Usage: tacta" in "".join(capsys.readouterr())


def test_a_fault_of_the_program_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a\nb")

    monkeypatch.setattr("rig.scoring.load_settings", broken)
    assert run(["score", "photo.jpg"]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "KeyError" in err
    monkeypatch.setenv("TACTA_TRACEBACK", "1")
    with pytest.raises(KeyError):
        run(["score", "photo.jpg"])


@pytest.mark.parametrize(
    ("trouble", "status"),
    [(PhotoEmpty(name="a.jpg"), 1), (FileUnusable(what="lens", path="b", why="is bad"), 2)],
)
def test_trouble_that_reaches_the_top_has_its_status(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    trouble: Trouble,
    status: int,
) -> None:
    def broken(*_: object) -> None:
        raise trouble

    monkeypatch.setattr("rig.scoring.load_settings", broken)
    assert run(["score", "photo.jpg"]) == status
    assert capsys.readouterr().err == f"tacta: {trouble}\n"


def test_starting_imports_nothing_heavy() -> None:
    code = "import sys, rig.command_line; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    names = set(loaded.stdout.split())
    assert not names & set(HEAVY)


def test_nobody_reading_on_is_no_fault() -> None:
    """`tacta ... | head` with the reader gone before the first line."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "rig.command_line", "--version"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_a_terminal_without_unicode_still_gets_its_table() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rig.command_line", "score", "--help"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "--overlay" in done.stdout


def test_ctrl_c_while_it_starts_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Starting:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "rig.command_line", Starting())
    with pytest.raises(SystemExit) as ended:
        start.main()
    assert ended.value.code == 130
