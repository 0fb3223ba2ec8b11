"""Where cards lie in true millimetres."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.model.drawn_table import CONFIG, DECK, DrawnTable, drawn_table
from vision.lens import Lens
from vision.model.hypothesis import Hypothesis
from vision.model.table import CardId, Place, PlacedCard, Table
from vision.observe.observation import Observation
from vision.posterior.lain import Lain, Named, lain, true_poses, true_spreads
from vision.posterior.stack import Stack
from vision.view import TableView

HIGH_MM = 800.0


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return drawn_table()


@pytest.fixture(scope="module")
def seen(drawn: DrawnTable) -> Observation:
    return drawn.seen()


def shaken(card: PlacedCard) -> PlacedCard:
    place = card.place
    return replace(card, place=Place(place.x_mm + 0.6, place.y_mm - 0.5, place.angle_deg + 0.4))


def test_cards_are_fitted_on_what_shows_of_them(seen: Observation, drawn: DrawnTable) -> None:
    table = Table(tuple(shaken(card) for card in drawn.table.cards))
    lying = lain(seen, table, DECK, CONFIG)
    for card, (x, y, angle) in list(zip(drawn.table.cards, lying.places, strict=True))[1:]:
        assert np.hypot(x - card.place.x_mm, y - card.place.y_mm) < 0.15
        assert angle == pytest.approx(card.place.angle_deg, abs=0.15)
    assert abs(lying.growth) < 0.002
    assert lying.heights[0] == 0.0
    assert lying.heights.max() >= CONFIG.stack_step_mm


def test_cards_that_seem_too_large_say_so(seen: Observation, drawn: DrawnTable) -> None:
    """Where the deck's cards are a hundredth smaller than those that lie there."""
    size = DECK.card
    smaller = replace(
        size, width_mm=size.width_mm * 0.99, height_mm=size.height_mm * 0.99,
        frame_inset_mm=size.frame_inset_mm * 0.99,
    )  # fmt: skip
    deck = replace(DECK, card=smaller)
    assert lain(seen, drawn.table, deck, CONFIG).growth == pytest.approx(0.01, abs=0.003)


def test_a_card_on_a_stack_lies_nearer_to_below_the_lens_than_it_seems() -> None:
    matrix = np.array([[1000.0, 0, 500], [0, 1000.0, 500], [0, 0, 1]])
    lens = Lens((1000, 1000), matrix, np.zeros(5))
    view = TableView(lens, np.eye(3), np.array([0.0, 0.0, HIGH_MM]))
    card = PlacedCard(CardId(4), Place(100.0, 0.0, 30.0), Hypothesis("circle-2"), "red")
    lying = Lain(
        np.array([[100.0, 0.0, 30.0]]),
        Stack(np.array([20.0]), 0.4, np.array([0.1])),
        0.0,
        np.zeros((1, 3, 3)),
        np.zeros((1, 2)),
    )
    pose = true_poses(Table((card,)), lying, view, view)[card.id]
    assert (pose.x_mm, pose.y_mm) == pytest.approx((99.0, 0.0), abs=1e-6)
    assert pose.angle_deg == pytest.approx(30.0)


def test_places_are_uncertain_by_their_lines_by_prints_and_by_how_high_cards_lie() -> None:
    """The second view is turned: x of the first is minus y of it."""
    matrix = np.array([[1000.0, 0, 500], [0, 1000.0, 500], [0, 0, 1]])
    lens = Lens((1000, 1000), matrix, np.zeros(5))
    rough = TableView(lens, np.eye(3), np.array([0.0, 0.0, HIGH_MM]))
    quarter = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    view = TableView(lens, quarter.T, np.array([0.0, 0.0, HIGH_MM]))
    card = PlacedCard(CardId(4), Place(400.0, 0.0, 30.0), Hypothesis("circle-2"), "red")
    own = np.array([[0.04, 0.01, 0.0], [0.01, 0.09, 0.02], [0.0, 0.02, 0.25]])
    lying = Lain(
        np.array([[400.0, 0.0, 30.0]]),
        Stack(np.array([20.0]), 0.4, np.array([0.1])),
        0.0,
        own[None],
        np.zeros((1, 2)),
    )
    slant = 400.0 / HIGH_MM
    printed = CONFIG.print_mm**2
    high = (CONFIG.height_mm**2 + 0.1**2) * slant**2
    turned = CONFIG.print_deg**2 + (CONFIG.curl_deg * slant) ** 2
    for seen_in, expected in (
        (rough, (0.04 + printed + high, 0.01, 0.09 + printed, 0.0, 0.02, 0.25 + turned)),
        (view, (0.09 + printed, -0.01, 0.04 + printed + high, 0.02, 0.0, 0.25 + turned)),
    ):
        spread = true_spreads(Table((card,)), lying, rough, seen_in, CONFIG)[card.id]
        found = (spread.xx, spread.xy, spread.yy, spread.x_deg, spread.y_deg, spread.deg_deg)
        np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=2e-3)


def test_what_covers_most_of_a_card_leaves_its_place_uncertain(
    seen: Observation, drawn: DrawnTable
) -> None:
    """What lies on no lines is known to no more than fits may move."""
    lying = lain(seen, drawn.table, DECK, CONFIG)
    sigmas = np.sqrt(np.diagonal(lying.covariances, axis1=1, axis2=2))
    assert (sigmas[:, :2] < 0.3).all()
    astray = replace(drawn.table.cards[0], id=CardId(99), place=Place(300.0, 20.0, 0.0))
    lost = lain(seen, Table((astray,)), DECK, CONFIG).covariances[0]
    assert np.sqrt(np.diag(lost)).tolist() == pytest.approx(
        [CONFIG.same_mm, CONFIG.same_mm, CONFIG.same_deg], rel=0.3
    )


def test_a_turned_card_lies_the_other_way_up(drawn: DrawnTable) -> None:
    card = replace(drawn.table.cards[2], hypothesis=Hypothesis("circle-4", True, True))
    named = Named({card.id: card.pose}, {"blue": "pink"}, DECK, None)
    turned = named.layout(Table((card,))).cards[0]
    assert turned.pose.mirrored
    assert turned.colour == "pink"
    assert turned.pose.angle_deg == pytest.approx((card.pose.angle_deg + 180) % 360)
