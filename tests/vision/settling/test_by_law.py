"""A reading under which a table breaks no rules is preferred, where the pixels leave it open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest

from geometry.layout import Card, Layout
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules
from tests.geometry.tables import random_table
from tests.vision.drawing.drawn_cards import DECK
from tests.vision.naming.named_tables import TEMPLATES
from vision.drawing.coverage import TopMap
from vision.naming.colours import Naming
from vision.naming.faces import Patches
from vision.naming.name_cards import Named
from vision.naming.unique_faces import Choice, Choices
from vision.ordering.order import PairEvidence
from vision.ordering.stacking import Stack
from vision.settling.by_law import (
    MOST_OPEN,
    Faults,
    LegalityChecker,
    OpenCards,
    chosen,
    prefer_legal,
)

CHECKER = LegalityChecker(DECK, Rules(), TEMPLATES)
START = Card(0, DECK.starting_colour.name, DECK.starting_face.id, Pose(400.0, 300.0, 0.0))
NO_PATCHES = Patches(np.empty((0, 0, 4), np.uint8), np.empty((0, 0), np.float32))
NO_TOP = TopMap(np.zeros((1, 1), np.int16), (0.0, 0.0))


def legally(card: int, colour: str, face: str, *below: Card) -> Card:
    """The face laid legally on the last of these cards, away from the others."""
    layout = Layout(DECK, below, None)
    for way in legal_placements(layout, colour, face, Rules()):
        laid = Card(card, colour, face, way.pose)
        if way.on == below[-1].id and CHECKER.faults(*_table(*below, laid))[0] == 0:
            return laid
    raise ValueError(f"{face} fits nowhere")


def _table(*cards: Card) -> tuple[Mapping[int, Card], list[int]]:
    return {card.id: card for card in cards}, [card.id for card in cards]


def row_of(face: str, mirrored: bool = False) -> int:
    return 2 * TEMPLATES.faces.index(face) + mirrored


FIRST = legally(1, "green", "circle-4", START)
SECOND = legally(2, "red", "square-4", START, FIRST)


@dataclass(frozen=True)
class Read:
    """A table as read, its cards from the lowest up."""

    named: Named
    choices: Choices
    naming: Naming
    stack: Stack

    def settled(self, checker: LegalityChecker = CHECKER) -> Read:
        read = prefer_legal(OpenCards(self.named, self.choices, self.naming, self.stack), checker)
        return Read(read.named, read.choices, read.naming, read.stack)

    def cards(self) -> dict[int, Card]:
        """As the rules see them."""
        found = {}
        for i, (pose, row) in enumerate(zip(self.named.poses, self.named.rows, strict=True)):
            x, y, angle = (float(v) for v in pose)
            colour = TEMPLATES.colours[int(self.naming.colour[i])]
            lies = Pose(x, y, float(np.rad2deg(angle)), bool(row % 2))
            found[i] = Card(i, colour, TEMPLATES.faces[int(row) // 2], lies)
        return found

    @property
    def faults(self) -> int:
        return CHECKER.faults(self.cards(), self.stack.order)[0]


def read(
    *bottom_up: Card, open_: Mapping[int, tuple[Choice, ...]] | None = None,
    unclear: tuple[tuple[int, int], ...] = (),
) -> Read:  # fmt: skip
    """These cards, read as they are given, with other readings and unclear pairs."""
    cards = sorted(bottom_up, key=lambda card: card.id)
    count = len(cards)
    poses = [[c.pose.x_mm, c.pose.y_mm, np.deg2rad(c.pose.angle_deg)] for c in cards]
    rows = np.array([row_of(c.face, c.pose.mirrored) for c in cards])
    named = Named(np.array(poses), rows, np.full(count, 0.2), np.zeros(count), np.zeros((count, 3)))
    colour = np.array([TEMPLATES.colours.index(c.colour) for c in cards])
    pairs = [(k, k + 1) for k in range(count - 1)]
    leads = np.array([0.02 if pair in unclear else 0.9 for pair in pairs])
    many = np.full(len(pairs), 200)
    evidence = PairEvidence(np.array(pairs).reshape(-1, 2), leads, many, 0 * many)
    order = [card.id for card in bottom_up]
    choices = tuple((open_ or {}).get(i, ()) for i in range(count))
    return Read(
        named, choices, Naming(colour, np.ones(count), colour),
        Stack(order, evidence, [], NO_PATCHES, NO_TOP),
    )  # fmt: skip


def as_read(card: Card, face: str, turned: bool = False, mirrored: bool = False) -> Card:
    """The card misread."""
    angle = card.pose.angle_deg + 180 * turned
    return replace(card, face=face, pose=replace(card.pose, angle_deg=angle, mirrored=mirrored))


WRONG = as_read(FIRST, "circle-1")
FRONT = Choice(row_of("circle-4"), False)
NO_BETTER = Choice(row_of("circle-2"), False)


def test_of_two_faces_the_one_that_lies_legally_is_taken() -> None:
    table = read(START, WRONG, open_={1: (NO_BETTER, FRONT)})
    assert table.faults == 1
    after = table.settled()
    assert after.faults == 0
    assert after.named.rows.tolist() == [row_of("start"), FRONT.row]
    np.testing.assert_array_equal(after.named.poses, table.named.poses)


def test_the_reading_given_up_stays_the_first_choice() -> None:
    table = read(START, WRONG, open_={1: (NO_BETTER, FRONT)})
    after = table.settled()
    assert after.choices == ((), (Choice(row_of("circle-1"), False), NO_BETTER))


def test_a_card_that_lies_the_other_way_round_is_turned_and_so_are_its_choices() -> None:
    there = Choice(FRONT.row, True)
    others = (Choice(row_of("circle-2"), False), Choice(row_of("square-2"), True))
    table = read(START, as_read(FIRST, "circle-1", turned=True), open_={1: (*others, there)})
    after = table.settled()
    assert after.faults == 0
    turned = np.cos(after.named.poses[1, 2] - table.named.poses[1, 2])
    assert turned == pytest.approx(-1)
    assert after.choices[1] == (
        Choice(row_of("circle-1"), True),
        Choice(row_of("circle-2"), True),
        Choice(row_of("square-2"), False),
    )
    given_up = chosen(after.cards()[1], after.choices[1][0], TEMPLATES)
    assert given_up.face == "circle-1"
    assert np.cos(np.deg2rad(given_up.pose.angle_deg)) == pytest.approx(
        np.cos(table.named.poses[1, 2])
    )


def test_the_other_side_may_be_the_legal_one() -> None:
    back = legally(1, "green", "circle-1", START)
    wrong = as_read(back, "circle-1", mirrored=not back.pose.mirrored)
    table = read(START, wrong, open_={1: (Choice(row_of("circle-1", back.pose.mirrored), False),)})
    assert (table.faults, table.settled().faults) == (1, 0)
    assert table.settled().cards()[1].pose.mirrored == back.pose.mirrored


@pytest.mark.parametrize(("colour", "taken"), [("green", False), ("blue", True)])
def test_a_face_that_another_card_of_the_colour_has_is_not_taken(colour: str, taken: bool) -> None:
    far = Card(2, colour, "circle-4", Pose(900.0, 300.0, 0.0))
    table = read(START, WRONG, far, open_={1: (FRONT,)})
    after = table.settled()
    assert after.faults == (0 if taken else 1)
    assert (after.named.rows[1] == FRONT.row) == taken
    if not taken:
        assert after.choices == table.choices


def test_what_breaks_no_more_rules_than_another_stays_as_it_was_read() -> None:
    """Both sides of this face lie legally."""
    other_side = Choice(row_of("circle-4", not FIRST.pose.mirrored), True)
    assert CHECKER.faults(*_table(START, chosen(FIRST, other_side, TEMPLATES)))[0] == 0
    table = read(START, FIRST, open_={1: (other_side, NO_BETTER)})
    after = table.settled()
    assert after.choices == table.choices
    np.testing.assert_array_equal(after.named.rows, table.named.rows)


def test_of_two_cards_the_one_goes_below_that_then_lies_legally() -> None:
    table = read(START, SECOND, FIRST, unclear=((1, 2),))
    assert table.faults == 1
    after = table.settled()
    assert after.stack.order == [0, 1, 2]
    assert after.faults == 0
    assert after.stack.pairs is table.stack.pairs
    assert not after.stack.pairs.clear.all()


def test_face_and_order_are_settled_together() -> None:
    """In the one order the true face helps nothing, in the other the wrong one does not."""
    lower = as_read(FIRST, "circle-1")
    own = Choice(row_of(FIRST.face, FIRST.pose.mirrored), False)
    other = Choice(row_of("circle-2"), False)
    table = read(START, SECOND, lower, open_={1: (other, own)}, unclear=((1, 2),))
    assert table.faults == read(START, SECOND, FIRST).faults == 1
    assert read(START, lower, SECOND).faults > 1
    after = table.settled()
    assert after.faults == 0
    assert after.stack.order == [0, 1, 2]
    assert after.named.rows[1] == own.row


def test_who_plainly_lies_on_top_stays_there() -> None:
    """A card laid against the rules is what the rig is there to see."""
    assert read(START, SECOND, FIRST).settled().stack.order == [0, 2, 1]
    open_ = {1: (NO_BETTER,)}
    assert read(START, SECOND, FIRST, open_=open_).settled().stack.order == [0, 2, 1]


def test_an_order_that_breaks_no_rule_is_kept() -> None:
    assert read(START, FIRST, SECOND, unclear=((1, 2),)).settled().stack.order == [0, 1, 2]


def test_a_card_between_two_others_is_turned_with_both() -> None:
    """Alone either pair's other order has it lie on two cards, or under one that does."""
    third = legally(3, "blue", "square-5", START, FIRST, SECOND)
    table = read(START, third, SECOND, FIRST, unclear=((1, 2), (2, 3)))
    assert table.faults == 1
    assert read(START, third, SECOND, FIRST, unclear=((1, 2),)).settled().faults == 1
    after = table.settled()
    assert after.stack.order == [0, 1, 2, 3]
    assert after.faults == 0


def test_of_two_orders_as_wrong_the_one_in_which_nothing_lies_alone_is_likelier() -> None:
    """A card that slipped is illegal, whether it lies under the one laid on it or over it."""
    third = legally(3, "blue", "square-5", START, FIRST, SECOND)
    slipped, third = (
        replace(card, pose=replace(card.pose, x_mm=card.pose.x_mm + 5, y_mm=card.pose.y_mm + 2))
        for card in (SECOND, third)
    )
    right, wrong = (
        CHECKER.faults(*_table(START, FIRST, *upper))
        for upper in ((slipped, third), (third, slipped))
    )
    assert right[:2] == (1, 0)
    assert wrong[:2] == (1, 1)
    assert read(START, FIRST, third, slipped, unclear=((2, 3),)).settled().stack.order == [
        0,
        1,
        2,
        3,
    ]
    assert read(START, FIRST, third, slipped).settled().stack.order == [0, 1, 3, 2]


def test_of_two_faces_as_wrong_the_one_that_lies_exactly_on_another_is_likelier() -> None:
    """Nobody may cover the own colour in a free-for-all; whoever does lays the card exactly."""
    checker = LegalityChecker(DECK, Rules(free_for_all=True), TEMPLATES)
    own = legally(2, FIRST.colour, "square-4", START, FIRST)
    wrong = as_read(own, "circle-1")
    right, astray = (checker.faults(*_table(START, FIRST, card)) for card in (own, wrong))
    assert right == (1, 0, 0)
    assert astray == (1, 0, 1)
    table = read(START, FIRST, wrong, open_={2: (Choice(row_of(own.face), False),)})
    assert table.settled(checker).cards()[2].face == own.face
    assert table.settled(checker).choices[2] == (Choice(row_of(wrong.face), False),)


def test_what_was_settled_helps_what_was_asked_before() -> None:
    """The first in the list lies on the second, whose face must be settled before its own."""
    upper, lower = replace(SECOND, id=1), replace(FIRST, id=2)
    wrong = as_read(upper, "square-2"), as_read(lower, "circle-1")
    own = Choice(row_of(SECOND.face, SECOND.pose.mirrored), False)
    below = Choice(row_of(FIRST.face, FIRST.pose.mirrored), False)
    alone = read(START, wrong[1], upper)
    table = read(START, wrong[1], wrong[0], open_={1: (own,), 2: (below,)})
    assert table.faults == alone.faults == 2
    after = table.settled()
    assert after.faults == 0
    assert after.named.rows[1:].tolist() == [own.row, below.row]


class Shut(LegalityChecker):
    """Nobody may ask it anything."""

    def faults(self, cards: Mapping[int, Card], order: list[int]) -> Faults:
        raise AssertionError("nothing was open")


SHUT = Shut(DECK, Rules(), TEMPLATES)


def test_where_nothing_is_open_nothing_is_asked() -> None:
    table = read(START, WRONG)
    after = table.settled(SHUT)
    assert after.named is table.named
    assert after.stack is table.stack
    with pytest.raises(AssertionError, match="nothing was open"):
        read(START, WRONG, open_={1: (FRONT,)}).settled(SHUT)


@pytest.mark.parametrize("seed", range(8))
def test_what_a_change_comes_to_is_told_by_the_cards_it_concerns(seed: int) -> None:
    """A card's other face and turn, and a pair the other way round: all cards tell no more."""
    rng = np.random.default_rng(seed)
    cards, order = _table(*random_table(seed).cards)
    for _ in range(6):
        k, card = int(rng.integers(len(order) - 1)), int(rng.choice(order))
        turned = [*order[:k], order[k + 1], order[k], *order[k + 2 :]]
        choice = Choice(int(rng.integers(36)), bool(rng.integers(2)))
        others = {**cards, card: chosen(cards[card], choice, TEMPLATES)}
        few = CHECKER.about(cards, order, [order[k : k + 2]], [card])
        by_all, by_few = (
            np.subtract(checker.faults(others, turned), checker.faults(cards, order))
            for checker in (CHECKER, few)
        )
        np.testing.assert_array_equal(by_few, by_all)


def test_only_open_cards_and_those_that_meet_them_are_asked_about() -> None:
    far = Card(3, "blue", "circle-1", Pose(1000.0, 300.0, 0.0))
    cards, order = _table(START, FIRST, SECOND, far)
    for pair, unsure, of in (([1, 2], [], [1, 2]), ([], [1], [0, 1, 2]), ([], [3], [3])):
        assert sorted(CHECKER.about(cards, order, [pair], unsure).of or ()) == of


@pytest.mark.parametrize("more", [0, 1])
def test_too_many_open_questions_are_left_open(more: int) -> None:
    far = [
        Card(2 + k, "blue", DECK.faces[k].id, Pose(1000.0 + 200 * k, 300.0, 0.0))
        for k in range(MOST_OPEN - 1 + more)
    ]
    here = (Choice(0, True),)
    open_ = {1: (FRONT,), **{card.id: here for card in far}}
    table = read(START, WRONG, *far, open_=open_)
    assert table.settled().faults == more


def test_a_large_table_may_have_more_open_questions() -> None:
    far = [
        Card(2 + k, "blue", DECK.faces[k % 18].id, Pose(1000.0 + 200 * k, 300.0, 0.0))
        for k in range(5 * MOST_OPEN)
    ]
    open_ = {1: (FRONT,), **{card.id: (Choice(0, True),) for card in far[:MOST_OPEN]}}
    assert read(START, WRONG, *far, open_=open_).settled().faults == 0
