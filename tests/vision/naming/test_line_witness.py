from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.naming.test_name_cards import TEMPLATES
from vision.finding.haze import by_what_is_lit
from vision.naming.badge_witness import GAINSAID_MM2
from vision.naming.faces import BURNT_WEIGHT, Patches, differences_mm2, score_faces
from vision.naming.line_witness import LEAST_MORE, Rivals, heeding_lines, line_leads

Map32 = NDArray[np.float32]
ONE = np.zeros(1, np.int64)
SHOWN = np.ones((1, len(TEMPLATES.grid_mm)), np.float32)
NOISE = 2.0
AWAY_FROM_BADGE = np.where(TEMPLATES.badge | TEMPLATES.symbol, np.float32(0), SHOWN)


def hypothesis(face: str, back: int = 0, turned: int = 0) -> int:
    return 4 * TEMPLATES.faces.index(face) + 2 * back + turned


def in_haze(face: str, contrast: float = 24.0, glare: float = 200.0) -> Patches:
    """A card of which a lamp's haze, brightest at its middle, leaves so many grey levels."""
    white = TEMPLATES.white[2 * TEMPLATES.faces.index(face)]
    x = TEMPLATES.grid_mm[:, 0]
    level = 30 + glare * np.exp(-((x / 25) ** 2)) + contrast * white
    level = level + np.random.default_rng(3).normal(0, NOISE / 2, white.shape)
    pixels = np.repeat(np.clip(level, 0, 255).astype(np.uint8)[None, :, None], 4, axis=2)
    return Patches(pixels, np.full(SHOWN.shape, BURNT_WEIGHT, np.float32))


def lead(patches: Patches, own: int, other: int, visible: Map32 = SHOWN) -> float:
    rivals = Rivals(ONE, np.array([own]), np.array([other]))
    return float(line_leads(patches, visible, rivals, TEMPLATES, NOISE)[0])


@pytest.mark.parametrize("other", [("triangle-2", 0, 1), ("triangle-3", 1, 0), ("circle-5", 0, 0)])
def test_lines_tell_through_haze(other: tuple[str, int, int]) -> None:
    patches, own = in_haze("triangle-3"), hypothesis("triangle-3")
    assert lead(patches, own, hypothesis(*other), AWAY_FROM_BADGE) > LEAST_MORE
    assert lead(patches, hypothesis(*other), own, AWAY_FROM_BADGE) < -LEAST_MORE


def test_nothing_is_told_where_two_faces_differ_under_another_card() -> None:
    """The two have the same square in one corner."""
    above = np.where(TEMPLATES.grid_mm[:, 1] < -20, SHOWN, np.float32(0))
    patches = in_haze("square-2")
    for face, back in (("square-3", 0), ("square-5", 1)):
        assert lead(patches, hypothesis("square-2"), hypothesis(face, back), above) == 0


def test_what_is_burnt_out_or_drowned_in_noise_tells_nothing() -> None:
    own, other = hypothesis("triangle-3"), hypothesis("triangle-2", 0, 1)
    assert lead(in_haze("triangle-3", contrast=2.0), own, other, AWAY_FROM_BADGE) == 0
    assert lead(in_haze("triangle-3", glare=2000.0), own, other, middle_only()) == 0


def middle_only() -> Map32:
    return np.asarray(SHOWN * (np.abs(TEMPLATES.grid_mm[:, 0]) < 20), np.float32)


def test_the_best_reading_is_gainsaid_by_the_lines_of_another() -> None:
    patches, own = in_haze("triangle-3"), hypothesis("triangle-3")
    other = hypothesis("triangle-2", 0, 1)
    scores = score_faces(patches, TEMPLATES, AWAY_FROM_BADGE)
    scores.misfit[:] = 9.0
    scores.misfit[0, [own, other]] = 0.2, 0.19
    heeded = heeding_lines(scores, patches, AWAY_FROM_BADGE, TEMPLATES, NOISE)
    worse = (heeded.misfit - scores.misfit)[0] * scores.area_mm2[0]
    np.testing.assert_allclose(worse[[own, other]], [0, GAINSAID_MM2])


def test_a_burnt_out_badge_closes_nothing() -> None:
    """It is as loud as badges are, and glare may look more like one than like another."""
    own, rival = hypothesis("triangle-2"), hypothesis("square-5", 1, 1)
    white = TEMPLATES.white[own // 2] * 200
    pixels = np.repeat(white.astype(np.uint8)[None, :, None], 4, axis=2)
    weight = np.where(TEMPLATES.badge[None], np.float32(BURNT_WEIGHT), np.float32(1))
    patches = Patches(pixels, weight)
    shown = np.where(TEMPLATES.badge[None], SHOWN, np.float32(0))
    loud = score_faces(patches, TEMPLATES, shown)
    lit = by_what_is_lit(loud, patches, TEMPLATES, shown)
    best = np.array([own])
    assert differences_mm2(loud, best, TEMPLATES)[0, rival] > 1
    assert differences_mm2(lit, best, TEMPLATES)[0, rival] == 0
