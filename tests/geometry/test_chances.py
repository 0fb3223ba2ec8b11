"""Verdicts over how exactly cards' places are known: each limit, near and far, in mm and deg."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from geometry.chances import Chances, placement_chances
from geometry.deck import DRAWN_BADGES
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.recent_tables import forget_tables
from geometry.rules import Rules
from geometry.spread import SCALES, SHARES, PoseSpread, even_spread, shaken, spread_of, weights
from geometry.verdict import judge
from tests.geometry.placements import ENDS, NEVER_OFF, PUBLISHED, SQUARES, past_end, slipped
from tests.geometry.tables import DECK, random_table, table, turned_about

Area = tuple[float, float] | None
Scene = tuple[tuple[Card, ...], Area, Rules]
FINE, WIDE = even_spread(0.02, 0.02), even_spread(0.25, 0.25)


def misaligned(mm: float) -> Scene:
    below, above = SQUARES
    return (below, slipped(above, along=0.6 * mm, down=-0.8 * mm)), NEVER_OFF, PUBLISHED


def turned(deg: float) -> Scene:
    below, above = SQUARES
    pose = turned_about(above.pose, 300 + 12.851, 300 - 28.251, deg)
    return (below, replace(above, pose=pose)), NEVER_OFF, PUBLISHED


def touching(mm: float) -> Scene:
    below = Card(1, "green", "circle-1", Pose(300, 300, 0))
    return (
        (below, Card(2, "green", "circle-1", Pose(300 + 29.1 + 25.6 - mm, 310, 0))),
        NEVER_OFF,
        PUBLISHED,
    )


def on_two(mm: float) -> Scene:
    return (past_end(mm), *ENDS), NEVER_OFF, PUBLISHED


def overhanging(mm: float) -> Scene:
    below, above = ENDS
    return (below, slipped(above, down=-mm)), NEVER_OFF, Rules(off=frozenset({"misaligned"}))


def off_table(mm: float) -> Scene:
    return ENDS, (900.0, ENDS[1].pose.y_mm + 44.5 - mm), PUBLISHED


LIMITS: dict[str, tuple[Callable[[float], Scene], float, float, float]] = {
    "misaligned": (misaligned, 2.0, 3.0, 0.2),
    "turned": (turned, 3.0, 4.5, 0.2),
    "mismatched": (touching, 2.0, 3.0, 0.2),
    "two_cards": (on_two, 2.0, 3.0, 0.2),
    "overhang": (overhanging, 2.0, 3.0, 0.2),
    "off_table": (off_table, 2.0, 3.0, 0.2),
}
limits = pytest.mark.parametrize(
    ("scene", "legal", "illegal", "near"), LIMITS.values(), ids=LIMITS.keys()
)


@pytest.fixture
def laid_anyhow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Players lay cards any way, as likely: chances are those of the errors of places alone."""
    forget_tables()
    with monkeypatch.context() as patched:
        patched.setattr("geometry.chances.laid_density", lambda _: 1.0)
        yield
    forget_tables()


def chances(scene: Scene, spread: PoseSpread) -> Chances:
    cards, area, rules = scene
    layout = table(*cards, play_area_mm=area)
    return placement_chances(layout, {card.id: spread for card in cards}, rules)[cards[-1].id]


@limits
def test_a_measure_past_a_limit_by_much_more_than_it_is_off_is_sure(
    scene: Callable[[float], Scene], legal: float, illegal: float, near: float
) -> None:
    inside, between, past = (
        chances(scene(at), FINE) for at in (legal - near, (legal + illegal) / 2, illegal + near)
    )
    assert inside.fine > 0.999
    assert between.borderline > 0.999
    assert past.broken > 0.999


@pytest.mark.usefixtures("laid_anyhow")
@limits
def test_near_a_limit_both_sides_are_possible(
    scene: Callable[[float], Scene], legal: float, illegal: float, near: float
) -> None:
    low, high = chances(scene(legal - near), WIDE), chances(scene(illegal + near), WIDE)
    assert 0.1 < low.borderline < 0.6 < low.fine + low.borderline
    assert 0.1 < high.borderline < 0.6 < high.broken + high.borderline
    for one in (low, high):
        assert one.fine + one.borderline + one.broken == pytest.approx(1.0)
        assert one.strict.rule is not None


@pytest.mark.usefixtures("laid_anyhow")
@limits
def test_the_chance_turns_at_the_limit(
    scene: Callable[[float], Scene], legal: float, illegal: float, near: float
) -> None:
    steps = (-near, -0.02, 0.02, near)
    fine = [chances(scene(legal + step), WIDE).fine for step in steps]
    broken = [chances(scene(illegal + step), WIDE).broken for step in steps]
    assert fine == sorted(fine, reverse=True)
    assert broken == sorted(broken)
    assert 0.2 < fine[1] < 0.75
    assert 0.25 < broken[2] < 0.8


def test_only_what_is_not_known_of_both_cards_together_counts() -> None:
    (below, above), area, rules = misaligned(2.9)
    layout = table(below, above, play_area_mm=area)

    def broken(spreads: dict[int, PoseSpread]) -> float:
        return placement_chances(layout, spreads, rules)[above.id].broken

    wide = even_spread(0.1, 0.0)
    alone = [broken({card.id: wide}) for card in (below, above)]
    both = broken({below.id: wide, above.id: wide})
    assert broken({}) == 0.0
    assert alone[0] == pytest.approx(alone[1], abs=0.05)
    assert both > max(alone) + 0.03


def test_a_card_that_may_lie_exactly_on_a_shape_is_taken_to() -> None:
    """Its place is not known well enough to tell; without how players lay it would be asked."""
    aslant = PoseSpread(0.08, 0.0, 0.01, deg_deg=0.01)
    broken = [chances(misaligned(mm), aslant).broken for mm in (0.5, 1.2, 2.2, 2.6, 3.2, 4.0)]
    assert broken == sorted(broken)
    assert broken[2] < 0.002 < broken[3]
    assert 0.5 < broken[4] < 0.95 < broken[5]


def test_what_plainly_lies_off_is_not_excused() -> None:
    for spread in (even_spread(0.1, 0.1), PoseSpread(0.04, 0.0, 0.01, deg_deg=0.01)):
        for scene in (misaligned(4.0), turned(5.5)):
            assert chances(scene, spread).broken > 0.99


def test_how_players_lay_tells_nothing_of_a_second_card_that_is_touched(
    request: pytest.FixtureRequest,
) -> None:
    scenes = (touching(2.6), off_table(2.6))
    by_players = [chances(scene, WIDE).broken for scene in scenes]
    request.getfixturevalue("laid_anyhow")
    for scene, broken in zip(scenes, by_players, strict=True):
        assert broken == pytest.approx(chances(scene, WIDE).broken, abs=0.1)


@pytest.mark.usefixtures("laid_anyhow")
def test_the_way_a_place_is_uncertain_along_counts() -> None:
    below, above = ENDS
    cards, rules = (below, slipped(above, along=2.9)), PUBLISHED
    across, along = PoseSpread(0.0, 0.0, 0.04), PoseSpread(0.04, 0.0, 0.0)
    assert chances((cards, NEVER_OFF, rules), across).broken < 0.2
    assert chances((cards, NEVER_OFF, rules), along).broken > 0.25


def test_without_spreads_the_verdicts_are_those_on_the_places_as_they_are() -> None:
    for seed in range(8):
        layout = replace(random_table(seed), play_area_mm=(780.0, 520.0))
        found = placement_chances(layout, {}, PUBLISHED)
        for card, verdict in judge(layout, PUBLISHED).items():
            one = found[card]
            assert one.strict == one.lenient == verdict
            sure = {"borderline": one.borderline, "illegal": one.broken}
            assert sure.get(verdict.status, one.fine) == 1.0


def test_what_is_far_from_every_limit_is_as_if_it_had_been_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layouts = [replace(random_table(seed), play_area_mm=(780.0, 520.0)) for seed in range(6)]

    def told(layout: Layout) -> list[tuple[float, float, float]]:
        forget_tables()
        spreads = {card.id: even_spread(0.05, 0.05) for card in layout.cards}
        found = placement_chances(layout, spreads, PUBLISHED).values()
        return [(one.fine, one.borderline, one.broken) for one in found]

    left_out = [told(layout) for layout in layouts]
    monkeypatch.setattr("geometry.chances.FAR_SIGMAS", 1e6)
    tried = [told(layout) for layout in layouts]
    for one, other in zip(left_out, tried, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)


def test_the_places_tried_have_the_spread_that_is_said() -> None:
    matrix = np.array([[0.04, 0.01, 0.002], [0.01, 0.09, -0.003], [0.002, -0.003, 0.01]])
    spread = spread_of(matrix)
    np.testing.assert_array_equal(spread.matrix, matrix)
    poses = shaken(Pose(300.0, 200.0, 359.0, mirrored=True), spread, 3)
    moves = np.array([(p.x_mm - 300, p.y_mm - 200, p.angle_deg - 359) for p in poses])
    share = weights()[:, None]
    assert share.sum() == pytest.approx(1.0)
    wide = float(np.array(SHARES) @ np.square(SCALES))
    np.testing.assert_allclose((moves * share).T @ moves, wide * matrix, atol=0.1 * wide * 0.06)
    np.testing.assert_allclose((moves * share).sum(axis=0), 0.0, atol=1e-9)
    assert {pose.mirrored for pose in poses} == {True}
    assert shaken(Pose(1, 2, 3), spread, 3) == shaken(Pose(1, 2, 3), spread, 3)


def test_a_table_of_another_deck_is_judged_anew() -> None:
    """What was said before holds for the same deck, area, rules and spreads only."""
    (below, above), area, rules = misaligned(2.9)
    layout = table(below, above, play_area_mm=area)
    wide, sharp = ({above.id: even_spread(mm, 0.0)} for mm in (0.3, 0.01))
    first = placement_chances(layout, wide, rules)[above.id]
    assert placement_chances(layout, sharp, rules)[above.id] != first
    loose = Rules(off=frozenset({"misaligned", "overhang"}))
    assert placement_chances(layout, wide, loose)[above.id].broken == 0.0
    assert placement_chances(layout, wide, rules)[above.id] == first
    drawn = replace(layout, deck=replace(DECK, badges=DRAWN_BADGES))
    assert placement_chances(drawn, wide, rules)[above.id] == first
