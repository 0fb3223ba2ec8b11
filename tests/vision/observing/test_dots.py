from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from shapely.geometry import Point, box

from geometry.deck import Art
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.observing.painted_dots import painted, true_dots
from vision.evidence import Evidence, observe
from vision.observing.dots import (
    MATCH_MM,
    Own,
    SeenDots,
    dot_whiteness,
    find_dots,
    match,
    stands_out,
    white_part,
)
from vision.observing.marks import find_marks
from vision.raster import Raster

CASES = [
    ("circle-6", "green", False), ("square-4", "red", True), ("triangle-1", "blue", False),
    ("circle-3", "purple", True), ("square-6", "orange", False), ("triangle-5", "pink", True),
]  # fmt: skip


def dots_of(evidence: Evidence) -> SeenDots:
    return find_dots(evidence, find_marks(evidence), DECK)


@pytest.mark.parametrize(("face", "colour", "mirrored"), CASES)
def test_drawn_dots_are_seen_where_they_are_and_nothing_else(
    face: str, colour: str, mirrored: bool
) -> None:
    """Neither the digit in the badge nor the symbol is a dot."""
    card = DrawnCard(face, colour, (62.0, 81.0, 0.7), mirrored)
    seen = dots_of(drawn_evidence(card))
    true = true_dots(card)
    assert len(seen.middle_mm) == len(true)
    to_seen, _ = match(true, seen.middle_mm)
    assert (to_seen >= 0).all()
    np.testing.assert_allclose(seen.middle_mm[to_seen], true, atol=0.25)


def test_the_ground_is_the_card_s_colour() -> None:
    cards = [
        DrawnCard("circle-4", "green", (22.0, 71.0, 0.0)),
        DrawnCard("circle-4", "red", (110.0, 71.0, 0.0)),
    ]
    seen = dots_of(drawn_evidence(*cards))
    greens = seen.middle_mm[:, 0] < 66
    assert (seen.ground[greens].argmax(axis=1) == 1).all()
    assert (seen.ground[~greens].argmax(axis=1) == 2).all()
    np.testing.assert_allclose(seen.ground.sum(axis=1), 0, atol=1e-3)


@pytest.mark.parametrize("covered_mm", [1.4, 2.1, 2.8])
def test_half_a_dot_is_no_dot(covered_mm: float) -> None:
    """A third of it, half of it, two thirds of it under something black."""
    card = DrawnCard("triangle-1", "green", (62.0, 81.0, 0.0))
    evidence = drawn_evidence(card)
    (dot,) = true_dots(card)
    image = evidence.raster.image_bgr.copy()
    edge = dot[0] - DECK.dot_diameter_mm / 2 + covered_mm
    left, top = np.rint(evidence.raster.to_raster(np.array([edge - 8, dot[1] - 8]))).astype(int)
    right, low = np.rint(evidence.raster.to_raster(np.array([edge, dot[1] + 8]))).astype(int)
    image[top:low, left:right] = 20
    halved = observe(Raster(image, evidence.raster.origin_mm, evidence.raster.density))
    assert len(dots_of(evidence).middle_mm) == 1
    assert len(dots_of(halved).middle_mm) == 0


@pytest.mark.parametrize(
    ("radius_mm", "bgr", "count"),
    [
        (2.1, (235, 235, 235), 1),
        (2.1, (66, 146, 37), 0),
        (0.9, (235, 235, 235), 0),
        (4.5, (235, 235, 235), 0),
    ],
    ids=["a dot", "a faint spot", "a crumb", "a coin"],
)
def test_a_white_disc_on_ink_is_a_dot_whoever_put_it_there(
    radius_mm: float, bgr: tuple[int, int, int], count: int
) -> None:
    evidence = drawn_evidence(size_mm=(120, 100))
    ink = painted(evidence, np.array([30.0, 60.0]), 20.0, (60, 140, 30))
    assert len(dots_of(painted(ink, np.array([30.0, 60.0]), radius_mm, bgr)).middle_mm) == count


def test_a_white_disc_inside_a_badge_is_a_digit() -> None:
    card = DrawnCard("circle-4", "green", (62.0, 81.0, 0.7))
    evidence = drawn_evidence(card)
    middle = np.array(card.pose[:2])
    digit = painted(painted(evidence, middle, 3.9, (60, 140, 30)), middle, 2.0, (235, 235, 235))
    assert len(dots_of(digit).middle_mm) == len(true_dots(card))


def test_a_white_disc_on_black_or_grey_is_none() -> None:
    for ground in (20, 120):
        evidence = drawn_evidence(size_mm=(120, 100))
        plain = painted(evidence, np.array([30.0, 60.0]), 20.0, (ground,) * 3)
        dotted = painted(plain, np.array([30.0, 60.0]), 2.1, (235,) * 3)
        assert len(dots_of(dotted).middle_mm) == 0


def test_how_white_a_place_is() -> None:
    card = DrawnCard("square-4", "green", (62.0, 81.0, 0.0))
    evidence = drawn_evidence(card)
    true = true_dots(card)
    beside = np.array([[62.0, 81.0 - 42.7], [62.0 + 27.3, 81.0], [62.0, 81.0 + 44.5]])
    white, burnt = dot_whiteness(evidence, true, DECK)
    assert (white > 0.6).all()
    assert (burnt == 0).all()
    assert (dot_whiteness(evidence, beside, DECK)[0] < 0.2).all()


def test_a_burnt_out_place_says_so() -> None:
    card = DrawnCard("triangle-1", "green", (62.0, 81.0, 0.0))
    (dot,) = true_dots(card)
    evidence = painted(drawn_evidence(card), dot, 8.0, (255, 255, 255))
    white, burnt = dot_whiteness(evidence, dot[None], DECK)
    assert burnt[0] > 0.9
    assert white[0] < 0.3
    assert len(dots_of(evidence).middle_mm) == 0


def covered(evidence: Evidence, from_x_mm: float, level: int) -> Evidence:
    """The same table with everything right of a line under something grey."""
    image = evidence.raster.image_bgr.copy()
    left = round(float(evidence.raster.to_raster(np.array([from_x_mm, 0.0]))[0]))
    image[:, left:] = level
    return observe(Raster(image, evidence.raster.origin_mm, evidence.raster.density))


def left_of(x_mm: float) -> Own:
    return lambda places: np.asarray(places[..., 0] < x_mm)


EVERYWHERE: Own = lambda places: np.ones(places.shape[:2], np.bool_)  # noqa: E731


@pytest.mark.parametrize("off_mm", [0.4, 0.9, 1.4])
def test_of_a_partly_covered_dot_the_rest_says_nothing(off_mm: float) -> None:
    """As white as a whole one, where only its own card is asked."""
    card = DrawnCard("triangle-1", "green", (62.0, 81.0, 0.0))
    (dot,) = true_dots(card)
    edge = float(dot[0]) + off_mm
    hidden = covered(drawn_evidence(card), edge, 20)
    own, _ = dot_whiteness(hidden, dot[None], DECK, left_of(edge - 0.3))
    all_, _ = dot_whiteness(hidden, dot[None], DECK)
    assert own[0] > 0.7
    assert own[0] > all_[0] + 0.03
    assert stands_out(hidden, dot[None], DECK, left_of(edge - 0.3)).tolist() == [True]


def test_a_line_on_what_covers_a_dot_does_not_hide_it() -> None:
    """A white band beside the dot, on another card: the ring round the dot is its own card's."""
    card = DrawnCard("triangle-1", "green", (62.0, 81.0, 0.0))
    (dot,) = true_dots(card)
    edge = float(dot[0]) + 1.0
    beside = covered(drawn_evidence(card), edge, 235)
    own, _ = dot_whiteness(beside, dot[None], DECK, left_of(edge - 0.3))
    assert own[0] > 0.7
    assert stands_out(beside, dot[None], DECK, left_of(edge - 0.3)).tolist() == [True]


def test_in_a_haze_beside_a_bright_card_the_own_ring_alone_decides() -> None:
    at = np.array([30.0, 60.0])
    haze = painted(drawn_evidence(size_mm=(120, 100)), at, 20.0, (115, 140, 115))
    beside = covered(painted(haze, at, 2.1, (160, 170, 160)), 31.0, 235)
    assert stands_out(beside, at[None], DECK, left_of(30.7)).tolist() == [True]
    assert stands_out(beside, at[None], DECK, EVERYWHERE).tolist() == [False]


@pytest.mark.parametrize(("by", "clear"), [(70, True), (45, True), (12, False), (0, False)])
def test_in_a_haze_a_dot_need_only_be_brighter_than_its_ring(by: int, clear: bool) -> None:
    evidence = drawn_evidence(size_mm=(120, 100))
    at = np.array([30.0, 60.0])
    haze = painted(evidence, at, 20.0, (150, 180, 150))
    dot = painted(haze, at, 2.1, (150 + by, 180 + by // 2, 150 + by))
    assert stands_out(dot, at[None], DECK, EVERYWHERE).tolist() == [clear]


@pytest.mark.parametrize("off_mm", [-1.4, -0.7, 0.0, 0.7, 1.4, 2.6])
@pytest.mark.parametrize("level", [20, 90])
def test_the_white_part_of_a_disc_is_what_shows_of_it(off_mm: float, level: int) -> None:
    card = DrawnCard("triangle-1", "green", (62.0, 81.0, 0.0))
    (dot,) = true_dots(card)
    hidden = covered(drawn_evidence(card), float(dot[0]) + off_mm, level)
    radius = DECK.dot_diameter_mm / 2
    shows = Point(0, 0).buffer(radius, 64).intersection(box(-9, -9, off_mm, 9)).area
    true = shows / (np.pi * radius**2)
    assert white_part(hidden, dot[None], DECK)[0] == pytest.approx(true, abs=0.1)


ON_BLACK = replace(DECK, art=Art(band=False, dots="colour", lines="white", fill=False))


@pytest.mark.parametrize(("face", "colour", "mirrored"), CASES)
def test_coloured_dots_on_black_are_seen_where_they_are_and_nothing_else(
    face: str, colour: str, mirrored: bool
) -> None:
    """The badge is as coloured; what stands for the ground is the dots' own colour."""
    card = DrawnCard(face, colour, (62.0, 81.0, 0.7), mirrored)
    evidence = drawn_evidence(card, deck=ON_BLACK)
    seen, true = find_dots(evidence, find_marks(evidence), ON_BLACK), true_dots(card)
    assert len(seen.middle_mm) == len(true)
    to_seen, _ = match(true, seen.middle_mm)
    assert (to_seen >= 0).all()
    np.testing.assert_allclose(seen.middle_mm[to_seen], true, atol=0.25)
    text = DECK.colour(colour).hex
    bgr = np.array([int(text[k : k + 2], 16) for k in (5, 3, 1)], dtype=float)
    away = bgr - bgr.mean()
    likeness = seen.ground @ away / np.linalg.norm(seen.ground, axis=1) / np.linalg.norm(away)
    assert (likeness > 0.95).all()


@pytest.mark.parametrize(
    ("radius_mm", "bgr", "ground", "count"),
    [
        (2.1, (60, 140, 30), 20, 1),
        (2.1, (140, 140, 140), 20, 0),
        (2.1, (60, 140, 30), 120, 0),
        (0.9, (60, 140, 30), 20, 0),
        (4.5, (60, 140, 30), 20, 0),
    ],
    ids=["a dot", "a grey disc", "on grey", "a crumb", "a coin"],
)
def test_a_coloured_disc_on_black_is_a_dot_of_such_a_deck_alone(
    radius_mm: float, bgr: tuple[int, int, int], ground: int, count: int
) -> None:
    at = np.array([30.0, 60.0])
    black = painted(drawn_evidence(size_mm=(120, 100)), at, 20.0, (ground,) * 3)
    evidence = painted(black, at, radius_mm, bgr)
    marks = find_marks(evidence)
    assert len(find_dots(evidence, marks, ON_BLACK).middle_mm) == count
    assert len(find_dots(evidence, marks, DECK).middle_mm) == 0


def test_how_coloured_a_place_is() -> None:
    card = DrawnCard("square-4", "green", (62.0, 81.0, 0.0))
    evidence, true = drawn_evidence(card, deck=ON_BLACK), true_dots(card)
    beside = np.array([[62.0, 81.0 - 42.7], [62.0 + 27.3, 81.0], [62.0, 81.0 + 44.5]])
    assert (dot_whiteness(evidence, true, ON_BLACK)[0] > 0.6).all()
    assert (dot_whiteness(evidence, beside, ON_BLACK)[0] < 0.2).all()
    assert stands_out(evidence, true, ON_BLACK, EVERYWHERE).all()
    assert not stands_out(evidence, beside, ON_BLACK, EVERYWHERE).any()


@pytest.mark.parametrize("off_mm", [-1.4, -0.7, 0.0, 0.7, 1.4, 2.6])
def test_the_coloured_part_of_a_disc_is_what_shows_of_it(off_mm: float) -> None:
    card = DrawnCard("triangle-1", "green", (62.0, 81.0, 0.0))
    (dot,) = true_dots(card)
    hidden = covered(drawn_evidence(card, deck=ON_BLACK), float(dot[0]) + off_mm, 20)
    radius = DECK.dot_diameter_mm / 2
    shows = Point(0, 0).buffer(radius, 64).intersection(box(-9, -9, off_mm, 9)).area
    true = shows / (np.pi * radius**2)
    assert white_part(hidden, dot[None], ON_BLACK)[0] == pytest.approx(true, abs=0.1)


def test_nothing_in_an_empty_picture() -> None:
    seen = dots_of(drawn_evidence(size_mm=(120, 100)))
    assert seen.middle_mm.shape == (0, 2)
    assert seen.ground.shape == (0, 3)


def test_spots_are_matched_one_to_one_the_nearest_first() -> None:
    first = np.array([[0.0, 0.0], [1.0, 0.0], [50.0, 0.0], [90.0, 0.0]])
    second = np.array([[0.9, 0.0], [50.0, MATCH_MM + 0.1], [90.0, MATCH_MM - 0.1]])
    to_second, to_first = match(first, second)
    assert to_second.tolist() == [-1, 0, -1, 2]
    assert to_first.tolist() == [1, -1, 3]
    for empty in (match(first, second[:0]), match(first[:0], second)[::-1]):
        assert (empty[0] == -1).all()
        assert len(empty[1]) == 0
