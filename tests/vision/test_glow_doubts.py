from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from geometry.rules import Rules
from tests.vision.test_doubts import scene, scene_of
from tests.vision.test_pose_fit import DrawnCard
from vision.evidence import Evidence, observe
from vision.glow_doubts import glow_doubts
from vision.scene import Scene

CARD = DrawnCard("circle-4", "red", (60.0, 60.0, 0.2))
RULES = Rules(free_for_all=True)


def glowing(seen: Scene, half_mm: float, level: float) -> Evidence:
    """The same with a bright square beside the card, on a darker table."""
    raster = seen.evidence.raster
    image = raster.image_bgr.copy()
    bare = (np.ptp(image, axis=2) < 8) & (np.abs(image[..., 0] - np.median(image)) < 20)
    image[bare] = 50
    half = round(half_mm * raster.density)
    x, y = np.rint(raster.to_raster(np.array([140.0, 60.0]))).astype(int).tolist()
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), (level, level, level), -1)
    return observe(replace(raster, image_bgr=image))


@pytest.mark.parametrize(
    ("half_mm", "share", "rules", "doubted"),
    [
        (25.0, 1.4, RULES, True),
        (25.0, 1.0, RULES, False),
        (7.5, 1.4, RULES, False),
        (25.0, 1.4, Rules(), False),
    ],
)
def test_a_glow_beside_the_cards_wide_enough_for_one_and_brighter_than_paper(
    half_mm: float, share: float, rules: Rules, doubted: bool
) -> None:
    seen = scene(CARD)
    white = seen.evidence.washed_level / 0.8
    evidence = glowing(seen, half_mm, min(share * white, 255.0))
    found = list(glow_doubts(scene_of(seen.table, evidence, rules)))
    assert len(found) == doubted
