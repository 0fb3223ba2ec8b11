"""Which badges a printing has is learned from what is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.deck import DRAWN_BADGES, PRINTED_BADGES, Badges
from tests.vision.drawing.test_pose_fit import DECK, DrawnCard, drawn_evidence
from vision.printing.badge_style import deck_as_printed

CARDS = tuple(
    DrawnCard(face, colour, (10.0 + 65 * (k % 3), 70.0 + 95 * (k // 3), 0.1 * k), k % 2 == 1)
    for k, (face, colour) in enumerate(
        [
            ("square-2", "green"), ("square-3", "red"), ("triangle-5", "blue"),
            ("triangle-1", "red"), ("square-4", "pink"), ("triangle-4", "blue"),
        ]
    )
)  # fmt: skip
POSES = np.array([card.pose for card in CARDS])


@pytest.mark.parametrize("drawn", [DRAWN_BADGES, PRINTED_BADGES], ids=["drawn", "printed"])
@pytest.mark.parametrize("begun", [DRAWN_BADGES, PRINTED_BADGES], ids=["drawn", "printed"])
@pytest.mark.parametrize("turned", [False, True])
def test_the_style_seen_is_taken_whichever_the_deck_begins_with(
    drawn: Badges, begun: Badges, turned: bool
) -> None:
    """Cards are known up to a half turn."""
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210), deck=replace(DECK, badges=drawn))
    poses = POSES + [0.0, 0.0, np.pi * turned]
    deck = deck_as_printed(evidence, poses, replace(DECK, badges=begun))
    assert deck == replace(DECK, badges=drawn)


@pytest.mark.parametrize("begun", [DRAWN_BADGES, PRINTED_BADGES], ids=["drawn", "printed"])
def test_where_no_badge_shows_the_deck_stays_as_it_is(begun: Badges) -> None:
    deck = replace(DECK, badges=begun)
    assert deck_as_printed(drawn_evidence(), np.empty((0, 3)), deck) == deck
    assert deck_as_printed(drawn_evidence(), POSES[:2], deck) == deck
