from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_name_cards import TEMPLATES
from tests.vision.test_pose_fit import DECK, DrawnCard, drawn_evidence
from vision.coverage import cover
from vision.evidence import Evidence
from vision.marks import find_marks
from vision.pose_fit import place
from vision.start_card import LEAST_AGREEMENT, find_start

FloatArray = NDArray[np.float64]
NOTHING = np.empty((0, 2))
GREEN = DrawnCard("circle-4", "green", (40.0, 81.0, 0.3))


def start_at(x_mm: float, y_mm: float, angle: float, mirrored: bool = False) -> DrawnCard:
    return DrawnCard(
        DECK.starting_face.id, DECK.starting_colour.name, (x_mm, y_mm, angle), mirrored
    )


def found(
    evidence: Evidence, known: tuple[DrawnCard, ...] = (), explained: FloatArray = NOTHING
) -> tuple[FloatArray, int, float] | None:
    poses = np.array([card.pose for card in known]).reshape(-1, 3)
    coverage = cover(evidence.raster, poses, DECK.card, 0.3)
    return find_start(evidence, find_marks(evidence), explained, coverage, DECK, TEMPLATES)


def symbol_of(card: DrawnCard) -> FloatArray:
    flip = -1.0 if card.mirrored else 1.0
    own = np.array([DECK.symbol_offset_mm]) * [flip, 1.0]
    return np.asarray(place(np.array([card.pose]), own)[0])


@pytest.mark.parametrize("angle", [0.0, 0.77, 2.0, -2.3])
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_starting_card_is_found_by_its_symbol(angle: float, mirrored: bool) -> None:
    card = start_at(70.0, 90.0, angle, mirrored)
    seen = found(drawn_evidence(card))
    assert seen is not None
    pose, row, agreement = seen
    assert np.hypot(*(pose[:2] - card.pose[:2])) < 1.0
    assert np.cos(pose[2] - angle) > np.cos(np.deg2rad(2))
    assert row in (2 * len(DECK.faces), 2 * len(DECK.faces) + 1)
    assert agreement > LEAST_AGREEMENT + 0.1


def test_beside_and_under_other_cards() -> None:
    card, upper = start_at(70.0, 90.0, 0.5), DrawnCard("square-2", "red", (112.0, 120.0, 0.5))
    seen = found(drawn_evidence(card, upper), (upper,))
    assert seen is not None
    assert np.hypot(*(seen[0][:2] - card.pose[:2])) < 1.0


def test_a_player_s_card_is_no_starting_card() -> None:
    assert found(drawn_evidence(GREEN), (GREEN,)) is None


def test_what_known_cards_account_for_is_not_its_symbol() -> None:
    card = start_at(70.0, 90.0, 0.5)
    assert found(drawn_evidence(card), explained=symbol_of(card)) is None


def test_an_empty_table_has_none() -> None:
    assert found(drawn_evidence()) is None
