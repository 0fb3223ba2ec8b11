"""Two cards together are what either alone would be unlikely to be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.layout import Card
from tests.vision.model.drawn_table import CARDS, CONFIG, DECK, drawn_table
from vision.infer.moves import MoveKind, face_moves, order_moves
from vision.infer.two_cards import exchanges, orders_with_faces
from vision.model.score import TableScore, learned_score
from vision.model.table import CardId, Table

LEAST = -9.0
RED, BLUE = CARDS[1], CARDS[2]
HIDDEN = CardId(5)
UNDER = Card(5, "red", "square-2", replace(BLUE.pose, mirrored=False))
"""A card of which nothing shows."""


@pytest.fixture(scope="module")
def score() -> TableScore:
    drawn = drawn_table()
    return learned_score(drawn.seen(), drawn.table, DECK, CONFIG)


def table_with(*under: Card, first: tuple[Card, ...] = CARDS) -> Table:
    return drawn_table((*under, *first)).table


def test_a_hidden_card_gives_its_face_away(score: TableScore) -> None:
    """A card that shows has a face that one under another has only as it may have any."""
    read = replace(RED, face="square-4")
    table = table_with(UNDER, replace(UNDER, id=6, face=RED.face), first=(read, *CARDS[2:]))
    shown = table.card(CardId(1))
    shows = score.prints.shown(table)[shown.id]
    alone = [
        m for m in face_moves(score, table, shown, shows, -1e9) if _face(m.table, 1) == RED.face
    ]
    both = [m for m in exchanges(score, table, LEAST) if _face(m.table, 1) == RED.face]
    assert (CardId(1), CardId(6)) in {(move.card, move.also) for move in both}
    best = max(both, key=lambda move: move.gain)
    assert best.gain > max(move.gain for move in alone) + CONFIG.twice_cost
    assert _face(best.table, 6) != RED.face


def test_what_the_second_card_may_be_is_summed_up(score: TableScore) -> None:
    read = replace(RED, face="square-4")
    table = table_with(replace(UNDER, face=RED.face), first=(read, *CARDS[2:]))
    both = max(exchanges(score, table, LEAST), key=lambda move: move.gain)
    of_one = score.total(both.table) - score.total(table)
    assert of_one + 3.0 < both.gain < of_one + 7.0


def test_cards_that_are_told_exchange_nothing(score: TableScore) -> None:
    assert not list(exchanges(score, table_with(), LEAST))


def test_the_other_way_round_a_card_has_the_face_that_shows_then(score: TableScore) -> None:
    """What lies on a card of its colour at the same place shows its face, whichever is on top."""
    under = Card(5, "red", "circle-1", RED.pose)
    table = table_with(under)
    lower, upper = table.card(HIDDEN), table.card(CardId(1))
    order = max(order_moves(score, table, lower, upper), key=lambda move: move.gain)
    assert order.gain < -100
    with_face = [m for m in orders_with_faces(score, table, -100.0) if m.also == HIDDEN]
    best = max(with_face, key=lambda move: move.gain)
    assert best.kind is MoveKind.ORDER
    assert _face(best.table, 5) == RED.face
    assert best.gain == pytest.approx(-CONFIG.twice_cost, abs=0.5)
    assert best.gain == pytest.approx(score.total(best.table) - score.total(table), abs=0.01)


def _face(table: Table, card: int) -> str:
    return table.card(CardId(card)).hypothesis.face
