"""`tacta rounds`, `export` and `pair` on a store that a service filled."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from measuring.scenes.truth import parse_truth
from rig.command_line import run
from rig.service.running.run import Plan
from rig.store.store import Store
from tests.rig.service.table_top import table_top
from tests.scenes import scene


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with table_top(tmp_path / "rig") as rig:
        players = [{"name": "Ada", "colour": "red"}, {"name": "Bob [x]", "colour": "pink"}]
        match = rig.post("/matches", {"players": players}).json()["id"]
        rig.post(f"/matches/{match}/rounds")
        frame = rig.upload().json()
        rig.post(f"/matches/{match}/rounds/1/end", {"frame": frame["id"]})
        rig.post(f"/matches/{match}/rounds/1/sign", {"frame_version": frame["version"]})
        (tmp_path / "frame").write_text(frame["id"])
        yield tmp_path / "rig"


def test_rounds_are_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rounds", "--data", str(folder)]) == 0
    text = capsys.readouterr().out
    assert all(word in text for word in ("Ada", "Bob [x]", "26", "32 ?", "signed", "Total"))


def test_an_empty_store_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Store(tmp_path / "new").close()
    assert run(["rounds", "--data", str(tmp_path / "new")]) == 0
    assert "No match" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["rounds.csv", "rounds.json"])
def test_rounds_are_exported(folder: Path, tmp_path: Path, name: str) -> None:
    assert run(["export", str(tmp_path / name), "--data", str(folder)]) == 0
    assert "Ada" in (tmp_path / name).read_text()


def test_a_frame_is_exported_as_a_scene(folder: Path, tmp_path: Path) -> None:
    frame = (tmp_path / "frame").read_text()
    assert run(["export", str(tmp_path / "s"), "--data", str(folder), "--scene", frame]) == 0
    truth = parse_truth(json.loads((tmp_path / "s" / "truth.json").read_text()))
    assert truth.scores == scene("two-walnut").truth.scores


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "rounds.txt"],
        ["export", "s", "--scene", "abc"],
        ["pair", "--role", "king"],
        ["pair", "--phones", "0"],
        ["pair", "--phones", "21"],
    ],
)
def test_wrong_usage_is_one_line(
    folder: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--data", str(folder)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_new_invitation_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pair", "--data", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "PIN" in told
    assert "one phone." in told


def test_a_whole_table_is_invited_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pair", "--data", str(folder), "--phones", "6"]) == 0
    assert "6 phones." in capsys.readouterr().out
    store = Store(folder)
    try:
        assert 6 in [one.phones for one in store.phones.open_invitations(time.time())]
    finally:
        store.close()


@pytest.mark.parametrize(("more", "seconds"), [([], 60.0), (["--seconds", "300"], 300.0)])
def test_how_long_a_reading_may_take(
    folder: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], seconds: float
) -> None:
    plans: list[Plan] = []
    monkeypatch.setattr("rig.service.running.run.serve", lambda plan, _on_ready: plans.append(plan))
    assert run(["serve", "--data", str(folder), "--camera", "none", *more]) == 0
    assert [plan.seconds for plan in plans] == [seconds]


def test_one_service_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rig.store.store import serving

    with serving(folder):
        assert run(["serve", "--data", str(folder), "--camera", "none"]) == 2
    assert "Another rig is running" in capsys.readouterr().err


def test_a_backup_is_written_and_restored(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rig.zip"
    again = tmp_path / "again"
    assert run(["backup", str(file), "--data", str(folder)]) == 0
    assert "1 photos and all rounds" in capsys.readouterr().out
    assert run(["restore", str(file), "--data", str(again), "--dry-run"]) == 0
    assert "would bring 1 frames, 1 matches, 1 rounds" in capsys.readouterr().out
    assert not again.exists()
    assert run(["restore", str(file), "--data", str(again)]) == 0
    capsys.readouterr()
    assert run(["rounds", "--data", str(again)]) == 0
    assert "Ada" in capsys.readouterr().out
    file.write_bytes(file.read_bytes()[:-100])
    assert run(["restore", str(file), "--data", str(again)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_lost_files_are_listed_and_unknown_ones_set_aside(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lost", "--data", str(folder)]) == 0
    assert capsys.readouterr().out == ""
    unknown = folder / "frames" / f"{'0' * 64}.jpeg"
    unknown.write_bytes(b"somebody's")
    assert run(["lost", "--data", str(folder)]) == 0
    assert "unknown to the database" in capsys.readouterr().out
    assert run(["lost", "--data", str(folder), "--set-aside"]) == 0
    assert capsys.readouterr().out == f"{folder / 'lost' / unknown.name}\n"
