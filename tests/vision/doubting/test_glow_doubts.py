from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from geometry.rules import Rules
from tests.vision.doubting.doubt_scenes import scene, scene_of
from tests.vision.drawing.drawn_cards import DrawnCard
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.glow_doubts import corners_by_glow, glow_doubts
from vision.evidence import Evidence, observe

CARD = DrawnCard("circle-4", "red", (60.0, 60.0, 0.2))
OTHER = DrawnCard("circle-2", "green", (60.0, 165.0, 0.0))
RULES = Rules(free_for_all=True)


def glowing(seen: DoubtContext, half_mm: float, level: float) -> Evidence:
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
        (25.0, 1.4, Rules(), True),
        (20.0, 1.4, Rules(), False),
        (20.0, 1.4, RULES, True),
        (25.0, 1.0, Rules(), False),
    ],
)
def test_a_glow_beside_the_cards_wide_enough_for_one_and_brighter_than_paper(
    half_mm: float, share: float, rules: Rules, doubted: bool
) -> None:
    """Where numbers of cards tell, wide enough for what can hide of one of each colour."""
    seen = scene(CARD, OTHER)
    white = seen.evidence.washed_level / 0.8
    evidence = glowing(seen, half_mm, min(share * white, 255.0))
    found = list(glow_doubts(scene_of(seen.table, evidence, rules)))
    assert len(found) == doubted


@pytest.mark.parametrize(("level", "doubted"), [(236.0, False), (255.0, True)])
def test_paper_in_a_bright_picture_is_no_glow(level: float, doubted: bool) -> None:
    """Its white lines are nearly as bright as any patch can be that is not burnt out."""
    seen = scene(CARD, OTHER)
    raster = seen.evidence.raster
    share = 225.0 * 0.8 / seen.evidence.washed_level
    image = np.asarray(np.clip(raster.image_bgr * share, 0, 255), np.uint8)
    bright = replace(seen, evidence=observe(replace(raster, image_bgr=image)))
    evidence = glowing(bright, 25.0, level)
    assert len(list(glow_doubts(scene_of(seen.table, evidence, RULES)))) == doubted


def cornered(evidence: Evidence, turned_deg: float) -> Evidence:
    """The same with two lines that meet in the glow's corner, on ground that it makes grey."""
    raster = evidence.raster
    finer = 8
    image = cv2.resize(raster.image_bgr, None, fx=finer, fy=finer)
    away = np.deg2rad(90.0 + turned_deg)
    corner = np.array([112.0, 90.0])
    ends = corner + 22.0 * np.array([[1.0, 0.0], [np.cos(away), -np.sin(away)]])
    px = np.rint((raster.to_raster(np.vstack([corner, ends])) + 0.5) * finer).astype(int).tolist()
    for end in px[1:]:
        cv2.line(image, px[0], end, (210, 210, 210), round(1.0 * raster.density * finer))
    image = cv2.resize(image, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA)
    return observe(replace(raster, image_bgr=np.asarray(image, np.uint8)))


@pytest.mark.parametrize(
    ("half_mm", "turned_deg", "rules", "doubted"),
    [
        (25.0, 0.0, RULES, True),
        (25.0, 40.0, RULES, False),
        (0.5, 0.0, RULES, False),
        (25.0, 0.0, Rules(), False),
    ],
    ids=["a corner", "aslant", "no glow", "numbers tell"],
)
def test_a_square_corner_of_lines_near_a_glow(
    half_mm: float, turned_deg: float, rules: Rules, doubted: bool
) -> None:
    seen = scene(CARD)
    evidence = cornered(glowing(seen, half_mm, 255.0), turned_deg)
    found = list(corners_by_glow(scene_of(seen.table, evidence, rules)))
    assert len(found) == doubted
