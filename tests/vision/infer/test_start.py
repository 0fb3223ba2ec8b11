"""A starting card is found though no printing says yet what it looks like."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.model.drawn_table import CONFIG, DECK, drawn_table
from vision.infer.start import start_found
from vision.model.hypothesis import Hypothesis
from vision.model.score import learned_score
from vision.model.table import CardId, Table

pytestmark = pytest.mark.slow


def test_a_starting_card_is_found_where_inks_were_parted_since_the_printing_was_learned() -> None:
    drawn = drawn_table()
    read = replace(drawn.table.cards[0], hypothesis=Hypothesis("circle-1"), ink="red")
    table = drawn.table.with_card(read)
    score = learned_score(drawn.seen(), table, DECK, CONFIG)
    parted = Table(tuple(replace(c, ink="new") if c.ink == "blue" else c for c in table.cards))
    assert start_found(score, parted).card(CardId(0)).ink is None
