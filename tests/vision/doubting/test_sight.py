"""What of a card at the picture's edge can be counted."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.showing import visible_dots
from simulator import Conditions, simulate_scene
from tests.decks import OLDER_DECK
from vision.doubting.sight import in_sight
from vision.lens import Lens
from vision.read import read_table
from vision.reading import Reading
from vision.view import TableView

DECK = OLDER_DECK
SIZE_WH = (800, 600)
MATRIX = np.array([[800.0, 0.0, 399.5], [0.0, 800.0, 299.5], [0.0, 0.0, 1.0]])
STRAIGHT_DOWN = np.eye(3)


def _view(*distortion: float) -> TableView:
    """From 400 mm above, so that 2 pixels are a millimetre: 400 x 300 mm round the origin."""
    lens = Lens(SIZE_WH, MATRIX, np.array(distortion or (0.0,) * 5))
    return TableView(lens, STRAIGHT_DOWN, np.array([0.0, 0.0, 400.0]))


def _seen(view: TableView, x_mm: float, y_mm: float, height_mm: float = 0.0) -> Card:
    card = Card(0, "blue", "circle-4", Pose(x_mm, y_mm, 0))
    return in_sight([card], view, np.array([height_mm]), DECK.card)[0]


def test_a_card_that_lies_wholly_in_the_picture_is_all_in_sight() -> None:
    assert _seen(_view(), 150, 90).in_sight_mm is None


def test_a_card_across_the_edge_is_in_sight_as_far_as_the_picture_reaches() -> None:
    card = _seen(_view(), 200 - 19.046, 0)
    assert card.in_sight_mm is not None
    right = shapely.Polygon(card.in_sight_mm).bounds[2]
    assert right == pytest.approx(199.75, abs=0.5)
    for further, shown in ((-1.0, True), (1.5, False)):
        moved = _seen(_view(), 200 - 19.046 + further, 0)
        assert visible_dots(Layout(DECK, (moved,)))[0] == (shown,) * 4


def test_what_lies_higher_is_cut_off_further_in() -> None:
    low, high = _seen(_view(), 190, 0).in_sight_mm, _seen(_view(), 190, 0, 40.0).in_sight_mm
    assert low is not None
    assert high is not None
    gain = shapely.Polygon(low).bounds[2] - shapely.Polygon(high).bounds[2]
    assert gain == pytest.approx(20.0, abs=0.6)


def test_a_card_wholly_outside_has_nothing_in_sight() -> None:
    card = _seen(_view(), 400, 0)
    assert card.in_sight_mm == ()
    assert visible_dots(Layout(DECK, (card,)))[0] == (False,) * 4


def test_what_a_strong_distortion_folds_back_into_the_picture_is_not_in_sight() -> None:
    view = _view(-0.35, 0.0, 0.0, 0.0, 0.0)
    far = np.array([[650.0, 0.0]])
    assert (np.abs(view.to_px(far) - (399.5, 299.5)) < (400, 300)).all()
    assert _seen(view, 650, 0).in_sight_mm == ()


def test_cards_cut_off_count_for_what_shows_and_are_doubted() -> None:
    scene = simulate_scene(5, Conditions(cards=13, px_per_mm=2.2, cut_off=0.3, markers="none"))
    reading = read_table(scene.image_bgr, DECK, scene.lens, Rules())
    assert isinstance(reading, Reading)
    codes = [doubt.reason.code for doubt in reading.doubts]
    assert "dots-outside" in codes
    assert not reading.sure
    true = scene.truth["scores"]
    assert isinstance(true, dict)
    assert {name: true[name] for name in reading.scores} == dict(reading.scores)
