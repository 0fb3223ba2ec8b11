"""What lies over the cards of a simulated scene hides them where the truth says."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from measuring.scenes.truth import parse_truth
from simulator import Conditions, SimulatedScene, draw_conditions, simulate_scene
from simulator.over import OVER

BARE = Conditions(cards=13, px_per_mm=2.0, table="oak", noise=0.0, jpeg_quality=97)


@cache
def scene(over: str, seed: int = 5) -> SimulatedScene:
    return simulate_scene(seed, replace(BARE, over=over))


def covered(made: SimulatedScene) -> NDArray[np.bool_]:
    mask = np.zeros(made.image_bgr.shape[:2], np.uint8)
    outlines: Any = made.truth["over_outlines_px"]
    for part in outlines:
        cv2.fillConvexPoly(mask, np.round(np.array(part)).astype(np.int32), 1)
    return mask.astype(bool)


def card_mask(made: SimulatedScene) -> NDArray[np.uint8]:
    """1 + id of the highest card at each pixel, 0 where there is none."""
    truth = parse_truth(made.truth)
    mask = np.zeros(made.image_bgr.shape[:2], np.uint8)
    for card in truth.layout.cards:
        corners = card.pose.to_table(np.array(truth.layout.deck.card.corners_mm))
        px = np.round(truth.camera.to_px(corners)).astype(np.int32)
        cv2.fillConvexPoly(mask, px, card.id + 1)
    return mask


@pytest.mark.parametrize("kind", OVER)
def test_it_hides_cards_and_the_truth_says_where(kind: str) -> None:
    bare, made = scene(""), scene(kind)
    assert "over" not in bare.truth
    over: Any = made.truth["over"]
    assert over[0] == kind
    mask, cards = covered(made), card_mask(made)
    assert mask[cards > 0].mean() > 0.005
    assert mask[cards > 0].mean() < 0.65
    differs = np.abs(made.image_bgr.astype(int) - bare.image_bgr).max(axis=2) > 40
    assert differs[mask & (cards > 0)].mean() > 0.3, "it is drawn where it is said to be"
    for hidden in made.truth["over_hides"]:  # type: ignore[attr-defined]
        assert mask[cards == hidden + 1].mean() > 0.9


@pytest.mark.parametrize("kind", OVER)
def test_the_cards_and_their_scores_stay_what_they_are(kind: str) -> None:
    bare, made = scene(""), scene(kind)
    for key in ("cards", "scores", "scores_without_illegal", "camera", "illegal"):
        assert made.truth[key] == bare.truth[key], key


@pytest.mark.parametrize("kind", OVER)
def test_it_throws_a_shadow_and_stands_in_the_scenes_light(kind: str) -> None:
    bare, made = scene(""), scene(kind)
    beside = cv2.dilate(covered(made).astype(np.uint8), np.ones((15, 15), np.uint8)) > 0
    beside &= ~(cv2.dilate(covered(made).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)
    change = made.image_bgr.mean(axis=2) - bare.image_bgr.mean(axis=2)
    assert np.percentile(change[beside], 3) < -2.5, "a shadow beside it"
    dim = simulate_scene(5, replace(BARE, over=kind, white_level=0.35))
    inside = covered(made)
    assert dim.image_bgr[inside].mean() < 0.7 * made.image_bgr[inside].mean()


def test_an_arm_comes_from_outside_the_picture() -> None:
    for kind in ("arm", "sleeve"):
        mask = covered(scene(kind))
        assert any(edge.any() for edge in (mask[0], mask[-1], mask[:, 0], mask[:, -1])), kind


def test_some_hide_whole_cards() -> None:
    hides = [bool(scene(kind, seed).truth["over_hides"]) for kind in OVER for seed in (5, 6)]
    assert any(hides)
    assert not all(hides)


def test_the_same_seed_gives_the_same_thing() -> None:
    again = simulate_scene(5, replace(BARE, over="napkin"))
    assert np.array_equal(again.image_bgr, scene("napkin").image_bgr)
    assert again.truth == scene("napkin").truth


def test_the_mix_has_all_of_them_in_all_kinds_of_light() -> None:
    mix = [draw_conditions(np.random.default_rng(seed), "over") for seed in range(200)]
    assert {c.over for c in mix} == set(OVER)
    assert {c.markers for c in mix} >= {"all", "none"}
    assert {c.printing for c in mix} == {"deck", "random"}
    assert {c.light for c in mix} == {"panel", "window", "lamp"}


def test_what_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="'piano'"):
        simulate_scene(5, replace(BARE, cards=2, over="piano"))
