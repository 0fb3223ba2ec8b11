"""What is likely before anybody has looked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.model.drawn_table import CONFIG, DECK, drawn_table
from vision.model.hypothesis import Hypothesis, hypotheses_of
from vision.model.prior import log_prior, one_more
from vision.model.table import CardId, Table, with_hypothesis, with_ink

COLOURS = len(DECK.colours)


@pytest.fixture
def table() -> Table:
    return drawn_table().table


def test_a_card_more_costs_its_place(table: Table) -> None:
    fewer = Table(table.cards[:-1])
    cost = CONFIG.card_cost - CONFIG.unequal_cost
    assert log_prior(fewer, COLOURS, CONFIG) - log_prior(table, COLOURS, CONFIG) == pytest.approx(
        cost
    )


def test_a_face_that_its_colour_has_already_costs_more(table: Table) -> None:
    twice = table.with_card(with_hypothesis(table.cards[3], Hypothesis("square-5", turned=True)))
    lost = log_prior(table, COLOURS, CONFIG) - log_prior(twice, COLOURS, CONFIG)
    assert lost == pytest.approx(CONFIG.twice_cost)
    other = table.with_card(with_hypothesis(table.cards[3], Hypothesis("circle-4")))
    assert log_prior(other, COLOURS, CONFIG) == log_prior(table, COLOURS, CONFIG)


def test_there_is_one_starting_card(table: Table) -> None:
    second = table.with_added(replace(table.cards[0], id=CardId(9)))
    lost = log_prior(table, COLOURS, CONFIG) - log_prior(second, COLOURS, CONFIG)
    assert lost == pytest.approx(CONFIG.card_cost + CONFIG.starts_cost)


def test_colours_have_equally_many_cards(table: Table) -> None:
    other = table.with_card(with_ink(table.cards[3], "blue"))
    lost = log_prior(table, COLOURS, CONFIG) - log_prior(other, COLOURS, CONFIG)
    assert lost == pytest.approx(2 * CONFIG.unequal_cost)


def test_one_card_more_costs_what_the_whole_priors_differ_by(table: Table) -> None:
    """For whatever the card is: a face held already, a starting card, an ink that is new."""
    hypotheses = hypotheses_of(DECK)
    inks = ("blue", "green", "red")
    priors = one_more(table, hypotheses, inks, COLOURS, CONFIG)
    before = log_prior(table, COLOURS, CONFIG)
    for row in (0, 20, 44, len(hypotheses) - 1):
        for column, ink in enumerate(inks):
            own = ink if row < len(hypotheses) - 1 else None
            card = replace(table.cards[1], id=CardId(9), hypothesis=hypotheses[row], ink=own)
            gained = log_prior(table.with_added(card), COLOURS, CONFIG) - before
            assert priors[row, column] == pytest.approx(gained)
    assert priors[:-1, 1].max() < priors[:-1, 0].max() - CONFIG.ink_cost / 2
    assert np.ptp(priors[-1]) == 0.0


def test_no_more_inks_are_there_than_the_deck_has_colours(table: Table) -> None:
    assert log_prior(table, 1, CONFIG) == log_prior(table, 2, CONFIG) - CONFIG.inks_cost
    assert log_prior(table, 2, CONFIG) == log_prior(table, COLOURS, CONFIG)
    priors = one_more(table, hypotheses_of(DECK), ("blue", "green"), 2, CONFIG)
    allowed = one_more(table, hypotheses_of(DECK), ("blue", "green"), 3, CONFIG)
    assert priors[0, 1] == allowed[0, 1] - CONFIG.inks_cost
    assert priors[0, 0] == allowed[0, 0]
