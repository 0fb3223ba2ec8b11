from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rig.lens_file import load_lens
from rig.scenes.scene_files import load_scene, scene_folders, write_scene
from rig.scenes.trial import Job
from tests.scenes import NAMES, SCENES, scene


def test_all_ten_shared_frames_are_fixtures() -> None:
    assert len(NAMES) == 10


@pytest.mark.parametrize("name", NAMES)
def test_pictures_have_their_camera_s_size(name: str) -> None:
    height, width = scene(name).image_bgr.shape[:2]
    assert (width, height) == scene(name).truth.lens.size_wh


def test_markers_are_where_the_truth_s_camera_sees_them() -> None:
    """The camera's model is used the right way round: the marker's black is black there."""
    data = json.loads((SCENES / "panel-oak" / "truth.json").read_text())
    taken = scene("panel-oak")
    for marker in data["markers"]:
        corners = np.array(marker["corners_mm"])
        inside = corners + 0.06 * (corners.mean(axis=0) - corners)
        outside = corners - 0.06 * (corners.mean(axis=0) - corners)
        for points, dark in ((inside, True), (outside, False)):
            places = np.round(taken.truth.camera.to_px(points)).astype(int)
            values = taken.image_bgr[places[:, 1], places[:, 0]].mean(axis=1)
            assert np.all((values < 110) == dark)


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    taken = scene("panel-oak")
    data = json.loads((SCENES / "panel-oak" / "truth.json").read_text())
    jpeg = (SCENES / "panel-oak" / "image.jpg").read_bytes()
    write_scene(tmp_path / "again", jpeg, data, taken.truth.lens)
    again = load_scene(tmp_path / "again")
    assert scene_folders(tmp_path) == [tmp_path / "again"]
    assert again.truth.layout == taken.truth.layout
    assert again.truth.scores == taken.truth.scores
    assert load_lens(tmp_path / "again" / "lens.json").size_wh == taken.truth.lens.size_wh
    assert np.array_equal(again.image_bgr, taken.image_bgr)


def test_a_scene_without_a_known_lens_has_no_lens_file(tmp_path: Path) -> None:
    data = json.loads((SCENES / "phone-oak" / "truth.json").read_text())
    write_scene(tmp_path / "again", b"no matter", data, None)
    assert not (tmp_path / "again" / "lens.json").exists()


def test_jobs_have_names() -> None:
    assert Job("fixtures", Path("x") / "dim-navy").name == "dim-navy"
    assert Job("ordinary", None, "ordinary", 1003).name == "ordinary-1003"
