from __future__ import annotations

import numpy as np
import pytest

from geometry.deck import Face
from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.moves import legal_placements
from geometry.neighbours import neighbour_places, places_beside_any
from geometry.pose import Pose
from geometry.rectangles import Floats
from geometry.rules import Rules

DECK = published_deck()
FACES = (*DECK.faces, DECK.starting_face)


def gap(places: Floats, x_mm: float, y_mm: float, angle_deg: float) -> float:
    """How far the nearest of the places lies, a degree counted as a millimetre."""
    turn = np.abs(np.sin(np.deg2rad(places[:, 2] - angle_deg))) * 57.3
    return float((np.hypot(places[:, 0] - x_mm, places[:, 1] - y_mm) + turn).min())


@pytest.mark.parametrize("face", [*DECK.faces[::4], DECK.starting_face], ids=lambda face: face.id)
def test_every_legal_placement_is_a_neighbour_s_place(face: Face) -> None:
    layout = Layout(DECK, (Card(0, DECK.colours[0].name, face.id, Pose(0.0, 0.0, 0.0)),))
    places = neighbour_places(DECK)[FACES.index(face)]
    used = np.zeros(len(places), np.bool_)
    for other in DECK.faces:
        for found in legal_placements(layout, "red", other.id, Rules()):
            pose = found.pose
            assert gap(places, pose.x_mm, pose.y_mm, pose.angle_deg) < 1.5
            turn = np.abs(np.sin(np.deg2rad(places[:, 2] - pose.angle_deg)))
            used |= (np.hypot(*(places[:, :2] - [pose.x_mm, pose.y_mm]).T) < 1.5) & (turn < 0.02)
    assert used.all()


def test_the_card_below_lies_at_a_neighbour_s_place_of_the_one_above() -> None:
    lower, upper = DECK.faces[0], DECK.faces[7]
    layout = Layout(DECK, (Card(0, "red", lower.id, Pose(12.0, -7.0, 31.0)),))
    for found in legal_placements(layout, "blue", upper.id, Rules()):
        (x, y), angle = found.pose.to_card(np.array([[12.0, -7.0]]))[0], 31.0
        turn = angle - found.pose.angle_deg
        turn = -turn if found.pose.mirrored else turn
        assert gap(neighbour_places(DECK)[7], float(x), float(y), turn) < 1.5


def test_places_differ_and_no_half_turn_stands_twice() -> None:
    for places in (*neighbour_places(DECK), places_beside_any(DECK)):
        for k, (x, y, angle) in enumerate(places):
            assert gap(np.delete(places, k, axis=0), x, y, angle) > 1.0


def test_beside_an_unknown_face_lie_the_neighbours_of_all_either_side_up() -> None:
    beside_any = places_beside_any(DECK)
    for places in neighbour_places(DECK):
        for flip in (1.0, -1.0):
            assert max(gap(beside_any, flip * x, y, flip * a) for x, y, a in places) < 1.5


def test_overhanging_places_are_the_fitting_ones_and_more() -> None:
    """Laid on a corner square the other way round, a card covers more than the square."""
    for places, more in zip(neighbour_places(DECK), neighbour_places(DECK, True), strict=True):
        assert len(more) > len(places)
        assert max(gap(more, x, y, angle) for x, y, angle in places) < 1.5
    assert len(places_beside_any(DECK, True)) > len(places_beside_any(DECK))
