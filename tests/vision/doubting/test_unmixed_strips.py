from __future__ import annotations

import numpy as np
import pytest

from tests.vision.doubting.test_own_strips import UPPER, scene_hiding
from tests.vision.drawing.test_pose_fit import DrawnCard, off
from vision.doubting.scene import Scene
from vision.doubting.unmixed_strips import nearest_mixture, unmixed_strip

OTHERS = (
    DrawnCard("square-1", "green", (60.0, 60.0, np.pi / 2)),
    DrawnCard("triangle-5", "red", (25.0, 70.0, 0.0)),
    DrawnCard("circle-1", "red", (260.0, 215.0, np.pi / 2)),
    DrawnCard("square-6", "green", (225.0, 225.0, 0.0)),
)


def scene(*peeking: DrawnCard) -> Scene:
    return scene_hiding(peeking, *OTHERS)


def peeking(colour: str, by_mm: float) -> DrawnCard:
    x, y, angle = UPPER.pose
    return DrawnCard("square-6", colour, (x + by_mm, y, angle))


def test_a_narrow_strip_of_another_ink_on_the_table_is_told() -> None:
    seen = scene(peeking("red", 0.6))
    upper = unmixed_strip(seen)
    assert upper is not None
    assert off(seen.table.named.poses[upper], UPPER)[0] < 1.0


def test_a_card_s_own_ink_is_no_such_strip() -> None:
    assert unmixed_strip(scene(peeking("blue", 0.6))) is None


def test_mixtures_lie_between_two_hues_and_grey() -> None:
    first, second = np.array([2.0, -1.0, -1.0]), np.array([-1.0, 2.0, -1.0])
    for share in (first, 0.5 * second, 0.3 * first + 0.6 * second, np.zeros(3)):
        assert nearest_mixture(share, first, second) == pytest.approx(share)
    third = np.array([-1.0, -1.0, 2.0])
    assert nearest_mixture(third, first, second) == pytest.approx(np.zeros(3))
    assert nearest_mixture(2 * first, first, second) == pytest.approx(first)
