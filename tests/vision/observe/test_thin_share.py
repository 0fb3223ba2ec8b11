"""How sharp a picture is, by what is left of thin lines."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.model.drawn_table import CONFIG, DrawnTable, drawn_table
from vision.observe.thin_share import thin_share


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return drawn_table()


def share_shaken(drawn: DrawnTable, length_mm: float, turn_deg: float) -> float:
    """Of the table as a camera shows it that moved by so much along a direction."""
    kernel = np.zeros((31, 31), np.float32)
    along = np.array([np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))])
    ends = [(15 * 256 + sign * length_mm * along * 256).round().astype(int) for sign in (-1, 1)]
    cv2.line(kernel, ends[0].tolist(), ends[1].tolist(), 1.0, 1, cv2.LINE_AA, 8)
    image = cv2.filter2D(drawn.raster.image_bgr, -1, kernel / kernel.sum())
    raster = replace(drawn.raster, image_bgr=image)
    return thin_share(replace(drawn, raster=raster).seen(), CONFIG)


def test_a_sharp_picture_has_thin_lines(drawn: DrawnTable) -> None:
    assert thin_share(drawn.seen(), CONFIG) > CONFIG.thin_needed + 0.1


@pytest.mark.parametrize("turn_deg", [0.0, 30.0, 90.0, 135.0])
def test_one_shaken_by_more_than_a_dot_has_hardly_any(drawn: DrawnTable, turn_deg: float) -> None:
    """Whatever the direction: lines along it stay as they are."""
    assert share_shaken(drawn, 5.0, turn_deg) < CONFIG.thin_needed
    assert share_shaken(drawn, 1.0, turn_deg) > CONFIG.thin_needed
