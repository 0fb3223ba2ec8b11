from __future__ import annotations

from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from vision.drawing.bend import FLAT, NEARER, WHOLE
from vision.drawing.templates import draw_templates
from vision.evidence import Evidence
from vision.heights.height_witness import (
    HeightFindings,
    HeightWitness,
    height_witness,
    sizes_alike,
    tell_heights,
)
from vision.heights.heights import Stacked
from vision.naming.faces import cut_out
from vision.reconstruct import Reconstruction

FloatArray = NDArray[np.float64]
TEMPLATES = draw_templates(DECK)
LENS_MM = (420.0, -60.0, 600.0)
HIGH_MM = 4.0
CARD_MM = (DECK.card.width_mm, DECK.card.height_mm)
FACES = TEMPLATES.faces[:9]


@cache
def nine(high: int | None) -> tuple[Evidence, Reconstruction]:
    """Nine cards side by side, one of them (or none) drawn as large as if it lay high."""
    drawn = [
        DrawnCard(
            face, "green", (30.0 + 64 * (k % 3), 75.0 + 94 * (k // 3), 0.0), False,
            1 + HIGH_MM / LENS_MM[2] * (k == high),
        )
        for k, face in enumerate(FACES)
    ]  # fmt: skip
    evidence = drawn_evidence(*drawn, size_mm=(205, 300))
    raster = replace(evidence.raster, lens_mm=LENS_MM)
    poses = np.array([card.pose for card in drawn])
    patches = cut_out(evidence, poses, TEMPLATES)
    table = SimpleNamespace(
        named=SimpleNamespace(poses=poses),
        visible=np.ones_like(patches.weight),
        stack=SimpleNamespace(patches=patches),
        templates=TEMPLATES,
    )
    return replace(evidence, raster=raster), cast(Reconstruction, table)


def test_a_card_that_looks_larger_lies_high() -> None:
    evidence, table = nine(4)
    witness = height_witness(table, evidence, DECK.card, np.ones(9))
    assert witness is not None
    true = np.where(np.arange(9) == 4, 1 + HIGH_MM, 1.0)
    np.testing.assert_allclose(witness.looks_mm, true, atol=1.0)
    assert (witness.sigma_mm < 1).all()
    told = told_by(witness, lain(np.ones(9)), [lain(true)])
    np.testing.assert_array_equal(told.heights, true)
    assert told.open == ()
    told = told_by(witness, lain(true), [lain(np.ones(9))])
    np.testing.assert_array_equal(told.heights, true)
    assert told.open == ()


@pytest.mark.parametrize(("wider", "alike"), [(0.0, True), (0.01, False)])
def test_a_stretched_table_makes_cards_wider_than_they_are_long(wider: float, alike: bool) -> None:
    evidence, table = nine(None)
    x, y = (float(side) * (1 - stretch) for side, stretch in zip(CARD_MM, (wider, 0), strict=True))
    card = replace(DECK.card, width_mm=x, height_mm=y)
    assert sizes_alike(table, evidence, card) == alike
    few = np.ones_like(table.visible)
    few[3:] = 0
    seen = cast(Reconstruction, SimpleNamespace(**{**vars(table), "visible": few}))
    assert not sizes_alike(seen, evidence, card)


def test_a_bend_that_was_fitted_is_no_height() -> None:
    evidence, table = nine(None)
    flat = height_witness(table, evidence, DECK.card, np.ones(9))
    assert flat is not None
    poses = np.hstack([table.named.poses, np.zeros((9, WHOLE - FLAT))])
    shift = evidence.raster.parallax(poses[4, :2]) * 3.0
    poses[4, 5:NEARER] = shift / (DECK.card.frame_height_mm / 2) ** 2
    bent = replace_poses(table, poses)
    witness = height_witness(bent, evidence, DECK.card, np.ones(9))
    assert witness is not None
    assert witness.looks_mm[4] < flat.looks_mm[4] - 1


def told_by(witness: HeightWitness, lying: Stacked, others: list[Stacked]) -> HeightFindings:
    return tell_heights(lying, others, lambda one, other: witness.lead(one.heights, other.heights))


def replace_poses(table: Reconstruction, poses: FloatArray) -> Reconstruction:
    own = {**vars(table), "named": SimpleNamespace(poses=poses)}
    return cast(Reconstruction, SimpleNamespace(**own))


def lain(heights: FloatArray, order: list[int] | None = None) -> Stacked:
    return Stacked(order or list(range(len(heights))), heights)


def at_one_place(looks_mm: list[float], sigma_mm: list[float]) -> HeightWitness:
    return HeightWitness(np.array(looks_mm), np.array(sigma_mm), np.zeros((len(looks_mm), 2)))


def test_many_cards_that_look_higher_towards_one_side_lie_no_higher_for_that() -> None:
    """A plane that is taken a little aslant makes them do so; one card alone it does not."""
    along = np.arange(0.0, 1000.0, 50.0)
    at_mm = np.column_stack([along, 0 * along])
    aslant = HeightWitness(0.003 * along, np.full(20, 0.6), at_mm)
    half = np.where(along >= 500.0, 2.0, 0.0)
    by_itself = HeightWitness(aslant.looks_mm, aslant.sigma_mm, np.zeros((20, 2)))
    assert by_itself.lead(np.zeros(20), half) > 10
    assert aslant.lead(np.zeros(20), half) < 0
    one = np.where(along == 500.0, 2.0, 0.0)
    alone = HeightWitness(one, np.full(20, 0.6), at_mm)
    assert alone.lead(np.zeros(20), one) > 9


def test_covered_cards_and_few_cards_say_nothing() -> None:
    evidence, table = nine(4)
    for part, known in ((0, 0), (8, 8), (9, 9)):
        visible = np.ones_like(table.visible)
        visible[part:] = 0
        seen = cast(Reconstruction, SimpleNamespace(**{**vars(table), "visible": visible}))
        witness = height_witness(seen, evidence, DECK.card, np.ones(9))
        assert (0 if witness is None else np.isfinite(witness.looks_mm).sum()) == known
    unknown = replace(evidence, raster=replace(evidence.raster, lens_mm=None))
    assert height_witness(table, unknown, DECK.card, np.ones(9)) is None


@pytest.mark.parametrize(
    ("looks", "heights", "open_"),
    [
        (1.1, [1.0, 1.0], 0),  # as it was taken
        (4.9, [5.0, 1.0], 0),  # as the other one has it
        (3.0, [1.0, 1.0], 1),  # between the two: it leans, or it is not seen well
        (np.nan, [1.0, 1.0], 1),
    ],
)
def test_heights_are_told_where_they_are_clear(
    looks: float, heights: list[float], open_: int
) -> None:
    witness = at_one_place([looks, 1.0], [0.5, 0.5])
    told = told_by(witness, lain(np.ones(2)), [lain(np.array([5.0, 1.0]))])
    assert told.heights.tolist() == heights
    assert len(told.open) == open_


def test_what_is_nearly_as_likely_as_the_height_taken_stays_open() -> None:
    witness = at_one_place([4.5, 1.0], [0.5, 0.5])
    others = [lain(np.array([level, 1.0])) for level in (5.0, 4.0, 2.5)]
    told = told_by(witness, lain(np.ones(2)), others)
    assert told.heights.tolist() in ([5.0, 1.0], [4.0, 1.0])
    assert [float(other.heights[0]) for other in told.open] == [9.0 - told.heights[0]]


@pytest.mark.parametrize(("looks", "open_"), [(1.0, 0), (3.0, 1), (5.0, 1)])
def test_another_order_is_ruled_out_or_open_and_never_taken(looks: float, open_: int) -> None:
    witness = at_one_place([looks, 1.0], [0.5, 0.5])
    told = told_by(witness, lain(np.ones(2)), [lain(np.array([5.0, 1.0]), [1, 0])])
    assert told.heights.tolist() == [1.0, 1.0]
    assert len(told.open) == open_


def test_without_a_witness_all_stays_open() -> None:
    told = tell_heights(lain(np.ones(2)), [lain(np.array([5.0, 1.0]))], lambda *_: 0.0)
    assert told.heights.tolist() == [1.0, 1.0]
    assert len(told.open) == 1


def test_what_is_given_up_for_a_small_lead_stays_open() -> None:
    witness = at_one_place([3.5, 4.9, 1.0], [0.8, 0.5, 0.5])
    others = [lain(np.array([5.0, 1.0, 1.0])), lain(np.array([1.0, 5.0, 1.0]))]
    told = told_by(witness, lain(np.ones(3)), others)
    assert told.heights.tolist() == [5.0, 5.0, 1.0]
    assert [other.heights.tolist() for other in told.open] == [[1.0, 5.0, 1.0]]


def test_what_is_likelier_by_itself_is_not_taken_with_another_that_does_as_well() -> None:
    """Two cards seem too far apart: either may lie higher, but not both."""
    others = [lain(np.array([5.0, 1.0])), lain(np.array([1.0, 5.0]))]

    def lead(one: Stacked, other: Stacked) -> float:
        return 12.0 * float(np.ptp(other.heights) - np.ptp(one.heights)) / 4

    told = tell_heights(lain(np.ones(2)), others, lead)
    assert sorted(told.heights.tolist()) == [1.0, 5.0]
