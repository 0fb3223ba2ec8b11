"""Kept pictures are the simulator's own, and are made anew where they are not."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from measuring.accuracy import pictures
from measuring.accuracy.pictures import scene_of
from rig.scene_folder import IMAGE, TRUTH
from simulator import simulate_scene


@pytest.mark.thorough
def test_a_kept_scene_is_the_simulated_one_and_a_spoilt_one_is_made_anew(tmp_path: Path) -> None:
    made = simulate_scene(3, "easy")
    kept = tmp_path / "easy-3"
    for spoil in (None, _nothing, _other_conditions, _no_picture):
        if spoil is not None:
            spoil(kept)
        found = scene_of("easy", 3, tmp_path)
        assert np.array_equal(found.image_bgr, made.image_bgr)
        assert json.loads(json.dumps(found.truth)) == json.loads(json.dumps(made.truth))
        assert found.conditions == made.conditions
        assert found.lens is not None
        assert made.lens is not None
        assert np.allclose(found.lens.matrix, made.lens.matrix)
    assert [path.name for path in tmp_path.iterdir()] == ["easy-3"]


def _nothing(kept: Path) -> None:
    """It is read a second time, and not made."""
    (kept / TRUTH).touch()


def _other_conditions(kept: Path) -> None:
    truth = json.loads((kept / TRUTH).read_text("utf-8"))
    truth["conditions"]["noise"] = 0.5
    truth["scores"] = {}
    (kept / TRUTH).write_text(json.dumps(truth), "utf-8")


def _no_picture(kept: Path) -> None:
    (kept / IMAGE).write_bytes(b"no picture")


def test_a_kept_scene_of_a_mix_is_read_and_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = scene_of("ordinary", 5, tmp_path)
    monkeypatch.setattr(pictures, "simulate_scene", lambda *_: pytest.fail("made again"))
    again = scene_of("ordinary", 5, tmp_path)
    assert np.array_equal(again.image_bgr, kept.image_bgr)
    assert again.conditions == kept.conditions
