"""Frames that are seen where no known card lies tell of cards that were missed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from tests.vision.naming.named_tables import named_of
from vision.finding.frames import plain_frames

KNOWN = DrawnCard("circle-4", "green", (60.0, 80.0, 0.3))
MISSED = DrawnCard("square-2", "red", (125.0, 85.0, -0.4))
OVER_IT = (
    DrawnCard("triangle-5", "blue", (120.0, 70.0, -0.4)),
    DrawnCard("circle-6", "blue", (135.0, 112.0, -0.4)),
)
ACROSS = DrawnCard("triangle-5", "blue", (165.0, 45.0, -0.4))


@pytest.mark.parametrize(
    ("known", "found"),
    [((KNOWN,), True), ((KNOWN, ACROSS), True), ((KNOWN, MISSED), False)],
    ids=["alone", "under another", "known"],
)
def test_a_card_is_found_by_its_frame_unless_it_is_known(
    known: tuple[DrawnCard, ...], found: bool
) -> None:
    drawn = dict.fromkeys([KNOWN, MISSED, *known])
    evidence = drawn_evidence(*drawn)
    spots = np.array([MISSED.pose[:2], KNOWN.pose[:2]]) + 1.0
    poses = plain_frames(evidence, spots, named_of(*known), DECK)
    assert len(poses) == found
    if found:
        gap_mm, _ = off(poses[0], MISSED)
        assert gap_mm < 0.5
        assert abs(np.sin(poses[0, 2] - MISSED.pose[2])) < 0.02, "up to a half turn"


def test_where_too_little_of_it_is_in_sight_it_may_be_anything() -> None:
    evidence = drawn_evidence(KNOWN, MISSED, *OVER_IT)
    spots = np.array([MISSED.pose[:2]])
    assert len(plain_frames(evidence, spots, named_of(KNOWN, *OVER_IT), DECK)) == 0


def test_near_no_spot_there_is_none() -> None:
    evidence = drawn_evidence(KNOWN)
    assert plain_frames(evidence, np.empty((0, 2)), named_of(KNOWN), DECK).shape == (0, 3)
