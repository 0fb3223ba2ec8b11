from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.lens.lens_data import lens_data
from rig.json_file import FileUnusable, read_json
from rig.lens_file import LensFault, LensOtherSize, check_size, load_lens, parse_lens
from tests.scenes import SCENES

GOOD: dict[str, Any] = {
    "size_px": [2028, 1520],
    "matrix": [[1500.5, 0, 1013.5], [0, 1499.5, 759.5], [0, 0, 1]],
    "distortion": [0.1, -0.2, 0.001, 0.002, 0.05],
}


def changed(**values: object) -> dict[str, Any]:
    return {**copy.deepcopy(GOOD), **values}


def test_reads_the_shared_cameras_as_they_are() -> None:
    truth = json.loads((SCENES / "panel-oak" / "truth.json").read_text())
    lens = parse_lens(truth["camera"])
    assert lens.size_wh == tuple(truth["camera"]["size_px"])
    assert lens.matrix.tolist() == truth["camera"]["matrix"]
    assert lens.distortion.tolist() == truth["camera"]["distortion"]
    assert lens.model == "plain"


@pytest.mark.parametrize("count", [4, 5, 8, 12, 14])
def test_takes_every_plain_model(count: int) -> None:
    assert parse_lens(changed(distortion=[0.01] * count)).distortion.shape == (count,)


def test_takes_a_fisheye() -> None:
    data = changed(distortion=[0.1, 0, 0, 0], model="fisheye")
    assert parse_lens(data).model == "fisheye"


def test_takes_a_truth_that_holds_its_camera() -> None:
    camera = {"size_px": [640, 480], "matrix": [[500, 0, 320], [0, 500, 240], [0, 0, 1]],
              "distortion": [0, 0, 0, 0]}  # fmt: skip
    lens = parse_lens({"scores": {"blue": 3}, "camera": camera})
    assert lens.size_wh == (640, 480)
    with pytest.raises(LensFault):
        parse_lens({"scores": {}, "camera": []})


def test_ignores_further_keys() -> None:
    assert parse_lens(changed(rotation="whatever", rms_px=0.2)).size_wh == (2028, 1520)


@pytest.mark.parametrize("model", ["plain", "fisheye"])
def test_what_is_written_reads_back(model: str) -> None:
    lens = parse_lens(changed(distortion=[0.1, 0.2, 0.3, 0.4], model=model))
    again = parse_lens(json.loads(json.dumps(lens_data(lens))))
    assert again.model == model
    assert again.size_wh == lens.size_wh
    assert np.array_equal(again.matrix, lens.matrix)
    assert np.array_equal(again.distortion, lens.distortion)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ([], "the file"),
        (None, "the file"),
        ({k: v for k, v in GOOD.items() if k != "matrix"}, "matrix"),
        ({k: v for k, v in GOOD.items() if k != "size_px"}, "size_px"),
        ({k: v for k, v in GOOD.items() if k != "distortion"}, "distortion"),
        (changed(size_px=[2028]), "size_px"),
        (changed(size_px=[2028, 0]), "size_px"),
        (changed(size_px=[2028, -1]), "size_px"),
        (changed(size_px=[2028, 1.5]), "size_px"),
        (changed(matrix=[[1, 0, 1013], [0, 1, 759], [0, 0, 1]]), "matrix"),
        (changed(matrix=[[1500, 0, 1013], [0, 1e6, 759], [0, 0, 1]]), "matrix"),
        (changed(matrix=[[1500, 0, 9000], [0, 1500, 759], [0, 0, 1]]), "matrix"),
        (changed(distortion=[9, 9, 9, 9]), "distortion"),
        (changed(distortion=[-1, 0, 0, 0]), "distortion"),
        (changed(size_px=[10**400, 5]), "size_px"),
        (changed(size_px="2028x1520"), "size_px"),
        (changed(matrix=[1, 2, 3]), "matrix[0]"),
        (changed(matrix=[[1, 0, 0], [0, 1, 0]]), "matrix"),
        (changed(matrix=[[1, 0, 0], [0, 1, 0], [0, 0]]), "matrix[2]"),
        (changed(matrix=[[0, 0, 5], [0, 1, 5], [0, 0, 1]]), "matrix"),
        (changed(matrix=[[1, 0, 5], [0, -1, 5], [0, 0, 1]]), "matrix"),
        (changed(matrix=[[1, 0.5, 5], [0, 1, 5], [0, 0, 1]]), "matrix"),
        (changed(matrix=[[1, 0, 5], [0, 1, 5], [0, 0, 2]]), "matrix"),
        (changed(matrix=[[float("nan"), 0, 5], [0, 1, 5], [0, 0, 1]]), "matrix[0]"),
        (changed(distortion=[0.1]), "distortion"),
        (changed(distortion=[[0.1, 0, 0, 0]]), "distortion"),
        (changed(distortion=[0.1, 0, 0, float("inf")]), "distortion"),
        (changed(distortion=[0.1, 0, 0, True]), "distortion"),
        (changed(distortion=[0.1, 0, 0, "0"]), "distortion"),
        (changed(distortion=[0.1, 0, 0, 0, 0], model="fisheye"), "distortion"),
        (changed(model="brown"), "model"),
        (changed(model=["plain"]), "model"),
    ],
)
def test_names_the_faulty_place(data: object, where: str) -> None:
    with pytest.raises(LensFault) as refused:
        parse_lens(data)
    assert refused.value.facts["where"] == where
    assert str(refused.value).startswith(f"lens: {where}: ")
    assert len(str(refused.value)) < 200


def test_a_file_is_named_in_its_fault(tmp_path: Path) -> None:
    file = tmp_path / "lens.json"
    file.write_text(json.dumps(changed(matrix=5)))
    with pytest.raises(LensFault, match=r"lens file .*lens\.json: matrix: "):
        load_lens(file)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "not JSON"),
        (b"", "not JSON"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5000, "thousands of digits"),
        (b" " * 1_000_001, "larger than"),
    ],
)
def test_a_file_that_is_no_json(tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / "rules.json"
    file.write_bytes(content)
    with pytest.raises(FileUnusable, match=why) as refused:
        read_json(file, "rules")
    assert str(refused.value).startswith("rules file ")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileUnusable, match="No such file"):
        read_json(tmp_path / "none.json", "lens")
    with pytest.raises(FileUnusable):
        read_json(tmp_path, "lens")
    with pytest.raises(FileUnusable):
        read_json(Path("bad\x00name"), "lens")


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "lens.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode())
    assert load_lens(file).size_wh == (2028, 1520)


def test_a_lens_for_another_picture_size() -> None:
    lens = parse_lens(GOOD)
    check_size(lens, np.zeros((1520, 2028, 3), np.uint8), "photo.jpg")
    with pytest.raises(LensOtherSize, match=r"1520 x 2028 pixels.* 2028 x 1520") as refused:
        check_size(lens, np.zeros((2028, 1520, 3), np.uint8), "photo.jpg")
    assert str(refused.value).startswith("photo.jpg has ")
