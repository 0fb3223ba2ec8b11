from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.test_pose_fit import DECK, DrawnCard, drawn_evidence
from vision.drawing.templates import draw_templates
from vision.evidence import Evidence, observe
from vision.naming.badge_correlation import BADGE_LEAD
from vision.naming.faces import cut_out, score_faces
from vision.naming.faint_badges import (
    faint_leads,
    faint_likeness,
    heeding_faint_badges,
)
from vision.observing.haze_light import GAMMA
from vision.raster import Raster

FloatArray = NDArray[np.float64]
TEMPLATES = draw_templates(DECK)
POSE = np.array([[62.0, 81.0, 0.3]])
YELLOW, WHITE = (0.66, 1.1, 1.2), (1.6, 1.6, 1.6)
"""A lamp's light, blue green red, over full scale: blue is not burnt out under the first."""


def lit(face: str, lamp: tuple[float, ...] | None) -> Evidence:
    """A card with a lamp's reflection, 15 mm wide, over its badge."""
    raster = drawn_evidence(DrawnCard(face, "green", (62.0, 81.0, 0.3))).raster
    y, x = np.indices(raster.image_bgr.shape[:2])
    middle = raster.to_raster(POSE[0, :2])
    away = np.hypot(x - middle[0], y - middle[1]) / raster.density
    light = (raster.image_bgr / 255) ** GAMMA
    if lamp is not None:
        light += np.exp(-((away / 15.0) ** 4))[..., None] * np.array(lamp)
    image = np.rint(255 * np.clip(light, 0, 1) ** (1 / GAMMA)).astype(np.uint8)
    return observe(Raster(image, raster.origin_mm, raster.density))


def likeness(evidence: Evidence) -> FloatArray:
    shown = np.ones((1, TEMPLATES.white.shape[1]), np.float32)
    return faint_likeness(evidence, cut_out(evidence, POSE, TEMPLATES), shown, TEMPLATES)


@pytest.mark.parametrize("face", ["square-5", "circle-2", "triangle-4"])
def test_a_badge_is_told_by_the_channel_that_is_not_burnt_out(face: str) -> None:
    evidence = lit(face, YELLOW)
    like = likeness(evidence)
    own = 4 * TEMPLATES.faces.index(face)
    leads = faint_leads(like, np.array([own]), TEMPLATES)[0]
    others = np.ones(len(leads), np.bool_)
    others[own : own + 4] = False
    others[4 * (len(TEMPLATES.faces) - 1) :] = False
    assert (leads[others] >= BADGE_LEAD).mean() > 0.9
    assert (leads[[own, own + 2]] == 0).all(), "a badge looks the same on either side"


def test_what_the_badge_gainsays_is_dealt_last() -> None:
    evidence = lit("square-5", YELLOW)
    scores = score_faces(cut_out(evidence, POSE, TEMPLATES), TEMPLATES)
    heeded = heeding_faint_badges(scores, likeness(evidence), TEMPLATES)
    own, other = (4 * TEMPLATES.faces.index(face) for face in ("square-5", "triangle-4"))
    assert heeded.misfit[0, own] == scores.misfit[0, own]
    assert heeded.misfit[0, other] > scores.misfit[0, other]


@pytest.mark.parametrize("lamp", [None, WHITE])
def test_a_badge_that_shows_or_is_gone_is_no_such_witness(lamp: tuple[float, ...] | None) -> None:
    assert not faint_leads(likeness(lit("square-5", lamp)), np.array([0]), TEMPLATES).any()
    assert likeness(lit("square-5", lamp)).max() < 0.5


def test_a_covered_badge_is_none() -> None:
    evidence = lit("square-5", YELLOW)
    patches = cut_out(evidence, POSE, TEMPLATES)
    shown = (~TEMPLATES.badge).astype(np.float32)[None]
    assert not faint_likeness(evidence, patches, shown, TEMPLATES).any()
