from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.showing import dot_parts
from tests.vision.test_dots import painted, true_dots
from tests.vision.test_pose_fit import DECK, DrawnCard, drawn_evidence
from vision.dots import SeenDots
from vision.doubts import Scene, find_doubts, score_of
from vision.evidence import Evidence
from vision.lens import Lens
from vision.order import PairEvidence
from vision.reading import Doubt
from vision.reconstruct import Table, reconstruct
from vision.view import TableView

FloatArray = NDArray[np.float64]
GREEN = DrawnCard("circle-4", "green", (15.0, 71.0, 0.0))
RED = DrawnCard("square-2", "red", (110.0, 71.0, 0.0))
START = DrawnCard(DECK.starting_face.id, DECK.starting_colour.name, (62.0, 225.0, np.pi / 2))
THIRD = DrawnCard("triangle-5", "green", (60.0, 150.0, np.pi / 2))
SIZE_MM = (210, 270)
RULES = Rules()
SCALE = 2.0
VIEW = TableView(
    Lens((800, 600), np.array([[1000.0, 0, 0], [0, 1000, 0], [0, 0, 1]]), np.zeros(5)),
    np.eye(3), np.array([0.0, 0.0, 1000 / SCALE]),
)  # fmt: skip
"""Straight down: two pixels a millimetre, millimetre (0, 0) at pixel (0, 0)."""


def scene_of(table: Table, evidence: Evidence, rules: Rules = RULES) -> Scene:
    faces, colours = table.templates.faces, table.templates.colours
    named = table.named
    cards = []
    for i in table.stack.order:
        x, y, angle = (float(v) for v in named.poses[i])
        pose = Pose(x, y, float(np.rad2deg(angle)), bool(named.rows[i] % 2))
        colour, face = colours[int(table.naming.colour[i])], faces[int(named.rows[i]) // 2]
        cards.append(Card(i, colour, face, pose))
    layout = Layout(DECK, tuple(cards), None)
    return Scene(table, layout, evidence, VIEW, DECK, rules, score_of(layout, rules))


@cache
def scene(*bottom_up: DrawnCard) -> Scene:
    evidence = drawn_evidence(START, *bottom_up, size_mm=SIZE_MM)
    table = reconstruct(evidence, DECK)
    assert table is not None
    return scene_of(table, evidence)


def card_of(seen: Scene, colour: str) -> int:
    return next(card.id for card in seen.layout.cards if card.colour == colour)


def again(seen: Scene, **changes: object) -> tuple[Doubt, ...]:
    """The doubts about a table that was read a little differently."""
    return find_doubts(scene_of(replace(seen.table, **changes), seen.evidence, seen.rules))  # type: ignore[arg-type]


def with_dots(dots: SeenDots, at_mm: FloatArray, ground: FloatArray) -> SeenDots:
    return SeenDots(
        np.vstack([dots.middle_mm, at_mm]), np.vstack([dots.ground, ground]),
        np.append(dots.contrast, 0.9),
    )  # fmt: skip


def test_a_clear_table_has_no_doubts() -> None:
    assert find_doubts(scene(GREEN, RED)) == ()
    assert scene(GREEN, RED).score.as_it_lies == {"green": 4, "red": 2}


@pytest.mark.parametrize("count", range(4))
def test_a_dot_that_should_show_and_does_not(count: int) -> None:
    seen = scene(GREEN, RED)
    at = true_dots(GREEN)[count]
    ink = tuple(int(v) for v in seen.evidence.raster.image_bgr[_beside(seen, at)])
    evidence = painted(seen.evidence, at, 2.8, ink)
    table = reconstruct(evidence, DECK)
    assert table is not None
    (doubt,) = find_doubts(scene_of(table, evidence))
    assert doubt.kind == "dot"
    assert doubt.reason == "no white dot is seen where one should show"
    assert doubt.changes_scores_by == {"green": -1}
    assert doubt.at_px == pytest.approx(tuple(at * SCALE), abs=1)


def _beside(seen: Scene, at_mm: FloatArray) -> tuple[int, int]:
    x, y = np.rint(seen.evidence.raster.to_raster(at_mm + [3.4, 0.0])).astype(int)
    return int(y), int(x)


def test_a_dot_that_the_second_look_finds_is_no_doubt() -> None:
    """Not among the discs found, but white on ink where it should be."""
    seen = scene(GREEN, RED)
    dots = seen.table.dots
    fewer = SeenDots(dots.middle_mm[1:], dots.ground[1:], dots.contrast[1:])
    assert again(seen, dots=fewer) == ()


def test_a_dot_in_a_burnt_out_patch() -> None:
    seen = scene(GREEN, RED)
    at = true_dots(RED)[0]
    evidence = painted(seen.evidence, at, 7.0, (255, 255, 255))
    table = replace(seen.table, dots=SeenDots(np.empty((0, 2)), np.empty((0, 3)), np.empty(0)))
    doubts = [d for d in find_doubts(scene_of(table, evidence)) if d.kind == "dot"]
    burnt = [d for d in doubts if "burnt out" in d.reason]
    assert burnt
    assert all(d.changes_scores_by == {"red": -1} for d in burnt)


@pytest.mark.parametrize(("owner", "colour"), [(0, "green"), (1, "red")])
def test_a_dot_that_no_card_explains_is_its_ground_s(owner: int, colour: str) -> None:
    seen = scene(GREEN, RED)
    card = card_of(seen, colour)
    more = with_dots(seen.table.dots, np.array([[50.0, 122.0]]), seen.table.named.ink[card][None])
    (doubt,) = again(seen, dots=more)
    assert (doubt.kind, doubt.card) == ("dot", None)
    assert doubt.changes_scores_by == {colour: 1}
    assert doubt.changes_scores_without_illegal_by == {colour: 1}
    assert doubt.at_px == pytest.approx((100, 244))


def test_a_dot_on_another_colour_s_ground() -> None:
    seen = scene(GREEN, RED)
    red = card_of(seen, "red")
    dots = seen.table.dots
    ground = dots.ground.copy()
    first = int(np.linalg.norm(dots.middle_mm - true_dots(GREEN)[0], axis=1).argmin())
    ground[first] = seen.table.named.ink[red]
    (doubt,) = again(seen, dots=replace(dots, ground=ground))
    assert doubt.reason == "this dot was counted as green but lies on red"
    assert doubt.changes_scores_by["green"] == -1


def test_a_table_without_its_starting_card() -> None:
    evidence = drawn_evidence(GREEN, RED)
    table = reconstruct(evidence, DECK)
    assert table is not None
    (doubt,) = find_doubts(scene_of(table, evidence))
    assert (doubt.kind, doubt.reason) == ("missing", "the starting card is not seen")
    assert not doubt.changes_scores_by
    assert set(doubt.changes_scores_without_illegal_by) == {"green", "red"}


def test_a_white_disc_far_from_every_card_is_no_dot() -> None:
    seen = scene(GREEN, RED)
    ink = seen.table.named.ink[card_of(seen, "red")][None]
    assert again(seen, dots=with_dots(seen.table.dots, np.array([[62.0, 150.0]]), ink)) == ()


def test_unequal_counts() -> None:
    seen = scene(GREEN, RED, THIRD)
    (doubt,) = find_doubts(seen)
    assert (doubt.kind, doubt.card) == ("missing", None)
    assert doubt.reason == "only 1 red cards are seen where others have 2"
    assert doubt.changes_scores_by == {"red": 1}
    assert find_doubts(replace(seen, rules=Rules(free_for_all=True))) == ()


OVER = DrawnCard("square-2", "red", (15.0 + 58.2 - 14.0, 71.0, 0.0))
"""Covers green's dots on the right."""
EDGE = DrawnCard("square-2", "red", (15.0 + 58.2 - 2.0, 71.0, 0.0))
"""Bands over bands: no dot depends on which lies on top."""


@pytest.mark.parametrize(("upper", "matters"), [(OVER, True), (EDGE, False)])
@pytest.mark.parametrize("lead", [0.05, -0.05, 0.9])
def test_an_order_that_is_not_clear(upper: DrawnCard, matters: bool, lead: float) -> None:
    """A doubt only where the two explanations are nearly as good and the score depends on it."""
    seen = scene(GREEN, upper)
    below, top = card_of(seen, "green"), card_of(seen, "red")
    pair = sorted((below, top))
    # `lead` speaks for the first of the pair.
    leads = np.array([lead if top == pair[0] else -lead])
    pairs = PairEvidence(np.array([pair]), leads, np.array([200]))
    doubts = [
        d for d in again(seen, stack=replace(seen.table.stack, pairs=pairs)) if d.kind == "order"
    ]
    assert len(doubts) == (matters and abs(lead) < 0.5)
    for doubt in doubts:
        other = seen.layout.without([below]).laid_on_top(seen.layout.card(below))
        swapped, before = score_of(other, RULES).as_it_lies, seen.score.as_it_lies
        change = {k: swapped[k] - before[k] for k in before if swapped[k] != before[k]}
        assert doubt.changes_scores_by == change != {}
        assert doubt.card == top


def test_a_pair_that_had_to_give_way_is_in_doubt_however_clear() -> None:
    seen = scene(GREEN, OVER)
    lower, upper = card_of(seen, "green"), card_of(seen, "red")
    stack = replace(seen.table.stack, against=[(lower, upper)])
    assert [d.kind for d in again(seen, stack=stack)] == ["order"]


def test_a_dot_that_is_half_hidden() -> None:
    """The upper card's edge runs through the middle of a green dot."""
    dots = true_dots(GREEN)
    x = float(dots[:, 0].max())
    half = DrawnCard("square-2", "red", (x + 58.2 / 2, 71.0, 0.0))
    seen = scene(GREEN, half)
    green = next(c for c in seen.layout.cards if c.colour == "green")
    parts = dot_parts(seen.layout)[green.id]
    split = sum(0.25 < part <= 0.75 for part in parts)
    assert split >= 1
    doubts = [d for d in find_doubts(seen) if d.reason == "this dot is about half hidden"]
    assert len(doubts) == split
    assert all(set(d.changes_scores_by) == {"green"} for d in doubts)


@pytest.mark.parametrize(("margin", "doubted"), [(0.0, True), (0.2, False)])
def test_a_face_that_another_fits_as_well(margin: float, doubted: bool) -> None:
    seen = scene(GREEN, RED)
    i = card_of(seen, "green")
    margins, rivals = seen.table.named.margin.copy(), seen.table.named.rivals.copy()
    margins[i] = margin
    rivals[i] = 2 * seen.table.templates.faces.index("circle-1")
    doubts = again(seen, named=replace(seen.table.named, margin=margins, rivals=rivals))
    assert len(doubts) == doubted
    for doubt in doubts:
        assert (doubt.kind, doubt.card) == ("face", i)
        assert doubt.changes_scores_by == {"green": -3}


def test_the_other_side_of_the_same_face_matters_only_where_the_score_does() -> None:
    seen = scene(GREEN, RED)
    named = seen.table.named
    sides = replace(named, margin=np.zeros(3), rivals=named.rows ^ 1)
    assert again(seen, named=sides) == ()


@pytest.mark.parametrize(("confidence", "doubted"), [(0.7, True), (0.999, False)])
def test_a_colour_that_is_not_sure(confidence: float, doubted: bool) -> None:
    seen = scene(GREEN, RED)
    i = card_of(seen, "red")
    sure, runner = seen.table.naming.confidence.copy(), seen.table.naming.runner_up.copy()
    sure[i] = confidence
    runner[i] = seen.table.templates.colours.index("pink")
    naming = replace(seen.table.naming, confidence=sure, runner_up=runner)
    doubts = [d for d in again(seen, naming=naming) if d.kind == "colour"]
    assert len(doubts) == doubted
    for doubt in doubts:
        assert doubt.card == i
        assert doubt.changes_scores_by == {"red": -2, "pink": 2}


def test_a_card_that_fits_badly() -> None:
    seen = scene(GREEN, RED)
    i = card_of(seen, "red")
    fit = seen.table.named.fit.copy()
    fit[i] = 0.9
    doubts = again(seen, named=replace(seen.table.named, fit=fit))
    assert [(d.kind, d.card) for d in doubts] == [("card", i)]
    assert doubts[0].changes_scores_by == {"red": -2}


def test_lines_that_no_card_accounts_for() -> None:
    """A card that was drawn and not read."""
    seen = scene(GREEN, RED, THIRD)
    third = next(c.id for c in seen.layout.cards if c.face == "triangle-5")
    keep = np.arange(4) != third
    named = seen.table.named.take(keep)
    naming = replace(
        seen.table.naming,
        **{k: getattr(seen.table.naming, k)[keep] for k in ("colour", "confidence", "runner_up")},
    )
    nothing = PairEvidence(np.empty((0, 2), np.int64), np.empty(0), np.empty(0, np.int64))
    stack = replace(seen.table.stack, order=[0, 1, 2], pairs=nothing, against=[])
    doubts = again(seen, named=named, naming=naming, stack=stack)
    missing = [d for d in doubts if d.kind == "missing"]
    assert missing
    assert all("white lines" in d.reason for d in missing)
    assert all(set(d.changes_scores_by) == {"green", "red"} for d in missing)
