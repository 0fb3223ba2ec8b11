from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.naming.named_tables import CARDS, EVIDENCE, PRINTED, TEMPLATES, check, named_of
from vision.drawing.coverage import cover, top_map
from vision.naming.faces import BADGE_LOUDNESS, FaceScores, cut_out, score_faces
from vision.naming.name_cards import (
    LEAST_BADGE,
    alone_weight,
    badge_fit,
    choose,
    half_turned,
    name_cards,
    refine,
    top_weight,
    weighed,
    with_badges,
)

FloatArray = NDArray[np.float64]
POSES = np.array([card.pose for card in CARDS])


@pytest.mark.parametrize("turned", [False, True])
def test_cards_are_named_and_turned_the_right_way(turned: bool) -> None:
    poses = half_turned(POSES) if turned else POSES
    named, _ = name_cards(EVIDENCE, with_badges(EVIDENCE, poses, TEMPLATES), PRINTED)
    check(named, CARDS)
    assert (named.fit < 0.35).all()
    assert (named.margin > 0.02).all()


def test_what_is_no_card_and_what_comes_twice_is_dropped() -> None:
    strangers = np.array([[160.0, 40.0, 0.0], [60.0, 130.0, 1.0]])
    again = POSES + [1.0, -1.0, np.pi]
    poses = np.concatenate([POSES, strangers, again])
    named, _ = name_cards(EVIDENCE, with_badges(EVIDENCE, poses, TEMPLATES), PRINTED)
    check(named, CARDS)


def test_no_poses_give_no_cards() -> None:
    assert len(name_cards(EVIDENCE, np.empty((0, 3)), PRINTED)[0]) == 0


def test_badges_tell_cards_from_chance() -> None:
    assert (badge_fit(EVIDENCE, POSES, TEMPLATES) > LEAST_BADGE + 0.15).all()
    random = np.random.default_rng(1)
    chance = np.column_stack([random.uniform(0, 120, (40, 2)), random.uniform(0, 3, 40)])
    far = np.linalg.norm(chance[:, None, :2] - POSES[None, :, :2], axis=2).min(axis=1) > 8
    assert np.median(badge_fit(EVIDENCE, chance[far], TEMPLATES)) < LEAST_BADGE


NONE = np.zeros((1, 0), np.float32)


def test_the_best_hypothesis_and_the_next_other_face() -> None:
    """Face 0 mirrored and turned is best; the margin is to face 2's back, not to its own front."""
    misfit = np.full((1, 16), 0.8)
    misfit[0, [3, 1, 10]] = 0.1, 0.12, 0.2
    grey = np.zeros((1, 3))
    named = choose(
        np.array([[1.0, 2.0, 0.5]]),
        FaceScores(misfit, np.array([0.5]), grey, np.ones(1), np.ones(1), grey, NONE, NONE, NONE),
    )
    np.testing.assert_allclose(named.poses, [[1, 2, 0.5 + np.pi]])
    assert named.rows.tolist() == [1]
    assert named.fit[0] == pytest.approx(0.2)
    assert named.margin[0] == pytest.approx(0.2)


def test_the_starting_face_is_left_to_a_search_of_its_own() -> None:
    misfit = np.full((1, 12), 0.8)
    misfit[0, [2, 8]] = 0.2, 0.1
    grey = np.zeros((1, 3))
    scores = FaceScores(misfit, np.ones(1), grey, np.ones(1), np.ones(1), grey, NONE, NONE, NONE)
    assert choose(np.zeros((1, 3)), scores).rows.tolist() == [1]
    assert choose(np.zeros((1, 3)), scores, start_too=True).rows.tolist() == [4]


def test_where_a_card_lies_alone_and_where_it_shows() -> None:
    cards = (CARDS[0], DrawnCard("square-2", "red", (60.0, 71.0, 0.3)))
    poses = np.array([card.pose for card in cards])
    evidence = drawn_evidence(*cards)
    alone = alone_weight(poses, cover(evidence.raster, poses, DECK.card), TEMPLATES)
    assert set(np.unique(alone)) == {0, 1}
    assert alone[0].mean() == pytest.approx(alone[1].mean(), abs=0.02)
    assert 0.5 < alone[0].mean() < 0.95
    shows = top_weight(poses, top_map(evidence.raster, poses, [0, 1], DECK.card), TEMPLATES)
    assert shows[1].mean() > 0.98
    assert shows[0].mean() == pytest.approx(alone[0].mean(), abs=0.02)


def test_badges_speak_loudest() -> None:
    patches = cut_out(EVIDENCE, POSES, TEMPLATES)
    ones = np.ones(patches.weight.shape, np.float32)
    louder = weighed(patches, ones, TEMPLATES).weight
    np.testing.assert_allclose(louder[:, TEMPLATES.badge], BADGE_LOUDNESS)
    np.testing.assert_allclose(louder[:, ~TEMPLATES.badge], patches.weight[:, ~TEMPLATES.badge])
    assert not weighed(patches, 0 * ones, TEMPLATES).weight.any()


def test_what_shows_is_scored_as_patches_that_speak_only_there_are() -> None:
    patches = cut_out(EVIDENCE, POSES, TEMPLATES)
    shown = (np.random.default_rng(5).random(patches.weight.shape) < 0.6).astype(np.float32)
    scores = score_faces(patches, TEMPLATES, shown)
    as_patches = score_faces(weighed(patches, shown, TEMPLATES), TEMPLATES)
    np.testing.assert_allclose(scores.misfit, as_patches.misfit)
    np.testing.assert_allclose(scores.weight, as_patches.weight)
    assert (score_faces(patches, TEMPLATES).weight < scores.weight.max()).all()


def test_refining_leaves_hundredths_of_a_millimetre() -> None:
    rough = named_of(*CARDS)
    moved = replace(rough, poses=POSES + [0.7, -0.5, 0.01])
    weights = np.ones((3, len(TEMPLATES.grid_mm)), np.float32)
    fine = refine(EVIDENCE, moved, weights, TEMPLATES, passes=5)
    assert np.linalg.norm(fine.poses[:, :2] - POSES[:, :2], axis=1).max() < 0.06


def test_cards_can_be_taken_and_joined() -> None:
    named = named_of(*CARDS)
    swapped = named.take(np.array([2, 0]))
    assert swapped.rows.tolist() == named.rows[[2, 0]].tolist()
    both = swapped.joined(named.take(np.array([False, True, False])))
    np.testing.assert_array_equal(both.poses, POSES[[2, 0, 1]])
    more = both.with_card(np.array([1.0, 2.0, 3.0]), 36, 0.4)
    assert len(more) == 4
    assert (more.rows[3], more.fit[3], more.ink[3].any()) == (36, 0.4, False)
