"""The score is additive over places, and the truth has the highest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.model.drawn_table import CARDS, CONFIG, DECK, DrawnTable, drawn_table, relit
from vision.infer.moves import (
    Move,
    MoveKind,
    additions,
    face_moves,
    ink_moves,
    order_moves,
    removal,
)
from vision.model.score import TableScore, learned_score
from vision.model.table import CardId, Place, Table, with_ink


def lamp_edge(drawn: DrawnTable) -> DrawnTable:
    """A lamp's mirror image ends in the middle of the cards."""
    gain, veil = np.full((460, 520, 1), 0.7), 40.0
    gain[:, 280:] = 0.45
    return relit(drawn, gain, veil)


LIGHTS: dict[str, Callable[[DrawnTable], DrawnTable]] = {
    "plain": lambda drawn: drawn,
    "veil": lambda drawn: relit(drawn, 0.6, 60.0),
    "dusk": lambda drawn: relit(drawn, 0.4, 0.0),
    "lamp's edge": lamp_edge,
}


@pytest.fixture(scope="module", params=LIGHTS)
def drawn(request: pytest.FixtureRequest) -> DrawnTable:
    return LIGHTS[request.param](drawn_table())


@pytest.fixture(scope="module")
def score(drawn: DrawnTable) -> TableScore:
    return learned_score(drawn.seen(), drawn.table, DECK, CONFIG)


def single_moves(score: TableScore, table: Table) -> list[Move]:
    shown = score.prints.shown(table)
    moves = []
    for rank, card in enumerate(table.cards):
        moves += [
            *face_moves(score, table, card, shown[card.id]),
            *ink_moves(score, table, card, shown[card.id]),
        ]
        moves.append(removal(score, table, card))
        for upper in table.cards[rank + 1 :]:
            if score.prints.touch(card.place, upper.place):
                moves += order_moves(score, table, card, upper)
    beside = replace(table.cards[1], id=CardId(9), place=Place(95.0, 60.0, 40.0))
    for below in (None, CardId(0)):
        moves += additions(score, table, beside, below)
    return moves


def test_totals_that_were_asked_once_are_kept(score: TableScore, drawn: DrawnTable) -> None:
    """For the same places of a card, whatever else it is."""
    card = drawn.table.cards[1]
    shows = score.prints.shown(drawn.table)[card.id]
    first = score.totals(card, shows)
    assert score.totals(with_ink(card, "blue"), shows.copy()) is first
    less = shows.copy()
    less[np.flatnonzero(less)[:100]] = False
    assert not np.array_equal(score.totals(card, less).gains, first.gains)


def test_the_truth_scores_higher_than_each_of_its_single_moves(
    score: TableScore, drawn: DrawnTable
) -> None:
    moves = [move for move in single_moves(score, drawn.table) if move.told_mm2 > 4]
    assert {move.kind for move in moves} == set(MoveKind) - {MoveKind.PLACE}
    assert len(moves) > 280
    assert max(move.gain for move in moves) < -6


def test_a_move_gains_what_the_whole_scores_differ_by(score: TableScore, drawn: DrawnTable) -> None:
    """Each kind, weighed on one card's places alone, against both tables weighed whole."""
    whole = score.total(drawn.table)
    moves = single_moves(score, drawn.table)
    for kind in MoveKind:
        some = [move for move in moves if move.kind is kind]
        for move in some[:: max(1, len(some) // 6)]:
            assert move.gain == pytest.approx(score.total(move.table) - whole, abs=0.01), kind


def test_what_both_draw_alike_cancels_to_the_last_digit(
    score: TableScore, drawn: DrawnTable
) -> None:
    """Two cards that do not touch have no order."""
    one, other = drawn.table.cards[3], drawn.table.cards[4]
    assert not score.prints.touch(one.place, other.place)
    moves = list(order_moves(score, drawn.table, one, other))
    assert [move.gain for move in moves] == [0.0]
    assert moves[0].told_mm2 == 0.0


def test_an_order_is_told_by_the_strip_where_they_differ(
    score: TableScore, drawn: DrawnTable
) -> None:
    (move,) = order_moves(score, drawn.table, drawn.table.cards[1], drawn.table.cards[2])
    assert move.told_mm2 > 20
    assert move.gain < -2


def test_scores_grow_with_the_looks_that_a_place_is_worth(drawn: DrawnTable) -> None:
    """Kappa scales what the picture says and leaves the prior alone."""
    card = drawn.table.cards[3]
    gains = []
    for looks in (CONFIG.looks_per_mm2, 2 * CONFIG.looks_per_mm2):
        config = replace(CONFIG, looks_per_mm2=looks)
        scored = learned_score(drawn.seen(config), drawn.table, DECK, config)
        prior = CONFIG.card_cost - CONFIG.unequal_cost
        gains.append(removal(scored, drawn.table, card).gain - prior)
    assert gains[1] == pytest.approx(2 * gains[0], rel=1e-6)


def test_a_table_that_is_explained_wrongly_can_still_be_put_right() -> None:
    """What is learned from one wrong face does not hold it: the truth scores higher."""
    drawn = drawn_table()
    wrong = list(CARDS)
    wrong[3] = replace(CARDS[3], face="circle-2")
    false = drawn_table(wrong).table
    score = learned_score(drawn.seen(), false, DECK, CONFIG)
    assert score.total(drawn.table) > score.total(false) + 8
    best = max(
        face_moves(score, false, false.cards[3], score.prints.shown(false)[CardId(3)]),
        key=lambda move: move.gain,
    )
    assert best.table.card(CardId(3)).hypothesis == drawn.table.cards[3].hypothesis


def test_levels_beside_cards_do_not_tell_tables_apart() -> None:
    """What a level says beside cards hangs on what tables teach of cards: it counts on cards."""
    seen = drawn_table(ground=(225, 225, 225)).seen()
    table = drawn_table(ground=(225, 225, 225)).table
    told, untold = (
        learned_score(some, table, DECK, CONFIG)
        for some in (seen, replace(seen, level=np.zeros_like(seen.level)))
    )
    shown = told.prints.shown(table)
    levels = (told.printing.bare - untold.printing.bare).reshape(-1)
    on_cards = sum(levels[told.prints.of(c.place).at[shown[c.id]]].sum() for c in table.cards)
    assert abs(float(np.nansum(levels) - on_cards)) > 10000
    assert told.total(table) - untold.total(table) == pytest.approx(
        -told.in_nats(float(on_cards)), abs=0.5
    )
