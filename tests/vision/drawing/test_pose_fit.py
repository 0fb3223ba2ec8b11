from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import (
    CARD,
    DECK,
    DENSITY,
    ORIGIN_MM,
    DrawnCard,
    drawn_evidence,
    off,
)
from vision.drawing.pose_fit import fit_poses, frame_samples, place, place_each, sweep_angles


def test_a_quarter_turn_takes_right_to_down_as_the_screen_does() -> None:
    placed = place(np.array([[10.0, 20.0, np.pi / 2]]), np.array([[5.0, 0.0], [0.0, 1.0]]))
    np.testing.assert_allclose(placed, [[[10, 25], [9, 20]]], atol=1e-12)


def test_each_card_places_its_own_points() -> None:
    poses = np.array([[10.0, 20.0, 0.4], [-7.0, 3.0, -2.0]])
    points = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
    both = place_each(poses, points)
    assert both.dtype == np.float32
    for k in (0, 1):
        np.testing.assert_allclose(both[k], place(poses[k : k + 1], points[k])[0], atol=1e-5)


def test_frame_samples_lie_on_the_frame_and_look_outwards() -> None:
    lines = frame_samples(DECK.card, 1.5)
    half = np.array([DECK.card.frame_width_mm, DECK.card.frame_height_mm]) / 2
    np.testing.assert_allclose((np.abs(lines.places_mm) / half).max(axis=1), 1)
    assert ((lines.places_mm * lines.normals).sum(axis=1) > 0).all()


@pytest.mark.parametrize("start", [(1.5, -1.0, 0.02), (-2.5, 2.0, -0.03), (3.0, 0.0, 0.0)])
def test_a_frame_is_fitted_to_a_twentieth_of_a_millimetre(
    start: tuple[float, float, float],
) -> None:
    evidence = drawn_evidence(CARD)
    lines = frame_samples(DECK.card, 1.5)
    poses = np.array([CARD.pose]) + start
    for reach_mm in (4.0, 2.0, 1.25, 1.25):
        fit = fit_poses(evidence, poses, lines, (reach_mm,))
        poses = fit.poses
    gap_mm, gap_deg = off(poses[0], CARD)
    assert gap_mm < 0.05
    assert gap_deg < 0.05
    assert fit.seen.mean() > 0.95


def test_what_is_weighted_out_does_not_pull() -> None:
    """A frame whose lower line is drawn two pixels too low: the sides believed decide."""
    left = DrawnCard("circle-4", "green", (40.0, 81.0, 0.0))
    evidence = drawn_evidence(left)
    half = DECK.card.frame_height_mm / 2
    raster = evidence.raster
    row = int(raster.to_raster(np.array([40.0, 81.0 + half]))[1])
    white = evidence.white.copy()
    white[row - 6 : row + 6] = np.roll(white, 2, axis=0)[row - 6 : row + 6]
    evidence = replace(evidence, white=white)
    lines = frame_samples(DECK.card, 1.5)
    above = (lines.normals[:, 1] < 0.5).astype(np.float64)[None]
    below = (lines.normals[:, 1] > -0.5).astype(np.float64)[None]
    start = np.array([left.pose]) + [0.1, 0.3, 0.0]
    from_above = fit_poses(evidence, start, lines, (2.0,) * 3, above)
    from_below = fit_poses(evidence, start, lines, (2.0,) * 3, below)
    assert from_above.poses[0, 1] == pytest.approx(81.0, abs=0.06)
    assert from_below.poses[0, 1] == pytest.approx(81.0 + 2 / DENSITY, abs=0.06)


def test_the_best_angle_is_the_cards_own() -> None:
    evidence = drawn_evidence(CARD)
    blurred = np.asarray(cv2.GaussianBlur(evidence.mask, (0, 0), 0.9 * DENSITY), np.uint8)
    beyond = [ORIGIN_MM[0] - 400.0, ORIGIN_MM[1] - 400.0]
    centres = np.array([CARD.pose[:2], [140.0, 140.0], beyond])
    angles, scores = sweep_angles(evidence, blurred, centres, DECK.card)
    assert scores.shape == (3, len(angles))
    assert abs(angles[scores[0].argmax()] - CARD.pose[2]) <= np.deg2rad(1.5)
    assert scores[0].max() > 0.8
    assert scores[1:].max() < 0.4
