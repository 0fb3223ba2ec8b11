"""Pictures that show nothing are told from pictures that show something."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rig.cameras.encoding import jpeg_of, small
from rig.cameras.picture_check import examined, fault_in
from rig.cameras.source import Shot
from tests.scenes import NAMES, SCENES

RNG = np.random.default_rng(5)


def shot(data: bytes, size_wh: tuple[int, int]) -> Shot:
    return Shot(data, size_wh, 1.0, 1)


@pytest.mark.parametrize("name", NAMES)
def test_photographs_of_tables_are_no_fault(name: str) -> None:
    image = cv2.imread(str(SCENES / name / "image.jpg"))
    assert image is not None
    shown = small(np.asarray(image, dtype=np.uint8))
    preview, fault = examined(shot(jpeg_of(shown, 80), (shown.shape[1], shown.shape[0])))
    assert fault == "none"
    assert preview is not None
    assert preview.grey.shape == shown.shape[:2]
    assert abs(preview.mean_level - cv2.cvtColor(shown, cv2.COLOR_BGR2GRAY).mean()) < 1


def dim_scene(level: float) -> NDArray[np.uint8]:
    slope = np.linspace(0.2, 1.8, 320)[None, :] * level + RNG.normal(0, 1.5, (240, 320))
    return np.clip(slope, 0, 255).astype(np.uint8)


def test_dark_is_nothing_but_black() -> None:
    assert fault_in(dim_scene(2)) == "dark"
    assert fault_in(dim_scene(25)) == "none"


def test_noise_is_told_from_grain() -> None:
    assert fault_in(RNG.integers(0, 256, (240, 320), dtype=np.uint8)) == "noise"
    grainy = np.clip(dim_scene(90) + RNG.normal(0, 15, (240, 320)), 0, 255).astype(np.uint8)
    assert fault_in(grainy) == "none"


def test_one_flat_colour_is_no_noise() -> None:
    assert fault_in(np.full((240, 320), 250, np.uint8)) == "none"


def test_damaged_data_is_damaged() -> None:
    data = jpeg_of(np.full((120, 160, 3), 90, np.uint8), 80)
    assert examined(shot(data, (160, 120)))[1] == "none"
    for broken in (b"", b"no", data[:-2], data[: len(data) // 2] + b"\xff\xd9", b"x" + data):
        assert examined(shot(broken, (160, 120))) == (None, "damaged")
    assert examined(shot(data, (120, 160))) == (None, "damaged")


def test_counts_what_is_burnt_out() -> None:
    image = np.full((120, 160, 3), 90, np.uint8)
    image[:, :80] = 255
    preview, _ = examined(shot(jpeg_of(image, 95), (160, 120)))
    assert preview is not None
    assert preview.burnt_share == pytest.approx(0.5, abs=0.02)
