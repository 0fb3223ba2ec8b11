from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_pose_fit import CARD, DECK, DrawnCard, drawn_evidence
from vision.faces import BURNT_WEIGHT, Patches, cut_out, score_faces
from vision.templates import draw_templates

TEMPLATES = draw_templates(DECK)
CARDS = (
    DrawnCard("circle-3", "orange", (10.0, 70.0, 0.3)),
    DrawnCard("triangle-6", "purple", (75.0, 80.0, -2.1), mirrored=True),
    DrawnCard("square-1", "green", (140.0, 95.0, 3.0)),
    DrawnCard("start", "white", (75.0, 160.0, 1.6)),
)


def row_of(card: DrawnCard) -> int:
    return 2 * TEMPLATES.faces.index(card.face) + card.mirrored


@pytest.fixture(scope="module")
def patches() -> Patches:
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210))
    return cut_out(evidence, np.array([card.pose for card in CARDS]), TEMPLATES)


@pytest.mark.parametrize("turned", [False, True])
def test_face_side_and_turn_are_the_drawn_ones(turned: bool) -> None:
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210))
    poses = np.array([card.pose for card in CARDS]) + [0, 0, np.pi * turned]
    scores = score_faces(cut_out(evidence, poses, TEMPLATES), TEMPLATES)
    assert scores.misfit.shape == (4, 2 * len(TEMPLATES.white))
    expected = [2 * row_of(card) + turned for card in CARDS]
    assert scores.misfit.argmin(axis=1).tolist() == expected
    assert (scores.misfit.min(axis=1) < 0.5 * scores.energy).all()


def test_half_a_card_is_enough(patches: Patches) -> None:
    rows, columns = TEMPLATES.shape_hw
    below = (np.arange(rows * columns) // columns > rows * 0.45).astype(np.float32)
    scores = score_faces(replace(patches, weight=patches.weight * below), TEMPLATES)
    assert (scores.misfit.argmin(axis=1) // 2).tolist() == [row_of(card) for card in CARDS]


def test_misfit_is_a_mean_over_what_is_weighed(patches: Patches) -> None:
    """Against a sum over the same places written out."""
    fainter = score_faces(replace(patches, weight=patches.weight * np.float32(0.5)), TEMPLATES)
    scores = score_faces(patches, TEMPLATES)
    np.testing.assert_allclose(fainter.misfit, scores.misfit, rtol=2e-3)
    nothing = score_faces(replace(patches, weight=patches.weight * 0), TEMPLATES)
    assert np.isfinite(nothing.misfit).all()


def test_ink_points_the_way_of_the_cards_colour(patches: Patches) -> None:
    scores = score_faces(patches, TEMPLATES)
    for card, ink, strength in zip(CARDS[:3], scores.ink, scores.strength, strict=False):
        text = DECK.colour(card.colour).hex
        bgr = np.array([int(text[k : k + 2], 16) for k in (5, 3, 1)], dtype=float)
        away = bgr - bgr.mean()
        assert ink.sum() == pytest.approx(0, abs=1e-3)
        assert ink @ away / np.linalg.norm(ink) / np.linalg.norm(away) > 0.95
        assert strength == pytest.approx(np.linalg.norm(ink))


def test_beyond_the_picture_and_in_burnt_places_little_is_said() -> None:
    evidence = drawn_evidence(CARD)
    washed = np.zeros_like(evidence.white)
    washed[:, : washed.shape[1] // 2] = 255
    evidence = replace(evidence, washed=washed)
    x_mm = evidence.raster.to_mm(np.array([[washed.shape[1] / 2, 0]]))[0, 0]
    poses = np.array([[x_mm, 80.0, 0.0], [-500.0, 80.0, 0.0]])
    weight = cut_out(evidence, poses, TEMPLATES).weight.reshape(2, *TEMPLATES.shape_hw)
    half = TEMPLATES.shape_hw[1] // 2
    assert (weight[0, :, : half - 2] == np.float32(BURNT_WEIGHT)).all()
    assert (weight[0, :, half + 2 :] == 1).all()
    assert not weight[1].any()
