"""Inks are grouped by hue; symbols name a group only where its hue leaves that open."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.decks import OLDER_DECK
from tests.vision.naming.symbols_shown import looks_of
from vision.naming.colours import Naming
from vision.naming.ink_groups import name_colours
from vision.naming.tints import Tints
from vision.printed_hues import hues_deg

FloatArray = NDArray[np.float64]
NAMES = [colour.name for colour in OLDER_DECK.colours]


def ink_of_hue(hue_deg: float, chroma: float = 0.6) -> FloatArray:
    """An ink, BGR as shares of white."""
    along, across = chroma * np.cos(np.deg2rad(hue_deg)), chroma * np.sin(np.deg2rad(hue_deg))
    grey = 0.5
    return grey + np.array(
        [-along / 3 - across / np.sqrt(3), -along / 3 + across / np.sqrt(3), 2 * along / 3]
    )


def naming_of(
    hues_deg: dict[str, float],
    looks_like: dict[str, str] | None = None,
    plainly: float = 1.0,
    per_colour: int = 8,
) -> Naming:
    """So many cards of each ink, a degree or two apart; `looks_like`: whose symbol each has, and
    how plainly: the rest of it is the ink's own.
    """
    rng = np.random.default_rng(3)
    keys = [name for name in hues_deg for _ in range(per_colour)]
    ink = np.array([ink_of_hue(hues_deg[key] + rng.normal(0, 1.5)) for key in keys])
    shown: list[dict[str, float]] = [{} for _ in keys]
    if looks_like is not None:
        shown = [{key: 1 - plainly} | {looks_like[key]: plainly} for key in keys]
    faces = np.tile(np.arange(per_colour), len(hues_deg))
    tints = Tints(ink, np.full(len(keys), 500))
    looks = looks_of(shown, OLDER_DECK)
    return name_colours(tints, looks, faces, OLDER_DECK, np.zeros(len(keys), np.bool_))


def names(naming: Naming) -> list[str]:
    return [NAMES[k] for k in naming.colour]


def test_one_pale_ink_among_strong_ones_is_a_colour_of_its_own() -> None:
    """None of its cards is well measured, while most of the table's are."""
    rng = np.random.default_rng(4)
    hues = {"purple": (240.0, 0.12), "pink": (335.0, 0.6), "red": (5.0, 0.6)}
    keys = [name for name in hues for _ in range(14)]
    ink = np.array([ink_of_hue(hues[k][0] + rng.normal(0, 2.0), hues[k][1]) for k in keys])
    tints, looks = Tints(ink, np.full(len(keys), 500)), looks_of([{} for _ in keys], OLDER_DECK)
    faces = np.tile(np.arange(14), len(hues))
    naming = name_colours(tints, looks, faces, OLDER_DECK, np.zeros(len(keys), np.bool_))
    assert names(naming) == keys
    assert naming.confidence.min() > 0.98


@pytest.mark.parametrize(
    "looks_like",
    [
        None,
        {"green": "green", "orange": "orange"},
        {"green": "orange", "orange": "orange"},
        {"green": "green", "orange": "green"},
        {"green": "red", "orange": "pink"},
        {"green": "orange", "orange": "green"},
    ],
)
def test_yellowish_green_and_orange_keep_their_names_whatever_symbols_say(
    looks_like: dict[str, str] | None,
) -> None:
    naming = naming_of({"green": 80.0, "orange": 42.0}, looks_like)
    assert names(naming) == ["green"] * 8 + ["orange"] * 8


def test_symbols_name_the_groups_where_inks_lie_close() -> None:
    """Hues between blue's and purple's could be either's, the one as well as the other."""
    hues = {"blue": 218.0, "purple": 224.0}
    assert names(naming_of(hues, {"blue": "blue", "purple": "purple"})) == (
        ["blue"] * 8 + ["purple"] * 8
    )
    assert names(naming_of(hues, {"blue": "purple", "purple": "blue"})) == (
        ["purple"] * 8 + ["blue"] * 8
    )


def test_symbols_of_another_printing_do_not_outweigh_hues() -> None:
    """Red's and pink's look swapped, and all the others' like no colour's own."""
    hues = {"red": 3.5, "pink": 343.0, "blue": 200.0, "green": 120.0, "orange": 45.0}
    looks = ("pink", "red", "green", "orange", "blue")
    naming = naming_of(hues, dict(zip(hues, looks, strict=True)))
    assert names(naming) == [name for name in hues for _ in range(8)]
    own = naming_of(hues, {name: name for name in hues})
    assert names(own) == names(naming)
    assert own.open_names == ()


def test_symbols_of_the_deck_name_inks_that_a_lamp_has_shifted() -> None:
    """All but red and pink have their own symbols, and so have they."""
    hues = {"red": 351.0, "pink": 357.0, "blue": 200.0, "green": 120.0, "orange": 45.0}
    naming = naming_of(hues, {name: name for name in hues})
    assert names(naming) == [name for name in hues for _ in range(8)]


def test_two_close_groups_are_one_question_and_no_card_of_them_is_unsure() -> None:
    """Their hues are a little more like these colours, and their symbols a little less."""
    other = {"pink": "red", "red": "pink"}
    naming = naming_of({"pink": 342.0, "red": 353.5}, other, plainly=0.8)
    assert names(naming) == ["pink"] * 8 + ["red"] * 8
    assert [sorted(NAMES[k] for k in pair) for pair in naming.open_names] == [["pink", "red"]]
    assert naming.confidence.min() > 0.98


def test_nothing_is_open_where_inks_lie_apart_or_symbols_tell() -> None:
    assert naming_of({"green": 120.0, "orange": 42.0, "blue": 200.0}).open_names == ()
    close = {"blue": 208.0, "purple": 228.0}
    assert naming_of(close, {"blue": "blue", "purple": "purple"}).open_names == ()


def test_one_ink_of_two_looks_is_one_group() -> None:
    """Symbols of two colours on cards of one ink do not make two colours of it."""
    rng = np.random.default_rng(4)
    ink = np.array([ink_of_hue(120 + rng.normal(0, 2)) for _ in range(12)])
    looks = looks_of([{"green": 1.0}] * 6 + [{"purple": 1.0}] * 6, OLDER_DECK)
    tints = Tints(ink, np.full(12, 500))
    naming = name_colours(tints, looks, np.arange(12), OLDER_DECK, np.zeros(12, np.bool_))
    assert set(names(naming)) == {"green"}


def test_a_deck_of_other_inks_has_its_own_hues() -> None:
    low, high = hues_deg(OLDER_DECK)
    assert (low < high).all()
    green = NAMES.index("green")
    assert low[green] <= 80 <= high[green]


@pytest.mark.parametrize("chroma", [0.3, 0.06])
def test_in_a_dim_picture_pale_inks_make_groups_of_their_own(chroma: float) -> None:
    """One ink measures paler than the other, and by itself would be none that is well measured."""
    inks = [ink_of_hue(145.0 + k % 3, 4 * chroma) for k in range(8)]
    inks += [ink_of_hue(240.0 + k % 3, chroma) for k in range(9)]
    faces = np.append(np.arange(8), np.arange(9))
    tints = Tints(np.array(inks), np.full(len(inks), 500))
    looks = looks_of([{} for _ in inks], OLDER_DECK)
    naming = name_colours(tints, looks, faces, OLDER_DECK, np.zeros(len(inks), np.bool_))
    assert names(naming) == ["green"] * 8 + ["purple"] * 9


@pytest.mark.parametrize("scatter_deg", [1.5, 20.0])
def test_pale_inks_are_as_sure_as_the_cards_of_each_agree(scatter_deg: float) -> None:
    """Under a veil each card alone might be off by twenty degrees; all of a group are not."""
    rng = np.random.default_rng(5)
    hues = np.append(np.repeat([200.0, 240.0], 12) + rng.normal(0, scatter_deg, 24), 235.0)
    inks = [ink_of_hue(hue, 0.1) for hue in hues[:-1]] + [ink_of_hue(hues[-1], 0.005)]
    tints = Tints(np.array(inks), np.full(25, 500))
    looks = looks_of([{} for _ in hues], OLDER_DECK)
    faces = np.append(np.tile(np.arange(12), 2), 12)
    naming = name_colours(tints, looks, faces, OLDER_DECK, np.zeros(25, np.bool_))
    assert bool((naming.confidence[:-1] > 0.99).all()) is (scatter_deg < 10)
    # Whatever the others are: one that has no colour tells nothing.
    assert naming.confidence[-1] < 0.9
    if scatter_deg < 10:
        assert names(naming)[:-1] == ["blue"] * 12 + ["purple"] * 12


@pytest.mark.parametrize(
    ("hue_deg", "name", "is_open"),
    [(357.0, "red", False), (346.5, "pink", False), (351.0, "pink", True), (220.0, "blue", True)],
)
def test_a_hue_that_a_colour_is_printed_in_is_no_other_s(
    hue_deg: float, name: str, is_open: bool
) -> None:
    """Hues beyond those are rare: only one that lies between two colours' may be either's."""
    naming = naming_of({name: hue_deg, "green": 120.0})
    assert names(naming) == [name] * 8 + ["green"] * 8
    assert bool(naming.open_names) == is_open


def test_a_card_whose_ink_is_mismeasured_is_no_colour_of_its_own() -> None:
    """Farther from its own colour than red is from pink, and yet these are two."""
    hues = {"blue": 213.0, "orange": 39.0, "pink": 340.0, "purple": 239.0, "red": 4.0}
    keys = [name for name in hues for _ in range(8)]
    rng = np.random.default_rng(5)
    ink = np.array([ink_of_hue(hues[key] + rng.normal(0, 1.5)) for key in keys])
    stray = keys.index("purple") + 3
    ink[stray] = ink_of_hue(284.0, chroma=0.2)
    naming = name_colours(
        Tints(ink, np.full(len(keys), 500)), looks_of([{} for _ in keys], OLDER_DECK),
        np.tile(np.arange(8), len(hues)), OLDER_DECK, np.zeros(len(keys), np.bool_),
    )  # fmt: skip
    others = np.arange(len(keys)) != stray
    assert [name for name, other in zip(names(naming), others, strict=True) if other] == [
        key for key, other in zip(keys, others, strict=True) if other
    ]
    assert names(naming)[stray] in hues
    assert naming.confidence[stray] < 0.98
    assert naming.confidence[others].min() > 0.98
