from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.lens.board import PRINTED_BOARD
from geometry.deck_file import load_deck
from rig.command_line import run
from rig.lens_file import load_lens
from tests.calibration.board_simulator import (
    BoardConditions,
    camera_rays,
    draw_poses,
    lens_of,
    render,
)
from tests.scenes import SCENES


def test_print_writes_every_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["print", str(tmp_path), "--paper", "letter", "--language", "fr"]) == 0
    written = capsys.readouterr().out.split()
    assert len(written) == 6
    assert all(Path(name).stat().st_size > 1000 for name in written)
    assert load_deck(tmp_path / "practice.json").name == "practice"


def test_print_knows_its_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["print", str(tmp_path), "--sheet", "poster"]) == 2
    assert "markers" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["plan", "--table", "wide"],
        ["plan", "--table", "-3x4"],
        ["plan", "--camera", "box"],
        ["plan", "--drawing", "a.svg"],
        ["calibrate", "lens", "a.jpg", "--board", "9by9"],
        ["calibrate", "table", "a.jpg"],
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan"]) == 0
    drawing = tmp_path / "plan.svg"
    assert run(["plan", "--camera", "pi-3", "--drawing", str(drawing)]) == 0
    assert "</svg>" in drawing.read_text("utf-8")
    assert run(["plan", "--camera", "usb-c270", "--table", "1330x1000"]) == 3
    assert "too few" in capsys.readouterr().out.replace("\n", " ")


def test_plan_says_which_cameras_see_a_part_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan"]) == 0
    assert " part " not in capsys.readouterr().out
    assert run(["plan", "--height", "300"]) == 0
    out = capsys.readouterr().out
    assert " all " not in out
    assert max(len(line) for line in out.splitlines()) <= 80


@pytest.mark.slow
def test_lens_from_photos_good_and_bad(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(12)
    lens = lens_of((800, 600), 0.85, (-0.08, 0.02, 0.0, 0.0, 0.0), False)
    rays = camera_rays(lens)
    photos = []
    for number, pose in enumerate(draw_poses(rng, lens, PRINTED_BOARD, 8)):
        photos.append(str(tmp_path / f"{number}.png"))
        picture = render(rng, lens, rays, PRINTED_BOARD, pose, BoardConditions())
        cv2.imwrite(photos[-1], picture)
    (tmp_path / "text.jpg").write_text("no picture")
    out, plot = tmp_path / "lens.json", tmp_path / "lens.svg"
    command = ["calibrate", "lens", *photos, str(tmp_path / "text.jpg"), str(tmp_path / "none.jpg"),
               "--out", str(out), "--plot", str(plot), "--force"]  # fmt: skip
    assert run(command) == 3
    said = capsys.readouterr().out
    assert "text.jpg is not a picture" in said
    assert "none.jpg cannot be opened" in said
    found = load_lens(out)
    assert found.matrix[0, 0] == pytest.approx(lens.matrix[0, 0], rel=0.003)
    assert "verdict" in json.loads(out.read_text("utf-8"))["quality"]
    assert "</svg>" in plot.read_text("utf-8")
    assert run(["calibrate", "lens", *photos[:2], "--out", str(tmp_path / "few.json")]) == 1
    assert not (tmp_path / "few.json").exists()


@pytest.mark.thorough
@pytest.mark.slow
def test_enrol_says_what_it_replaces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spread, out = SCENES / "spread-white", tmp_path / "deck.json"
    command = ["enrol", str(spread / "image.jpg"), "--lens", str(spread / "truth.json")]
    out.write_text("no deck")
    for there in ("a file that was no deck file", "the deck mine that was there, with 18 faces"):
        assert run([*command, "--name", "mine", "--out", str(out)]) == 3
        assert f"It replaces {there}." in capsys.readouterr().out


def test_a_lens_file_that_cannot_be_read_is_told_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lens.json"
    out.write_text("no lens")
    assert run(["calibrate", "lens", str(tmp_path / "none.jpg"), "--out", str(out)]) == 2
    said = capsys.readouterr()
    assert (said.out, "lens.json is not JSON" in said.err) == ("", True)
    assert out.read_text("utf-8") == "no lens"
