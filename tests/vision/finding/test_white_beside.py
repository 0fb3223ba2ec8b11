"""White beside the known cards is print that no card explains yet."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from vision.finding.white_beside import NEAR_MM, white_beside_mm2

FIRST = DrawnCard("circle-4", "green", (10.0, 70.0, 0.1))
SECOND = DrawnCard("square-2", "red", (92.0, 72.0, 1.7))
SIZE_MM = (300, 140)


def poses(*cards: DrawnCard) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([card.pose for card in cards]).reshape(-1, 3)


def test_it_is_a_missed_card_s_print() -> None:
    evidence = drawn_evidence(FIRST, SECOND, size_mm=SIZE_MM)
    known = white_beside_mm2(evidence, poses(FIRST, SECOND), DECK)
    missed = white_beside_mm2(evidence, poses(FIRST), DECK)
    frame_mm2 = DECK.card.line_mm * 2 * (DECK.card.frame_width_mm + DECK.card.frame_height_mm)
    assert known < missed / 4
    assert missed > known + 0.8 * frame_mm2


def test_it_is_the_mask_s_area_in_square_millimetres() -> None:
    evidence = drawn_evidence(FIRST, SECOND, size_mm=SIZE_MM)
    mm2 = float(np.count_nonzero(evidence.mask)) / evidence.raster.density**2
    first = white_beside_mm2(evidence, poses(SECOND), DECK)
    second = white_beside_mm2(evidence, poses(FIRST), DECK)
    assert first + second == pytest.approx(mm2, rel=0.2)


def test_what_lies_far_from_all_cards_is_none_of_theirs() -> None:
    far = DrawnCard("square-2", "red", (10.0 + 60.0 + NEAR_MM + 60.0, 70.0, 0.1))
    evidence = drawn_evidence(FIRST, far, size_mm=SIZE_MM)
    assert white_beside_mm2(evidence, poses(FIRST), DECK) == pytest.approx(0.0, abs=2.0)


def test_without_cards_nothing_lies_beside_them() -> None:
    assert white_beside_mm2(drawn_evidence(FIRST), poses(), DECK) == 0.0
