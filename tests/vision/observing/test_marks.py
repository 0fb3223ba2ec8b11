from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DENSITY, ORIGIN_MM, DrawnCard, drawn_evidence
from vision.drawing.pose_fit import place
from vision.observing.marks import (
    Marks,
    badge_insides,
    badges,
    find_holes,
    find_marks,
    find_marks_and_holes,
    small_marks,
)

CARDS = (
    DrawnCard("circle-4", "green", (22.0, 71.0, 0.3)),
    DrawnCard("square-2", "red", (100.0, 70.0, 1.9), mirrored=True),
    DrawnCard("triangle-5", "blue", (120.0, 140.0, -1.5)),
)
EVIDENCE = drawn_evidence(*CARDS)


def nearest_mm(spots: NDArray[np.float64], at: tuple[float, float]) -> float:
    return float(np.linalg.norm(spots - np.array(at), axis=1).min())


def marks(*sizes_mm: tuple[float, float, float]) -> Marks:
    """Marks by width, height and area."""
    sizes = np.array(sizes_mm)
    spots = np.arange(2.0 * len(sizes)).reshape(-1, 2)
    return Marks(spots, sizes[:, :2], spots, sizes[:, 2])


def test_pieces_are_measured_from_pixel_centres() -> None:
    mask = np.zeros_like(EVIDENCE.mask)
    mask[100:106, 50:60] = 255
    mask[200, 300] = 255
    found = find_marks(replace(EVIDENCE, mask=mask))
    assert len(found) == 2
    middle = np.array([54.5, 102.5]) / DENSITY + ORIGIN_MM
    np.testing.assert_allclose(found.middle_mm[0], middle)
    np.testing.assert_allclose(found.mass_mm[0], middle)
    np.testing.assert_allclose(found.size_mm[0], np.array([10, 6]) / DENSITY)
    assert found.area_mm2[0] == pytest.approx(60 / DENSITY**2)
    np.testing.assert_allclose(found.middle_mm[1], np.array([300, 200]) / DENSITY + ORIGIN_MM)


def test_middle_and_mass_differ_where_a_piece_is_lopsided() -> None:
    mask = np.zeros_like(EVIDENCE.mask)
    mask[100:103, 50:60] = 255
    mask[100:120, 50:53] = 255
    found = find_marks(replace(EVIDENCE, mask=mask))
    assert (found.mass_mm < found.middle_mm).all()


def test_what_is_burnt_out_has_no_marks() -> None:
    assert len(find_marks(replace(EVIDENCE, burnt=np.full_like(EVIDENCE.burnt, 255)))) == 0


def test_holes_are_what_is_not_white() -> None:
    mask = np.full_like(EVIDENCE.mask, 255)
    mask[40:50, 60:70] = 0
    found = find_holes(replace(EVIDENCE, mask=mask))
    np.testing.assert_allclose(found.middle_mm, [np.array([64.5, 44.5]) / DENSITY + ORIGIN_MM])


@pytest.mark.parametrize("burnt_rows", [0, 80])
def test_marks_and_holes_found_together_are_those_found_alone(burnt_rows: int) -> None:
    burnt = np.zeros_like(EVIDENCE.burnt)
    burnt[:burnt_rows] = 255
    evidence = replace(EVIDENCE, burnt=burnt)
    together = find_marks_and_holes(evidence)
    for found, alone in zip(together, (find_marks(evidence), find_holes(evidence)), strict=True):
        assert len(found) > 10
        np.testing.assert_array_equal(found.middle_mm, alone.middle_mm)
        np.testing.assert_array_equal(found.area_mm2, alone.area_mm2)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.face)
def test_every_card_shows_its_badge_as_a_rim(card: DrawnCard) -> None:
    assert nearest_mm(badges(find_marks(EVIDENCE), DECK), card.pose[:2]) < 1.6


@pytest.mark.parametrize("card", CARDS[:2], ids=lambda card: card.face)
def test_round_and_square_badges_show_their_insides_too(card: DrawnCard) -> None:
    assert nearest_mm(badge_insides(find_holes(EVIDENCE), DECK), card.pose[:2]) < 1.6


def test_a_badge_that_runs_into_something_bright_still_has_its_inside() -> None:
    card = CARDS[0]
    mask = EVIDENCE.mask.copy()
    x, y = np.rint(EVIDENCE.raster.to_raster(np.array(card.pose[:2]))).astype(int)
    mask[y - 3 : y + 3, x + 10 : x + 60] = 255
    spoilt = replace(EVIDENCE, mask=mask)
    assert nearest_mm(badges(find_marks(spoilt), DECK), card.pose[:2]) > 10
    assert nearest_mm(badge_insides(find_holes(spoilt), DECK), card.pose[:2]) < 1.6


def test_there_are_hardly_more_badges_than_cards() -> None:
    assert len(badges(find_marks(EVIDENCE), DECK)) == len(CARDS)


@pytest.mark.parametrize(
    ("size", "badge"),
    [
        ((10.5, 10.5, 30.0), True),
        ((14.0, 14.0, 40.0), True),
        ((4.2, 4.2, 13.8), False),
        ((10.5, 3.0, 10.0), False),
        ((30.0, 30.0, 60.0), False),
        ((10.5, 10.5, 110.0), False),
    ],
    ids=["a rim", "a square's rim turned", "a dot", "a line", "a frame", "a solid patch"],
)
def test_what_is_taken_for_a_badge(size: tuple[float, float, float], badge: bool) -> None:
    assert len(badges(marks(size), DECK)) == badge


@pytest.mark.parametrize(
    ("size", "small"),
    [
        ((4.2, 4.2, 13.8), True),
        ((6.5, 3.0, 9.0), True),
        ((10.5, 10.5, 30.0), False),
        ((4.2, 0.9, 3.0), False),
        ((20.0, 4.0, 60.0), False),
    ],
    ids=["a dot", "a symbol", "a badge", "a line's end", "a bar"],
)
def test_what_is_taken_for_a_small_mark(size: tuple[float, float, float], small: bool) -> None:
    assert len(small_marks(marks(size), DECK)) == small


def test_dots_and_symbols_are_small_marks() -> None:
    small = small_marks(find_marks(EVIDENCE), DECK)
    for card in CARDS:
        flip = [-1.0 if card.mirrored else 1.0, 1.0]
        own = np.array([*DECK.face(card.face).dots_mm, DECK.symbol_offset_mm]) * flip
        for spot in place(np.array([card.pose]), own)[0]:
            assert nearest_mm(small.mass_mm, tuple(spot)) < 0.8


def test_taking_some() -> None:
    some = marks((1, 1, 1), (2, 2, 4), (3, 3, 9)).take(np.array([True, False, True]))
    assert some.area_mm2.tolist() == [1, 9]
    assert len(some) == 2
