"""A blurred picture is called blurred; only a sharp one tells of another game's cards."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rig.photo.decoding import load_photo
from rig.wording.catalogue import sentence
from tests.scenes import SCENES
from vision.reading import NotSeen
from vision.reason import Reason
from vision.sharpness import MOST_SPREAD_PX, blurred_instead, edge_spread_px

OTHERS = NotSeen(Reason("other-game", {"deck": "tacta"}))


@pytest.mark.parametrize("name", ["panel-oak", "lamp-white", "spread-white"])
@pytest.mark.parametrize("angle", [10.0, 55.0, 120.0])
def test_a_shaken_picture_is_blurred_and_a_still_one_is_not(name: str, angle: float) -> None:
    image = load_photo(SCENES / name / "image.jpg")
    assert (edge_spread_px(image) or 0) < MOST_SPREAD_PX
    assert blurred_instead(OTHERS, image) is OTHERS
    length = max(image.shape) / 150
    side = 2 * int(length) + 3
    line = np.zeros((side, side), np.float32)
    off = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]) * length / 2
    ends = [np.round(side // 2 + sign * off).astype(int).tolist() for sign in (-1, 1)]
    cv2.line(line, ends[0], ends[1], 1.0)
    shaken = np.asarray(cv2.filter2D(image, -1, line / line.sum()), np.uint8)
    told = blurred_instead(OTHERS, shaken)
    assert told.reason.code == "too-blurred"
    assert "hold the phone still" in sentence(told.reason, "en")
    assert "floue" in sentence(told.reason, "fr")


def test_other_refusals_stay() -> None:
    small = NotSeen(Reason("too-few-pixels", {"width": 9, "height": 9}))
    assert blurred_instead(small, np.zeros((9, 9, 3), np.uint8)) is small
