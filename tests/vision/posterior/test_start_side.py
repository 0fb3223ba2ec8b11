"""Which side of the starting card shows, and which way up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.deck import Deck
from geometry.layout import Card
from geometry.pose import Pose
from geometry.rules import RULE_NAMES, Rules
from tests.vision.model.drawn_table import CARDS, CONFIG, DECK, drawn_table
from vision.infer.moves import MoveKind
from vision.model.hypothesis import Hypothesis
from vision.model.score import TableScore, learned_score
from vision.model.table import Table
from vision.posterior.lain import Named
from vision.posterior.ledger import doubts_of, weighed
from vision.posterior.start_side import start_laid, start_moves

START = DECK.starting_face.id
ONE_WAY = replace(
    DECK, starting_face=replace(DECK.starting_face, shapes=DECK.face("triangle-2").shapes)
)
"""A deck whose starting card looks otherwise either side and either way up."""
ANYWHERE = Rules(off=frozenset(RULE_NAMES))
"""No placement is illegal: the lines alone tell."""


def laid(deck: Deck, turned: bool, mirrored: bool) -> tuple[TableScore, Table, Named]:
    """A drawn table with its starting card one way, taken to lie front up and upright."""
    pose = Pose(60.0, 110.0, 180.0 * turned, mirrored)
    start = Card(0, deck.starting_colour.name, START, pose)
    drawn = drawn_table([start, CARDS[2], CARDS[4]], deck=deck)
    first = drawn.table.cards[0]
    plain = replace(first, place=replace(first.place, angle_deg=0.0), hypothesis=Hypothesis(START))
    table = Table((plain, *drawn.table.cards[1:]))
    poses = {card.id: card.place.pose for card in table.cards}
    named = Named(poses, {"red": "red", "blue": "blue"}, deck, None)
    return learned_score(drawn.seen(), table, deck, CONFIG), table, named


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
def test_its_lines_tell(turned: bool, mirrored: bool) -> None:
    score, table, named = laid(ONE_WAY, turned, mirrored)
    found = start_laid(score, table, named, ANYWHERE)
    assert found.cards[0].hypothesis == Hypothesis(START, mirrored, turned)
    assert found.cards[1:] == table.cards[1:]
    assert named.layout(found).cards[0].pose == Pose(60.0, 110.0, 180.0 * turned, mirrored)
    moves = list(start_moves(score, found, named))
    assert len(moves) == 3
    assert all(move.kind is MoveKind.FACE and move.gain < -3 for move in moves)


def test_one_that_looks_alike_either_way_stays_as_it_is_and_is_no_doubt() -> None:
    score, table, named = laid(DECK, turned=True, mirrored=True)
    assert start_laid(score, table, named, ANYWHERE) == table
    found = weighed(score, table, named, ANYWHERE)
    assert doubts_of(found, table, named, CONFIG.doubted, lambda _: (0.0, 0.0)) == ()


def test_without_a_starting_card_nothing_is_asked() -> None:
    score, table, named = laid(DECK, turned=False, mirrored=False)
    bare = Table(table.cards[1:])
    assert list(start_moves(score, bare, named)) == []
    assert start_laid(score, bare, named, ANYWHERE) == bare
