"""The whole examination, and `tacta doctor`, `capture` and `watch` on a folder as camera."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rig.cameras.choice import choose_camera
from rig.cameras.live_camera import LiveCamera
from rig.cameras.picture_check import decoded_grey
from rig.cameras.pulse import Patience, Pulse, missed, state_of
from rig.command_line import run
from rig.command_line.table.watch_view import LineView, blocks, picture_lines
from rig.doctor.examination import CHECKS, examine
from rig.watcher.table_guard import TableMoved
from rig.watcher.watch_state import WatchState
from rig.watcher.watcher import sight_of
from tests.scenes import SCENES


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    shutil.copy(SCENES / "panel-oak" / "image.jpg", folder / "one.jpg")
    return folder


@pytest.fixture
def camera(photos: Path) -> Iterator[LiveCamera]:
    camera = LiveCamera(choose_camera(f"folder:{photos}"))
    yield camera
    camera.close()


def test_all_checks_are_made(camera: LiveCamera, tmp_path: Path) -> None:
    findings = list(examine(camera, "folder", tmp_path))
    assert tuple(finding.check for finding in findings) == CHECKS
    assert {f.check: f.status for f in findings if f.check in ("table", "light")} == {
        "table": "good",
        "light": "good",
    }


def test_without_a_camera_the_rest_is_still_checked(tmp_path: Path) -> None:
    camera = LiveCamera(choose_camera(f"folder:{tmp_path / 'nowhere'}"))
    try:
        began = time.monotonic()
        findings = {finding.check: finding for finding in examine(camera, "folder", tmp_path)}
        assert time.monotonic() - began < 15
    finally:
        camera.close()
    assert findings["camera"].status == "bad"
    assert findings["disk"].status in ("good", "look")
    assert findings["table"].status == "unknown"


def test_the_command_prints_one_document(photos: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status = run(["doctor", "--camera", f"folder:{photos}", "--data", str(photos), "--json"])
    document = json.loads(capfd.readouterr().out)
    assert document["format"] == "tacta-doctor/1"
    assert [check["check"] for check in document["checks"]] == list(CHECKS)
    worst = {check["status"] for check in document["checks"]}
    assert status == (1 if "bad" in worst else 3 if worst - {"good"} else 0)


def test_the_command_says_what_to_do(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--camera", "/dev/video99"]) == 1
    said = capfd.readouterr().out
    assert "The USB camera /dev/video99 is not there" in said
    assert "Check its name, its cable" in said


def test_capture_writes_the_picture(photos: Path, tmp_path: Path) -> None:
    target = tmp_path / "taken.jpg"
    assert run(["capture", str(target), "--camera", f"folder:{photos}"]) == 0
    assert target.read_bytes() == (photos / "one.jpg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["a.jpg", "--camera", "/dev/video99"], 1, "is not there"),
        (["a.jpg", "--camera", "webcam"], 2, "is not a camera"),
        (["nowhere/a.jpg", "--camera", "table"], 2, "no folder"),
    ],
)
def test_capture_says_what_is_wrong(
    arguments: list[str],
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["capture", *arguments]) == status
    error = capfd.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_capture_of_a_lens_that_is_not_known(photos: Path, tmp_path: Path) -> None:
    arguments = [str(tmp_path / "a.jpg"), "--camera", f"folder:{photos}"]
    assert run(["capture", *arguments, "--lens", str(tmp_path / "lens.json")]) == 1


def test_watch_prints_what_it_sees(photos: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", "--camera", f"folder:{photos}", "--seconds", "5"]) == 0
    said = capfd.readouterr().out
    assert f"The folder {photos} delivers pictures." in said
    assert "The table is still." in said


def test_watch_by_itself_needs_a_folder(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", "--camera", "table", "--by-itself"]) == 2
    assert "--save" in capfd.readouterr().err


def test_lines_are_printed_at_changes_only(capsys: pytest.CaptureFixture[str]) -> None:
    view = LineView()
    for now_s in (100.0, 101.0, 106.0, 107.0):
        state = state_of(missed(Pulse(100.0, True, "none"), "none"), now_s, Patience(), "it")
        view.show(sight_of(WatchState("still", cards=True), state, now_s), None, "")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert "[slow]" in lines[1]


def test_the_picture_is_drawn_in_blocks(photos: Path) -> None:
    grey = decoded_grey((photos / "one.jpg").read_bytes())
    assert grey is not None
    lines = blocks(grey).plain.splitlines()
    assert len(lines) == 24
    assert all(len(line) == 64 for line in lines)
    assert len(blocks(grey, 10).plain.splitlines()) == 10


@pytest.mark.parametrize(
    ("columns", "lines", "expected"), [(100, 45, 24), (80, 24, 13), (30, 45, 9), (80, 5, 1)]
)
def test_the_picture_leaves_room_for_what_is_told(columns: int, lines: int, expected: int) -> None:
    assert picture_lines(columns, lines) == expected


def test_a_moved_table_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    state = state_of(Pulse(100.0, True, "none"), 100.0, Patience(), "it")
    since = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
    moved = TableMoved("table-moved", 2.0, 0.1, since, (0, 1))
    view = LineView()
    for now_s in (100.0, 101.0):
        view.show(replace(sight_of(WatchState("still"), state, now_s), moved=moved), None, "")
    assert capsys.readouterr().out.count("Camera or table has moved by 2.0 mm") == 1
