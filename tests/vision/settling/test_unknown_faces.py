"""Of the faces that a hidden card may have, the rules and most of the scores choose one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.layout import Card
from tests.vision.settling.test_by_law import (
    CHECKER,
    FIRST,
    SECOND,
    START,
    Read,
    as_read,
    read,
    row_of,
)
from vision.naming.unique_faces import Choice
from vision.settling.by_law import OpenCards
from vision.settling.unknown_faces import likeliest_faces


def settled(table: Read, *unknown: int) -> Read:
    cards = OpenCards(table.named, table.choices, table.naming, table.stack)
    read = likeliest_faces(cards, CHECKER, unknown)
    return Read(read.named, read.choices, read.naming, read.stack)


def ways(*faces: str) -> tuple[Choice, ...]:
    """All sides and turns of these faces."""
    return tuple(
        Choice(row_of(face, side), turned)
        for face in faces
        for side in (False, True)
        for turned in (False, True)
    )


def test_the_face_is_one_that_lies_legally() -> None:
    hidden = as_read(SECOND, "circle-1")
    table = read(START, FIRST, hidden, open_={2: ways("square-4", "circle-1")})
    assert table.faults == 1
    found = settled(table, 2)
    assert found.faults == 0
    assert found.cards()[2].face == "square-4"


@pytest.mark.parametrize("hidden", [FIRST, SECOND])
def test_face_and_order_are_settled_together(hidden: Card) -> None:
    """Neither the right face in the wrong order nor the other way round breaks fewer rules."""
    wrong = as_read(hidden, "circle-6")
    first, second = (wrong if card is hidden else card for card in (FIRST, SECOND))
    table = read(START, second, first, open_={hidden.id: ways(hidden.face)}, unclear=((1, 2),))
    found = settled(table, hidden.id)
    assert found.faults == 0
    assert found.stack.order.index(1) < found.stack.order.index(2)
    assert found.cards()[hidden.id].face == hidden.face


def test_nothing_is_laid_under_the_starting_card() -> None:
    table = read(START, as_read(FIRST, "circle-6"), unclear=((0, 1),))
    assert settled(table, 1).stack.order == [0, 1]


def test_of_ways_that_break_as_few_rules_the_usual_score_is_taken() -> None:
    """A card that lies alone may have any face: two of three have two dots."""
    alone = replace(SECOND, pose=replace(SECOND.pose, x_mm=0.0, y_mm=0.0), face="circle-3")
    table = read(START, FIRST, alone, open_={2: ways("circle-3", "square-2", "triangle-2")})
    assert settled(table, 2).cards()[2].face in ("square-2", "triangle-2")


def test_what_was_given_up_stays_a_choice() -> None:
    alone = replace(SECOND, pose=replace(SECOND.pose, x_mm=0.0, y_mm=0.0), face="circle-3")
    table = read(START, FIRST, alone, open_={2: ways("square-2", "triangle-2")})
    found = settled(table, 2)
    left = {choice.row // 2 for choice in found.choices[2]} | {int(found.named.rows[2]) // 2}
    assert left == {row_of(face) // 2 for face in ("circle-3", "square-2", "triangle-2")}
