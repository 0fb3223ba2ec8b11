"""The client of docs/examples, run as anybody would run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rig.service.frames.reader import SeenText, Unread
from tests.rig.service.table_top import TableTop, jpeg, seen, table_top

CLIENT = Path(__file__).parents[4] / "docs" / "examples" / "score.py"


def run(rig: TableTop, photo: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The client on a rig that serves; nothing of the project is within its reach."""
    url = str(rig.client.base_url).rstrip("/")
    return subprocess.run(
        [sys.executable, "-I", str(CLIENT), str(photo), url, *more],
        env={**os.environ, "NO_PROXY": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    file = tmp_path / "table.jpg"
    file.write_bytes(jpeg())
    return file


def test_the_client_has_thirty_lines() -> None:
    assert len(CLIENT.read_text("utf-8").splitlines()) <= 30


@pytest.mark.parametrize(
    ("name", "last"), [("dim-navy", "sure"), ("two-walnut", "NOT SURE: {rig}/#/photo/{frame}")]
)
def test_it_prints_the_score_and_whether_it_is_sure(
    tmp_path: Path, photo: Path, name: str, last: str
) -> None:
    with table_top(tmp_path / "rig", serve=True) as rig:
        rig.reader.outcome = SeenText(seen(name))
        done = run(rig, photo)
        assert done.returncode == 0, done.stderr
        (frame,) = rig.store.frames.latest(1)
        reading = rig.get(f"/frames/{frame.id}/reading").json()
        url = str(rig.client.base_url).rstrip("/")
    *scores, said = done.stdout.splitlines()
    assert dict(line.split() for line in scores) == {
        colour: str(dots) for colour, dots in reading["scores_without_illegal"].items()
    }
    assert said == last.format(rig=url, frame=frame.id)


def test_it_says_why_there_is_no_score(tmp_path: Path, photo: Path) -> None:
    with table_top(tmp_path / "rig", network=True, serve=True) as rig:
        refused = run(rig, photo, "no-token")
        token = rig.pairing.pair(rig.pairing.invite("player").code, "Ada", "2024")[1]
        rig.reader.outcome = Unread("table-not-seen", {}, "No table is seen.")
        unread = run(rig, photo, token)
    assert refused.returncode == 1
    assert "pair" in refused.stderr.lower()
    assert unread.returncode == 1
    assert unread.stderr.strip()
