from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.enrolment.starting_face import (
    drawn_alike,
    known_starting_face,
    shapes_overlap,
)
from geometry.deck import CardSize, Deck, Face, Shape
from geometry.deck_file import published_deck
from tests.calibration.other_decks import in_proportions
from tests.decks import OLDER_DECK

LARGER = CardSize(70.0, 108.0, 4.0, 5.0, 1.0, 0.3)


def between_lines(side_mm: float, at_mm: float) -> Shape:
    low, high = at_mm - side_mm / 2, at_mm + side_mm / 2
    return Shape("square", ((low, low), (high, low), (high, high), (low, high)), ())


def test_only_what_lies_away_from_the_frame_tells_of_overlapping_shapes() -> None:
    start = OLDER_DECK.starting_face
    assert not shapes_overlap(start, OLDER_DECK.card)
    crossed = replace(start, shapes=(*start.shapes, between_lines(12.0, 12.0)))
    assert shapes_overlap(crossed, OLDER_DECK.card)


@pytest.mark.parametrize("deck", [published_deck(), OLDER_DECK], ids=["printed", "older"])
def test_the_known_starting_face_on_other_cards_is_measured_from_their_frame(
    deck: Deck,
) -> None:
    same = known_starting_face(deck, deck.card)
    assert corners(same) == pytest.approx(corners(deck.starting_face), abs=0.001)
    other = in_proportions(deck, LARGER, deck.art, colours=2)
    moved = known_starting_face(deck, LARGER)
    assert corners(moved) == pytest.approx(corners(other.starting_face), abs=0.001)
    assert (moved.id, moved.suit) == (deck.starting_face.id, deck.starting_face.suit)


def corners(face: Face) -> list[float]:
    return [v for shape in face.shapes for point in shape.outline_mm for v in point]


def test_lines_elsewhere_are_told() -> None:
    deck = published_deck()
    known, card = deck.starting_face, deck.card
    assert drawn_alike(known, known, card)
    smaller = tuple(
        replace(shape, outline_mm=tuple((0.6 * x, 0.6 * y) for x, y in shape.outline_mm))
        for shape in known.shapes
    )
    assert not drawn_alike(replace(known, shapes=smaller), known, card)
    assert not drawn_alike(replace(known, shapes=()), known, card)
