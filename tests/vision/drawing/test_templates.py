from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from geometry.deck_file import published_deck
from tests.vision.drawing.drawn_cards import CARD, DECK, DrawnCard, drawn_evidence
from vision.drawing.pose_fit import place
from vision.drawing.templates import (
    THINNING,
    TableMap,
    draw_templates,
    on_grid,
    on_grid_of,
    thinned,
)
from vision.raster import look_up

TEMPLATES = draw_templates(DECK)


def test_one_row_a_side_of_every_face() -> None:
    assert TEMPLATES.white.shape == (2 * len(DECK.faces) + 2, len(TEMPLATES.grid_mm))
    assert TEMPLATES.faces[-1] == DECK.starting_face.id
    assert np.prod(TEMPLATES.shape_hw) == len(TEMPLATES.grid_mm)


def test_the_grid_lies_round_the_cards_middle() -> None:
    np.testing.assert_allclose(TEMPLATES.grid_mm.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(TEMPLATES.grid_mm, -TEMPLATES.grid_mm[::-1], atol=1e-9)


def test_dots_are_white_where_the_deck_has_them_on_either_side() -> None:
    for index, face in enumerate(DECK.faces):
        for side, flip in enumerate((1.0, -1.0)):
            for x, y in face.dots_mm:
                near = np.hypot(*(TEMPLATES.grid_mm - [flip * x, y]).T) < 1.0
                assert TEMPLATES.white[2 * index + side, near].min() > 0.8


def test_lines_finer_than_a_picture_shows_them_are_drawn_wider() -> None:
    fine, wide = (replace(DECK, card=replace(DECK.card, line_mm=mm)) for mm in (0.6, 1.2))
    assert np.array_equal(draw_templates(fine).white, TEMPLATES.white)
    assert draw_templates(wide).white.sum() > 1.1 * TEMPLATES.white.sum()


def test_right_and_left_and_either_end_are_drawn_alike() -> None:
    """No edge is wider or farther out on one side: hypotheses that differ by a turn, or a side, do
    not differ where shapes do not.
    """
    marks = TEMPLATES.marks.reshape(TEMPLATES.shape_hw)
    for drawn in (TEMPLATES.white, TEMPLATES.ink):
        front, back = (one.reshape(-1, *TEMPLATES.shape_hw) for one in (drawn[::2], drawn[1::2]))
        off = np.where(marks | marks[:, ::-1], 0, front - back[..., ::-1])
        assert np.abs(off).max() < 0.02
    plain = TEMPLATES.white[2 * TEMPLATES.faces.index("circle-6")].reshape(TEMPLATES.shape_hw)
    assert np.abs(np.where(marks, 0, plain - plain[:, ::-1])).max() < 0.02


def test_marks_that_printings_have_either_way_up_are_drawn_so() -> None:
    deck = published_deck()
    templates = draw_templates(deck)
    assert len(deck.either_way) == 2
    for face, name in enumerate(templates.faces):
        drawn = templates.white[2 * face, templates.marks]
        assert np.allclose(drawn, drawn[::-1], atol=0.05) == (name in deck.either_way)


def test_black_is_what_lies_clear_of_ink_and_white() -> None:
    starting, face = -2, 0
    assert TEMPLATES.clear_of_ink[starting].all()
    for row in (face, starting):
        black = TEMPLATES.black[row]
        assert black.mean() > 0.2
        assert TEMPLATES.white[row, black].max() < 0.1
        assert TEMPLATES.ink[row, black].max() < 0.1
    inked = TEMPLATES.grid_mm[TEMPLATES.ink[face] > 0.5]
    black = TEMPLATES.grid_mm[TEMPLATES.black[face]]
    assert np.hypot(*(inked[:, None] - black[None, ::7]).T).min() > 1.0


def test_a_card_cut_out_looks_like_its_template() -> None:
    cards = (CARD, DrawnCard("triangle-5", "purple", (125.0, 70.0, -2.1), mirrored=True))
    evidence = drawn_evidence(*cards)
    poses = np.array([card.pose for card in cards])
    white = on_grid_of(evidence.white, evidence.raster, poses, TEMPLATES)
    for card, seen in zip(cards, white, strict=True):
        row = 2 * TEMPLATES.faces.index(card.face) + card.mirrored
        plain = ~TEMPLATES.symbol
        fit = [np.corrcoef(seen[plain], drawn[plain])[0, 1] for drawn in TEMPLATES.white]
        assert int(np.argmax(fit)) == row
        assert max(fit) > np.sort(fit)[-2] + 0.03


def test_warping_is_the_same_as_looking_up_place_by_place() -> None:
    evidence = drawn_evidence(CARD)
    raster = evidence.raster
    poses = np.array([CARD.pose, (-32.0, 14.0, 1.0)])
    for image in (evidence.white, evidence.raster.image_bgr):
        warped = on_grid_of(image, raster, poses, TEMPLATES).astype(float)
        looked_up = look_up(image, raster.to_raster(place(poses, TEMPLATES.grid_mm))).astype(float)
        # Where the picture ends the two fade out differently.
        assert np.percentile(np.abs(warped - looked_up), 99.5) <= 3
    coarse = np.arange(40 * 50, dtype=np.uint16).reshape(40, 50)
    warped = on_grid(TableMap(coarse, (40.0, 60.0), 2.0), poses, TEMPLATES, cv2.INTER_NEAREST)
    at = (place(poses, TEMPLATES.grid_mm) - [40.0, 60.0]) * 2
    assert (warped == look_up(coarse, at, cv2.INTER_NEAREST)).mean() > 0.999


def test_thinning_meets_every_second_row_and_column() -> None:
    keep = thinned(TEMPLATES).reshape(TEMPLATES.shape_hw)
    assert abs(keep.mean() * THINNING - 1) < 0.02
    assert keep.any(axis=0).all()
    assert keep[::2].any(axis=1).all()


def test_a_badge_larger_than_its_card_is_cut_off_there() -> None:
    drawn = draw_templates(replace(DECK, badge_mm=2 * DECK.card.width_mm))
    assert drawn.white.shape == draw_templates(DECK).white.shape
    assert abs(drawn.ink[0].max() - 1) < 0.01
