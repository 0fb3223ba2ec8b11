from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.doubting.peeking_tables import GREEN, OTHERS, ROOM_MM, UPPER, band_of, under
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.naming.named_tables import named_of
from vision.doubting.peeking_cards import ANYWHERE
from vision.doubting.strip_fit import (
    SHIFT_STEP_MM,
    EdgeLooks,
    Peeking,
    Surroundings,
    edge_looks,
    peeking_out,
    surroundings,
)
from vision.drawing.card_edges import edge_places
from vision.drawing.pose_fit import turned_each
from vision.ordering.stacking import tops

CARDS = (UPPER, GREEN, *OTHERS)
NO_SHIFTS_MM = np.zeros((5, 2))
SHIFTS_MM = np.array([[0.45, -0.3], [-0.4, 0.4], [0.3, 0.45], [-0.3, -0.4], [0.45, -0.35]])


def seen_round(shifts_mm: NDArray[np.float64], *below: DrawnCard) -> Surroundings:
    """What is seen round the cards' edges, if their prints lie off them by so much (5, 2) along
    their own axes: it is to its print that a card's pose is fitted. Other cards may lie `below`.
    """
    evidence = drawn_evidence(*below, *CARDS, size_mm=ROOM_MM)
    named = named_of(*CARDS)
    moved = named.poses.copy()
    moved[:, :2] += [turned_each(moved[k, 2:3], shifts_mm[k : k + 1])[0, 0] for k in range(5)]
    top = tops(evidence, named, list(range(5)), DECK)
    return surroundings(evidence, edge_places(moved, DECK.card), top)


def beside_upper(around: Surroundings, looks: EdgeLooks, ink: str) -> Peeking | None:
    card = replace(UPPER, colour=ink, pose=(150.0, 130.0, 0.0))
    evidence = drawn_evidence(card, size_mm=ROOM_MM)
    band = evidence.colour_at(evidence.raster.to_raster(band_of(card)))
    return peeking_out(around, 0, np.median(band, axis=0).astype(np.float64), looks)


def test_how_far_prints_lie_off_their_cards_is_told_by_edges_that_face_each_other() -> None:
    assert edge_looks(seen_round(NO_SHIFTS_MM)).shift_mm == SHIFT_STEP_MM
    looks = edge_looks(seen_round(SHIFTS_MM))
    assert looks.shift_mm == pytest.approx(1.4826 * np.median(np.abs(SHIFTS_MM)), abs=0.12)
    assert looks.shifts_mm[0] == -looks.shifts_mm[-1] < -0.4
    assert looks.unlikely[len(looks.unlikely) // 2] == 0


def test_where_prints_lie_off_their_cards_a_card_s_own_band_is_no_strip() -> None:
    around = seen_round(SHIFTS_MM)
    looks = edge_looks(around)
    as_if_exact = beside_upper(around, replace(looks, shift_mm=SHIFT_STEP_MM), "blue")
    assert as_if_exact is not None
    assert as_if_exact.gain > ANYWHERE.gain
    seen = beside_upper(around, looks, "blue")
    assert seen is None or seen.gain < ANYWHERE.gain


def test_of_a_card_under_one_whose_print_lies_off_it_a_strip_tells_all_the_same() -> None:
    around = seen_round(SHIFTS_MM, under((1.5, 0.0)))
    seen = beside_upper(around, edge_looks(around), "red")
    assert seen is not None
    assert ANYWHERE.holds(seen)
    # From where the print has the upper card; from the card itself it is 1.5 mm.
    assert seen.move_mm[0] == pytest.approx(1.5 - SHIFTS_MM[0, 0], abs=0.4)
