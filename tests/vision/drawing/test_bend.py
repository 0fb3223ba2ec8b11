from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import quick_or_thorough
from tests.vision.comparing import compare_pairs
from tests.vision.drawing.drawn_cards import DECK, DENSITY, ORIGIN_MM, DrawnCard, off
from tests.vision.drawing.rasters import seen_mm_to_raster
from vision.drawing.alignment import ShownDrawings, align, align_bent
from vision.drawing.bend import (
    FLAT,
    NEARER,
    bend_shift,
    complex_bends,
    flattened,
    is_bent,
    own_places,
    seen_shift,
    stacked,
    widened,
)
from vision.drawing.coverage import cover, top_map
from vision.drawing.face_art import CardSide, paint, palette
from vision.drawing.overlap_places import Drawing
from vision.drawing.pose_fit import place, turns
from vision.drawing.templates import draw_templates, on_grid_of
from vision.evidence import Evidence, observe
from vision.finding.white_lines import unexplained_lines
from vision.naming.faces import cut_out, score_faces
from vision.naming.name_cards import Named
from vision.raster import Raster, look_up

FloatArray = NDArray[np.float64]
TEMPLATES = draw_templates(DECK)
HALF_MM = np.array([DECK.card.width_mm, DECK.card.height_mm]) / 2
LENS_MM = (560.0, 420.0, 600.0)
CARD = DrawnCard("square-4", "blue", (60.0, 90.0, 2.2))
UPPER = DrawnCard("circle-3", "orange", (100.0, 105.0, 0.7), mirrored=True)


@lru_cache(maxsize=4)
def seen_bent(
    *cards: tuple[DrawnCard, tuple[float, float]], lens_mm: tuple[float, float, float] | None
) -> Evidence:
    """A grey table with cards over one another whose sides and ends stand up by so many mm, as
    rays from the lens meet them.
    """
    finer = 3
    density = DENSITY * finer
    height, width = (round(side * density) // finer * finer for side in (160, 200))
    px = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1)
    # Pixel (0, 0) of the picture that is left after averaging 3 x 3 has its middle one further in.
    table = (px - 1) / density + np.array(ORIGIN_MM)
    lens = np.array(lens_mm or LENS_MM)
    canvas = np.full((height, width, 3), 0.55, np.float32)
    for card, ends_mm in cards:
        x, y, angle = card.pose
        turn = turns(np.array([angle]))[0]
        own = (table - [x, y]) @ turn
        for _ in range(6):
            high = (own / HALF_MM) ** 2 @ np.array(ends_mm)
            met = table + (lens[:2] - table) * (high / lens[2])[..., None]
            own = (met - [x, y]) @ turn
        side = CardSide(card.face, card.colour, card.mirrored)
        face = paint(DECK, side, density, palette(DECK, card.colour))
        onto = seen_mm_to_raster(DECK, density)
        at = (own @ onto[:, :2].T + onto[:, 2]).astype(np.float32)
        drawn = cv2.remap(face, at, None, cv2.INTER_LINEAR)
        canvas = canvas * (1 - drawn[..., 3:]) + drawn[..., 2::-1]
    small = cv2.resize(canvas, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 0.25 * DENSITY)
    image = np.asarray(np.rint(np.clip(small, 0.02, 1) * 235), np.uint8)
    return observe(Raster(image, ORIGIN_MM, DENSITY, lens_mm))


def row_of(card: DrawnCard) -> int:
    return 2 * TEMPLATES.faces.index(card.face) + card.mirrored


def fitted(evidence: Evidence, *cards: DrawnCard) -> tuple[FloatArray, FloatArray]:
    """Poses of cards that show wholly, fitted flat and then with their bends."""
    rows = np.array([row_of(card) for card in cards])
    weights = np.ones((len(cards), len(TEMPLATES.grid_mm)), np.float32)
    true = np.array([card.pose for card in cards])
    flat, _ = align(
        evidence, true + [0.3, -0.2, 0.003], ShownDrawings(rows, weights, TEMPLATES), passes=6
    )
    return flat, align_bent(evidence, flat, ShownDrawings(rows, weights, TEMPLATES))


def lie(raster: Raster, card: DrawnCard, bend_mm: tuple[float, float]) -> FloatArray:
    """The pose (1, 9) of a card as it was drawn."""
    pose = np.array([card.pose])
    unit = raster.parallax(pose[:, :2])[0] / HALF_MM[:, None] ** 2
    bend = (unit * np.array(bend_mm)[:, None]).reshape(1, 4)
    return np.hstack([pose, bend, raster.nearer(pose[:, :2])])


def ends_mm(evidence: Evidence, poses: FloatArray) -> FloatArray:
    """How high sides and ends (N, 2) stand up by their poses (N, 9)."""
    unit = evidence.raster.parallax(poses[:, :2])[:, None] / HALF_MM[:, None] ** 2
    shown = poses[:, FLAT:NEARER].reshape(-1, 2, 2)
    return np.asarray((shown * unit).sum(axis=2) / (unit**2).sum(axis=2))


@pytest.mark.parametrize(
    "bend",
    quick_or_thorough([(0.0, 2.0), (-0.6, 1.2), (0.5, -1.0), (0.0, 1.6)], [(-0.6, 1.2)]),
)
def test_a_bend_is_measured_and_no_longer_moves_the_card(bend: tuple[float, float]) -> None:
    evidence = seen_bent((CARD, bend), lens_mm=LENS_MM)
    flat, bent = fitted(evidence, CARD)
    np.testing.assert_allclose(ends_mm(evidence, bent)[0], bend, atol=0.1)
    assert off(bent[0], CARD)[0] < 0.04
    assert off(flat[0], CARD)[0] > 2 * off(bent[0], CARD)[0]


def test_what_stands_up_is_seen_as_much_larger_as_it_is_nearer() -> None:
    """From a lens 200 mm above the table its ends, 8 mm high, are seen 4 % nearer."""
    lens = np.array([400.0, 90.0, 200.0])
    raster = Raster(np.zeros((480, 600, 3), np.uint8), (-10.0, 5.0), 2.4, tuple(lens.tolist()))
    pose = lie(raster, CARD, (1.0, 8.0))
    own = np.array([[0.0, 44.0], [0.0, -44.0], [25.0, 30.0], [-25.0, 0.0]])
    high = np.square(own / HALF_MM) @ [1.0, 8.0]
    true = place(pose[:, :FLAT], own)[0]
    seen = lens[:2] + (true - lens[:2]) * (lens[2] / (lens[2] - high))[:, None]
    np.testing.assert_allclose(place(pose, own)[0], seen, atol=0.02)


def test_a_bent_card_is_cut_out_where_it_is_seen() -> None:
    evidence = seen_bent((CARD, (0.5, 4.0)), lens_mm=(400.0, 90.0, 200.0))
    pose = lie(evidence.raster, CARD, (0.5, 4.0))
    at = place(pose, TEMPLATES.grid_mm)[0]
    by_places = look_up(evidence.white, evidence.raster.to_raster(at).astype(np.float32)[None])
    by_grid = on_grid_of(evidence.white, evidence.raster, pose, TEMPLATES)
    off = np.abs(by_places.astype(float).ravel() - by_grid.astype(float).ravel())
    assert np.quantile(off, 0.99) < 12


@pytest.mark.parametrize(
    "bend", quick_or_thorough([(0.0, 3.0), (0.4, 2.6), (0.0, -2.4)], [(0.4, 2.6)])
)
@pytest.mark.parametrize("shift", quick_or_thorough([(0.0, 0.0), (-0.8, 1.0)], [(-0.8, 1.0)]))
def test_a_curl_that_shifts_more_than_a_lines_width_is_found(
    shift: tuple[float, float], bend: tuple[float, float]
) -> None:
    evidence = seen_bent((CARD, bend), lens_mm=(-290.0, -120.0, 330.0))
    weights = np.ones((1, len(TEMPLATES.grid_mm)), np.float32)
    rows, start = np.array([row_of(CARD)]), np.array([CARD.pose]) + [*shift, 0.0]
    flat, _ = align(evidence, start, ShownDrawings(rows, weights, TEMPLATES), passes=6)
    bent = align_bent(evidence, flat, ShownDrawings(rows, weights, TEMPLATES))
    assert off(bent[0], CARD)[0] < 0.15
    np.testing.assert_allclose(ends_mm(evidence, bent)[0], bend, atol=0.2)


@pytest.mark.parametrize("moved_mm", quick_or_thorough([-2.0, -1.0, 1.5, 2.0], [2.0]))
def test_a_strong_curl_is_found_from_wherever_a_flat_fit_put_the_card(moved_mm: float) -> None:
    evidence = seen_bent((CARD, (0.0, 4.2)), lens_mm=(-290.0, -120.0, 330.0))
    away = evidence.raster.parallax(np.array([CARD.pose[:2]]))[0]
    start = np.array([CARD.pose])
    start[0, :2] += moved_mm * away / np.linalg.norm(away)
    rows, weights = np.array([row_of(CARD)]), np.ones((1, len(TEMPLATES.grid_mm)), np.float32)
    bent = align_bent(evidence, start, ShownDrawings(rows, weights, TEMPLATES), passes=6)
    assert off(bent[0], CARD)[0] < 0.3
    np.testing.assert_allclose(ends_mm(evidence, bent)[0], (-0.2, 4.1), atol=0.3)


def test_a_far_better_curl_counts_however_poorly_the_card_still_fits() -> None:
    """Of a card that is misread, or seen very aslant, more is off than its curl."""
    evidence = seen_bent((CARD, (0.0, 5.0)), lens_mm=(-290.0, -120.0, 330.0))
    misread = DrawnCard("square-6", CARD.colour, CARD.pose, mirrored=True)
    rows, weights = np.array([row_of(misread)]), np.ones((1, len(TEMPLATES.grid_mm)), np.float32)
    bent = align_bent(
        evidence, np.array([CARD.pose]), ShownDrawings(rows, weights, TEMPLATES), passes=6
    )
    assert ends_mm(evidence, widened(bent))[0, 1] > 3.0


@pytest.mark.parametrize(("from_mm", "across"), [(-99.0, True), (15.0, False)])
def test_a_bend_across_is_not_told_from_a_shift_by_one_side_alone(
    from_mm: float, across: bool
) -> None:
    """What is a little off there, as of a misread face, would bend the card by millimetres."""
    evidence = seen_bent((CARD, (-3.0, 0.0)), lens_mm=(-290.0, -120.0, 330.0))
    shows = (TEMPLATES.grid_mm[:, 0] > from_mm).astype(np.float32)[None]
    start, rows = np.array([CARD.pose]) + [0.6, 0.4, 0.01], np.array([row_of(CARD)])
    bent = align_bent(evidence, start, ShownDrawings(rows, shows, TEMPLATES), passes=6)
    sides = ends_mm(evidence, widened(bent))[0, 0]
    assert abs(sides + 3.0) < 0.3 if across else abs(sides) < 0.3


def test_a_flat_card_stays_as_it_is() -> None:
    evidence = seen_bent((CARD, (0.0, 0.0)), lens_mm=LENS_MM)
    flat, bent = fitted(evidence, CARD)
    np.testing.assert_array_equal(bent, flat)


def test_where_the_lens_stands_must_be_known() -> None:
    evidence = seen_bent((CARD, (0.0, 2.0)), lens_mm=None)
    flat, bent = fitted(evidence, CARD)
    np.testing.assert_array_equal(bent, flat)


def test_a_card_that_is_no_longer_bent_is_laid_flat_again() -> None:
    flat_one = seen_bent((CARD, (0.0, 0.0)), lens_mm=LENS_MM)
    _, bent = fitted(seen_bent((CARD, (0.0, 1.5)), lens_mm=LENS_MM), CARD)
    weights = np.ones((1, len(TEMPLATES.grid_mm)), np.float32)
    again = align_bent(flat_one, bent, ShownDrawings(np.array([row_of(CARD)]), weights, TEMPLATES))
    assert again.shape == (1, FLAT)
    assert off(again[0], CARD)[0] < 0.1


def test_what_a_bent_card_draws_lies_where_it_is_seen() -> None:
    bend_mm = (0.3, 4.0)
    evidence = seen_bent((CARD, bend_mm), lens_mm=LENS_MM)
    bent = lie(evidence.raster, CARD, bend_mm)
    misfits, left_mm = [], []
    for poses in (bent[:, :FLAT], bent):
        patches = cut_out(evidence, poses, TEMPLATES)
        misfits.append(float(score_faces(patches, TEMPLATES).misfit[0, 2 * row_of(CARD)]))
        named = Named(poses, np.array([row_of(CARD)]), np.zeros(1), np.ones(1), np.zeros((1, 3)))
        left = unexplained_lines(evidence, named, [0], TEMPLATES)
        left_mm.append(float(left.length_mm.sum()))
    assert misfits[1] < 0.5 * misfits[0]
    assert left_mm[0] > 20
    assert left_mm[1] < 5


def test_a_bent_card_is_cut_out_where_its_places_lie() -> None:
    evidence = seen_bent((CARD, (0.0, 2.0)), lens_mm=LENS_MM)
    _, bent = fitted(evidence, CARD)
    assert is_bent(bent)
    seen = on_grid_of(evidence.white, evidence.raster, bent, TEMPLATES).astype(float)
    at = look_up(evidence.white, evidence.raster.to_raster(place(bent, TEMPLATES.grid_mm)))
    assert np.percentile(np.abs(seen - at), 99.5) <= 3


def test_a_bent_body_covers_what_is_seen_of_it() -> None:
    raster = Raster(np.zeros((480, 600, 3), np.uint8), (-10.0, 5.0), 2.4)
    poses = np.array([[90.0, 100.0, 0.4, 0.0, 0.0, 0.0012, 0.0008, 0.003, 0.002]])
    assert np.hypot(*bend_shift(poses, HALF_MM[None, None])[0, 0]) > 2.5
    for inset, inside in ((0.6, 1), (-0.6, 0)):
        rim = (HALF_MM - inset) * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
        rim = np.concatenate([rim, (rim + np.roll(rim, 1, axis=0)) / 2])
        spots = place(poses, rim)
        assert (cover(raster, poses, DECK.card).count_at(spots) == inside).all()
        assert (top_map(raster, poses, [0], DECK.card).at(spots) == inside).all()


@pytest.mark.parametrize("most_mm", [0.2, 1.0, 5.0])
def test_what_a_bent_card_shows_is_found_where_it_is_drawn(most_mm: float) -> None:
    grid = TEMPLATES.grid_mm[::37]
    own = grid[:, 0] + 1j * grid[:, 1]
    shifts = most_mm / HALF_MM**2 / 2
    pose = np.array([[0.0, 0.0, 0.0, shifts[0], -shifts[0], shifts[1], shifts[1], 0.002, 0.001]])
    bends = np.broadcast_to(complex_bends(pose), (len(own), 3))
    shift = seen_shift(own, own, bends)
    assert np.abs(shift).max() > most_mm / 2
    assert np.abs(own_places(own + shift, bends) - own).max() < 0.02


def test_the_places_that_bent_cards_share_are_the_same_from_either() -> None:
    """Places in which two drawings differ tell who lies on top: bends must not add any."""
    evidence = seen_bent((CARD, (0.0, 2.0)), lens_mm=LENS_MM)
    same = np.repeat(lie(evidence.raster, CARD, (0.3, 2.5)), 2, axis=0)
    rows = np.repeat(row_of(CARD), 2)
    patches = cut_out(evidence, same, TEMPLATES)
    drawing = Drawing(same, rows, score_faces(patches, TEMPLATES).ink)
    pairs = compare_pairs(drawing, patches, cover(evidence.raster, same, DECK.card), TEMPLATES)
    assert pairs.places[0] < 30
    moved = same + np.array([[0.0] * 9, [0.0] * 5 + [0.002, 0.0, 0.0, 0.0]])
    pairs = compare_pairs(
        replace(drawing, poses=moved), patches, cover(evidence.raster, moved, DECK.card), TEMPLATES
    )
    assert pairs.places[0] > 300


def test_poses_with_and_without_bends_are_put_together() -> None:
    flat, bent = (
        np.array([[1.0, 2.0, 0.5]]),
        np.array([[3.0, 4.0, 1.0, 0.1, 0.0, 0.0, 0.2, 0.01, 0.0]]),
    )
    np.testing.assert_array_equal(stacked(flat, flat), np.vstack([flat, flat]))
    np.testing.assert_array_equal(stacked(flat, bent), np.vstack([widened(flat), bent]))
    np.testing.assert_array_equal(flattened(bent)[:, FLAT:], 0)
    assert not is_bent(flat)
    assert not is_bent(widened(flat))
    assert is_bent(stacked(flat, bent))
