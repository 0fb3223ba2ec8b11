from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.fitting import pairings
from geometry.layout import Layout
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.verdict import judge
from tests.vision.drawing.drawn_cards import DECK, DrawnCard
from tests.vision.lenses import LENSES, tilted
from tests.vision.locating.marker_views import AREA_MM, seen
from tests.vision.naming.named_tables import TEMPLATES, rows_of
from vision.doubting.chance_fits import ChanceFits
from vision.doubting.doubt_context import DoubtContext
from vision.drawing.coverage import TopMap
from vision.evidence import observe
from vision.heights.height_witness import HeightFindings
from vision.heights.heights import LIFT_MM, Stacked, heights_of, other_heights
from vision.locating.locate import Located
from vision.naming.colours import Naming
from vision.naming.faces import Patches
from vision.naming.name_cards import Named
from vision.observing.dots import SeenDots
from vision.ordering.order import PairEvidence
from vision.ordering.stacking import Stack
from vision.raster import Raster
from vision.reading import SeenTable
from vision.reconstruct import Reconstruction
from vision.report import (
    START_SURE,
    _lead,
    _slant_doubts,
    _verdicts,
    dot_growth,
    report,
    start_shown,
)
from vision.settling.by_law import card_of
from vision.view import TableView

NO_TOP = TopMap(np.zeros((1, 1), np.int16), (0.0, 0.0))

FloatArray = NDArray[np.float64]
VIEW = tilted(LENSES["plain"])
BLANK = observe(Raster(np.full((60, 60, 3), 80, np.uint8), (0.0, 0.0), 0.2))
BOX_MM = np.array([-45.0, -45, 375, 260])
CARDS = (
    DrawnCard("circle-4", "green", (60.0, 90.0, 0.3)),
    DrawnCard("square-6", "red", (95.0, 100.0, 1.9), mirrored=True),
    DrawnCard("triangle-5", "blue", (130.0, 110.0, -2.5)),
    DrawnCard("circle-6", "green", (260.0, 150.0, 3.0), mirrored=True),
)
"""The second lies on the first, the third on the second, the last by itself."""
STACK = 14
HEIGHTS = LIFT_MM * np.array([1, 2, 3, 1])


def pose_of(card: DrawnCard) -> Pose:
    x, y, angle = card.pose
    return Pose(x, y, float(np.rad2deg(angle)), card.mirrored)


def flattened(view: TableView, mm: FloatArray, height_mm: float) -> FloatArray:
    """Where points at a height seem to lie on the table itself."""
    return view.to_mm(view.to_px(mm, height_mm))


def rough_pose(view: TableView, card: DrawnCard, height_mm: float) -> FloatArray:
    ends = pose_of(card).to_table(np.array([[0.0, 40.0], [0.0, -40.0]]))
    low, high = flattened(view, ends, height_mm)
    up = high - low
    return np.array([*(low + high) / 2, np.arctan2(up[0], -up[1])])


def table_of(view: TableView, growth: float = 1.0) -> Reconstruction:
    """The table as the raster shows it: rough millimetres, all too large by `growth`."""
    poses = np.array([rough_pose(view, c, h) for c, h in zip(CARDS, HEIGHTS, strict=True)])
    poses[:, :2] *= growth
    dots = [
        flattened(view, pose_of(card).to_table(np.array(DECK.face(card.face).dots_mm)), height)
        for card, height in zip(CARDS, HEIGHTS, strict=True)
    ]
    spots = np.concatenate(dots) * growth
    count = len(CARDS)
    rows = rows_of(*CARDS)
    named = Named(poses, rows, np.full(count, 0.2), np.ones(count), np.ones((count, 3)))
    colour = np.array([TEMPLATES.colours.index(card.colour) for card in CARDS])
    pairs = PairEvidence(
        np.array([[0, 1], [1, 2]]), np.array([-0.9, -0.9]), np.array([300, 300]), np.zeros(2, int)
    )
    places = len(TEMPLATES.grid_mm)
    unlit = Patches(np.zeros((count, places, 4), np.uint8), np.zeros((count, places), np.float32))
    return Reconstruction(
        named, Stack([0, 3, 1, 2], pairs, [], unlit, NO_TOP),
        np.ones((count, places), np.float32),
        Naming(colour, np.ones(count), colour), ((),) * count, np.ones(count),
        np.zeros((count, 3)),
        SeenDots(spots, np.zeros((len(spots), 3))),
        np.empty((0, 3)), TEMPLATES, np.zeros(count, np.bool_),
    )  # fmt: skip


def reported(view: TableView, growth: float = 1.0, area: bool = True) -> SeenTable:
    """The report where everything, the markers' squares too, measures too large by `growth`."""
    large = TableView(view.lens, view.rotation, view.translation_mm * growth)
    located = Located(
        large, (AREA_MM[0] * growth, AREA_MM[1] * growth) if area else None, BOX_MM,
        seen(view, (0, 1, 2, 3)) if area else (),
    )  # fmt: skip
    return report(table_of(view, growth), BLANK, located, DECK, Rules())


@pytest.mark.parametrize("growth", [1.0, 1.006, 0.995])
@pytest.mark.parametrize("area", [True, False])
def test_true_millimetres_at_every_height(growth: float, area: bool) -> None:
    """A third card up, seen aslant, seems 0.6 mm beside where it lies."""
    table = reported(VIEW, growth, area)
    assert [card.id for card in table.layout.cards] == [0, 3, 1, 2]
    for card in table.layout.cards:
        true = pose_of(CARDS[card.id])
        assert np.hypot(card.pose.x_mm - true.x_mm, card.pose.y_mm - true.y_mm) < 0.06
        assert abs((card.pose.angle_deg - true.angle_deg + 180) % 360 - 180) < 0.05
        assert card.pose.mirrored == true.mirrored
        assert (card.colour, card.face) == (CARDS[card.id].colour, CARDS[card.id].face)
    if area:
        assert table.layout.play_area_mm == pytest.approx(AREA_MM, abs=0.15)
    else:
        assert table.layout.play_area_mm is None


@pytest.mark.parametrize(("growth", "doubted"), [(1.0, False), (1.003, False), (1.02, True)])
def test_markers_of_another_size_than_the_cards_say_are_doubted(
    growth: float, doubted: bool
) -> None:
    """They set the scale, so verdicts in millimetres hang on them; dots as they lie do not."""
    large = TableView(VIEW.lens, VIEW.rotation, VIEW.translation_mm * growth)
    located = Located(large, AREA_MM, BOX_MM, seen(VIEW, (0, 1, 2, 3)), scaled=True)
    table = report(table_of(VIEW, growth), BLANK, located, DECK, Rules())
    doubts = [doubt for doubt in table.doubts if doubt.reason.code == "markers-misscaled"]
    assert len(doubts) == doubted
    for doubt in doubts:
        assert doubt.kind == "table"
        assert doubt.reason.facts["share"] == pytest.approx(1.02, abs=0.0005)
        assert not doubt.changes_scores_by
        assert doubt.changes_scores_without_illegal_by


def test_heights_matter_here() -> None:
    flat = VIEW.to_px(np.array([CARDS[2].pose[:2]]))
    high = VIEW.to_px(np.array([CARDS[2].pose[:2]]), float(HEIGHTS[2]))
    assert np.hypot(*(flat - high)[0]) > 1


def test_outlines_run_as_the_front_face_does() -> None:
    """Clockwise from the front's top left; a mirrored card's run the other way round."""
    table = reported(VIEW)
    half = np.array([DECK.card.width_mm, DECK.card.height_mm]) / 2
    for shown in table.cards:
        card, height = CARDS[shown.id], float(HEIGHTS[shown.id])
        x, y, angle = card.pose
        flip = -1.0 if card.mirrored else 1.0
        right = np.array([np.cos(angle), np.sin(angle)]) * flip
        down = np.array([-np.sin(angle), np.cos(angle)])
        corners = [
            np.array([x, y]) + right * half[0] * i + down * half[1] * j
            for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        np.testing.assert_allclose(
            shown.outline_px, VIEW.to_px(np.array(corners), height), atol=0.25
        )
        a, b, c = (np.array(corner) for corner in shown.outline_px[:3])
        turn = (b - a)[0] * (c - b)[1] - (b - a)[1] * (c - b)[0]
        assert (turn > 0) != card.mirrored


def test_the_scale_holds_in_the_middle_of_the_layout() -> None:
    table = reported(VIEW)
    middle = np.mean([card.pose[:2] for card in CARDS], axis=0)
    assert table.scale_px_per_mm == pytest.approx(VIEW.px_per_mm(middle), rel=1e-3)


@pytest.mark.parametrize("growth", [0.99, 1.0, 1.004])
def test_dots_tell_how_much_too_large_everything_measures(growth: float) -> None:
    found = dot_growth(table_of(VIEW, growth), HEIGHTS, VIEW)
    assert found == pytest.approx(growth - 1, abs=4e-4)


def test_a_few_wrong_dots_do_not_set_the_scale() -> None:
    table = table_of(VIEW)
    spots = table.dots.middle_mm.copy()
    spots[:2] += [1.2, -1.0]
    off = replace(table, dots=replace(table.dots, middle_mm=spots))
    assert dot_growth(off, HEIGHTS, VIEW) == pytest.approx(0, abs=1e-3)


def test_few_dots_say_nothing_of_the_scale() -> None:
    table = table_of(VIEW)
    few = replace(table, dots=replace(table.dots, middle_mm=table.dots.middle_mm[:3]))
    assert dot_growth(few, HEIGHTS, VIEW) is None


@pytest.mark.parametrize(
    ("change", "sure"),
    [({}, True), ({"margin": 0.0}, False), ({"fit": 0.69}, False)],
)
def test_confidence_falls_with_what_speaks_against_a_card(
    change: dict[str, float], sure: bool
) -> None:
    table = table_of(VIEW)
    count = len(CARDS)
    named = replace(table.named, **{k: np.full(count, v) for k, v in change.items()})
    located = Located(VIEW, None, BOX_MM, ())
    shown = report(replace(table, named=named), BLANK, located, DECK, Rules()).cards[0]
    assert (shown.confidence > 0.99) == sure
    assert 0 <= shown.confidence <= 1


@pytest.mark.parametrize(("white", "sure"), [(0.8, 0.99), (0.5, 0.99), (0.36, 0.5), (0.2, 0.0)])
def test_a_starting_card_is_as_sure_as_its_lines_are_seen(white: float, sure: float) -> None:
    """Where other cards' lines are 0.8 white; and one of which none could be seen stays."""
    lines = np.array([0.8, white, 0.8, 0.8])
    assert START_SURE * start_shown(lines, 1) == pytest.approx(sure, abs=0.01)
    assert start_shown(np.array([0.8, 0.0, 0.8]), 1) == 1.0


def beside_a_stack(gap_mm: float) -> Reconstruction:
    """Three cards over one another, and a fourth, played second, so far beside them."""
    table = table_of(VIEW)
    poses = np.zeros((4, table.named.poses.shape[1]))
    poses[:, :2] = 100.0
    poses[3, 0] += DECK.card.width_mm + gap_mm
    return replace(table, named=replace(table.named, poses=poses))


def test_a_card_lies_as_high_as_the_highest_it_overlaps() -> None:
    np.testing.assert_allclose(heights_of(table_of(VIEW), DECK), HEIGHTS)
    np.testing.assert_allclose(heights_of(beside_a_stack(1.0), DECK), HEIGHTS)
    on_it = heights_of(beside_a_stack(-0.5), DECK)
    np.testing.assert_allclose(on_it, LIFT_MM * np.array([1, 3, 4, 2]))


@pytest.mark.parametrize(
    ("gap_mm", "others"), [(3.0, False), (0.3, True), (-0.7, True), (-3, False)]
)
def test_cards_that_all_but_meet_may_carry_each_other(gap_mm: float, others: bool) -> None:
    """Of such a tip nobody can tell who came first: the lower card may lie on the whole stack."""
    table = beside_a_stack(gap_mm)
    heights = heights_of(table, DECK)
    found = list(other_heights(table, DECK, heights, np.zeros((4, 2))))
    assert bool(found) is others
    raised = max((float(other.heights[3]) for other in found), default=0.0)
    assert (raised > float(heights[3]) + LIFT_MM) is others


@pytest.mark.parametrize(("lens_mm", "meets"), [(150.0, True), (600.0, False)])
def test_what_lies_high_looks_larger_and_so_farther_from_what_it_rests_on(
    lens_mm: float, meets: bool
) -> None:
    """A gap beside a stack is none where it comes of the height at which both lie."""
    table = beside_a_stack(0.65)
    heights = heights_of(table, DECK)
    parallax = (table.named.poses[:, :2] - [25.0, 100.0]) / lens_mm
    found = list(other_heights(table, DECK, heights, parallax))
    assert bool(found) is meets
    if meets:
        raised = max(float(other.heights[3]) for other in found)
        assert raised == pytest.approx(heights[2] + LIFT_MM)


@pytest.mark.parametrize(("lead", "open_"), [(-0.9, False), (-0.1, True)])
def test_a_pair_that_is_not_clear_may_lie_the_other_way_round(lead: float, open_: bool) -> None:
    """The fourth card lies on the stack of three by 3 mm, if it lies on it at all."""
    table = beside_a_stack(-3.0)
    pairs = PairEvidence(
        np.array([[0, 1], [1, 2], [2, 3]]), np.array([-0.9, -0.9, lead]),
        np.array([300, 300, 300]), np.zeros(3, int),
    )  # fmt: skip
    table = replace(table, stack=replace(table.stack, order=[0, 1, 2, 3], pairs=pairs))
    heights = heights_of(table, DECK)
    np.testing.assert_allclose(heights, LIFT_MM * np.array([1, 2, 3, 4]))
    found = [other.order for other in other_heights(table, DECK, heights, np.zeros((4, 2)))]
    assert (found == [[0, 3, 1, 2]]) is open_


def exactly_on(lower: DrawnCard, face: str) -> DrawnCard:
    """A card that is laid exactly on one that lies unturned, as far from its middle as may be."""
    ways = pairings(DECK.face(lower.face), DECK.face(face), same_side=True)
    own, on = ways.of_mm @ [1, 1j], ways.on_mm @ [1, 1j] + complex(*lower.pose[:2])
    own_middle, on_middle = (corners.mean(axis=1, keepdims=True) for corners in (own, on))
    turn = np.angle(((on - on_middle) * np.conj(own - own_middle)).sum(axis=1))
    middle = on_middle[:, 0] - np.exp(1j * turn) * own_middle[:, 0]
    far = int(np.abs(middle - complex(*lower.pose[:2])).argmax())
    return DrawnCard(face, "red", (middle[far].real, middle[far].imag, float(turn[far])))


def touching_a_stack(slip_mm: float) -> Reconstruction:
    """A card that lies on one other, so far off its place, and by its edge under the topmost card
    of a stack, though it was read as lying on the stack: who lies on top there is not clear.
    """
    lower = DrawnCard("circle-4", "green", (150.0, 120.0, 0.0))
    upper = exactly_on(lower, "square-6")
    x, y, turn = upper.pose
    upper = replace(upper, pose=(x + slip_mm, y, turn))
    reach_mm = (DECK.card.height_mm + DECK.card.width_mm) / 2 - 3.2
    away = np.array([np.sin(turn), -np.cos(turn)]) * reach_mm
    away *= -np.sign(away @ (np.array(lower.pose[:2]) - [x, y]))
    stack = [
        DrawnCard("triangle-5", "blue", (*([x, y] + away * far), turn + np.pi / 2))
        for far in (*[1.25] * (STACK - 1), 1.0)
    ]
    cards = [lower, *stack, upper]
    heights = LIFT_MM * np.array([1, *range(1, STACK + 1), 2])
    poses = np.array([rough_pose(VIEW, c, h) for c, h in zip(cards, heights, strict=True)])
    count, places = len(cards), len(TEMPLATES.grid_mm)
    named = Named(poses, rows_of(*cards), np.full(count, 0.2), np.ones(count), np.ones((count, 3)))
    colour = np.array([TEMPLATES.colours.index(card.colour) for card in cards])
    unlit = Patches(np.zeros((count, places, 4), np.uint8), np.zeros((count, places), np.float32))
    pairs = np.array([*([k, k + 1] for k in range(1, STACK)), [0, STACK + 1], [STACK, STACK + 1]])
    lead = np.where(pairs[:, 0] == STACK, 0.1, -0.9)
    weighed = PairEvidence(pairs, lead, np.full(len(pairs), 300), np.zeros(len(pairs), int))
    return replace(
        table_of(VIEW), named=named, naming=Naming(colour, np.ones(count), colour),
        stack=Stack(list(range(count)), weighed, [], unlit, NO_TOP), choices=((),) * count,
        visible=np.ones((count, places), np.float32), lines=np.ones(count),
        haze=np.zeros((count, 3)), hazed=np.zeros(count, np.bool_),
        dots=SeenDots(np.empty((0, 2)), np.empty((0, 3))),
    )  # fmt: skip


@pytest.mark.parametrize(("slip_mm", "told"), [(0.3, True), (8.0, False)])
def test_a_card_that_fits_where_it_does_not_lie_on_the_stack_lies_there(
    slip_mm: float, told: bool
) -> None:
    """One that fits at neither height stays as it was read."""
    table = touching_a_stack(slip_mm)
    upper = STACK + 1
    assert heights_of(table, DECK)[upper] == pytest.approx(LIFT_MM * upper)
    located = Located(VIEW, AREA_MM, BOX_MM, seen(VIEW, (0, 1, 2, 3)), scaled=True)
    found = report(table, BLANK, located, DECK, Rules())
    off_mm = judge(found.layout, Rules())[upper].offset_mm
    assert off_mm is not None
    assert (abs(off_mm - slip_mm) < 0.2) is told


class Enlarged:
    """A witness to whom cards look as large as if they lay the other way: cards that curl do."""

    def lead(self, heights: FloatArray, others: FloatArray) -> float:
        return 50.0 * float((heights != others).any())


@pytest.mark.parametrize("turned", [False, True])
def test_size_alone_turns_no_cards_round(turned: bool) -> None:
    """It tells a height; for another order how well the cards lie must speak, too."""
    table = touching_a_stack(8.0)
    heights = heights_of(table, DECK)
    located = Located(VIEW, AREA_MM, BOX_MM, seen(VIEW, (0, 1, 2, 3)), scaled=True)
    lead = _lead(Enlarged(), _verdicts(table, located, heights, DECK, Rules()))  # type: ignore[arg-type]
    order = table.stack.order
    other = [*order[:-2], *order[:-3:-1]] if turned else order
    higher = np.where(np.arange(len(heights)) == STACK, heights + 1.0, heights)
    said = lead(Stacked(order, heights), Stacked(other, higher))
    assert (said <= 0) is turned


def test_another_order_at_the_same_heights_is_no_doubt_about_heights() -> None:
    table = touching_a_stack(0.3)
    heights = heights_of(table, DECK)
    order = table.stack.order
    cards = tuple(card_of(table.named, i, table.naming, TEMPLATES) for i in order)
    layout = Layout(DECK, cards, AREA_MM)
    seen_as = DoubtContext(table, layout, BLANK, VIEW, DECK, Rules())
    told = HeightFindings(heights, (Stacked([*order[:-2], *order[:-3:-1]], heights),))
    assert list(_slant_doubts(seen_as, ChanceFits(seen_as), VIEW, VIEW, told)) == []
