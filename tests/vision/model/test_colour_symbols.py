"""The symbols of an ink's cards tell its colour."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.layout import Card
from geometry.pose import Pose
from tests.vision.model.drawn_table import CARDS_APART, CONFIG, DECK, drawn_table
from vision.model.colour_symbols import symbols_tell
from vision.model.score import learned_score

COLOURS = [colour.name for colour in DECK.colours]


def told(cards: tuple[Card, ...]) -> dict[str, str]:
    """The colour that each ink's symbols are likeliest of, on a drawn table of some cards."""
    drawn = drawn_table(cards)
    score = learned_score(drawn.seen(), drawn.table, DECK, CONFIG)
    says = symbols_tell(score, drawn.table, DECK)
    return {ink: COLOURS[int(nats.argmax())] for ink, nats in says.items()}


@pytest.mark.parametrize("colour", COLOURS)
def test_each_colour_is_told_by_its_symbol(colour: str) -> None:
    """Whichever side shows and whichever way up the cards lie."""
    other = next(name for name in COLOURS if name != colour)
    cards = tuple(
        replace(c, colour={"red": colour, "blue": other}.get(c.colour, c.colour))
        for c in CARDS_APART
    )
    assert told(cards) == {colour: colour, other: other}


def test_an_ink_whose_symbols_are_hidden_tells_nothing() -> None:
    """Red's only card shows its middle and its other end."""
    x_mm, y_mm = DECK.symbol_offset_mm
    lower = Card(1, "red", "square-5", Pose(100.0, 110.0, 0.0))
    over = Card(2, "blue", "circle-4", Pose(100.0 + 3 * x_mm, 110.0 + 3 * y_mm, 45.0))
    assert set(told((CARDS_APART[0], lower, over))) == {"blue"}
