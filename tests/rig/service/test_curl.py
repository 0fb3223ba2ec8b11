"""The curl lines of docs/service.md, run as they stand against a rig that serves."""

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

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "service.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
RIG = "RIG=http://127.0.0.1:8000\n"


def test_the_page_has_curl_lines() -> None:
    assert sum("curl " in block for block in BLOCKS) >= 5
    assert RIG in BLOCKS[0]


def test_the_curl_lines_do_what_the_page_says(tmp_path: Path) -> None:
    if shutil.which("curl") is None or shutil.which("bash") is None:
        pytest.skip(f"{LEFT_OUT}no curl or no bash here")
    (tmp_path / "table.jpg").write_bytes(jpeg(3))
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, command in (
        ("tacta", f'"{sys.executable}" -m rig.command_line "$@"'),
        ("python3", f'"{sys.executable}" "$@"'),
    ):
        (programs / name).write_text(f"#!/bin/sh\nexec {command}\n")
        (programs / name).chmod(0o755)
    with table_top(tmp_path / "rig", network=True, serve=True) as rig:
        script = "".join(f"echo '== {n}'\n{block}\necho\n" for n, block in enumerate(BLOCKS))
        script = script.replace(RIG, f"RIG={str(rig.client.base_url).rstrip('/')}\n")
        done = subprocess.run(
            ["bash", "-e", "-u", "-o", "pipefail", "-c", script],
            cwd=tmp_path,
            env={
                **os.environ,
                "PATH": f"{programs}:{os.environ['PATH']}",
                "PYTHONPATH": str(ROOT),
                "TACTA_DATA": str(tmp_path / "rig"),
                "NO_PROXY": "127.0.0.1",
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        (frame,) = rig.desk.store.frames.latest(1)
        (correction,) = rig.desk.store.corrections.of(frame.id)
        assert correction.who == "scoreboard"
        (match,) = rig.desk.store.matches.latest(1)
        (round_,) = rig.desk.store.matches.rounds(match.id)
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
