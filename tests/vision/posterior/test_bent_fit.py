"""Where bent cards lie that are seen aslant."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from geometry.deck_file import published_deck
from measuring.one_score.true_table import true_scene
from measuring.scenes.truth import parse_truth
from simulator import Conditions, simulate_scene
from vision.arrays import FloatArray
from vision.model.table import Place, Table, as_array
from vision.observe.observation import Observation
from vision.posterior.bent_fit import BentCards, fit_bent
from vision.posterior.lain import Lain, lain, true_poses, with_one_more
from vision.propose.line_fit import fitted_where_shown
from vision.reading_config import ReadingConfig
from vision.view import TableView

DECK = published_deck()
CONFIG = ReadingConfig()


@dataclass(frozen=True, eq=False)
class Aslant:
    """Nine bent cards seen aslant, as a table whose places are where their middles are seen."""

    seen: Observation
    table: Table
    view: TableView
    places: FloatArray

    def off(self, lying: Lain) -> FloatArray:
        """How far (N,) cards with a face lie off, mm, but for what all of them do alike."""
        poses = true_poses(self.table, lying, self.view, self.view)
        found = np.array([(poses[c.id].x_mm, poses[c.id].y_mm) for c in self.table.cards])
        beside = found - self.places
        with_faces = [card.ink is not None for card in self.table.cards]
        return np.asarray(np.hypot(*(beside - np.median(beside, axis=0))[with_faces].T))


def seen_aslant(curl_mm: float) -> Aslant:
    scene = simulate_scene(
        4,
        Conditions(
            cards=9, px_per_mm=2.2, tilt_deg=45, curl_mm=curl_mm, gap_mm=0.07, markers="none",
            lens="plain",
        ),
    )  # fmt: skip
    truth = parse_truth(scene.truth)
    view, true = truth.camera.view, true_scene(scene.image_bgr, truth, CONFIG)
    cards = []
    for card in true.table.cards:
        at = np.array([[card.place.x_mm, card.place.y_mm]])
        x, y = view.to_mm(view.to_px(at, card.place.height_mm))[0].tolist()
        cards.append(replace(card, place=Place(x, y, card.place.angle_deg)))
    places = np.array([(card.pose.x_mm, card.pose.y_mm) for card in truth.layout.cards])
    return Aslant(true.seen, Table(tuple(cards)), view, places)


@pytest.fixture(scope="module")
def aslant() -> Aslant:
    return seen_aslant(1.5)


@pytest.fixture(scope="module")
def lying(aslant: Aslant) -> Lain:
    return lain(aslant.seen, aslant.table, DECK, CONFIG)


def test_bent_cards_lie_where_they_were_laid(aslant: Aslant, lying: Lain) -> None:
    """As if they were flat they lie off by half a millimetre and more, from the true places on."""
    start = as_array(card.place for card in aslant.table.cards)
    flat = fitted_where_shown(aslant.seen, start, DECK.card, CONFIG).frames.places
    assert aslant.off(replace(lying, places=flat)).mean() > 0.45
    assert aslant.off(lying).mean() < 0.3
    assert lying.bends[:, 0].max() > 1.5


def test_a_table_of_flat_cards_is_known_to_be_flat(lying: Lain) -> None:
    """By all cards together, and so each place is known more exactly."""
    flat = seen_aslant(0.0)
    found = lain(flat.seen, flat.table, DECK, CONFIG)
    assert np.abs(found.bends).max() < 0.3
    assert np.trace(found.covariances.mean(axis=0)) < np.trace(lying.covariances.mean(axis=0))


def test_a_card_more_is_fitted_beside_those_that_lie_there(aslant: Aslant, lying: Lain) -> None:
    one = aslant.table.cards[3]
    rest = aslant.table.without(one.id)
    without = lain(aslant.seen, rest, DECK, CONFIG)
    more = with_one_more(aslant.seen, without, aslant.table, one.id, DECK, CONFIG)
    np.testing.assert_allclose(more.places[3], lying.places[3], atol=0.2)
    np.testing.assert_allclose(np.delete(more.places, 3, axis=0), without.places)
    assert more.heights.shape == lying.heights.shape
    assert more.bends[3, 0] == pytest.approx(lying.bends[3, 0], abs=0.2)


def test_a_card_in_the_place_of_another_is_fitted_beside_the_rest(
    aslant: Aslant, lying: Lain
) -> None:
    one = aslant.table.cards[3]
    more = with_one_more(aslant.seen, lying.without(3), aslant.table, one.id, DECK, CONFIG)
    np.testing.assert_allclose(more.places[3], lying.places[3], atol=0.2)
    assert more.heights.shape == lying.heights.shape


def test_where_no_line_is_near_a_card_stays_where_it_was(aslant: Aslant) -> None:
    """On bare table, beside all cards, though ends that curl are tried far off."""
    low = aslant.places.min(axis=0) - [60.0, 0.0]
    card = replace(aslant.table.cards[3], place=Place(float(low[0]), float(low[1]), 30.0))
    start = BentCards(as_array([card.place]), np.zeros((1, 2)), np.ones((1, 2)))
    fit = fit_bent(aslant.seen, [card], start, np.zeros(1), DECK, CONFIG)
    np.testing.assert_allclose(fit.cards.places, start.places, atol=1e-6)
    open_to = [CONFIG.same_mm, CONFIG.same_mm, CONFIG.same_deg]
    assert np.sqrt(np.diag(fit.covariances[0])).tolist() == pytest.approx(open_to, rel=0.01)
