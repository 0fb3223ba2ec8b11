from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.naming.symbols_shown import looks_of
from vision.doubting.doubt_context import LEAST_COLOUR
from vision.drawing.templates import draw_templates
from vision.naming.faces import cut_out
from vision.naming.ink_groups import name_colours
from vision.naming.tints import FEWEST_PLACES, Tints, measure_tints

FloatArray = NDArray[np.float64]
TEMPLATES = draw_templates(DECK)
NAMES = [colour.name for colour in DECK.colours]
FACES = ("circle-2", "square-3", "triangle-5", "circle-6", "square-1", "triangle-4")
CARDS = tuple(
    DrawnCard(face, name, (10.0 + 65 * (k % 3), 70.0 + 95 * (k // 3), 0.1 * k), k % 2 == 1)
    for k, (face, name) in enumerate(zip(FACES, NAMES, strict=True))
)


def ink_of(name: str) -> FloatArray:
    """A colour's ink, BGR, against white and black as the drawing has them."""
    text = DECK.colour(name).hex
    rgb = np.array([int(text[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    white, black = np.array([0.9, 0.894, 0.878]), 0.09
    return np.asarray(((rgb - black) / (white - black))[::-1])


def test_ink_is_measured_between_the_cards_own_black_and_white() -> None:
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210))
    poses = np.array([card.pose for card in CARDS])
    rows = np.array([2 * TEMPLATES.faces.index(c.face) + c.mirrored for c in CARDS])
    patches = cut_out(evidence, poses, TEMPLATES)
    visible = np.ones_like(patches.weight)
    tints = measure_tints(patches, rows, visible, TEMPLATES)
    for card, ink in zip(CARDS, tints.ink, strict=True):
        np.testing.assert_allclose(ink, ink_of(card.colour), atol=0.08)
    assert (tints.places > 500).all()
    visible[1] = 0
    assert measure_tints(patches, rows, visible, TEMPLATES).places[1] < FEWEST_PLACES


def test_where_no_black_shows_it_is_what_share_of_white_it_is_on_other_cards() -> None:
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210))
    rows = np.array([2 * TEMPLATES.faces.index(c.face) + c.mirrored for c in CARDS])
    patches = cut_out(evidence, np.array([card.pose for card in CARDS]), TEMPLATES)
    visible = np.ones_like(patches.weight)
    visible[0, (TEMPLATES.white[rows[0]] < 0.5) & (TEMPLATES.ink[rows[0]] < 0.9)] = 0
    tints = measure_tints(patches, rows, visible, TEMPLATES)
    assert tints.places[0] > 500
    np.testing.assert_allclose(tints.ink[0], ink_of(CARDS[0].colour), atol=0.08)


def test_a_card_whose_ink_was_not_measured_has_no_sure_colour_however_dark_one_is() -> None:
    """No ink is like a dark one: that alone makes the card none of its colour."""
    inks = np.array([ink_of(name) for name in NAMES])
    inks[NAMES.index("purple")] *= 0.2
    tints = Tints(np.vstack([inks, np.zeros((1, 3))]), np.array([900] * len(NAMES) + [0]))
    faces, start = np.arange(len(NAMES) + 1), np.zeros(len(NAMES) + 1, np.bool_)
    naming = name_colours(tints, looks_of([{}] * len(faces), DECK), faces, DECK, start)
    assert naming.confidence[-1] < 0.6
    assert (naming.confidence[:-1] > 0.9).sum() >= len(NAMES) - 2


def test_ink_is_measured_beside_a_lamps_haze() -> None:
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210))
    rows = np.array([2 * TEMPLATES.faces.index(c.face) + c.mirrored for c in CARDS])
    patches = cut_out(evidence, np.array([card.pose for card in CARDS]), TEMPLATES)
    visible = np.ones_like(patches.weight)
    # It lies on the middle, where the black is; most of the band is out of it.
    haze = 110 * np.exp(-((TEMPLATES.grid_mm / [18, 28]) ** 2).sum(axis=1))
    hazy = patches.colour + (255 - patches.colour) / 255 * haze[:, None]
    patches.pixels[..., :3] = np.rint(hazy)
    tints = measure_tints(patches, rows, visible, TEMPLATES)
    for card, ink in zip(CARDS, tints.ink, strict=True):
        np.testing.assert_allclose(ink, ink_of(card.colour), atol=0.12)


def test_an_ink_darker_than_black_was_measured_in_a_haze() -> None:
    """Black in the haze and ink beside it make up no colour: the card's is not known."""
    evidence = drawn_evidence(*CARDS, size_mm=(210, 210))
    rows = np.array([2 * TEMPLATES.faces.index(c.face) + c.mirrored for c in CARDS])
    patches = cut_out(evidence, np.array([card.pose for card in CARDS]), TEMPLATES)
    visible = np.ones_like(patches.weight)
    black = (TEMPLATES.white[rows[0]] < 0.03) & (TEMPLATES.ink[rows[0]] < 0.03)
    patches.pixels[0, black, :3] = 200
    tints = measure_tints(patches, rows, visible, TEMPLATES)
    assert tints.places[0] < FEWEST_PLACES
    assert not tints.ink[0].any()
    np.testing.assert_allclose(tints.ink[1], ink_of(CARDS[1].colour), atol=0.08)


def named(inks: dict[str, FloatArray], symbols: bool, per_colour: int = 6) -> list[str]:
    """Names given to so many cards of each ink, with a little scatter."""
    rng = np.random.default_rng(5)
    keys = [key for key in inks for _ in range(per_colour)]
    ink = np.array([inks[key] for key in keys]) + rng.normal(0, 0.012, (len(keys), 3))
    looks = looks_of([{key: 1.0} if symbols else {} for key in keys], DECK)
    faces = np.tile(np.arange(per_colour), len(inks))
    tints = Tints(ink, np.full(len(keys), 500))
    naming = name_colours(tints, looks, faces, DECK, np.zeros(len(keys), np.bool_))
    return [NAMES[k] for k in naming.colour]


def expected(inks: Mapping[str, object], per_colour: int = 6) -> list[str]:
    return [key for key in inks for _ in range(per_colour)]


@pytest.mark.parametrize("present", [NAMES, NAMES[:2], NAMES[2:5], NAMES[:1]])
def test_typical_inks_are_named_without_symbols(present: list[str]) -> None:
    inks = {name: ink_of(name) for name in present}
    assert named(inks, symbols=False) == expected(inks)


def test_inks_outweigh_a_printing_with_other_symbols() -> None:
    """Every symbol is another colour's: the inks say which is which."""
    inks = {name: ink_of(other) for name, other in zip(NAMES, NAMES[1:] + NAMES[:1], strict=True)}
    assert named(inks, symbols=True) == expected(dict.fromkeys(NAMES[1:] + NAMES[:1], 0))


def test_starting_cards_are_left_out() -> None:
    tints = Tints(np.array([ink_of("red"), np.zeros(3)]), np.array([500, 0]))
    start = np.array([False, True])
    naming = name_colours(tints, looks_of([{}, {}], DECK), np.array([0, 18]), DECK, start)
    assert naming.colour.tolist() == [NAMES.index("red"), len(NAMES)]
    assert naming.confidence[1] == 1


def test_a_symbol_like_two_colours_does_not_split_one() -> None:
    """Fourteen green cards, each a little like purple: two groups are no better evidence."""
    green = NAMES.index("green")
    random = np.random.default_rng(5)
    ink = ink_of("green") + random.normal(0, 0.004, (14, 3))
    looks = looks_of([{"green": 0.6, "purple": 0.4}] * 14, DECK)
    faces = np.array([*range(13), 12])
    tints = Tints(ink, np.full(14, 500))
    naming = name_colours(tints, looks, faces, DECK, np.zeros(14, np.bool_))
    assert set(naming.colour.tolist()) == {green}
    assert naming.confidence.min() > 0.98


@pytest.mark.parametrize("like_red", [1.0, 0.6])
@pytest.mark.parametrize("told", [0, 1])
def test_cards_of_one_ink_have_its_name_though_symbols_of_some_are_another_colour_s(
    told: int, like_red: float
) -> None:
    """Eight cards look purple; the symbols of four are more like red ones. Whether or not one more
    looks red besides.
    """
    purple = NAMES.index("purple")
    random = np.random.default_rng(5)
    count = 8 + told
    ink = np.repeat([ink_of("purple"), ink_of("red")], (8, told), axis=0)
    ink += random.normal(0, 0.004, ink.shape)
    other = {"red": like_red, "purple": 1 - like_red}
    looks = looks_of([{"purple": 1.0}] * 4 + [other] * 4 + [{"red": 1.0}] * told, DECK)
    tints = Tints(ink, np.full(count, 500))
    naming = name_colours(tints, looks, np.arange(count), DECK, np.zeros(count, np.bool_))
    assert naming.colour[:8].tolist() == [purple] * 8
    assert naming.confidence[:8].min() > 0.98
    assert naming.open_names == ()


def test_a_card_of_a_stray_ink_makes_no_colour_unsure() -> None:
    """Six colours and one card whose ink was measured badly: that card alone is in doubt."""
    keys = [name for name in NAMES for _ in range(12)]
    random = np.random.default_rng(5)
    ink = np.array([ink_of(key) for key in keys]) + random.normal(0, 0.01, (len(keys), 3))
    stray = 0.45 * ink_of("blue")[None]
    looks = looks_of([*({key: 1.0} for key in keys), {}], DECK)
    tints = Tints(np.concatenate([ink, stray]), np.full(len(keys) + 1, 500))
    faces = np.append(np.tile(np.arange(12), len(NAMES)), 12)
    naming = name_colours(tints, looks, faces, DECK, np.zeros(len(faces), np.bool_))
    assert [NAMES[k] for k in naming.colour[:-1]] == keys
    assert naming.confidence[:-1].min() > 0.99


@pytest.mark.parametrize("symbols", [True, False])
def test_one_card_of_another_ink_is_not_surely_of_the_others_colour(symbols: bool) -> None:
    """Eight purple cards and a red one, whose symbol may show: it is red, or nobody knows."""
    purple, red = NAMES.index("purple"), NAMES.index("red")
    ink = np.repeat([ink_of("purple"), ink_of("red")], (8, 1), axis=0)
    shown = [{"purple": 1.0}] * 8 + [{"red": 1.0}]
    looks = looks_of(shown if symbols else [{}] * 9, DECK)
    tints = Tints(ink, np.full(9, 500))
    naming = name_colours(tints, looks, np.arange(9), DECK, np.zeros(9, np.bool_))
    assert naming.colour[:8].tolist() == [purple] * 8
    assert naming.colour[8] == red or naming.confidence[8] < LEAST_COLOUR
