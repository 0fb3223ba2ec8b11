from __future__ import annotations

import numpy as np
import pytest

from tests.vision.test_pose_fit import DECK, DrawnCard, drawn_evidence
from vision import order
from vision.coverage import cover
from vision.faces import cut_out, score_faces
from vision.order import Drawing, PairEvidence, bottom_up, compare_pairs
from vision.templates import draw_templates

TEMPLATES = draw_templates(DECK)
LOWER = DrawnCard("circle-4", "green", (40.0, 81.0, 0.3))
UPPER = DrawnCard("square-2", "red", (75.0, 75.0, 1.2), mirrored=True)
CORNER = DrawnCard("triangle-3", "blue", (134.0, 95.0, 0.2))


def pairs_of(*bottom_up_cards: DrawnCard, listed: list[int] | None = None) -> PairEvidence:
    """The pairs' evidence with the cards listed in another order than they lie."""
    cards = [bottom_up_cards[k] for k in listed or range(len(bottom_up_cards))]
    evidence = drawn_evidence(*bottom_up_cards)
    poses = np.array([card.pose for card in cards])
    rows = np.array([2 * TEMPLATES.faces.index(card.face) + card.mirrored for card in cards])
    patches = cut_out(evidence, poses, TEMPLATES)
    ink = score_faces(patches, TEMPLATES).ink
    coverage = cover(evidence.raster, poses, DECK.card)
    return compare_pairs(Drawing(poses, rows, ink), patches, coverage, TEMPLATES)


@pytest.mark.parametrize("listed", [[0, 1], [1, 0]])
@pytest.mark.parametrize("upper", [UPPER, DrawnCard("square-2", "green", (75.0, 75.0, 1.2))])
def test_the_card_drawn_last_lies_on_top(listed: list[int], upper: DrawnCard) -> None:
    """Whichever is listed first, and in another colour or the same."""
    found = pairs_of(LOWER, upper, listed=listed)
    assert found.pairs.tolist() == [[0, 1]]
    lead = found.lead[0] if listed == [1, 0] else -found.lead[0]
    assert lead > 0.4


def test_turning_the_pile_over_turns_the_lead_over() -> None:
    assert pairs_of(LOWER, UPPER).lead[0] < -0.4
    assert pairs_of(UPPER, LOWER, listed=[1, 0]).lead[0] > 0.4


def test_a_small_overlap_is_told_too_and_apart_is_no_pair() -> None:
    found = pairs_of(UPPER, CORNER, LOWER)
    assert found.pairs.tolist() == [[0, 1], [0, 2]]
    small, wide = found.places
    assert 6 < small < wide / 3
    assert found.lead[0] < -0.3
    assert found.lead[1] < -0.3


def test_thinning_changes_neither_the_lead_nor_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    thinned = pairs_of(LOWER, UPPER)
    monkeypatch.setattr(order, "WIDE_OVERLAP", 10**9)
    whole = pairs_of(LOWER, UPPER)
    assert thinned.lead[0] == pytest.approx(whole.lead[0], abs=0.05)
    assert thinned.places[0] == pytest.approx(whole.places[0], rel=0.1)


def test_no_overlap_no_evidence() -> None:
    found = pairs_of(LOWER, CORNER)
    assert found.pairs.shape == (0, 2)
    assert len(found.lead) == len(found.places) == 0


def test_bottom_up_puts_the_upper_card_later() -> None:
    cards, dropped = bottom_up(4, {(0, 2): 1.0, (2, 3): 1.0, (1, 0): 0.5})
    assert dropped == []
    assert cards.index(3) < cards.index(2) < cards.index(0) < cards.index(1)


def test_of_a_circle_the_weakest_pair_is_dropped() -> None:
    cards, dropped = bottom_up(3, {(0, 1): 3.0, (1, 2): 2.0, (2, 0): 0.5})
    assert dropped == [(2, 0)]
    assert cards == [2, 1, 0]
