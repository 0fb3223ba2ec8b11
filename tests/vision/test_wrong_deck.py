"""A deck file whose figures are somewhat wrong costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, reduce

import pytest

from geometry.deck import Deck
from geometry.deck_file import published_deck
from measuring.scenes.truth import Truth, parse_truth
from simulator import Conditions, SimulatedScene, simulate_scene
from simulator.cards.symbols import altered
from tests.conftest import quick_or_thorough
from vision.read import read_table
from vision.reading import Reading


def with_large_dots(deck: Deck) -> Deck:
    return replace(deck, dot_diameter_mm=4.8)


def with_wide_lines(deck: Deck) -> Deck:
    return replace(deck, card=replace(deck.card, line_mm=2 * deck.card.line_mm))


def with_fine_lines(deck: Deck) -> Deck:
    return replace(deck, card=replace(deck.card, line_mm=0.6))


def with_shifted_symbols(deck: Deck) -> Deck:
    """By half a millimetre."""
    colours = (
        replace(c, symbol_mm=altered(c.symbol_mm, shift_mm=(0.3, -0.4))) for c in deck.colours
    )
    return replace(deck, colours=tuple(colours))


def with_symbols_on_their_heads(deck: Deck) -> Deck:
    colours = (replace(c, symbol_mm=altered(c.symbol_mm, turn_deg=180)) for c in deck.colours)
    return replace(deck, colours=tuple(colours))


WRONG: tuple[Callable[[Deck], Deck], ...] = (
    with_large_dots,
    with_wide_lines,
    with_shifted_symbols,
    with_symbols_on_their_heads,
)


@cache
def table(seed: int, printing: str) -> tuple[SimulatedScene, Truth]:
    conditions = Conditions(cards=13, px_per_mm=2.2, table="slate", printing=printing)
    scene = simulate_scene(seed, conditions)
    return scene, parse_truth(scene.truth)


def assert_read(seed: int, printing: str, deck: Deck) -> None:
    scene, truth = table(seed, printing)
    reading = read_table(scene.image_bgr, deck, scene.lens, truth.rules)
    assert isinstance(reading, Reading)
    assert dict(reading.scores) == dict(truth.scores)
    assert dict(reading.scores_without_illegal) == dict(truth.scores_without_illegal)
    assert not reading.doubts


@pytest.mark.parametrize(
    "wrong",
    quick_or_thorough([*WRONG, with_fine_lines], [with_fine_lines]),
)
def test_one_wrong_figure_costs_nothing(wrong: Callable[[Deck], Deck]) -> None:
    assert_read(5, "deck", wrong(published_deck()))


@pytest.mark.parametrize(
    ("seed", "printing"),
    [
        (6, "deck"),
        *(pytest.param(seed, "random", marks=pytest.mark.thorough) for seed in (7, 8)),
    ],
)
def test_all_of_them_together_cost_no_more(seed: int, printing: str) -> None:
    assert_read(seed, printing, reduce(lambda deck, wrong: wrong(deck), WRONG, published_deck()))


@pytest.mark.thorough
@pytest.mark.parametrize("wrong", [lambda deck: deck, with_shifted_symbols])
def test_a_red_that_is_nearly_pink_is_named_by_its_symbol(wrong: Callable[[Deck], Deck]) -> None:
    """Nine cards' symbols, turned, bolder and off their place, say plainly what one's do not."""
    scene = simulate_scene(605, "printed")
    truth = parse_truth(scene.truth)
    reading = read_table(scene.image_bgr, wrong(published_deck()), scene.lens, truth.rules)
    assert isinstance(reading, Reading)
    assert dict(reading.scores) == dict(truth.scores)
    assert "colours-unclear" not in {doubt.reason.code for doubt in reading.doubts}
