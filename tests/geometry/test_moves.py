"""The search: all it offers is legal, exact and inside the table, and nothing else is legal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon

from geometry.deck import Face, Shape
from geometry.layout import Card, Layout
from geometry.moves import Placement, legal_placements
from geometry.pose import Pose
from geometry.rules import Rules, Tolerance
from geometry.showing import bodies, frames
from geometry.verdict import judge
from tests.geometry.tables import DECK, beside, cards_below, laid_on, random_table, table

seeds = st.integers(0, 60)
faces = st.sampled_from([face.id for face in DECK.faces])
PUBLISHED = Rules()


def _laid(layout: Layout, fit: Placement, face: str, colour: str = "blue") -> Layout:
    return layout.laid_on_top(Card(999, colour, face, fit.pose))


@given(seed=seeds, face=faces)
@settings(max_examples=60)
def test_every_placement_offered_is_judged_legal(seed: int, face: str) -> None:
    layout = random_table(seed)
    for fit in legal_placements(layout, "blue", face, PUBLISHED):
        verdict = judge(_laid(layout, fit, face), PUBLISHED)[999]
        assert verdict.status == "legal"
        assert (verdict.covers, verdict.shape_on, verdict.shape_of) == (
            fit.on,
            fit.shape_on,
            fit.shape_of,
        )
        assert verdict.offset_mm == pytest.approx(0.0, abs=0.01)
        assert verdict.offset_deg == pytest.approx(0.0, abs=0.01)


@given(seed=seeds, face=faces)
@settings(max_examples=30)
def test_no_placement_is_offered_twice(seed: int, face: str) -> None:
    fits = legal_placements(random_table(seed), "blue", face, PUBLISHED)
    poses = {
        (
            round(f.pose.x_mm, 2),
            round(f.pose.y_mm, 2),
            round(f.pose.angle_deg, 1) % 360,
            f.pose.mirrored,
        )
        for f in fits
    }
    assert len(poses) == len(fits)


@given(seed=seeds, face=faces)
@settings(max_examples=20)
def test_the_frames_share_exactly_the_shape(seed: int, face: str) -> None:
    layout = random_table(seed)
    for fit in legal_placements(layout, "blue", face, PUBLISHED):
        drawn = frames(_laid(layout, fit, face))
        below = layout.card(fit.on)
        shape = layout.deck.face(below.face).shapes[fit.shape_on]
        outline = Polygon(below.pose.to_table(np.array(shape.outline_mm)))
        shared = drawn[999].intersection(drawn[fit.on])
        assert shared.symmetric_difference(outline).area < 0.5


def _place(shape: Shape) -> str:
    """Where on its card a shape lies: on how many of the frame's sides, and its length."""
    xs, ys = zip(*shape.outline_mm, strict=True)
    sides = sum(
        bool(np.isclose(limit, edge, atol=0.01))
        for limit, edge in ((min(xs), -25.6), (max(xs), 25.6), (min(ys), -41), (max(ys), 41))
    )
    if shape.kind == "triangle":
        return "corner triangle" if sides == 2 else "side triangle"
    if shape.kind == "rectangle":
        return "long" if max(ys) - min(ys) > 60 else "short"
    return "square"


EIGHTHS = {45, 135, 225, 315}


def _ways(below: Sequence[Face]) -> dict[tuple[str, str], set[int]]:
    """Which shape of these faces, and of any laid on them, fit at which angles."""
    seen: dict[tuple[str, str], set[int]] = {}
    for on, of in product(below, DECK.faces):
        for mirrored in (False, True):
            card = Card(1, "green", on.id, Pose(300, 300, 0, mirrored))
            for fit in legal_placements(table(card), "blue", of.id, PUBLISHED):
                pair = (_place(on.shapes[fit.shape_on]), _place(of.shapes[fit.shape_of]))
                seen.setdefault(pair, set()).add(round(fit.pose.angle_deg) % 360)
    return seen


def test_shapes_fit_as_the_game_says() -> None:
    """How cards fit: which shape goes on which, and at which angles."""
    assert _ways(DECK.faces) == {
        ("corner triangle", "side triangle"): EIGHTHS,
        ("side triangle", "corner triangle"): EIGHTHS,
        # all squares stand at the top, and short rectangles do not fit side to side
        ("square", "square"): {90, 180, 270},
        ("short", "short"): {90, 180, 270},
        ("long", "long"): {0, 180},
    }


def test_any_shape_fits_the_starting_card_on_each_of_its_sides() -> None:
    """Its squares and short rectangles stand at the top and at the bottom."""
    assert _ways([DECK.starting_face]) == {
        ("corner triangle", "side triangle"): EIGHTHS,
        ("side triangle", "corner triangle"): EIGHTHS,
        ("square", "square"): {0, 90, 180, 270},
        ("short", "short"): {0, 90, 180, 270},
        ("long", "long"): {0, 180},
    }


def test_every_equal_pair_fits_in_one_way_a_side() -> None:
    """A square can only be turned one way; a rectangle two ways would need two free sides."""
    below, _ = laid_on("circle-1", 1, "circle-2", 2)
    fits = legal_placements(table(below), "blue", "circle-2", PUBLISHED)
    ways = sorted((f.shape_on, f.shape_of, f.pose.mirrored) for f in fits)
    # its side triangle takes the corner triangle, its square the square
    assert ways == [(0, 0, False), (0, 0, True), (1, 2, False), (1, 2, True)]


@given(seed=seeds, face=faces, noise=st.integers(0, 10**6))
@settings(max_examples=25)
def test_poses_near_a_fit_are_legal_within_the_tolerance_only(
    seed: int, face: str, noise: int
) -> None:
    layout = random_table(seed)
    alone = Rules(Tolerance(legal_mm=1e-6, illegal_mm=1e-5))
    fits = legal_placements(layout, "blue", face, alone)
    rng = np.random.default_rng(noise)
    for fit in fits[:4]:
        turn = float(rng.uniform(-6, 6))
        along, down = (float(v) for v in rng.uniform(-4, 4, 2))
        card = Card(999, "blue", face, beside(fit.pose, along, down, turn))
        shape = layout.deck.face(face).shapes[fit.shape_of]
        outline = np.array(shape.outline_mm)
        slip = card.pose.to_table(outline) - fit.pose.to_table(outline)
        off_mm = float(np.linalg.norm(slip, axis=1).max())
        verdict = judge(layout.laid_on_top(card), PUBLISHED)[999]
        if off_mm > 3.02 or abs(turn) > 4.52:
            assert verdict.status == "illegal"
        elif off_mm > 2.02 or abs(turn) > 3.02:
            assert verdict.status in ("borderline", "illegal")


def test_random_poses_are_hardly_ever_legal() -> None:
    """Of many cards thrown at a card, the legal ones lie within the tolerance of a fit."""
    below = Card(1, "green", "circle-5", Pose(300, 300, 0))
    layout = table(below)
    fits = legal_placements(layout, "blue", "square-4", PUBLISHED)
    rng = np.random.default_rng(5)
    places = rng.uniform((220, 220, 0), (380, 380, 360), (1500, 3))
    sides = rng.random(1500) < 0.5
    legal = 0
    for (x, y, angle), mirrored in zip(places.tolist(), sides.tolist(), strict=True):
        card = Card(2, "blue", "square-4", Pose(x, y, angle, mirrored))
        verdict = judge(table(below, card), PUBLISHED)[2]
        assert verdict.status in ("legal", "borderline", "illegal", "free")
        if verdict.status == "legal":
            legal += 1
            assert any(_within(card.pose, fit, "square-4") for fit in fits)
    assert legal <= 2


def _within(pose: Pose, fit: Placement, face: str) -> bool:
    outline = np.array(DECK.face(face).shapes[fit.shape_of].outline_mm)
    slip = pose.to_table(outline) - fit.pose.to_table(outline)
    return pose.mirrored == fit.pose.mirrored and float(np.linalg.norm(slip, axis=1).max()) < 2.01


def test_the_table_edge_is_respected() -> None:
    below, above = laid_on("circle-1", 2, "circle-3", 2)
    edge = above.pose.y_mm + 44.5
    for height, found in ((edge, True), (edge - 0.01, False)):
        layout = table(below, play_area_mm=(900.0, height))
        fits = legal_placements(layout, "blue", "circle-3", PUBLISHED)
        assert any(fit.shape_on == 2 for fit in fits) == found
        for fit in fits:
            low, high = bodies(_laid(layout, fit, "circle-3"))[999].bounds[1::2]
            assert -1e-6 <= low <= high <= height + 1e-6
    loose = Rules(off=frozenset({"off_table"}))
    layout = table(below, play_area_mm=(900.0, edge - 20.0))
    assert any(f.shape_on == 2 for f in legal_placements(layout, "blue", "circle-3", loose))


@pytest.mark.parametrize(("depth", "found"), [(1.95, True), (2.05, False)])
def test_a_second_card_may_be_touched_within_the_tolerance(depth: float, found: bool) -> None:
    below, above = laid_on("circle-1", 2, "circle-3", 2)
    pose = Pose(above.pose.x_mm, above.pose.y_mm + 44.5 + 41.0 - depth, 0)
    layout = table(Card(9, "red", "triangle-5", pose), below)
    fits = legal_placements(layout, "blue", "circle-3", PUBLISHED)
    assert any((f.on, f.shape_on) == (below.id, 2) for f in fits) == found
    strict = Rules(Tolerance(legal_mm=0.5))
    assert not any(
        (f.on, f.shape_on) == (below.id, 2)
        for f in legal_placements(layout, "blue", "circle-3", strict)
    )


@pytest.mark.parametrize(("depth", "found"), [(1.95, True), (2.05, False)])
def test_a_neighbour_lying_close_along_the_card_is_no_hindrance(depth: float, found: bool) -> None:
    below, above = laid_on("circle-1", 2, "circle-3", 2)
    pose = Pose(above.pose.x_mm - 29.1 - 25.6 + depth, above.pose.y_mm + 30.0, 0)
    layout = table(Card(9, "red", "triangle-5", pose), below)
    fits = legal_placements(layout, "blue", "circle-3", PUBLISHED)
    assert any((f.on, f.shape_on) == (below.id, 2) for f in fits) == found


@given(seed=seeds, face=faces)
@settings(max_examples=20)
def test_every_exact_fit_that_is_judged_legal_is_offered(seed: int, face: str) -> None:
    layout = random_table(seed)
    anywhere = Rules(off=frozenset({"two_cards"}))
    fits = legal_placements(layout, "blue", face, anywhere)
    legal = [
        fit for fit in fits if judge(_laid(layout, fit, face), PUBLISHED)[999].status == "legal"
    ]
    assert legal_placements(layout, "blue", face, PUBLISHED) == legal


def test_a_used_shape_is_not_offered_again() -> None:
    below, above = laid_on("circle-1", 1, "circle-2", 2)
    before = legal_placements(table(below), "red", "circle-2", PUBLISHED)
    after = legal_placements(table(below, above), "red", "circle-2", PUBLISHED)
    assert (below.id, 1) in {(f.on, f.shape_on) for f in before}
    assert (below.id, 1) not in {(f.on, f.shape_on) for f in after}
    assert (above.id, 2) not in {(f.on, f.shape_on) for f in after}


def test_own_colour_in_a_free_for_all() -> None:
    below, _ = laid_on("circle-1", 1, "circle-2", 2)
    rules = Rules(free_for_all=True)
    assert legal_placements(table(below), below.colour, "circle-2", rules) == []
    assert legal_placements(table(below), below.colour, "circle-2", PUBLISHED) != []
    assert legal_placements(table(below), "red", "circle-2", rules) != []


@pytest.mark.parametrize("off", ["overhang", "two_cards", "mismatched", "misaligned"])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_house_rule_allows_is_offered_and_legal(off: str, seed: int) -> None:
    rules = Rules(off=frozenset({off}))  # type: ignore[arg-type]
    layout = random_table(seed)
    fits = legal_placements(layout, "blue", "circle-6", rules)
    assert len(fits) >= len(legal_placements(layout, "blue", "circle-6", PUBLISHED))
    for fit in fits:
        assert judge(_laid(layout, fit, "circle-6"), rules)[999].status == "legal"


def test_an_empty_table_and_an_unknown_face() -> None:
    assert legal_placements(table(), "blue", "circle-1", PUBLISHED) == []
    with pytest.raises(KeyError):
        legal_placements(table(), "blue", "circle-7", PUBLISHED)


@given(seed=seeds, face=faces)
@settings(max_examples=30)
def test_a_card_more_never_opens_a_place_on_the_cards_before(seed: int, face: str) -> None:
    layout = random_table(seed)
    before = legal_placements(cards_below(layout, len(layout.cards) - 1), "blue", face, PUBLISHED)
    after = legal_placements(layout, "blue", face, PUBLISHED)
    assert {fit for fit in after if fit.on != layout.cards[-1].id} <= set(before)
