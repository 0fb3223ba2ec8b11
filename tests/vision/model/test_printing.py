"""Densities are learned from the table, and that of what is no card from place to place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.model.drawn_table import (
    CARDS_APART,
    CONFIG,
    DARK,
    DECK,
    DrawnTable,
    drawn_table,
)
from vision.model.densities import smoothed
from vision.model.drawing import OF_INK, Print, draw_faces
from vision.model.footprint import Footprints
from vision.model.printing import Learner, Printing
from vision.model.table import CardId, Place, Table
from vision.observe.observation import cells_of


def learned(drawn: DrawnTable, table: Table, inks: tuple[str, ...] = ("blue", "red")) -> Printing:
    seen, faces = drawn.seen(), draw_faces(DECK, CONFIG)
    return Learner(seen, faces, Footprints(seen, faces), CONFIG).taught(table, inks)


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return drawn_table()


@pytest.fixture(scope="module")
def printing(drawn: DrawnTable) -> Printing:
    return learned(drawn, drawn.table)


def test_densities_sum_to_one(printing: Printing) -> None:
    logs = np.concatenate([printing.shared, printing.of_ink.reshape(-1, printing.shared.shape[1])])
    assert np.exp(logs.astype(np.float64)).sum(axis=1) == pytest.approx(1.0, abs=1e-4)


def test_no_place_costs_more_than_an_outlier(printing: Printing) -> None:
    """Anything that the picture shows is as likely as the share of outliers says."""
    least = np.log(CONFIG.outliers * printing.anything)
    assert (printing.shared - least).min() > -1e-4
    assert (printing.of_ink - least).min() > -1e-4
    assert (printing.shared - least).min() < 0.01


def test_outliers_are_the_same_however_the_table_is_explained(
    drawn: DrawnTable, printing: Printing
) -> None:
    """So that an ink more or less changes nothing of what it does not explain."""
    one_ink = Table(tuple(replace(c, ink=c.ink and "red") for c in drawn.table.cards))
    other = learned(drawn, one_ink, ("red",))
    assert np.array_equal(other.anything, printing.anything)
    assert other.shared == pytest.approx(printing.shared, abs=1e-6)


def test_what_is_no_card_is_known_where_cards_may_be_asked_for_alone(drawn: DrawnTable) -> None:
    seen, faces = drawn.seen(), draw_faces(DECK, CONFIG)
    prints = Footprints(seen, faces)
    everywhere = Learner(seen, faces, prints, CONFIG).taught(drawn.table, ("blue", "red")).bare
    place = drawn.table.cards[3].place
    prints.only_at([place])
    bare = (
        Learner(seen, faces, prints, CONFIG).taught(drawn.table, ("blue", "red")).bare.reshape(-1)
    )
    at = prints.of(place).at
    assert np.array_equal(bare[at], everywhere.reshape(-1)[at])
    assert np.isfinite(bare).sum() == len(np.unique(at))


def test_inks_are_told_by_where_they_were_seen(drawn: DrawnTable, printing: Printing) -> None:
    """A place on a red band is red, and not blue or black."""
    cell = drawn.seen().cell[int(2 * (150 + 29.1 - 1.75)), 2 * 95]
    red, blue = (printing.logs[printing.rows(ink)][Print.INK, cell] for ink in ("red", "blue"))
    assert red > blue + 3
    assert red > printing.logs[printing.rows("red")][Print.BLACK, cell] + 3


def test_what_may_be_a_symbol_looks_like_one_or_like_its_other_end(
    drawn: DrawnTable, printing: Printing
) -> None:
    """Though no card of those that are learned from has one that may be either."""
    there = [c for c in drawn.table.cards if c.hypothesis.face in DECK.either_way]
    assert not there
    either, symbol, none = np.exp(
        printing.shared[[Print.EITHER_SYMBOL, Print.SYMBOL, Print.NO_SYMBOL]].astype(np.float64)
    )
    assert either == pytest.approx((symbol + none) / 2, rel=0.05, abs=1e-6)


def test_an_ink_that_nothing_shows_has_any_chroma_alike(drawn: DrawnTable) -> None:
    table = Table(tuple(card for card in drawn.table.cards if card.ink != "blue"))
    unseen = learned(drawn, table).of_ink[0]
    seen = learned(drawn, drawn.table).of_ink[0]
    over_chroma = [
        np.ptp(one[0].reshape(CONFIG.chroma_cells**2, -1)[:, 0]) for one in (unseen, seen)
    ]
    assert over_chroma[0] < 1.0 < over_chroma[1]


def test_an_ink_that_nothing_shows_is_as_white_as_the_others(drawn: DrawnTable) -> None:
    table = Table(tuple(card for card in drawn.table.cards if card.ink != "blue"))
    ink = learned(drawn, table).of_ink[0, 0].reshape(CONFIG.chroma_cells**2, -1)[0]
    assert ink[0] > ink[-1] + 2


def test_smoothed_counts_add_up_and_stay_as_many() -> None:
    """So that two inks that are one need no smoothing of their own."""
    cells = int(np.prod(cells_of(CONFIG)))
    one, other = np.random.default_rng(5).poisson(0.01, (2, 1, cells))
    both = smoothed(one, CONFIG) + smoothed(other, CONFIG)
    assert smoothed(one + other, CONFIG) == pytest.approx(both, rel=1e-5)
    assert both.sum() == pytest.approx((one + other).sum(), rel=0.02)
    peak = np.unravel_index(int(smoothed(one, CONFIG).argmax()), cells_of(CONFIG))
    assert one.reshape(cells_of(CONFIG))[peak] > 0


def test_what_is_no_card_is_learned_from_place_to_place() -> None:
    """On a table that is green on the left and oak on the right, oak is no table on the left."""
    plain, green = drawn_table(noise=1.0), drawn_table(ground=(70, 150, 60), noise=1.0)
    image = plain.raster.image_bgr.copy()
    image[:, :200] = green.raster.image_bgr[:, :200]
    image[26:34, 26:34] = plain.raster.image_bgr[26:34, 26:34]
    two = replace(plain, raster=replace(plain.raster, image_bgr=image))
    strange, usual = np.s_[28:32, 28:32], np.s_[24:36, 60:80]
    bare = learned(two, two.table).bare
    assert bare[strange].mean() < bare[usual].mean() - 2
    same = learned(plain, plain.table).bare
    assert same[strange].mean() == pytest.approx(same[usual].mean(), abs=0.5)


def test_between_cards_a_dark_table_looks_as_it_does_beside_others() -> None:
    """All that is seen is a share of how white the white near by is: far from the cards a table's
    grain is large, and says nothing of the table between them.
    """
    drawn = drawn_table(CARDS_APART, ground=DARK)
    printing = learned(drawn, drawn.table)
    gap = np.s_[2 * 60 : 2 * 100, 2 * 103 : 2 * 107]
    as_black = printing.logs[Print.BLACK, drawn.seen().cell[gap]]
    assert (as_black - printing.bare[gap]).mean() < 1.5


def test_a_level_says_whether_a_card_lies_there() -> None:
    """Beside black cards a white table rises: there no card lies, whatever its chroma."""
    drawn = drawn_table(ground=(225, 225, 225))
    seen, faces = drawn.seen(), draw_faces(DECK, CONFIG)
    level = replace(seen, level=np.zeros_like(seen.level))
    told, untold = (
        Learner(some, faces, Footprints(some, faces), CONFIG)
        .taught(drawn.table, ("blue", "red"))
        .bare
        for some in (seen, level)
    )
    beside, on_card = (2 * 56, 2 * 150), (2 * 88, 2 * 60)
    assert (seen.level[beside], seen.level[on_card]) == (CONFIG.level_cells - 1, 0)
    assert told[beside] - untold[beside] == pytest.approx(CONFIG.level_nats, abs=0.01)
    assert told[on_card] < untold[on_card]


def test_a_starting_card_that_nobody_saw_is_black_with_lines(drawn: DrawnTable) -> None:
    """Black and lines of the others make it likely; their ink does not."""
    table = Table(drawn.table.cards[1:])
    printing = learned(drawn, table)
    start = printing.shared[Print.START]
    black, line = (int(printing.shared[kind].argmax()) for kind in (Print.BLACK, Print.LINE))
    ink = int(printing.of_ink[0, 0].argmax())
    assert min(start[black], start[line]) > start[ink] + 2


def test_an_ink_whose_lines_are_not_white_is_not_told_by_them(drawn: DrawnTable) -> None:
    """On bare oak, which is its ink then, no line is white, nor likely to be what lies there."""
    oak = replace(drawn.table.cards[1], id=CardId(9), place=Place(60.0, 190.0, 90.0), ink="oak")
    printing = learned(drawn, Table((*drawn.table.cards, oak)), inks=("blue", "oak", "red"))
    line, ink = (OF_INK.index(kind) for kind in (Print.INK_LINE, Print.INK))
    ground = int(printing.of_ink[1, ink].argmax())
    assert printing.of_ink[1, line, ground] < printing.of_ink[1, ink, ground] - 1.5
    for k in (0, 2):
        white = int(printing.of_ink[k, line].argmax())
        assert printing.of_ink[k, line, white] > printing.of_ink[k, ink, white] + 2


def test_where_the_deck_draws_a_starting_cards_lines_they_are_likelier(drawn: DrawnTable) -> None:
    """Not much likelier: its printing may have others."""
    shared = learned(drawn, Table(drawn.table.cards[1:])).shared
    black, line = (int(shared[kind].argmax()) for kind in (Print.BLACK, Print.LINE))
    anywhere, lines, clear = (
        shared[kind] for kind in (Print.START, Print.START_LINE, Print.START_CLEAR)
    )
    assert 0.5 < lines[line] - anywhere[line] < 2
    assert 0.2 < clear[black] - anywhere[black] < 2
    assert -1 < lines[black] - anywhere[black] < 0
    assert -1 < clear[line] - anywhere[line] < 0


def test_round_a_starting_card_may_be_paper(drawn: DrawnTable) -> None:
    """As likely as its lines beforehand, and likelier where it is seen; here it is black."""
    unseen = learned(drawn, Table(drawn.table.cards[1:])).shared
    seen = learned(drawn, drawn.table).shared
    black, line = (int(unseen[kind].argmax()) for kind in (Print.BLACK, Print.LINE))
    band = Print.START_BAND
    assert unseen[band, line] == pytest.approx(unseen[Print.START, line], abs=0.05)
    assert seen[band, line] < unseen[band, line] - 0.1
    assert seen[band, black] > unseen[band, black]


def test_a_card_taken_for_the_starting_card_teaches_as_much_as_others_at_most(
    drawn: DrawnTable,
) -> None:
    """By what it alone teaches any piece of a table could be one: oak is still no starting card."""
    false = replace(drawn.table.cards[0], place=Place(60.0, 180.0, 40.0))
    table = Table((false, *drawn.table.cards[1:]))
    start = learned(drawn, table).shared[Print.START]
    unseen = learned(drawn, Table(drawn.table.cards[1:])).shared[Print.START]
    black = int(unseen.argmax())
    assert start[black] > unseen[black] - 1


def test_what_a_table_taught_is_asked_once(drawn: DrawnTable) -> None:
    """And of one where other cards lie at the same places what is no card."""
    seen, faces = drawn.seen(), draw_faces(DECK, CONFIG)
    learner = Learner(seen, faces, Footprints(seen, faces), CONFIG)
    table = drawn.table
    first = learner.taught(table, ("blue", "red"))
    assert learner.taught(Table(tuple(table.cards)), ("blue", "red")) is first
    red = learner.taught(
        Table(tuple(replace(c, ink=c.ink and "red") for c in table.cards)), ("red",)
    )
    assert red.bare is first.bare
    less = learner.taught(Table(table.cards[1:]), ("blue", "red"))
    assert not np.array_equal(less.bare, first.bare)
