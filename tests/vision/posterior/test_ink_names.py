"""Inks have their colours' names."""

from __future__ import annotations

from dataclasses import replace

from tests.vision.model.drawn_table import CARDS, CONFIG, DECK, drawn_table
from vision.model.score import learned_score
from vision.model.table import Table
from vision.posterior.ink_names import ink_names


def test_inks_are_named_by_their_hues() -> None:
    drawn = drawn_table()
    numbers = {"red": "ink 4", "blue": "ink 0", None: None}
    table = Table(tuple(replace(card, ink=numbers[card.ink]) for card in drawn.table.cards))
    score = learned_score(drawn.seen(), table, DECK, CONFIG)
    assert ink_names(score, table, DECK).of == {"ink 4": "red", "ink 0": "blue"}


def test_no_two_inks_have_one_name() -> None:
    """Were each card of an ink of its own, the nearest other name is dealt."""
    drawn = drawn_table()
    table = Table(tuple(replace(c, ink=c.ink and f"ink {c.id}") for c in drawn.table.cards))
    score = learned_score(drawn.seen(), table, DECK, CONFIG)
    names = ink_names(score, table, DECK).of
    assert len(set(names.values())) == len(names) == 4


def test_a_table_without_inks_has_no_names() -> None:
    drawn = drawn_table()
    score = learned_score(drawn.seen(), drawn.table, DECK, CONFIG)
    assert ink_names(score, Table(drawn.table.cards[:1]), DECK).of == {}


def test_an_ink_between_two_colours_may_be_either() -> None:
    """A red so far towards pink that a printing's pink may look like it, its symbols unheard."""
    drawn = drawn_table(hues={1: "#d0353f", 3: "#d0353f"})
    deaf = replace(CONFIG, symbol_most_nats=0.0)
    score = learned_score(drawn.seen(deaf), drawn.table, DECK, deaf)
    names = ink_names(score, drawn.table, DECK)
    lead, ink, other = names.others[0]
    assert (ink, names.of["red"], other["red"], other["blue"]) == ("red", "red", "pink", "blue")
    assert -7 < lead < 0


def test_symbols_decide_between_colours_whose_hues_lie_close() -> None:
    """A red in the hue of a printing's pink: without the symbols it is named so."""
    drawn = drawn_table(hues={1: "#d03550", 3: "#d03550"})
    told = {}
    for config in (CONFIG, replace(CONFIG, symbol_most_nats=0.0)):
        score = learned_score(drawn.seen(config), drawn.table, DECK, config)
        told[config] = ink_names(score, drawn.table, DECK).of["red"]
    assert list(told.values()) == ["red", "pink"]


def test_symbols_decide_nothing_against_the_hue() -> None:
    """A printing may have other symbols than the deck: blue cards with a red card's are blue."""
    cards = [replace(c, colour="red") if c.colour == "blue" else c for c in CARDS]
    blue = {c.id: "#1e78c0" for c in CARDS if c.colour == "blue"}
    drawn = drawn_table(cards, hues=blue)
    table = Table(tuple(replace(c, ink="ink 0") if c.id in blue else c for c in drawn.table.cards))
    score = learned_score(drawn.seen(), table, DECK, CONFIG)
    assert ink_names(score, table, DECK).of == {"red": "red", "ink 0": "blue"}


def test_plain_inks_have_no_other_name() -> None:
    drawn = drawn_table()
    score = learned_score(drawn.seen(), drawn.table, DECK, CONFIG)
    assert ink_names(score, drawn.table, DECK).others[0][0] < -8
