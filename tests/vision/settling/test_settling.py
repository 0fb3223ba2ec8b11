"""Cards that are dealt other faces than those by which they were placed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import DECK, drawn_evidence, off
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, named_of
from tests.vision.settling.likely_faces import CARDS
from vision.naming.colours import Naming
from vision.naming.name_cards import top_weight
from vision.ordering.stacking import StackedCards, stack_up
from vision.settling.settling import settle

MISREAD = 1


@pytest.mark.parametrize(("misread", "half_turns"), [(False, 0), (True, 0), (True, 1)])
def test_a_card_that_was_placed_by_another_face_is_aligned_by_its_own(
    misread: bool, half_turns: int
) -> None:
    evidence, named = drawn_evidence(*CARDS, size_mm=(240, 220)), named_of(*CARDS)
    poses, rows = named.poses.copy(), named.rows.copy()
    poses[MISREAD] += [0.7, -0.6, np.pi * half_turns]
    if misread:
        rows[MISREAD] ^= 1
    named = replace(named, poses=poses, rows=rows)
    colour = np.array([TEMPLATES.colours.index(card.colour) for card in CARDS])
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    stacked = StackedCards(named, stack, top_weight(poses, stack.top, TEMPLATES))
    naming = Naming(colour, np.ones(len(CARDS)), colour)
    settled = settle(evidence, stacked, naming, PRINTED, True)
    assert (settled.named.rows == named_of(*CARDS).rows).all()
    # Where nothing else was dealt nothing is moved.
    gap_mm, gap_deg = off(settled.named.poses[MISREAD], CARDS[MISREAD])
    assert (gap_mm < 0.1) == misread
    assert gap_deg < 0.1
    assert np.cos(settled.named.poses[MISREAD, 2] - CARDS[MISREAD].pose[2]) > 0
