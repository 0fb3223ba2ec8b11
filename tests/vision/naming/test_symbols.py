"""Symbols are told however a printing draws them, best by the mean of a colour's cards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from geometry.deck import Deck
from geometry.deck_file import published_deck
from simulator.cards.symbols import altered
from tests.vision.naming.symbols_shown import looks_of
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import TEMPLATE_DENSITY, draw_templates
from vision.naming.faces import Patches
from vision.naming.symbols import SymbolLooks, symbol_looks

FloatArray = NDArray[np.float64]
DECK = published_deck()
TEMPLATES = draw_templates(DECK)
PRINTED = PrintedDeck(DECK, TEMPLATES)
NAMES = [colour.name for colour in DECK.colours]
EACH = [{name: 1.0} for name in NAMES]


def likeliest(scores: FloatArray) -> list[str]:
    return [NAMES[k] for k in scores.argmax(axis=-1)]


def group_likeliest(looks: SymbolLooks) -> list[str]:
    """The names of groups of one card each."""
    told = [looks.of_group(np.array([k])) for k in range(len(NAMES))]
    return likeliest(np.array([one for one in told if one is not None]))


def seen(white: FloatArray) -> SymbolLooks:
    """Of cards that look so white (N, P), from 0 to 1."""
    pixels = np.zeros((*white.shape, 4), np.uint8)
    pixels[..., 3] = np.rint(255 * white)
    shown = np.ones(white.shape, np.float32)
    return symbol_looks(Patches(pixels, shown), shown, PRINTED)


def with_symbols(turn_deg: float, bolder_mm: float, size: float, dx: float, dy: float) -> Deck:
    """The deck as another printing draws it."""
    colours = (
        replace(c, symbol_mm=altered(c.symbol_mm, turn_deg, bolder_mm, size, (dx, dy)))
        for c in DECK.colours
    )
    return replace(DECK, colours=tuple(colours))


@pytest.mark.parametrize(
    ("turn_deg", "bolder_mm", "size", "dx", "dy"),
    [
        (0, 0, 1, 0.35, -0.35),
        (0, 0, 1, -0.5, 0.5),
        (8, 0.1, 1, 0, 0.5),
        (-8, -0.15, 0.9, 0.3, 0),
        (180, 0, 1.1, 0, 0),
    ],
)
def test_symbols_of_another_printing_are_told(
    turn_deg: float, bolder_mm: float, size: float, dx: float, dy: float
) -> None:
    drawn = draw_templates(with_symbols(turn_deg, bolder_mm, size, dx, dy)).symbols[:-1]
    looks = seen(drawn.astype(np.float64))
    assert group_likeliest(looks) == NAMES
    # One card does not tell which end of its symbol is up.
    assert turn_deg == 180 or likeliest(looks.each) == NAMES


def test_a_symbol_that_no_colour_has_is_like_none() -> None:
    x, y = (TEMPLATES.grid_mm - np.asarray(DECK.symbol_offset_mm)).T
    ring = np.abs(np.hypot(x, y) - 1.6) < 0.4
    told = seen(ring[None].astype(np.float64)).of_group(np.array([0]))
    own = looks_of(EACH, DECK).of_group(np.array([0]))
    assert told is not None
    assert own is not None
    assert told.max() < own.max() - 3


@pytest.mark.parametrize("paleness", [0.8, 0.5, 0.3])
def test_symbols_are_told_however_pale_blur_makes_them(paleness: float) -> None:
    assert likeliest(looks_of([{name: paleness} for name in NAMES], DECK).each) == NAMES


@pytest.mark.parametrize("more_mm", [0.2, 0.35, 0.5])
def test_symbols_are_told_however_light_the_lens_makes_their_gaps(more_mm: float) -> None:
    """In a picture that is blurred as light is, orange's two bars run together."""
    drawn = TEMPLATES.symbols[:-1].reshape(-1, *TEMPLATES.shape_hw)
    sigma = more_mm * TEMPLATE_DENSITY
    light = gaussian_filter(drawn.astype(np.float64), (0, sigma, sigma))
    looks = seen(light.reshape(len(drawn), -1) ** 0.6)
    assert likeliest(looks.each) == NAMES


def test_the_mean_of_many_cards_tells_what_some_of_them_leave_open() -> None:
    """Of fifteen red ones six have a glare of some shape over half of their symbol."""
    rng = np.random.default_rng(7)
    own = NAMES.index("red")
    cards = np.repeat(TEMPLATES.symbols[[own]].astype(np.float64), 15, axis=0)
    for k in range(6):
        off = TEMPLATES.grid_mm - np.asarray(DECK.symbol_offset_mm) - rng.normal(0, 1.5, 2)
        cards[k] += np.exp(-((off / rng.uniform(0.4, 2.0, 2)) ** 2).sum(axis=1))
    looks = seen(np.clip(cards, 0, 1))
    told = looks.of_group(np.arange(len(cards)))
    assert told is not None
    assert NAMES[int(told.argmax())] == "red"
    assert np.mean(looks.each.argmax(axis=1) == own) < 1


def test_symbols_that_no_deck_has_tell_one_group_from_another() -> None:
    """Rings, and bars: each card shows whose it is, in the mean and alone."""
    x, y = (TEMPLATES.grid_mm - np.asarray(DECK.symbol_offset_mm)).T
    ring, bar = np.abs(np.hypot(x, y) - 1.6) < 0.4, (np.abs(x) < 2) & (np.abs(y) < 0.5)
    rng = np.random.default_rng(3)
    cards = np.repeat([ring, bar], 6, axis=0) + rng.normal(0, 0.1, (12, len(x)))
    looks = seen(np.clip(cards, 0, 1))
    told = looks.of_each([np.arange(6), np.arange(6, 12)])
    assert told.argmax(axis=1).tolist() == [0] * 6 + [1] * 6


def test_hidden_symbols_tell_nothing() -> None:
    looks = looks_of([{}] * 3, DECK)
    assert not looks.each.any()
    assert looks.of_group(np.arange(3)) is None
    assert not looks.of_each([np.arange(2), np.array([2])]).any()
