"""Files that are missing or cannot be written, in every command: one sentence, a right status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from calibration.enrolment.deck_assembly import Enrolment
from geometry.deck_file import published_deck
from rig.command_line import run
from simulator import Conditions, simulate_scene
from tests.scenes import SCENES

SPREAD = SCENES / "spread-white"
PHOTOS = f"folder:{SCENES / 'panel-oak'}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["print", "file"], "cannot be written"),
        (["print", "x", "--paper", "a5"], "'--paper': 'a5' is not one of"),
        (["print", "file/x"], "cannot be written"),
        (["plan", "--camera", "pi-3", "--drawing", "file/x.svg"], "cannot be written"),
        (["capture", "/proc/x.jpg", "--camera", PHOTOS], "cannot be written"),
        (["capture", "file/x.jpg", "--camera", PHOTOS], "there is no folder"),
        (["watch", "--camera", PHOTOS, "--save", "file/x"], "cannot be made"),
        (["watch", "--camera", PHOTOS, "--save", "x", "--button", "-1"], "--button"),
        (["rounds", "--data", "nowhere"], "there is no rig's data in nowhere"),
        (["export", "x.csv", "--data", "nowhere"], "there is no rig's data in nowhere"),
        (["export", "x.txt", "--data", "nowhere"], "must end in .csv or .json"),
        (["pair", "--data", "nowhere"], "there is no rig's data in nowhere"),
        (["serve", "--button", "-1"], "--button"),
        (["calibrate", "table", "x.jpg", "--lens", "nowhere.json"], "cannot be read"),
        (["calibrate", "lens", "x.jpg", "--board", "5x5:10/8:9X9_1"], "no marker dictionary"),
        (["reprot"], "Did you mean 'export'? See:"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_one_sentence_and_wrong_usage(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert run(arguments) == 2
    error = capfd.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_deck_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = published_deck()
    enrolled = Enrolment(deck, (), (), tuple(face.id for face in deck.faces), deck.faces)
    spread = SimpleNamespace(cards=deck.faces, unusable=())
    monkeypatch.setattr("rig.command_line.setup.enrol._spread", lambda *_: spread)
    monkeypatch.setattr("calibration.enrolment.deck_assembly.assemble", lambda *_: enrolled)
    (tmp_path / "file").touch()
    arguments = ["enrol", str(SPREAD / "image.jpg"), "--lens", str(SPREAD / "truth.json")]
    assert run([*arguments, "--out", str(tmp_path / "file" / "deck.json")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_scene_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = simulate_scene(5, Conditions(cards=2, px_per_mm=2.2))
    monkeypatch.setattr("simulator.simulate_scene", lambda *_, **__: small)
    (tmp_path / "easy-5").touch()
    assert run(["simulate", str(tmp_path), "--seed", "5", "--preset", "easy"]) == 2
    assert "easy-5 cannot be written" in capsys.readouterr().err


def test_a_photo_that_may_not_be_read_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("secret.jpg", "empty.jpg"):
        (tmp_path / name).touch()
    may = os.access
    monkeypatch.setattr(
        "os.access",
        lambda path, *how, **more: "secret" not in str(path) and may(path, *how, **more),
    )
    photos = [str(tmp_path / "secret.jpg"), str(tmp_path / "empty.jpg")]
    assert run(["score", *photos, "--json"]) == 1
    assert capsys.readouterr().out.count('"error"') == 2


def test_a_full_disk_behind_the_output_is_one_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rig.command_line", "--version"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("tacta: not all could be written (No space left on device)")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_a_closed_stream_is_no_fault(closed: str) -> None:
    command = f'"{sys.executable}" -m rig.command_line --version {closed}'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""
