"""Turning, shifting or mirroring the whole table changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geometry.layout import Layout
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.score import score_round
from geometry.showing import dot_parts, over, shown
from geometry.verdict import judge
from tests.geometry.tables import (
    beside,
    mirrored_in_y_axis,
    moved,
    random_table,
    turned_about,
)

RULES = Rules(free_for_all=True)
NEAR_HALF = 0.005
"""Discs are drawn as polygons, so a part is known to about so much when its table turns."""

Move = Callable[[Pose], Pose]
seeds = st.integers(0, 60)
shifts: st.SearchStrategy[Move] = st.builds(
    lambda x, y: lambda pose: beside(pose, x, y), st.floats(-900, 900), st.floats(-900, 900)
)
turns: st.SearchStrategy[Move] = st.builds(
    lambda x, y, by: lambda pose: turned_about(pose, x, y, by),
    st.floats(-900, 900),
    st.floats(-900, 900),
    st.floats(-360, 360),
)
mirrors: st.SearchStrategy[Move] = st.builds(
    lambda by: lambda pose: turned_about(mirrored_in_y_axis(pose), 0.0, 0.0, by),
    st.floats(-360, 360),
)
moves = st.one_of(shifts, turns, mirrors)


def _same_dots(one: Layout, other: Layout) -> bool:
    """Whether the same dots count, which also says that none shows by just about half."""
    mine, theirs = dot_parts(one), dot_parts(other)
    assert mine.keys() == theirs.keys()
    sharp = True
    for card, parts in mine.items():
        assert parts == pytest.approx(theirs[card], abs=NEAR_HALF)
        sharp = sharp and all(abs(part - 0.5) > NEAR_HALF for part in parts)
    return sharp


@given(seed=seeds, move=moves)
def test_the_same_shows(seed: int, move: Move) -> None:
    layout = moved(random_table(seed), lambda pose: pose)
    changed = moved(layout, move)
    assert over(changed) == over(layout)
    for mine, theirs in zip(shown(layout).values(), shown(changed).values(), strict=True):
        assert mine.area == pytest.approx(theirs.area, abs=1e-5)
    _same_dots(layout, changed)


@given(seed=seeds, move=moves)
def test_the_verdicts_and_scores_are_the_same(seed: int, move: Move) -> None:
    layout = moved(random_table(seed), lambda pose: pose)
    changed = moved(layout, move)
    mine, theirs = judge(layout, RULES), judge(changed, RULES)
    for card, verdict in mine.items():
        same = replace(theirs[card], offset_mm=verdict.offset_mm, offset_deg=verdict.offset_deg)
        assert same == verdict
        assert theirs[card].offset_mm == pytest.approx(verdict.offset_mm, abs=1e-4)
        assert theirs[card].offset_deg == pytest.approx(verdict.offset_deg, abs=1e-4)
    if _same_dots(layout, changed):
        assert score_round(changed, theirs) == score_round(layout, mine)


@given(seed=seeds, move=moves)
def test_the_same_moves_are_offered(seed: int, move: Move) -> None:
    layout = moved(random_table(seed), lambda pose: pose)
    changed = moved(layout, move)
    mine = legal_placements(layout, "blue", "square-3", RULES)
    theirs = legal_placements(changed, "blue", "square-3", RULES)
    expected = sorted((fit.on, fit.shape_on, fit.shape_of, *_key(move(fit.pose))) for fit in mine)
    found = sorted((fit.on, fit.shape_on, fit.shape_of, *_key(fit.pose)) for fit in theirs)
    assert [row[:4] for row in found] == [row[:4] for row in expected]
    for row, other in zip(found, expected, strict=True):
        assert row[4:] == pytest.approx(other[4:], abs=1e-3)


def _key(pose: Pose) -> tuple[bool, float, float]:
    return pose.mirrored, round(pose.x_mm, 6), round(pose.y_mm, 6)


@given(seed=seeds, quarters=st.integers(1, 3))
def test_turning_the_table_with_its_edge_by_quarters(seed: int, quarters: int) -> None:
    layout = Layout(random_table(seed).deck, random_table(seed).cards, (700.0, 480.0))
    verdicts = judge(layout, RULES)
    turned = layout
    for _ in range(quarters):
        assert turned.play_area_mm is not None
        width, height = turned.play_area_mm
        cards = tuple(
            replace(card, pose=beside(turned_about(card.pose, 0, 0, 90), along_mm=height))
            for card in turned.cards
        )
        turned = Layout(turned.deck, cards, (height, width))
    for card, verdict in judge(turned, RULES).items():
        assert (verdict.status, verdict.rule, verdict.on) == (
            verdicts[card].status,
            verdicts[card].rule,
            verdicts[card].on,
        )


def test_a_mirrored_card_is_its_mirror_image() -> None:
    """The mirror used above is the one that the table frame's definition means."""
    pose = Pose(120.0, 40.0, 30.0)
    point = pose.to_table(np.array([[10.0, 3.0]]))[0]
    image = mirrored_in_y_axis(pose).to_table(np.array([[10.0, 3.0]]))[0]
    assert image.tolist() == pytest.approx([-point[0], point[1]])


def test_a_pose_turns_clockwise_with_y_down_and_flips_before_it_turns() -> None:
    upright = Pose(100.0, 50.0, 90.0)
    assert upright.to_table(np.array([[10.0, 0.0]]))[0].tolist() == pytest.approx([100, 60])
    flipped = Pose(100.0, 50.0, 90.0, mirrored=True)
    assert flipped.to_table(np.array([[10.0, 0.0]]))[0].tolist() == pytest.approx([100, 40])
    back = flipped.to_card(flipped.to_table(np.array([[7.0, -3.0]])))
    assert back[0].tolist() == pytest.approx([7, -3])
