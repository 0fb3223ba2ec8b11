"""The drawing of a face: what is where, on both sides, and in other printings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.deck import Deck
from tests.decks import OLDER_DECK
from tests.vision.drawing.rasters import seen_mm_to_raster
from vision.drawing.face_art import (
    CardSide,
    Part,
    face_labels,
    paint,
    palette,
    raster_size,
    rgb_of,
)

SCALE = 8.0


@pytest.fixture(scope="module")
def deck() -> Deck:
    return OLDER_DECK


def part_at(
    deck: Deck, face: str, x_mm: float, y_mm: float, colour: str = "blue", mirrored: bool = False
) -> Part:
    """What lies at a point of the card as it is seen."""
    labels = face_labels(deck, CardSide(face, colour, mirrored), SCALE)
    x, y = seen_mm_to_raster(deck, SCALE) @ [x_mm, y_mm, 1]
    return Part(labels[round(float(y)), round(float(x))])


@pytest.mark.parametrize("mirrored", [False, True])
def test_every_dot_line_and_fill_is_where_the_deck_says(deck: Deck, mirrored: bool) -> None:
    flip = -1 if mirrored else 1
    for face in deck.faces:
        for x, y in face.dots_mm:
            assert part_at(deck, face.id, flip * x, y, mirrored=mirrored) is Part.DOT
        for shape in face.shapes:
            outline = np.asarray(shape.outline_mm)
            middle = outline.mean(axis=0)
            for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
                x, y = 0.6 * start + 0.4 * end
                assert part_at(deck, face.id, flip * x, y, mirrored=mirrored) is Part.LINE
                x, y = 0.85 * (0.6 * start + 0.4 * end) + 0.15 * middle
                inside = part_at(deck, face.id, flip * x, y, mirrored=mirrored)
                assert inside is (Part.FILL if shape.filled else Part.BLACK)


def test_frame_band_and_rounded_corner(deck: Deck) -> None:
    assert part_at(deck, "circle-1", 0, -41.0) is Part.LINE
    assert part_at(deck, "circle-1", 0, -43.0) is Part.BAND
    assert part_at(deck, "circle-1", -28.8, -44.2) is Part.OUTSIDE
    assert part_at(deck, "circle-1", -28.1, -43.5) is Part.BAND
    assert part_at(deck, "circle-1", 10, -5) is Part.BLACK


def test_line_is_as_wide_as_the_deck_says(deck: Deck) -> None:
    labels = face_labels(deck, CardSide("circle-4", "red"), 20.0)
    column = labels[: labels.shape[0] // 4, labels.shape[1] // 2]
    assert (column == Part.LINE).sum() / 20 == pytest.approx(deck.card.line_mm, abs=0.11)


def test_badge_shows_the_suit(deck: Deck) -> None:
    corner = 0.4 * deck.badge_mm
    assert part_at(deck, "square-2", corner, -corner) is not Part.BLACK
    assert part_at(deck, "circle-2", corner, -corner) is Part.BLACK
    assert part_at(deck, "triangle-2", corner, -corner) is Part.BLACK
    assert part_at(deck, "triangle-2", corner, corner) is not Part.BLACK
    assert part_at(deck, "circle-2", 0, -0.36 * deck.badge_mm) is Part.BADGE


def test_mirrored_card_has_mirrored_shapes_and_a_readable_digit(deck: Deck) -> None:
    front = face_labels(deck, CardSide("square-2", "orange"), SCALE)
    back = face_labels(deck, CardSide("square-2", "orange", mirrored=True), SCALE)
    height, width = front.shape
    half = int(0.36 * deck.badge_mm * SCALE)
    middle = (
        slice(height // 2 - half, height // 2 + half),
        slice(width // 2 - half, width // 2 + half),
    )
    assert (front[middle] == back[middle]).mean() > 0.97
    assert (front[:, ::-1][middle] == back[middle]).mean() < 0.95
    around = np.ones_like(front, dtype=bool)
    around[middle] = False
    assert (front[:, ::-1][around] == back[around]).mean() > 0.99


def test_symbol_tells_colours_apart(deck: Deck) -> None:
    drawn = {
        c.name: face_labels(deck, CardSide("circle-3", c.name), SCALE).tobytes()
        for c in deck.colours
    }
    assert len(set(drawn.values())) == len(deck.colours)


def test_a_printing_may_leave_the_symbol_unmirrored(deck: Deck) -> None:
    front = face_labels(deck, CardSide("circle-1", "orange"), SCALE)
    back = face_labels(
        deck, CardSide("circle-1", "orange", mirrored=True, mirror_symbol=False), SCALE
    )
    height, width = front.shape
    y = height // 2 + round(9 * SCALE)
    around = (slice(y - 20, y + 20), slice(width // 2 - 20, width // 2 + 20))
    assert np.array_equal(front[around], back[around])
    mirrored = face_labels(deck, CardSide("circle-1", "orange", mirrored=True), SCALE)
    assert not np.array_equal(front[around], mirrored[around])


def test_every_value_has_its_own_digit(deck: Deck) -> None:
    half = int(0.3 * deck.badge_mm * SCALE)
    drawn = set()
    for value in range(1, 7):
        labels = face_labels(deck, CardSide(f"circle-{value}", "red"), SCALE)
        y, x = labels.shape[0] // 2, labels.shape[1] // 2
        drawn.add(labels[y - half : y + half, x - half : x + half].tobytes())
    assert len(drawn) == 6


def test_starting_card_has_no_badge_but_a_symbol(deck: Deck) -> None:
    labels = face_labels(deck, CardSide("start", "white"), SCALE)
    assert not (labels == Part.BADGE).any()
    assert part_at(deck, "start", 0, 9, colour="white") is Part.MARK
    assert part_at(deck, "start", 0, 0, colour="white") is Part.BLACK


def test_another_printing_without_band_and_fill_and_with_coloured_dots(deck: Deck) -> None:
    art = replace(deck.art, band=False, fill=False, dots="colour", lines="colour")
    other = replace(deck, art=art)
    assert part_at(other, "circle-1", 0, -43.0) is Part.BLACK
    labels = face_labels(other, CardSide("circle-6", "red"), SCALE)
    assert not (labels == Part.FILL).any()
    red = np.array(rgb_of(deck.colour("red").hex), dtype=np.float32)
    assert np.allclose(palette(other, "red")[Part.DOT], red)
    assert np.allclose(palette(other, "red")[Part.LINE], red)


def test_another_card_size(deck: Deck) -> None:
    other = replace(deck, card=replace(deck.card, width_mm=70.0, height_mm=100.0))
    assert raster_size(other, 10.0) == (700, 1000)
    assert part_at(other, "circle-1", 34.0, 0) is Part.BAND


def test_painting_averages_colours_and_keeps_coverage(deck: Deck) -> None:
    colours = palette(deck, "green")
    picture = paint(deck, CardSide("circle-3", "green"), SCALE, colours)
    width, height = raster_size(deck, SCALE)
    assert picture.shape == (height, width, 4)
    assert picture.dtype == np.float32
    assert picture[0, 0, 3] < 0.05
    assert picture[height // 2, 5, 3] == pytest.approx(1.0, abs=1e-4)
    assert np.allclose(picture[height // 2, 5, :3], colours[Part.BAND], atol=1e-3)
    area = picture[..., 3].sum() / SCALE**2
    radius = deck.card.corner_radius_mm
    whole = deck.card.width_mm * deck.card.height_mm - (4 - np.pi) * radius**2
    assert area == pytest.approx(whole, rel=0.003)


def test_labels_are_read_only(deck: Deck) -> None:
    with pytest.raises(ValueError, match="read-only"):
        face_labels(deck, CardSide("circle-1", "blue"), SCALE)[0, 0] = 1
