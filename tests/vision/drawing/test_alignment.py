from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import CARD, DECK, DrawnCard, drawn_evidence, off
from vision.drawing.alignment import MOST_PLACES, ShownDrawings, align, align_bent
from vision.drawing.coverage import cover, top_map
from vision.drawing.templates import draw_templates

TEMPLATES = draw_templates(DECK)
CARDS = (
    DrawnCard("circle-3", "orange", (10.0, 70.0, 0.3)),
    DrawnCard("triangle-6", "purple", (75.3, 80.6, -2.1), mirrored=True),
    DrawnCard("start", "white", (140.2, 95.1, 3.0)),
)


def row_of(card: DrawnCard) -> int:
    return 2 * TEMPLATES.faces.index(card.face) + card.mirrored


@pytest.mark.parametrize("start", [(0.0, 0.0, 0.0), (0.6, -0.5, 0.008), (-0.4, 0.7, -0.01)])
def test_drawn_cards_are_found_to_a_twentieth_of_a_mm(start: tuple[float, float, float]) -> None:
    evidence = drawn_evidence(*CARDS)
    true = np.array([card.pose for card in CARDS])
    rows = np.array([row_of(card) for card in CARDS])
    weights = np.ones((len(CARDS), len(TEMPLATES.grid_mm)), np.float32)
    poses, misfit = align(evidence, true + start, ShownDrawings(rows, weights, TEMPLATES), passes=8)
    for card, pose in zip(CARDS, poses, strict=True):
        gap_mm, gap_deg = off(pose, card)
        assert gap_mm < 0.05
        # The starting card's band is as white as its lines and runs on into a pale table.
        assert gap_deg < (0.08 if card.face == DECK.starting_face.id else 0.03)
    assert misfit.max() < 0.3


def test_a_card_that_still_moves_is_aligned_on() -> None:
    """One card lies right, the other 0.9 mm off: two passes are enough for the first alone."""
    evidence, pair = drawn_evidence(*CARDS), CARDS[:2]
    start = np.array([card.pose for card in pair]) + [[0, 0, 0], [0.7, -0.6, 0.012]]
    rows = np.array([row_of(card) for card in pair])
    weights = np.ones((len(pair), len(TEMPLATES.grid_mm)), np.float32)
    twice, _ = align(evidence, start, ShownDrawings(rows, weights, TEMPLATES), passes=2)
    assert off(twice[1], pair[1])[0] > 0.1
    settled = align_bent(evidence, start, ShownDrawings(rows, weights, TEMPLATES), passes=2)
    for card, pose in zip(pair, settled, strict=True):
        assert off(pose, card)[0] < 0.05


def test_what_covers_a_card_does_not_move_it() -> None:
    over = DrawnCard("square-2", "red", (85.0, 60.0, 0.35))
    evidence = drawn_evidence(CARD, over)
    poses = np.array([CARD.pose, over.pose])
    top = top_map(evidence.raster, poses, [0, 1], DECK.card, 0.3)
    visible = (top.on(poses, TEMPLATES) == [[1], [2]]).astype(np.float32)
    assert 0.3 < visible[0].mean() < 0.9
    rows = np.array([row_of(CARD), row_of(over)])
    found, _ = align(
        evidence, poses + [0.4, 0.4, 0.004], ShownDrawings(rows, visible, TEMPLATES), passes=8
    )
    assert off(found[0], CARD)[0] < 0.08
    assert off(found[1], over)[0] < 0.03


def test_faint_weights_pull_faintly() -> None:
    """The same card twice, slipped by half a millimetre: the heavier half of it decides."""
    card = DrawnCard("circle-3", "orange", (70.0, 80.0, 0.0))
    evidence = drawn_evidence(card)
    slipped = evidence.white.copy()
    middle = int(evidence.raster.to_raster(np.array([70.0, 80.0]))[1])
    slipped[:middle] = np.roll(evidence.white[:middle], 1, axis=1)
    evidence = replace(evidence, white=slipped)
    upper = (TEMPLATES.grid_mm[:, 1] < 0)[None]
    x_mm = []
    for weight in (0.02, 50.0):
        weights = np.where(upper, weight, 1.0).astype(np.float32)
        start = np.array([card.pose]) + [0.2, 0.0, 0.0]
        poses, _ = align(
            evidence, start, ShownDrawings(np.array([row_of(card)]), weights, TEMPLATES), passes=8
        )
        x_mm.append(poses[0, 0] - 70.0)
    assert x_mm[0] == pytest.approx(0.0, abs=0.1)
    assert x_mm[1] == pytest.approx(1 / 2.4, abs=0.1)


def test_a_card_with_too_little_to_hold_on_to_stays() -> None:
    evidence = drawn_evidence(*CARDS)
    start = np.array([card.pose for card in CARDS]) + [0.5, 0.0, 0.0]
    weights = np.zeros((len(CARDS), len(TEMPLATES.grid_mm)), np.float32)
    weights[1] = 1
    rows = np.array([row_of(card) for card in CARDS])
    poses, misfit = align(evidence, start, ShownDrawings(rows, weights, TEMPLATES))
    np.testing.assert_array_equal(poses[[0, 2]], start[[0, 2]])
    assert np.isinf(misfit[[0, 2]]).all()
    assert off(poses[1], CARDS[1])[0] < 0.1
    assert np.isfinite(misfit[1])


def test_a_card_is_aligned_alike_alone_and_among_others() -> None:
    """Cards that show little share arrays with cards that show much."""
    evidence = drawn_evidence(*CARDS)
    start = np.array([card.pose for card in CARDS]) + [0.3, 0.2, 0.003]
    rows = np.array([row_of(card) for card in CARDS])
    weights = np.ones((len(CARDS), len(TEMPLATES.grid_mm)), np.float32)
    weights[0, : len(TEMPLATES.grid_mm) * 4 // 5] = 0
    together, left = align(evidence, start, ShownDrawings(rows, weights, TEMPLATES))
    assert (weights[0] > 0).sum() > MOST_PLACES
    for i in range(len(CARDS)):
        part = slice(i, i + 1)
        alone, own = align(
            evidence, start[part], ShownDrawings(rows[part], weights[part], TEMPLATES)
        )
        np.testing.assert_allclose(alone[0], together[i], atol=1e-4)
        assert own[0] == pytest.approx(left[i], rel=1e-3)


def test_nothing_to_align() -> None:
    evidence = drawn_evidence(CARD)
    weights = np.ones((0, len(TEMPLATES.grid_mm)), np.float32)
    poses, misfit = align(
        evidence, np.empty((0, 3)), ShownDrawings(np.empty(0, np.int64), weights, TEMPLATES)
    )
    assert poses.shape == (0, 3)
    assert misfit.shape == (0,)
    assert not cover(evidence.raster, poses, DECK.card).count.any()
