from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawing.test_pose_fit import DECK, DrawnCard, drawn_evidence
from tests.vision.naming.test_name_cards import PRINTED, TEMPLATES
from tests.vision.settling.test_twin_search import GREEN, OTHERS, ROOM_MM, UPPER, table_of
from vision.naming.colours import Naming
from vision.naming.name_cards import top_weight
from vision.ordering.stacking import StackedCards, stack_up
from vision.settling.settling import Settled, settle
from vision.settling.surplus import surplus_card, without_ink, without_surplus

RED = DrawnCard("square-1", "red", (205.0, 205.0, 0.0))
CARDS = (*OTHERS, RED, GREEN, UPPER)


def asked(colours: list[int], fit: float) -> tuple[int, bool] | None:
    """What is said of cards of these colours, the last of them on bare table."""
    evidence, table = drawn_evidence(*CARDS, size_mm=ROOM_MM), table_of(*CARDS)
    pose = np.array([*table.named.poses[:, :2].min(axis=0) - 25.0, 0.0])
    named = table.named.with_card(pose, 0, fit)
    naming = Naming(np.array(colours), np.ones(7), np.array(colours))
    visible = np.concatenate([table.visible, np.ones_like(table.visible[:1])])
    return surplus_card(evidence, named, naming, visible, PRINTED)


def test_a_card_without_a_badge_of_which_one_colour_has_too_many_is_none() -> None:
    assert asked([0, 0, 1, 1, 2, 2, 2], 0.2) == (6, False)
    assert asked([0, 0, 1, 1, 2, 2, 2], 0.4) == (6, False)


def test_it_stays_in_doubt_unless_it_looks_wrong_and_is_alone_of_its_colour() -> None:
    """One player may be a card ahead of all others."""
    assert asked([0, 1, 2, 3, 4, 5, 5], 0.4) == (6, False)
    assert asked([0, 0, 0, 1, 1, 1, 2], 0.4) == (6, False)
    assert asked([0, 0, 0, 0, 0, 0, 2], 0.2) == (6, False)
    assert asked([0, 0, 0, 0, 0, 0, 2], 0.4) == (6, True)


def test_where_one_that_shows_its_badge_may_be_wrong_or_another_be_missing_it_stays() -> None:
    assert asked([0, 0, 0, 0, 1, 1, 1], 0.4) is None
    assert asked([0, 0, 0, 1, 1, 2, 2], 0.4) is None
    assert asked([0, 0, 1, 1, 1, 2, 2], 0.4) is None


def test_one_that_fits_poorly_may_be_none_though_one_player_may_be_a_card_ahead() -> None:
    assert [asked([0, 0, 0, 1, 1, 1, 1], fit) for fit in (0.2, 0.4)] == [None, (6, False)]


def settled_with(
    *poses: tuple[float, float, float], cards: tuple[DrawnCard, ...] = CARDS
) -> Settled:
    """The cards, and others of blue at these poses."""
    evidence, table = drawn_evidence(*cards, size_mm=ROOM_MM), table_of(*cards)
    named, naming = table.named, table.naming
    for pose in poses:
        named = named.with_card(np.array(pose), 0, 0.4)
    blue = np.full(len(poses), TEMPLATES.colours.index("blue"))
    sure = np.ones(len(named))
    naming = Naming(np.append(naming.colour, blue), sure, np.append(naming.runner_up, blue))
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    visible = top_weight(named.poses, stack.top, TEMPLATES)
    return settle(evidence, StackedCards(named, stack, visible), naming, PRINTED, True)


def test_what_shows_no_ink_where_a_card_does_is_none() -> None:
    """On bare table, and beside a card of another colour that one would cover in part."""
    settled = settled_with((70.0, 20.0, 0.0), (211.0, 199.0, 0.0))
    told = [without_ink(settled, card, PRINTED) for card in range(len(settled.named))]
    assert told == [False] * len(CARDS) + [True] * 2


@pytest.mark.parametrize(("cards", "in_doubt"), [(CARDS, 0), ((*OTHERS[:2], GREEN, UPPER), 1)])
def test_in_a_game_of_two_one_without_ink_is_none_and_stays_in_doubt(
    cards: tuple[DrawnCard, ...], in_doubt: int
) -> None:
    """Among two colours as likely the other one's card was missed."""
    pose = (70.0, 20.0, 0.0)
    settled, evidence = settled_with(pose, cards=cards), drawn_evidence(*cards, size_mm=ROOM_MM)
    left, doubted = without_surplus(evidence, settled, PRINTED)
    assert len(left.named) == len(cards)
    assert doubted[:, :2].tolist() == [list(pose[:2])] * in_doubt
