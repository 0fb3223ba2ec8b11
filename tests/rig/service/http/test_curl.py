"""The curl lines of docs/api.md, run as they stand against a rig that serves."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import LEFT_OUT
from tests.rig.service.table_top import jpeg, table_top

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
HERE = "http://127.0.0.1:8000"
RIG = f"RIG={HERE}\n"


def blocks(text: str) -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


SIX = blocks(PAGE.partition("# Everything by subject")[0])
BLOCKS = blocks(PAGE.partition("# Everything by subject")[2])


def test_the_page_has_curl_lines() -> None:
    assert sum("curl " in block for block in BLOCKS) >= 5
    assert RIG in BLOCKS[0]


def run(script: str, folder: Path, url: str) -> subprocess.CompletedProcess[str]:
    """The lines in a shell with `tacta` and `python3`, beside a photograph `table.jpg`."""
    if shutil.which("curl") is None or shutil.which("bash") is None:
        pytest.skip(f"{LEFT_OUT}no curl or no bash here")
    (folder / "table.jpg").write_bytes(jpeg(3))
    programs = folder / "programs"
    programs.mkdir()
    for name, command in (
        ("tacta", f'"{sys.executable}" -m rig.command_line "$@"'),
        ("python3", f'"{sys.executable}" "$@"'),
    ):
        (programs / name).write_text(f"#!/bin/sh\nexec {command}\n")
        (programs / name).chmod(0o755)
    return subprocess.run(
        ["bash", "-e", "-u", "-o", "pipefail", "-c", script.replace(HERE, url)],
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "TACTA_DATA": str(folder / "rig"),
            "NO_PROXY": "127.0.0.1",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def numbered(found: list[str]) -> str:
    return "".join(f"echo '== {n}'\n{block}\necho\n" for n, block in enumerate(found))


def test_the_six_operations_do_the_job_without_a_token(tmp_path: Path) -> None:
    assert len(SIX) == 6
    with table_top(tmp_path / "rig", serve=True) as rig:
        done = run(numbered(SIX), tmp_path, str(rig.client.base_url).rstrip("/"))
        assert done.returncode == 0, done.stdout + done.stderr
        (frame,) = rig.store.frames.latest(1)
        (correction,) = rig.store.corrections.of(frame.id)
    assert correction.data["kind"] == "remove"
    said = [one.partition("\n")[2].strip() for one in done.stdout.split("== ")[1:]]
    before, after = json.loads(said[1]), json.loads(said[3])["reading"]
    assert len(after["cards"]) == len(before["cards"]) - 1
    assert (tmp_path / "overlay.jpg").read_bytes().startswith(b"\xff\xd8")
    assert json.loads(said[4])["latest"]["id"] == frame.id
    assert "event: hello" in said[5]


def test_the_curl_lines_do_what_the_page_says(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig", network=True, serve=True) as rig:
        done = run(numbered(BLOCKS), tmp_path, str(rig.client.base_url).rstrip("/"))
        assert done.returncode == 0, done.stdout + done.stderr
        (frame,) = rig.store.frames.latest(1)
        (correction,) = rig.store.corrections.of(frame.id)
        assert correction.who == "scoreboard"
        (match,) = rig.store.matches.latest(1)
        (round_,) = rig.store.matches.rounds(match.id)
        assert (round_.frame, round_.data["state"]) == (frame.id, "ended")
    said = done.stdout.split("== ")[1:]
    state, *_ = said[1].splitlines()[1:]
    assert '"camera"' in state
    assert frame.id in said[1]
    assert f'"frame":"{frame.id}"' in said[2].replace(" ", "")
    assert '"state":"ended"' in said[3].replace(" ", "")
    assert "event: hello" in said[4]
    assert "Ada" in said[4]
    assert json.loads(said[5].splitlines()[-1] or said[5].splitlines()[-2])["code"] == (
        "token-revoked"
    )
    assert (tmp_path / "overlay.jpg").read_bytes().startswith(b"\xff\xd8")
