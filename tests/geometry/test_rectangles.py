"""Distances and depths between cards, against the same measured on polygons."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon
from shapely.affinity import translate

from geometry.layout import Card
from geometry.pose import Pose
from geometry.rectangles import (
    Rectangles,
    cards_upright,
    depths_inside_mm,
    gaps_mm,
    near_pairs,
    past_edge_mm,
    places_of,
    reaches_inside,
)
from geometry.showing import bodies, frames
from tests.geometry.tables import DECK, table

RADIUS = DECK.card.corner_radius_mm
near = st.floats(-75, 75)
angles = st.floats(0, 360)
poses = st.builds(Pose, near, near, angles, st.booleans())


def _card(pose: Pose) -> tuple[Rectangles, Rectangles]:
    return cards_upright(DECK.card, places_of([pose]))


def _body(pose: Pose) -> Polygon:
    return bodies(table(Card(0, "blue", "circle-1", pose)))[0]


def _frame(pose: Pose) -> Polygon:
    return frames(table(Card(0, "blue", "circle-1", pose)))[0]


def test_two_cards_side_by_side() -> None:
    left, _ = _card(Pose(0, 0, 0))
    right, _ = _card(Pose(60.2, 10, 0))
    assert gaps_mm(left, right) - 2 * RADIUS == pytest.approx(2.0)
    below, _ = _card(Pose(3.0, 88.0, 180))
    assert gaps_mm(left, below) - 2 * RADIUS == pytest.approx(-1.0)


def test_two_cards_corner_to_corner() -> None:
    one, _ = _card(Pose(0, 0, 0))
    other, _ = _card(Pose(58.2 - 2 * RADIUS + 3.0, 89.0 - 2 * RADIUS + 4.0, 0))
    assert gaps_mm(one, other) == pytest.approx(5.0)


@given(one=poses, other=poses)
def test_the_gap_is_that_of_the_polygons(one: Pose, other: Pose) -> None:
    gap = float(gaps_mm(_card(one)[0], _card(other)[0])[0]) - 2 * RADIUS
    drawn = _body(one).distance(_body(other))
    assert max(gap, 0.0) == pytest.approx(drawn, abs=0.06)  # polygons cut corners off
    assert gap == pytest.approx(
        float(gaps_mm(_card(other)[0], _card(one)[0])[0]) - 2 * RADIUS, abs=1e-9
    )


@given(one=poses, other=poses)
def test_the_depth_is_the_shortest_way_to_push_apart(one: Pose, other: Pose) -> None:
    gap = float(gaps_mm(_card(one)[0], _card(other)[0])[0]) - 2 * RADIUS
    if gap >= 0:
        return
    fixed, loose = _body(one), _body(other)
    ways = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 72, endpoint=False)]
    short = -gap - 0.1
    pushed = [translate(loose, short * x, short * y) for x, y in ways]
    assert all(p.intersection(fixed).area > 0 for p in pushed)
    longer = (-gap + 0.01) / np.cos(np.deg2rad(2.6))
    assert any(
        translate(loose, longer * x, longer * y).intersection(fixed).area < 1.5 for x, y in ways
    )


@given(one=poses, other=poses)
def test_the_touch_is_as_deep_as_the_frame_must_shrink(one: Pose, other: Pose) -> None:
    cores, _ = _card(one)
    _, lines = _card(other)
    depth = float(depths_inside_mm(cores, RADIUS, lines)[0])
    body, frame = _body(one), _frame(other)
    if depth == 0:
        assert body.distance(frame) >= 0
        return
    assert depth <= DECK.card.frame_width_mm / 2 + 1e-6
    if depth > 0.05:
        assert body.intersects(frame.buffer(-(depth - 0.03), join_style="mitre"))
        assert reaches_inside(cores, RADIUS, lines, depth - 0.001).all()
    if depth < DECK.card.frame_width_mm / 2 - 0.1:
        assert not body.intersects(frame.buffer(-(depth + 0.001), join_style="mitre"))
        assert not reaches_inside(cores, RADIUS, lines, depth + 0.001).any()


@pytest.mark.parametrize(
    ("apart", "depth"), [(60.0, 0.0), (54.7, 0.0), (54.6, 0.1), (52.7, 2.0), (40.0, 14.7)]
)
def test_a_touch_is_measured_from_the_white_line(apart: float, depth: float) -> None:
    cores, _ = _card(Pose(apart, 5.0, 0))
    _, lines = _card(Pose(0, 0, 0))
    assert float(depths_inside_mm(cores, RADIUS, lines)[0]) == pytest.approx(depth, abs=1e-4)


@pytest.mark.parametrize(
    ("pose", "past"),
    [
        (Pose(200, 200, 0), -55.5),
        (Pose(29.1, 200, 0), 0.0),
        (Pose(28.1, 200, 180, True), 1.0),
        (Pose(200, 300 - 40.0, 0), 4.5),
        (Pose(400 - 44.5 + 2.0, 200, 90), 2.0),
        (Pose(400 - 29.1 + 1.0, 300 - 44.5 + 3.0, 0), 3.0),
        (Pose(200, 26.1 / 2**0.5 + 41.5 / 2**0.5 + 3.0 - 1.0, 45), 1.0),
    ],
)
def test_past_the_edge(pose: Pose, past: float) -> None:
    cores, _ = _card(pose)
    assert float(past_edge_mm(cores, RADIUS, (400.0, 300.0))[0]) == pytest.approx(past)


def test_near_pairs_name_the_earlier_first() -> None:
    middles = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 5.0], [99.0, 0.0]])
    first, second = near_pairs(middles, 10.0)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 1), (0, 2)]


def test_corners_run_from_the_top_left_the_way_the_card_does() -> None:
    _, frame = _card(Pose(100, 50, 90))
    w, h = DECK.card.frame_width_mm / 2, DECK.card.frame_height_mm / 2
    expected = [(100 + h, 50 - w), (100 + h, 50 + w), (100 - h, 50 + w), (100 - h, 50 - w)]
    assert np.allclose(frame.corners_mm()[0], expected)
    assert Polygon(frame.corners_mm()[0]).area == pytest.approx(4 * w * h)


def test_shrinking_stops_at_a_line() -> None:
    _, frame = _card(Pose(0, 0, 0))
    assert frame.shrunk(30.0).half_mm.tolist() == [[0.0, 11.0]]
