"""Printings drawn at random span what printed games have been seen to be, and are the seed's."""

from __future__ import annotations

import colorsys
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from shapely import Polygon

from geometry.deck_file import load_deck, published_deck
from simulator.cards.brush import Part
from simulator.cards.card_art import Side, draw_misprint, paint_face
from simulator.cards.inks import HUES
from simulator.cards.printing import Printing, draw_printing, printing_named, printing_of_deck
from simulator.cards.start_designs import START_DESIGNS
from simulator.cards.typefaces import TYPEFACES, glyph

COUNT = 300
OLDER = load_deck("tests/fixtures/decks/first-drawing.json")


@pytest.fixture(scope="module")
def printings() -> list[Printing]:
    return [draw_printing(np.random.default_rng(seed), published_deck()) for seed in range(COUNT)]


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        (lambda p: p.dot_mm, 4.0, 4.8),
        (lambda p: p.line_mm, 0.6, 1.2),
        (lambda p: p.line_corner_mm, 0.0, 1.6),
        (lambda p: p.badge_mm, 9.5, 12.0),
        (lambda p: p.badge_shift_mm[1], -0.8, 0.8),
        (lambda p: p.misprint_mm, 0.0, 0.5),
        (lambda p: p.black, 0.1, 0.45),
        (lambda p: p.grain, 0.0, 0.25),
        (lambda p: p.scratches, 0.0, 5.0),
        (lambda p: p.worn_mm, 0.0, 0.6),
        (lambda p: p.gloss, 0.3, 1.6),
        (lambda p: p.cut_mm, -0.4, 0.4),
        (lambda p: p.band_gap_mm, 0.0, 1.0),
        (lambda p: p.digit_weight, 0.8, 1.25),
    ],
)
def test_lengths_and_tones_span_their_ranges(
    printings: list[Printing], value: Callable[[Printing], float], low: float, high: float
) -> None:
    values = np.array([value(printing) for printing in printings])
    room = 0.12 * (high - low)
    assert low <= values.min() <= low + room
    assert high - room <= values.max() <= high


def test_every_typeface_and_starting_card_comes_up(printings: list[Printing]) -> None:
    assert {p.typeface for p in printings} == set(TYPEFACES)
    assert {p.start_design for p in printings} == set(START_DESIGNS)
    assert {p.start_badge for p in printings} == {"square", "circle", "triangle", None}
    assert not any(p.start_band for p in printings)


def test_inks_span_their_hues_and_keep_apart(printings: list[Printing]) -> None:
    for name, (low, high) in HUES.items():
        hues = np.array([hue_of(printing, name) for printing in printings])
        assert low - 0.1 <= hues.min() <= low + 0.2 * (high - low), name
        assert high - 0.2 * (high - low) <= hues.max() <= high + 0.1, name
    for printing in printings:
        for one, other in combinations(HUES, 2):
            turn = hue_of(printing, one) - hue_of(printing, other)
            assert abs((turn + 180) % 360 - 180) > 14, (one, other)


def hue_of(printing: Printing, colour: str) -> float:
    ink = printing.ink(colour)
    assert ink is not None
    return colorsys.rgb_to_hsv(*ink)[0] * 360


def test_symbols_are_the_decks_altered_or_others(printings: list[Printing]) -> None:
    deck = published_deck()
    own = {colour.name: colour.symbol_mm for colour in deck.colours}
    same = [all(p.symbol(n)[0] == own[n] for n in own) for p in printings]
    assert 0.1 < np.mean(same) < 0.5
    areas = [
        sum(Polygon(outline).area for outline in p.symbol("red")[0])
        / sum(Polygon(outline).area for outline in own["red"])
        for p in printings
    ]
    assert min(areas) < 0.8
    assert max(areas) > 1.2
    lows = [p.symbol("red")[1][1] for p in printings]
    assert max(lows) - min(lows) > 1.2
    for printing in printings[:40]:
        drawn = [printing.symbol(colour.name)[0] for colour in deck.colours]
        assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("face", sorted(published_deck().either_way))
def test_some_colours_have_a_badge_half_turned(printings: list[Printing], face: str) -> None:
    for colour in published_deck().colours:
        share = np.mean([(face, colour.name) in printing.half_turned for printing in printings])
        assert 0.35 < share < 0.65
    one = next(p for p in printings if (face, "blue") in p.half_turned)
    straight = replace(one, half_turned=(), badge_shift_mm=(0.0, 0.0))
    turned = replace(one, badge_shift_mm=(0.0, 0.0))
    marks = [share_of(p, "blue", face, [Part.MARK]) for p in (straight, turned)]
    assert np.abs(marks[1] - marks[0][::-1, ::-1]).mean() < 0.002


def test_a_seed_gives_one_printing() -> None:
    deck = published_deck()
    one, again, other = (draw_printing(np.random.default_rng(seed), deck) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert json.loads(json.dumps(one.as_json()))["dot_mm"] == one.dot_mm
    with pytest.raises(ValueError, match="no such printing"):
        printing_named("gold", np.random.default_rng(1), deck)


def test_prints_lie_off_their_cards_by_no_more_than_their_printing_says(
    printings: list[Printing],
) -> None:
    rng = np.random.default_rng(3)
    for printing in printings:
        misprint = draw_misprint(rng, printing)
        assert np.hypot(*misprint.middle_mm) <= printing.misprint_mm + 1e-9
        assert abs(misprint.turn_deg) <= printing.misprint_deg + 1e-9


def share_of(
    printing: Printing, colour: str, face: str, parts: Sequence[Part]
) -> NDArray[np.float32]:
    """How much of each pixel of a painted face is one of these parts, at 10 px/mm."""
    deck = published_deck()
    colours = np.zeros((len(Part), 3), dtype=np.float32)
    colours[list(parts)] = 1
    return paint_face(deck, printing, Side(deck.face(face), colour), 10.0, colours)[..., 0]


def test_dots_are_as_large_as_the_printing_says(printings: list[Printing]) -> None:
    dots = len(published_deck().face("circle-6").dots_mm)
    for printing in printings[:5]:
        area = share_of(printing, "blue", "circle-6", [Part.DOT]).sum() / 100 / dots
        assert abs(np.sqrt(4 * area / np.pi) - printing.dot_mm) < 0.05


def test_the_starting_card_is_black_to_its_edge(printings: list[Printing]) -> None:
    for printing in (*printings[:8], printing_of_deck(published_deck())):
        tinted = share_of(printing, "white", "start", [Part.BAND, Part.FILL, Part.BADGE])
        assert not tinted.any()
        assert share_of(printing, "white", "start", [Part.LINE]).max() > 0.9
        edge = share_of(printing, "white", "start", [Part.BLACK])[100:-100, 3:12]
        assert edge.min() == 1


def test_the_older_drawing_keeps_its_band_and_badges() -> None:
    printing = printing_of_deck(OLDER)
    assert printing.start_band
    assert printing.start_badge is None
    assert printing.badges.corner == 0


@pytest.mark.parametrize("typeface", TYPEFACES)
def test_every_digit_has_its_height(typeface: str) -> None:
    for digit in "0123456789":
        drawn = glyph(typeface, digit)
        points = [np.array(line)[:, :2] for line in drawn.lines] + list(drawn.contours)
        y = np.concatenate(points)[:, 1]
        assert 0.7 < y.max() - y.min() <= 1.01
