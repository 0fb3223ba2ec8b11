"""Which places cards take, and which of them show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.model.drawn_table import CONFIG, DECK, LENS_MM, DrawnTable, drawn_table
from vision.model.drawing import DrawnFaces, draw_faces
from vision.model.footprint import Footprint, Footprints, footprint, laid, stacked_heights
from vision.model.table import Place
from vision.observe.observation import Observation


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return drawn_table()


@pytest.fixture(scope="module")
def seen(drawn: DrawnTable) -> Observation:
    return drawn.seen()


@pytest.fixture(scope="module")
def faces() -> DrawnFaces:
    return draw_faces(DECK, CONFIG)


def taken_at(place: Place, seen: Observation, faces: DrawnFaces) -> Footprint:
    return footprint(laid(place, seen, faces), seen, faces)


@pytest.mark.parametrize("angle", [0.0, 33.0, 90.0, 200.0])
def test_a_card_takes_its_area_and_half_a_millimetre_round_it(
    seen: Observation, faces: DrawnFaces, angle: float
) -> None:
    taken = taken_at(Place(130.0, 110.0, angle), seen, faces)
    size, out = DECK.card, 2 * CONFIG.cut_outside_mm
    area = (size.width_mm + out) * (size.height_mm + out) - 0.86 * (3.5**2)
    assert len(taken.at) / seen.density**2 == pytest.approx(area, rel=0.005)


def test_each_place_is_where_the_pose_says(seen: Observation, faces: DrawnFaces) -> None:
    place = Place(120.3, 101.1, 25.0)
    taken = taken_at(place, seen, faces)
    row, column = np.divmod(taken.at, seen.cell.shape[1])
    table_mm = np.stack([column, row], axis=-1) / seen.density + seen.origin_mm
    angle = np.deg2rad(place.angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    own = (table_mm - [place.x_mm, place.y_mm]) @ turn
    rows, columns = faces.shape_hw
    drawn_row, drawn_column = np.divmod(taken.on, columns)
    at = np.stack([drawn_column - (columns - 1) / 2, drawn_row - (rows - 1) / 2], axis=-1)
    assert np.abs(at / faces.density - own).max() <= 0.5 / faces.density + 1e-6


def test_a_card_on_a_stack_is_seen_further_from_the_lens(
    seen: Observation, faces: DrawnFaces
) -> None:
    low = replace(seen, lens_mm=(LENS_MM[0] - 300.0, LENS_MM[1], 300.0))
    middles = []
    for height in (0.0, 6.0):
        taken = taken_at(Place(130.0, 110.0, 10.0, height), low, faces)
        middles.append((taken.at % seen.cell.shape[1]).mean() / seen.density)
    assert middles[1] - middles[0] == pytest.approx(300 * 6 / 294, abs=0.1)


def test_places_that_say_nothing_are_taken_but_not_asked(
    seen: Observation, faces: DrawnFaces
) -> None:
    says = seen.says.copy()
    says[:220] = False
    half = replace(seen, says=says)
    place = Place(130.0, 110.0, 0.0)
    whole, asked = taken_at(place, seen, faces), taken_at(place, half, faces)
    covered = Footprints(half, faces).covered([place])
    assert np.array_equal(np.flatnonzero(covered), whole.at)
    assert np.array_equal(asked.at, whole.at[whole.at >= 220 * seen.cell.shape[1]])


def test_each_place_of_the_table_is_shown_by_one_card(
    drawn: DrawnTable, seen: Observation, faces: DrawnFaces
) -> None:
    prints = Footprints(seen, faces)
    shown = prints.shown(drawn.table)
    at = [prints.of(c.place).at[shown[c.id]] for c in drawn.table.cards]
    taken = np.unique(np.concatenate([prints.of(c.place).at for c in drawn.table.cards]))
    assert np.array_equal(np.sort(np.concatenate(at)), taken)
    assert shown[drawn.table.cards[-1].id].all()
    assert not shown[drawn.table.cards[0].id].all()


def test_cards_far_apart_do_not_touch(seen: Observation, faces: DrawnFaces) -> None:
    prints = Footprints(seen, faces)
    assert not prints.touch(Place(60.0, 60.0, 0.0), Place(125.0, 60.0, 0.0))
    assert prints.touch(Place(60.0, 60.0, 0.0), Place(117.0, 60.0, 0.0))


def test_cards_stand_on_the_highest_below_them() -> None:
    places = np.array([[0, 0, 0], [40, 0, 0], [80, 0, 0], [300, 0, 0], [40, 60, 90]], np.float64)
    heights = stacked_heights(places, DECK.card, 0.4)
    assert heights == pytest.approx([0.0, 0.4, 0.8, 0.0, 1.2])
