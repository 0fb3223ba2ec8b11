from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from vision.evidence import Evidence
from vision.finding.find_cards import (
    FAR_REACH_MM,
    _best_angles,
    badge_centres,
    badges_in_frames,
    poses_from_centres,
    unread_badges,
)
from vision.observing.marks import find_holes, find_marks

FloatArray = NDArray[np.float64]
LOWER = DrawnCard("circle-4", "green", (22.0, 71.0, 0.3))
UPPER = DrawnCard("square-2", "red", (84.0, 60.0, 1.9), mirrored=True)
APART = DrawnCard("triangle-5", "blue", (120.0, 120.0, -1.5))


def found(evidence: Evidence) -> FloatArray:
    return poses_from_centres(
        evidence, badge_centres(find_marks(evidence), find_holes(evidence), DECK), DECK
    )


def test_angles_plainly_worse_than_a_plain_one_are_not_tried() -> None:
    angles = np.deg2rad(np.arange(0.0, 180.0, 2.0))
    scores = np.zeros((3, len(angles)))
    scores[:, [10, 30, 60]] = [[0.8, 0.3, 0.2], [0.8, 0.6, 0.2], [0.3, 0.15, 0.1]]
    centres = np.array([[5.0, 6.0], [7.0, 8.0], [9.0, 1.0]])
    starts, owner = _best_angles(centres, angles, scores)
    assert owner.tolist() == [0, 1, 1, 2, 2, 2]
    np.testing.assert_allclose(starts[:, :2], centres[owner])
    np.testing.assert_allclose(starts[:, 2], angles[[10, 10, 30, 10, 30, 60]])


@pytest.mark.parametrize(
    "cards", [(LOWER,), (LOWER, UPPER), (UPPER, LOWER), (LOWER, UPPER, APART)], ids=len
)
def test_every_card_that_shows_its_badge_has_a_pose(cards: tuple[DrawnCard, ...]) -> None:
    poses = found(drawn_evidence(*cards))
    for card in cards:
        gaps = [off(pose, card) for pose in poses]
        gap_mm, gap_deg = min(gaps)
        assert gap_mm < 0.25
        assert gap_deg < 0.4


@pytest.mark.parametrize("angle", [0.0, 0.8, 1.57, 2.4])
def test_a_card_may_lie_at_any_angle(angle: float) -> None:
    card = DrawnCard("square-5", "purple", (62.0, 81.0, angle))
    gap_mm, gap_deg = min(off(pose, card) for pose in found(drawn_evidence(card)))
    assert gap_mm < 0.1
    assert gap_deg < 0.1


def test_a_middle_need_only_be_known_roughly() -> None:
    evidence = drawn_evidence(APART)
    centre = np.array([APART.pose[:2]]) + [1.6, -1.9]
    (pose,) = poses_from_centres(evidence, centre, DECK)
    assert off(pose, APART)[0] < 0.1


def test_a_badge_without_a_frame_is_no_card() -> None:
    evidence = drawn_evidence(APART)
    assert poses_from_centres(evidence, np.array([[20.0, 40.0]]), DECK).shape == (0, 3)


def test_an_empty_table_has_no_poses() -> None:
    assert found(drawn_evidence()).shape == (0, 3)


def test_a_badge_that_no_card_has_is_told_with_its_pose() -> None:
    cards = [
        DrawnCard("circle-4", "green", (40.0, 60.0, 0.4)),
        DrawnCard("square-3", "red", (115.0, 75.0, 1.1), True),
    ]
    evidence = drawn_evidence(*cards)
    centres = badge_centres(find_marks(evidence), find_holes(evidence), DECK)
    read = np.array([card.pose for card in cards])
    assert len(unread_badges(evidence, centres, read, DECK)) == 0
    (missed,) = unread_badges(evidence, centres, read[:1], DECK)
    assert np.hypot(*(missed[:2] - read[1, :2])) < 0.5
    assert abs(np.sin(missed[2] - read[1, 2])) < 0.03


def test_the_badge_in_a_frame_that_lies_aside_is_found() -> None:
    """A curl shifts the ends of a card, and so what its frame says of the middle."""
    cards = [
        DrawnCard("circle-4", "green", (40.0, 60.0, 0.4)),
        DrawnCard("square-3", "red", (115.0, 75.0, 1.1), True),
    ]
    evidence = drawn_evidence(*cards)
    true = np.array([card.pose for card in cards])
    aside = true + np.array([[2.4, -1.5, 0.05], [-1.0, 2.8, np.pi - 0.05]])
    found = badges_in_frames(evidence, aside, DECK)
    assert (np.hypot(*(found[:, :2] - true[:, :2]).T) < 0.7).all()
    assert (np.abs(found[:, 2] - true[:, 2] - [0.0, 2 * np.pi]) < 0.08).all()
    elsewhere = true + np.array([[25.0, 0.0, 0.0], [0.0, 25.0, 0.0]])
    assert len(badges_in_frames(evidence, elsewhere, DECK)) == 0
    assert len(badges_in_frames(evidence, true[:0], DECK)) == 0


def test_badges_far_from_all_cards_are_another_game_s() -> None:
    cards = [
        DrawnCard("circle-4", "green", (40.0, 60.0, 0.4)),
        DrawnCard("square-3", "red", (260.0, 75.0, 1.1)),
    ]
    evidence = drawn_evidence(*cards, size_mm=(320, 130))
    centres = badge_centres(find_marks(evidence), find_holes(evidence), DECK)
    read = np.array([cards[0].pose])
    assert len(unread_badges(evidence, centres, read, DECK)) == 0
    # Unless it is known that a card is missing.
    assert len(unread_badges(evidence, centres, read, DECK, FAR_REACH_MM)) == 1


def test_badges_stand_alone_on_black_and_are_looked_at_before_what_crowds() -> None:
    """Spots of a cloth, more than are looked at, lie nearer to the known card than another."""
    cards = [
        DrawnCard("circle-4", "green", (40.0, 60.0, 0.0)),
        DrawnCard("square-3", "red", (125.0, 66.0, 0.0), True),
    ]
    evidence = drawn_evidence(*cards, size_mm=(220, 130))
    cloth = np.stack(np.meshgrid(np.arange(72.0, 93.0, 5), np.arange(10.0, 121.0, 5)), -1)
    spots = cloth.reshape(-1, 2)
    white = evidence.white.copy()
    for x, y in np.rint(evidence.raster.to_raster(spots)).astype(int):
        white[y - 2 : y + 3, x - 2 : x + 3] = 255
    evidence = replace(evidence, white=white)
    missed = np.array([cards[1].pose[:2]])
    read = np.array([cards[0].pose])
    (pose,) = unread_badges(evidence, np.concatenate([spots, missed]), read, DECK)
    assert np.hypot(*(pose[:2] - missed[0])) < 0.5
