"""Inks have their colours' names."""

from __future__ import annotations

from dataclasses import replace

from tests.vision.model.drawn_table import CONFIG, DECK, drawn_table
from vision.model.score import learned_score
from vision.model.table import Table
from vision.posterior.ink_names import ink_names


def test_inks_are_named_by_their_hues() -> None:
    drawn = drawn_table()
    numbers = {"red": "ink 4", "blue": "ink 0", None: None}
    table = Table(tuple(replace(card, ink=numbers[card.ink]) for card in drawn.table.cards))
    score = learned_score(drawn.seen(), table, DECK, CONFIG)
    assert ink_names(score, table, DECK) == {"ink 4": "red", "ink 0": "blue"}


def test_no_two_inks_have_one_name() -> None:
    """Were each card of an ink of its own, the nearest other name is dealt."""
    drawn = drawn_table()
    table = Table(tuple(replace(c, ink=c.ink and f"ink {c.id}") for c in drawn.table.cards))
    score = learned_score(drawn.seen(), table, DECK, CONFIG)
    names = ink_names(score, table, DECK)
    assert len(set(names.values())) == len(names) == 4


def test_a_table_without_inks_has_no_names() -> None:
    drawn = drawn_table()
    score = learned_score(drawn.seen(), drawn.table, DECK, CONFIG)
    assert ink_names(score, Table(drawn.table.cards[:1]), DECK) == {}
