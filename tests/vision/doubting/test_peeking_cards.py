from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.rules import Rules
from tests.vision.doubting.doubt_scenes import scene_of
from tests.vision.doubting.peeking_tables import (
    GREEN,
    OTHERS,
    ROOM_MM,
    UPPER,
    FloatArray,
    band_of,
    table_of,
    under,
)
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from tests.vision.naming.named_tables import TEMPLATES, named_of
from vision.doubting.edge_doubts import peeking_doubts
from vision.doubting.lone_strips import is_running_print, is_shadow, lonely_strip, pile_strip
from vision.doubting.peeking_cards import (
    ANYWHERE,
    Strips,
    is_deep_shadow,
    own_end,
    peeking_card,
    strips_round,
)
from vision.doubting.strip_fit import (
    EdgeLooks,
    Peeking,
    Surroundings,
    edge_looks,
    peeking_out,
    surroundings,
)
from vision.doubting.table_doubts import count_doubts
from vision.drawing.card_edges import edge_places
from vision.drawing.pose_fit import place, turns
from vision.evidence import Evidence, observe, sample
from vision.ordering.stacking import stack_up
from vision.raster import Raster
from vision.reading import Doubt
from vision.reason import Reason
from vision.reconstruct import Reconstruction, reconstruct

Image8 = NDArray[np.uint8]


def colours_of(table: Reconstruction) -> list[str]:
    return sorted(table.templates.colours[int(i)] for i in table.naming.colour)


@pytest.mark.parametrize(
    ("move_mm", "turn"),
    [
        ((1.2, 0.9), 0.01),
        pytest.param((0.1, -1.1), 0.0, marks=pytest.mark.thorough),
        pytest.param((0.0, 0.0), 0.02, marks=pytest.mark.thorough),
    ],
)
def test_where_numbers_of_cards_differ_they_alone_tell_of_a_hidden_card(
    move_mm: tuple[float, float], turn: float
) -> None:
    """It is placed by no strip, nor by the wedges of one turned on its middle."""
    drawn = (*OTHERS, GREEN, under(move_mm, turn), UPPER)
    evidence, table = drawn_evidence(*drawn, size_mm=ROOM_MM), table_of(*drawn)
    assert colours_of(table) == ["blue", "blue", "green", "green", "red"]
    seen = scene_of(table, evidence)
    (doubt,) = count_doubts(seen)
    assert doubt.reason == Reason("cards-too-few", {"count": 1, "colour": "red", "most": 2})
    assert not list(peeking_doubts(seen))


@pytest.mark.parametrize("there", [True, False])
def test_on_a_table_as_bright_as_white_a_strip_tells_as_well(
    there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So bright is the table there: that no lamp washes it out the card's own band tells."""
    monkeypatch.setattr("tests.vision.drawing.drawn_cards.GROUND", 0.9)
    below = [under((1.2, 0.9))] if there else []
    evidence = drawn_evidence(*OTHERS, GREEN, *below, UPPER, size_mm=ROOM_MM)
    beside = evidence.raster.to_raster(np.array([[60.0, 240.0]]))
    assert sample(evidence.washed, beside)[0] > 0
    assert len(strip_doubts(evidence)) == there


def test_beside_no_other_card_a_narrow_strip_is_enough() -> None:
    drawn = (*OTHERS, GREEN, under((0.0, 0.5)), UPPER)
    evidence, table = drawn_evidence(*drawn, size_mm=ROOM_MM), table_of(*drawn, free_for_all=True)
    red = np.array([table.templates.colours.index("red")])
    found = peeking_card(strips_of(table, evidence), red)
    assert found is not None
    assert not ANYWHERE.holds(found.seen)
    assert off(table.named.poses[found.upper], UPPER)[0] < 1.0


def test_where_no_side_tells_a_card_is_moved_least() -> None:
    """All that shows of a card's edge may be its two long sides: nothing tells how far it is moved
    along these.
    """
    upper = DrawnCard("triangle-5", "blue", (150.0, 130.0, 0.4))
    x, y, angle = upper.pose
    move = turns(np.array([angle]))[0] @ np.array([1.2, 0.0])
    lower = DrawnCard("square-6", "red", (x + float(move[0]), y + float(move[1]), angle))
    evidence = drawn_evidence(lower, upper, size_mm=ROOM_MM)
    named = named_of(upper)
    top = stack_up(evidence, named, DECK, TEMPLATES).top
    edges = edge_places(named.poses, DECK.card)
    around = surroundings(evidence, edges, top)
    around = replace(around, bare=around.bare & (edges.normal[:, 0] != 0))
    ink = np.median(evidence.colour_at(evidence.raster.to_raster(band_of(lower))), axis=0)
    seen = peeking_out(around, 0, ink.astype(np.float64), edge_looks(around))
    assert seen is not None
    assert np.abs(seen.move_mm - [1.2, 0.0]).max() < 0.3


@pytest.mark.parametrize("there", [True, False])
def test_where_cards_are_not_counted_a_strip_is_a_doubt(there: bool) -> None:
    drawn = (*OTHERS, GREEN, *([under((1.2, 0.9))] if there else []), UPPER)
    evidence, table = drawn_evidence(*drawn, size_mm=ROOM_MM), table_of(*drawn, free_for_all=True)
    doubts = list(peeking_doubts(scene_of(table, evidence, Rules(free_for_all=True))))
    assert len(table.named) == 5
    assert len(doubts) == there
    for doubt in doubts:
        assert doubt.card is not None
        assert off(table.named.poses[doubt.card], UPPER)[0] < 1.0
        assert doubt.changes_scores_without_illegal_by
    assert not list(peeking_doubts(scene_of(table, evidence)))


@pytest.mark.parametrize(
    "hidden",
    [
        [(UPPER, "green"), (GREEN, "blue")],
        pytest.param([(UPPER, "blue"), (GREEN, "green")], marks=pytest.mark.thorough),
        pytest.param([(UPPER, "green")], marks=pytest.mark.thorough),
        pytest.param([(UPPER, "blue")], marks=pytest.mark.thorough),
        [],
    ],
)
def test_where_each_colour_lacks_one_equal_numbers_tell_nothing(
    hidden: list[tuple[DrawnCard, str]],
) -> None:
    """Two of each colour are read. What hides the other colour's may show nothing of it."""
    below = [under((1.2, 0.9), 0.0, colour, upper) for upper, colour in hidden]
    drawn = (*OTHERS[:2], *below, GREEN, UPPER)
    evidence, table = drawn_evidence(*drawn, size_mm=ROOM_MM), table_of(*drawn)
    assert colours_of(table) == ["blue", "blue", "green", "green"]
    doubts = list(peeking_doubts(scene_of(table, evidence)))
    assert len(doubts) == len(hidden)
    for upper, _ in hidden:
        places = [table.named.poses[doubt.card] for doubt in doubts if doubt.card is not None]
        assert min(off(pose, upper)[0] for pose in places) < 1.0


@pytest.mark.parametrize(
    ("more", "plainest"),
    [(True, False), (False, True), pytest.param(False, False, marks=pytest.mark.thorough)],
)
def test_fewer_strips_than_half_the_colours_must_be_plainest(
    more: bool, plainest: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All four colours would have lost a card, and three of these would be hidden whole."""
    if not plainest:
        monkeypatch.setattr("vision.doubting.edge_doubts.LEAST_OWN_GAIN", np.inf)
    orange = DrawnCard("square-2", "orange", GREEN.pose)
    below = [under((1.2, 0.9), 0.0, "green"), *([under((1.2, 0.9), 0.0, "red", orange)] * more)]
    drawn = (*OTHERS[1:], *below, orange, UPPER)
    evidence, table = drawn_evidence(*drawn, size_mm=ROOM_MM), table_of(*drawn)
    assert colours_of(table) == ["blue", "green", "orange", "red"]
    assert len(list(peeking_doubts(scene_of(table, evidence)))) == 2 * more + plainest


def test_where_one_colour_is_played_alone_numbers_tell_nothing() -> None:
    blue = DrawnCard("square-2", "blue", (205.0, 90.0, 0.2))
    drawn = (OTHERS[0], blue, under((1.2, 0.9), 0.0, "blue"), UPPER)
    evidence, table = drawn_evidence(*drawn, size_mm=ROOM_MM), table_of(*drawn)
    assert len(table.named) == 3
    assert len(list(peeking_doubts(scene_of(table, evidence)))) == 1


def test_a_plain_strip_of_the_card_s_own_ink_is_a_doubt_whatever_other_inks_vary_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bright ink may leave less unexplained by varying more, with hardly any strip of its own."""
    drawn = (*OTHERS, GREEN, under((1.2, 0.9), 0.0, "blue"), UPPER)
    evidence, table = drawn_evidence(*drawn, size_mm=ROOM_MM), table_of(*drawn, free_for_all=True)
    strips, blue = strips_of(table, evidence), table.templates.colours.index("blue")
    inks = strips.inks

    def better_by_others(
        around: Surroundings, card: int, ink: FloatArray, looks: EdgeLooks,
        *lights: tuple[float, ...],
    ) -> Peeking | None:  # fmt: skip
        seen = peeking_out(around, card, ink, looks, *lights)
        own = inks.inks[inks.colours == blue] * inks.white[card]
        if seen is None or np.allclose(ink, own):
            return seen
        return replace(seen, misfit=0.0, explained=0.1, gain=2.0, area_mm2=6.0)

    monkeypatch.setattr("vision.doubting.lone_strips.peeking_out", better_by_others)
    upper = lonely_strip(strips)
    assert upper is not None
    assert off(table.named.poses[upper], UPPER)[0] < 1.0


def strips_of(table: Reconstruction, evidence: Evidence) -> Strips:
    return strips_round(scene_of(table, evidence))


@pytest.mark.parametrize(
    ("shade", "told"),
    [pytest.param(0.0, True, marks=pytest.mark.thorough), (0.5, True), (None, False)],
)
def test_a_strip_beside_one_card_only_is_a_doubt_however_like_another_its_ink(
    shade: float | None, told: bool
) -> None:
    """Half of a lamp's grey is mixed into it: no ink in play explains all of it then."""
    below = [under((1.2, 0.9))] if shade is not None else []
    evidence = drawn_evidence(*OTHERS, GREEN, *below, UPPER, size_mm=ROOM_MM)
    if shade:
        evidence = _hazed_round(evidence, shade)
    table = reconstruct(evidence, DECK, Rules(free_for_all=True))
    assert table is not None
    strips = strips_of(table, evidence)
    upper = lonely_strip(strips)
    assert (upper is not None) == told
    if upper is not None:
        assert off(table.named.poses[upper], UPPER)[0] < 1.0
    doubts = list(peeking_doubts(scene_of(table, evidence, Rules(free_for_all=True))))
    assert len(doubts) == told


@pytest.mark.parametrize(("colour", "told"), [("red", True), ("blue", False)])
def test_a_strip_too_narrow_to_be_likely_is_told_by_nearly_all_of_it_being_another_ink(
    colour: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As narrow, a strip of the card's own ink is its own band."""
    monkeypatch.setattr("vision.doubting.lone_strips.LEAST_LIKELY", 1e3)
    drawn = (*OTHERS, GREEN, under((1.2, 0.9), 0.0, colour), UPPER)
    evidence, table = drawn_evidence(*drawn, size_mm=ROOM_MM), table_of(*drawn, free_for_all=True)
    upper = lonely_strip(strips_of(table, evidence))
    assert (upper is not None) == told


@pytest.mark.parametrize(
    "pile",
    [
        [((4.0, 2.2), "red"), ((2.0, 1.2), "red")],
        pytest.param([((-3.4, -2.4), "red"), ((1.5, 1.5), "red")], marks=pytest.mark.thorough),
        pytest.param([((4.4, 1.0), "red")], marks=pytest.mark.thorough),
        pytest.param([((4.5, 0.0), "blue")], marks=pytest.mark.thorough),
        [],
    ],
)
def test_in_a_pile_no_one_card_need_account_for_a_strip(
    pile: list[tuple[tuple[float, float], str]],
) -> None:
    """Two cards peek out on opposite sides, or one by more than a band's width."""
    below = [under(move_mm, 0.0, colour) for move_mm, colour in pile]
    drawn = (*OTHERS, GREEN, *below, UPPER)
    evidence, table = drawn_evidence(*drawn, size_mm=ROOM_MM), table_of(*drawn, free_for_all=True)
    strips = strips_of(table, evidence)
    assert lonely_strip(strips) is None
    upper = pile_strip(evidence, strips, table.stack.top)
    assert (upper is not None) == bool(pile)
    if upper is not None:
        assert off(table.named.poses[upper], UPPER)[0] < 1.0
    doubts = list(peeking_doubts(scene_of(table, evidence, Rules(free_for_all=True))))
    assert len(doubts) == bool(pile)


def test_a_curled_card_s_own_band_beyond_its_place_is_no_pile() -> None:
    """It bulges by a millimetre in the middle of a side."""
    evidence = drawn_evidence(*OTHERS, GREEN, UPPER, size_mm=ROOM_MM)
    raster, half = evidence.raster, np.array([DECK.card.width_mm, DECK.card.height_mm]) / 2
    along = np.linspace(-1, 1, 41)
    bulge = np.column_stack([half[0] + 1.1 * (1 - along**2), along * (half[1] - 4.0)])
    edge = np.column_stack([np.full(41, half[0] - 1.0), bulge[::-1, 1]])
    outline = place(np.array([UPPER.pose]), np.concatenate([bulge, edge]))[0]
    ink = np.median(evidence.colour_at(raster.to_raster(band_of(UPPER))), axis=0)
    image = raster.image_bgr.copy()
    corners = np.rint(raster.to_raster(outline) * 16).astype(np.int32)
    cv2.fillPoly(image, [corners], ink.tolist(), shift=4)
    curled = observe(Raster(image, raster.origin_mm, raster.density))
    table = reconstruct(curled, DECK, Rules(free_for_all=True))
    assert table is not None
    strips = strips_of(table, curled)
    assert pile_strip(curled, strips, table.stack.top) is None


def _hazed_round(evidence: Evidence, share: float) -> Evidence:
    """Reddish strips, as of the card that peeks out, are greyer by this share of grey."""
    raster = evidence.raster
    image = raster.image_bgr.astype(np.float32)
    reach = place(np.array([UPPER.pose]), np.array([[-40, -60], [-40, 60], [40, 60], [40, -60.0]]))
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(raster.to_raster(reach[0])).astype(np.int32), 1)
    red = (image[..., 2] > image[..., 0] + 30) & (image[..., 2] > image[..., 1] + 30)
    here = red & (inside > 0)
    image[here] = image[here] * (1 - share) + share * image[here].mean(axis=1, keepdims=True)
    return observe(Raster(image.astype(np.uint8), raster.origin_mm, raster.density))


@pytest.mark.parametrize(
    ("move_mm", "turn", "shift_mm", "own"),
    [
        ((0.0, 0.9), 0.0, 3.5, True),
        ((0.0, 1.5), 0.0, 3.5, False),
        ((0.0, 0.9), 0.01, 3.5, False),
        ((0.0, 0.9), 0.0, 1.0, False),
    ],
)
def test_a_narrow_strip_at_a_curled_card_s_end_is_its_own_band(
    move_mm: tuple[float, float], turn: float, shift_mm: float, own: bool
) -> None:
    strip = Peeking(np.array(move_mm), turn, 0.9, 40.0, 1.0, 40.0, 0.0)
    bend = shift_mm / (DECK.card.height_mm / 2) ** 2
    bent = np.array([20.0, 80.0, 0.4, 0.0, 0.0, 0.6 * bend, -0.8 * bend])
    assert own_end(strip, bent, DECK.card) == own
    assert not own_end(strip, bent[:3], DECK.card)


def beside_upper(
    evidence: Evidence, corners_mm: list[tuple[float, float]], paint: Callable[[Image8], Image8]
) -> Evidence:
    """The same table with what lies within an outline, in the upper card's own mm, painted over."""
    raster, half = evidence.raster, np.array([DECK.card.width_mm, DECK.card.height_mm]) / 2
    outline = place(np.array([UPPER.pose]), np.array(corners_mm))[0]
    image = raster.image_bgr.copy()
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.rint(raster.to_raster(outline) * 16).astype(np.int32)], 1, shift=4)
    body = place(np.array([UPPER.pose]), np.array([half, half * [-1, 1], -half, half * [1, -1]]))[0]
    cv2.fillPoly(inside, [np.rint(raster.to_raster(body) * 16).astype(np.int32)], 0, shift=4)
    image[inside > 0] = paint(image[inside > 0])
    return observe(Raster(image, raster.origin_mm, raster.density))


def strip_doubts(evidence: Evidence) -> list[Doubt]:
    table = reconstruct(evidence, DECK, Rules(free_for_all=True))
    assert table is not None
    return list(peeking_doubts(scene_of(table, evidence, Rules(free_for_all=True))))


def likeliest_under_upper(table: Reconstruction, evidence: Evidence) -> tuple[Strips, int, Peeking]:
    """What is seen round all cards, the upper one, and what fits best under that."""
    strips = strips_of(table, evidence)
    around, looks, inks = strips.around, strips.looks, strips.inks
    card = int(np.argmin([off(pose, UPPER)[0] for pose in table.named.poses]))
    found = [peeking_out(around, card, i * inks.white[card], looks) for i in inks.inks]
    return strips, card, min((one for one in found if one), key=lambda one: one.misfit)


HALF_MM = (DECK.card.width_mm / 2, DECK.card.height_mm / 2)


def in_shadow(
    evidence: Evidence, move_mm: tuple[float, float], share: float | FloatArray
) -> Evidence:
    """The same table with the upper card's shadow, moved along its axes, in which such a share of
    the light is left.
    """
    (x, y), (right, down) = HALF_MM, move_mm
    moved = [(u * x + right, v * y + down) for u, v in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    return beside_upper(evidence, moved, lambda lit: np.rint(lit * share).astype(np.uint8))


@pytest.mark.parametrize("there", [True, False])
def test_a_shadow_at_a_card_s_edges_is_no_card(there: bool) -> None:
    """It darkens the table by as much in all channels, as no ink does."""
    below = [under((1.2, 1.0))] if there else []
    evidence = drawn_evidence(*OTHERS, GREEN, *below, UPPER, size_mm=ROOM_MM)
    table = table_of(*OTHERS, GREEN, *below, UPPER, free_for_all=True)
    if not there:
        evidence = in_shadow(evidence, (1.2, 1.0), 0.7)
    told = likeliest_under_upper(table, evidence)
    assert is_shadow(*told) == (not there)


def test_a_shadow_as_dark_as_an_ink_is_no_doubt() -> None:
    purple = DrawnCard("triangle-2", "purple", OTHERS[2].pose)
    evidence = drawn_evidence(*OTHERS[:2], purple, GREEN, UPPER, size_mm=ROOM_MM)
    assert not strip_doubts(in_shadow(evidence, (1.8, 1.4), 0.5))


@pytest.mark.parametrize("there", [True, False])
def test_a_hard_lamp_s_shadow_is_no_plain_card_of_a_dark_ink(
    there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a white table a card on a stack throws a shadow as dark as purple, and what light is left
    in it is the window's, which is bluer.
    """
    monkeypatch.setattr("tests.vision.drawing.drawn_cards.GROUND", 0.9)
    purple = DrawnCard("triangle-2", "purple", OTHERS[2].pose)
    below = [under((1.8, 1.4), 0.0, "purple")] if there else []
    evidence = drawn_evidence(*OTHERS[:2], purple, GREEN, *below, UPPER, size_mm=ROOM_MM)
    if not there:
        evidence = in_shadow(evidence, (1.8, 1.4), 0.36 * np.array([1.2, 1.0, 0.8]))
    table = reconstruct(evidence, DECK, Rules(free_for_all=True))
    assert table is not None
    told = likeliest_under_upper(table, evidence)
    assert not is_shadow(*told)
    assert is_deep_shadow(*told) == (not there)


@pytest.mark.parametrize(("ink", "told"), [((90, 20, 10), False), ((30, 25, 170), True)])
def test_a_box_of_print_in_no_card_s_ink_is_no_pile(ink: tuple[int, int, int], told: bool) -> None:
    """Blue is darker and stronger than the cards', and the other a card's own red."""
    evidence = drawn_evidence(*OTHERS, GREEN, UPPER, size_mm=ROOM_MM)
    x, y = HALF_MM
    box = [(x - 1, -y + 6), (x + 4.6, -y + 6), (x + 4.6, y - 6), (x - 1, y - 6)]
    boxed = beside_upper(evidence, box, lambda lit: np.full_like(lit, ink))
    assert bool(strip_doubts(boxed)) == told


@pytest.mark.parametrize("there", [True, False])
def test_print_that_runs_on_past_a_band_s_width_is_no_card(there: bool) -> None:
    """A wedge of it: farther out the table shows at most places."""
    below = [under((1.2, 1.0))] if there else []
    evidence = drawn_evidence(*OTHERS, GREEN, *below, UPPER, size_mm=ROOM_MM)
    table = table_of(*OTHERS, GREEN, *below, UPPER, free_for_all=True)
    if not there:
        (x, y), red = HALF_MM, (30, 25, 170)
        wedge = [(x - 1, -y + 4), (x + 4.4, -y + 4), (x + 5.2, y - 4), (x - 1, y - 4)]
        evidence = beside_upper(evidence, wedge, lambda lit: np.full_like(lit, red))
    told = likeliest_under_upper(table, evidence)
    assert is_running_print(*told) == (not there)
