from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.lens import Lens
from vision.locating.edges import linear_light
from vision.locating.marker_corners import sharpen_markers
from vision.locating.markers import find_markers, table_from_markers, view_from_markers

SCENE = Path(__file__).parents[2] / "fixtures" / "scenes" / "panel-oak"


@pytest.mark.parametrize("paper", [0.3, 0.0175, 0.013])
def test_markers_are_as_sharp_in_a_picture_that_is_nearly_black(paper: float) -> None:
    truth = json.loads((SCENE / "truth.json").read_text("utf-8"))
    camera = truth["camera"]
    lens = Lens(
        tuple(camera["size_px"]), np.array(camera["matrix"]), np.array(camera["distortion"])
    )
    image = cv2.imread(str(SCENE / "image.jpg"))
    assert image is not None
    light = linear_light(np.asarray(image, np.uint8))
    found = find_markers(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    inside = np.zeros(image.shape[:2], np.uint8)
    for marker in found:
        cv2.fillConvexPoly(inside, np.round(marker.corners_px).astype(np.int32), 1)
    white = float(np.percentile(light[inside > 0].mean(axis=1), 95))
    rng = np.random.default_rng(2)
    dark = light * np.float32(paper / white)
    dark += rng.normal(0, 0.06 * paper, dark.shape).astype(np.float32)
    sharp = sharpen_markers(dark, lens, found).markers
    table = table_from_markers(view_from_markers(sharp, lens), sharp)
    assert table is not None
    assert table.play_area_mm == pytest.approx(truth["play_area_mm"], abs=0.4)
