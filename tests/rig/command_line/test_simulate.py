from __future__ import annotations

from pathlib import Path

import pytest

from measuring.scenes.scene_files import load_scene
from measuring.scenes.true_reading import true_reading
from rig.command_line import run
from rig.lens_file import load_lens
from simulator import simulate_scene


def test_writes_scenes_that_agree_with_themselves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["simulate", str(tmp_path / "new"), "--seed", "5", "--preset", "easy"]) == 0
    folder = tmp_path / "new" / "easy-5"
    assert capsys.readouterr().out == f"{folder / 'image.jpg'}\n"
    scene = load_scene(folder)
    simulated = simulate_scene(5, "easy")
    assert (folder / "image.jpg").read_bytes() == simulated.jpeg
    height, width = scene.image_bgr.shape[:2]
    assert load_lens(folder / "lens.json").size_wh == (width, height)
    reading = true_reading(scene.truth)
    assert dict(reading.scores) == dict(scene.truth.scores)
    assert dict(reading.scores_without_illegal) == dict(scene.truth.scores_without_illegal)


@pytest.mark.parametrize(
    "arguments", [["--preset", "nightmare"], ["--count", "0"], ["--seed", "-1"], ["--seed", "x"]]
)
def test_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert run(["simulate", str(tmp_path / "new"), *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tacta: ")
    assert err.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_made_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert run(["simulate", str(tmp_path / "file" / "under"), "--preset", "easy"]) == 2
    assert "cannot be made" in capsys.readouterr().err
