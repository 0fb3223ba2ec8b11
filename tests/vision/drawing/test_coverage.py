from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import DECK
from vision.drawing.coverage import COVER_DENSITY, cover, top_map
from vision.drawing.pose_fit import place
from vision.drawing.templates import draw_templates
from vision.raster import Raster

TEMPLATES = draw_templates(DECK)
RASTER = Raster(np.zeros((480, 600, 3), np.uint8), (-10.0, 5.0), 2.4)
POSES = np.array([[60.0, 80.0, 0.2], [95.0, 95.0, 1.3], [180.0, 150.0, -0.4], [-80.0, 0.0, 0.0]])
HALF_MM = np.array([DECK.card.width_mm, DECK.card.height_mm]) / 2


def inside(points: np.ndarray, card: int, grow_mm: float = 0.0) -> np.ndarray:
    """Which table points (K, 2) lie on a card, and are not within a map pixel of its edge."""
    cos, sin = np.cos(POSES[card, 2]), np.sin(POSES[card, 2])
    local = (points - POSES[card, :2]) @ np.array([[cos, -sin], [sin, cos]])
    return np.asarray((np.abs(local) < HALF_MM + grow_mm).all(axis=1))


def some_points() -> np.ndarray:
    return np.random.default_rng(3).uniform([-9, 6], [238, 203], (20_000, 2))


def clear(points: np.ndarray, grow_mm: float = 0.0) -> np.ndarray:
    """Points farther than a map pixel from every card's edge: there nothing may be rounded."""
    sure = [
        inside(points, card, grow_mm - 0.55) == inside(points, card, grow_mm + 0.55)
        for card in range(len(POSES))
    ]
    return points[np.all(sure, axis=0)]


def test_bodies_are_counted_and_named() -> None:
    points = clear(some_points())
    coverage = cover(RASTER, POSES, DECK.card)
    on = np.stack([inside(points, card) for card in range(4)])
    assert on[:2].all(axis=0).sum() > 100
    np.testing.assert_array_equal(coverage.count_at(points), on.sum(axis=0))


def test_places_under_just_two_bodies_are_listed_with_both() -> None:
    under = cover(RASTER, POSES, DECK.card).under_two()
    places = np.stack([under.at_mm.real, under.at_mm.imag], axis=1)
    sure = np.all([inside(places, k, -0.55) == inside(places, k, 0.55) for k in range(4)], axis=0)
    on = np.stack([inside(places, card) for card in range(4)])[:, sure]
    assert on.shape[1] > 0.9 * len(places) > 1000
    assert (on.sum(axis=0) == 2).all()
    np.testing.assert_array_equal(under.low[sure], on.argmax(axis=0))
    np.testing.assert_array_equal(under.high[sure], 3 - on[::-1].argmax(axis=0))
    area_mm2 = len(places) / COVER_DENSITY**2
    grid = some_points()
    both = inside(grid, 0) & inside(grid, 1)
    assert area_mm2 == pytest.approx(both.mean() * 247 * 197, rel=0.1)
    even = under.row_column[0] % 2 == 0
    assert under.take(even).low.shape == (int(even.sum()),)
    for number in (4, 8, 16):
        assert (under.one_in >= number).mean() == pytest.approx(1 / number, rel=0.1)


def test_a_coarser_map_says_the_same_with_fewer_places() -> None:
    fine, coarse = (cover(RASTER, POSES, DECK.card, 0.0, mm) for mm in (COVER_DENSITY, 1.0))
    points = clear(some_points())
    alike = coarse.count_at(points) == fine.count_at(points)
    assert alike.mean() > 0.99
    few, many = coarse.under_two(), fine.under_two()
    assert len(few.at) == pytest.approx(len(many.at) / COVER_DENSITY**2, rel=0.05)
    assert abs(few.at_mm.mean() - many.at_mm.mean()) < 0.3


def test_growing_adds_so_many_millimetres() -> None:
    points = clear(some_points(), 3.0)
    grown = cover(RASTER, POSES, DECK.card, 3.0).count_at(points)
    on = np.stack([inside(points, card, 3.0) for card in range(4)])
    np.testing.assert_array_equal(grown, on.sum(axis=0))


def test_nothing_lies_outside_the_map() -> None:
    coverage = cover(RASTER, POSES, DECK.card)
    far = np.array([[-60.0, 10.0], [900.0, 10.0], [10.0, -50.0], [10.0, 900.0]])
    assert not coverage.count_at(far).any()
    assert not top_map(RASTER, POSES, [0, 1, 2, 3], DECK.card).at(far).any()


def test_the_last_painted_shows() -> None:
    points = some_points()
    both = inside(points, 0, -0.55) & inside(points, 1, -0.55)
    alone = inside(points, 0, -0.55) & ~inside(points, 1, 0.55)
    for order, upper in (([0, 1, 2], 2), ([1, 0, 2], 1)):
        top = top_map(RASTER, POSES, order, DECK.card)
        assert (top.at(points[both]) == upper).all()
        assert (top.at(points[alone]) == 1).all()


def test_on_the_templates_places_the_same_is_said_as_at_points() -> None:
    coverage = cover(RASTER, POSES, DECK.card)
    top = top_map(RASTER, POSES, [0, 1, 2, 3], DECK.card)
    table = place(POSES, TEMPLATES.grid_mm)
    assert COVER_DENSITY == 2.0
    for on_grid, at_points in (
        (coverage.counts_on(POSES, TEMPLATES), coverage.count_at(table)),
        (top.on(POSES, TEMPLATES), top.at(table)),
    ):
        assert on_grid.shape == at_points.shape == (4, len(TEMPLATES.grid_mm))
        assert on_grid.any()
        assert (on_grid == at_points).mean() > 0.999


@pytest.mark.parametrize(("cards", "kind"), [(255, np.uint8), (256, np.int16)])
def test_the_last_of_many_cards_is_told_in_the_fewest_bytes(
    cards: int, kind: type[np.generic]
) -> None:
    poses = np.repeat(POSES[:1], cards, axis=0)
    top = top_map(RASTER, poses, list(range(cards)), DECK.card)
    assert top.top.dtype == kind
    assert top.at(poses[:1, :2]).tolist() == [cards]


def test_maps_hold_only_the_part_of_a_large_table_where_cards_lie() -> None:
    large = Raster(np.zeros((2400, 2400, 3), np.uint8), RASTER.origin_mm, RASTER.density)
    shift = np.array([480.0, 320.0, 0.0])
    points = some_points()
    for poses in (POSES[:3], POSES[:3] + shift):
        coverage = cover(large, poses, DECK.card)
        top = top_map(large, poses, [0, 1, 2], DECK.card)
        assert top.top.size == coverage.count.size < 0.2 * 1000**2 * COVER_DENSITY**2
        there = points + (poses[0] - POSES[0])[:2]
        expected = cover(RASTER, POSES[:3], DECK.card)
        np.testing.assert_array_equal(coverage.count_at(there), expected.count_at(points))
        # Places are thinned alike wherever the part begins.
        few = coverage.under_two(every=16)
        rows = (few.at_mm.imag - large.origin_mm[1]) * COVER_DENSITY
        assert len(few.at) > 100
        assert (rows % 2 == 0).all()


@pytest.mark.parametrize("poses", [POSES[:0], POSES[:1] + [5000.0, 0.0, 0.0]])
def test_without_cards_on_the_table_nothing_is_covered(poses: np.ndarray) -> None:
    coverage = cover(RASTER, poses, DECK.card)
    assert not coverage.count_at(some_points()).any()
    assert not coverage.counts_on(POSES, TEMPLATES).any()
    assert not top_map(RASTER, poses, list(range(len(poses))), DECK.card).at(some_points()).any()
