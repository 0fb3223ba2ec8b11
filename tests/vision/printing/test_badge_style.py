"""Which badges a printing has is learned from what is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.deck import DRAWN_BADGES, PRINTED_BADGES, Badges
from tests.conftest import quick_or_thorough
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
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
OF_ALL_SUITS = (
    *CARDS,
    DrawnCard("circle-2", "green", (10.0, 260.0, 0.2)),
    DrawnCard("circle-5", "red", (75.0, 260.0, -0.1)),
    DrawnCard("circle-3", "blue", (140.0, 260.0, 0.0)),
)


@pytest.mark.parametrize("drawn", [DRAWN_BADGES, PRINTED_BADGES], ids=["drawn", "printed"])
@pytest.mark.parametrize("begun", [DRAWN_BADGES, PRINTED_BADGES], ids=["drawn", "printed"])
@pytest.mark.parametrize("turned", quick_or_thorough([False, True], [True]))
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


@pytest.mark.parametrize(
    "seen",
    [
        PRINTED_BADGES.scaled(0.86, 0.86, 0.86),
        PRINTED_BADGES.scaled(1.08, 1.08, 1.08),
        PRINTED_BADGES.scaled(square=0.86),
        PRINTED_BADGES.scaled(0.93, 0.86, 1.0),
    ],
)
def test_badges_of_another_size_than_the_deck_s_are_measured(seen: Badges) -> None:
    evidence = drawn_evidence(*OF_ALL_SUITS, size_mm=(210, 290), deck=replace(DECK, badges=seen))
    poses = np.array([card.pose for card in OF_ALL_SUITS])
    found = deck_as_printed(evidence, poses, replace(DECK, badges=PRINTED_BADGES)).badges
    sizes = [(b.circle, b.square, b.triangle_width) for b in (found, seen)]
    assert sizes[0] == pytest.approx(sizes[1], abs=0.05)
