from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Literal

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.showing import dot_parts
from tests.vision.drawing.test_pose_fit import DECK, DrawnCard, drawn_evidence
from tests.vision.observing.test_dots import painted, true_dots
from vision.doubting import card_doubts, table_doubts, washed_cards
from vision.doubting.chance_fits import ChanceFits
from vision.doubting.dot_doubts import LEAST_WHITE
from vision.doubting.dots_in_haze import in_glare, told_by_colour
from vision.doubting.doubts import find_doubts
from vision.doubting.scene import Scene, score_of, with_card
from vision.doubting.table_doubts import line_doubts
from vision.doubting.unseen_cards import could_hide
from vision.drawing.bend import widened
from vision.drawing.coverage import cover
from vision.drawing.pose_fit import place
from vision.evidence import Evidence, observe
from vision.finding.white_lines import Segments
from vision.lens import Lens
from vision.naming.colours import Naming
from vision.naming.unique_faces import Choice
from vision.observing.dots import SeenDots, dot_whiteness
from vision.ordering.order import NO_PAIRS, PairEvidence
from vision.reading import Doubt
from vision.reconstruct import Table, reconstruct
from vision.view import TableView

FloatArray = NDArray[np.float64]
GREEN = DrawnCard("circle-4", "green", (15.0, 71.0, 0.0))
RED = DrawnCard("square-2", "red", (110.0, 71.0, 0.0))
START = DrawnCard(DECK.starting_face.id, DECK.starting_colour.name, (62.0, 225.0, np.pi / 2))
LOW = DrawnCard("triangle-5", "green", (150.0, 215.0, np.pi / 2))
THIRD = DrawnCard("triangle-5", "green", (60.0, 150.0, np.pi / 2))
SIZE_MM = (210, 270)
RULES = Rules()
NO_DOTS = SeenDots(np.empty((0, 2)), np.empty((0, 3)), np.empty(0))
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


@pytest.mark.parametrize(("radius_mm", "doubted"), [(7.0, False), (23.0, False), (52.0, True)])
def test_a_dot_in_a_burnt_out_patch(radius_mm: float, doubted: bool) -> None:
    """A known face tells of a dot in a patch that a card would look out of, and in any where the
    numbers of cards say that none is missing.
    """
    seen = scene(GREEN, RED)
    red = card_of(seen, "red")
    evidence = painted(seen.evidence, true_dots(RED)[0], radius_mm, (255, 255, 255))

    def burnt(read: Scene, rules: Rules) -> list[Doubt]:
        table = replace(read.table, dots=NO_DOTS)
        doubts = [d for d in find_doubts(scene_of(table, evidence, rules)) if d.card == red]
        return [d for d in doubts if "burnt out" in d.reason]

    found = burnt(seen, Rules(free_for_all=True))
    assert bool(found) == doubted
    assert all(d.changes_scores_by == {"red": -1} for d in found)
    assert burnt(seen, RULES) == []
    assert bool(burnt(unsure_of(seen, {red: ("pink", 0.7)}), RULES)) == doubted


def test_a_patch_that_runs_under_another_card_may_hide_one() -> None:
    """A card could lie in the patch and under the other, and show nothing; not if the other is one
    that its own card lies on, by a third one or not.
    """
    seen = scene(GREEN, RED)
    green, red = card_of(seen, "green"), card_of(seen, "red")
    start = card_of(seen, DECK.starting_colour.name)
    at = true_dots(GREEN)[0]
    evidence = painted(seen.evidence, at, 36.0, (255, 255, 255))

    def hides(others: int, *touching: tuple[int, int], lead: float = 1.0) -> bool:
        """Whether one could, where `others` (an index plus 1) show all round."""
        pairs = np.array([sorted(pair) for pair in touching]).reshape(-1, 2)
        count = len(pairs)
        told = PairEvidence(
            pairs, np.full(count, lead), np.full(count, 400), np.zeros(count, np.int64)
        )
        stack = replace(seen.table.stack, order=[red, start, green], pairs=told)
        there = scene_of(replace(seen.table, dots=NO_DOTS, stack=stack), evidence)
        tops = np.where(there.top.top == green + 1, green + 1, others).astype(np.int16)
        there.__dict__["top"] = replace(there.top, top=tops)
        return bool(could_hide(there, at[None], np.array([green]))[0])

    assert not hides(0)
    assert hides(red + 1)
    assert hides(red + 1, (green, start))
    assert not hides(red + 1, (green, red))
    assert not hides(red + 1, (green, start), (start, red))
    assert hides(red + 1, (green, red), lead=0.1)


def test_cards_of_a_colour_may_have_each_other_s_faces() -> None:
    """Each face exists once: where two cards could both be the other's, that is tried."""
    x, y, angle = GREEN.pose
    other = DrawnCard("square-5", "red", (x, y, angle))
    seen = scene(RED, other, DrawnCard("circle-4", "green", (x + 20, y, angle)))
    first, second = (
        next(c.id for c in seen.layout.cards if c.colour == "red" and c.face == face)
        for face in (RED.face, other.face)
    )
    ways = {first: front_of(seen, other.face), second: front_of(seen, RED.face)}

    def doubted(open_: set[int]) -> list[Doubt]:
        choices = tuple(
            (Choice(ways[i], False),) if i in open_ else () for i in range(len(seen.table.named))
        )
        found = find_doubts(scene_of(replace(seen.table, choices=choices), seen.evidence))
        return [d for d in found if d.kind == "face"]

    assert doubted({first}) == []
    assert doubted({second}) == []
    assert {d.card for d in doubted({first, second})} == {first, second}


@pytest.mark.parametrize(("off_mm", "covered", "lost", "told"), [
    (0.0, False, True, False), (0.0, True, True, False),
    (4.0, False, False, True), (4.0, True, False, False),
])  # fmt: skip
def test_a_dot_in_a_streak_of_glare(off_mm: float, covered: bool, lost: bool, told: bool) -> None:
    """A streak may be narrower than what counts as burnt out: a dot in it is lost, and of one
    beside it the rest tells.
    """
    seen = scene(GREEN, RED)
    at = true_dots(GREEN)[1]
    ink = tuple(int(v) for v in seen.evidence.raster.image_bgr[_beside(seen, at)])
    raster = painted(seen.evidence, at, 2.8, ink).raster if covered else seen.evidence.raster
    row = np.arange(len(raster.image_bgr)) - raster.to_raster(at)[1]
    lamp = 0.74 * np.exp(-(((row / raster.density - off_mm) / 3.4) ** 4))
    light = (raster.image_bgr / 255) ** 2.2 * 0.4 + lamp[:, None, None]
    image = np.rint(255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)
    streaked = scene_of(seen.table, observe(replace(raster, image_bgr=image)))
    assert not streaked.evidence.burnt.any()
    assert in_glare(streaked, at[None]).tolist() == [lost]
    owner = np.array([card_of(seen, "green")])
    dots = np.concatenate([true_dots(GREEN), true_dots(RED)])
    assert told_by_colour(streaked, at[None], owner, dots).tolist() == [told]


@pytest.mark.parametrize(("ground", "doubted"), [(115, False), (143, True)])
def test_a_dot_in_a_haze_is_seen_as_long_as_it_stands_out(ground: int, doubted: bool) -> None:
    """Against the clear lines near by it is hardly white."""
    seen = scene(GREEN, RED)
    at = true_dots(GREEN)[0]
    raster = seen.evidence.raster
    y, x = np.indices(raster.image_bgr.shape[:2])
    middle = raster.to_raster(at)
    away = np.hypot(x - middle[0], y - middle[1]) / raster.density
    least, white = seen.evidence.least.copy(), seen.evidence.white.copy()
    white[away < 5] = white[away < 5] // 3
    least[away < 5] = ground
    least[away < DECK.dot_diameter_mm / 2] = 150
    # As grey as such a haze leaves everything: colour tells nothing, either.
    grey = raster.image_bgr.copy()
    grey[away < 5] = least[away < 5][:, None]
    hazy = replace(seen.evidence, raster=replace(raster, image_bgr=grey), least=least, white=white)
    assert dot_whiteness(hazy, at[None], DECK)[0][0] < LEAST_WHITE
    doubts = find_doubts(scene_of(replace(seen.table, dots=NO_DOTS), hazy))
    here = [d for d in doubts if np.hypot(*(np.array(d.at_px) / SCALE - at)) < 1]
    assert [d.reason for d in here] == ["no white dot is seen where one should show"] * doubted


def plain_place(seen: Scene, card: int) -> FloatArray:
    """Where on a card the most room is round about without anything white, table mm (1, 2)."""
    templates, pose = seen.table.templates, seen.table.named.poses[card]
    white = templates.white[seen.table.named.rows[card]].reshape(templates.shape_hw) > 0.2
    room = cv2.distanceTransform(np.pad(~white, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    return np.asarray(place(pose[None], templates.grid_mm[[int(room.argmax())]])[0])


def with_disc(seen: Scene, at_mm: FloatArray, ground: FloatArray, white: float = 220) -> Scene:
    """The scene where a white disc on ink of a colour (3,) has been seen and read by nobody."""
    raster = seen.evidence.raster
    image, least = raster.image_bgr.copy(), seen.evidence.least.copy()
    x, y = (int(v) for v in np.rint(raster.to_raster(at_mm)))
    for radius_mm, bgr in ((5.0, 90.0 + ground), (2.1, np.full(3, white))):
        cv2.circle(image, (x, y), round(radius_mm * raster.density), bgr.tolist(), cv2.FILLED)
        cv2.circle(least, (x, y), round(radius_mm * raster.density), float(bgr.min()), cv2.FILLED)
    dots = with_dots(seen.table.dots, at_mm[None], ground[None])
    evidence = replace(seen.evidence, raster=replace(raster, image_bgr=image), least=least)
    return scene_of(replace(seen.table, dots=dots), evidence)


@pytest.mark.parametrize("colour", ["green", "red"])
def test_a_dot_that_no_card_explains_is_its_ground_s(colour: str) -> None:
    seen = scene(GREEN, RED)
    card = card_of(seen, colour)
    at = plain_place(seen, card)
    (doubt,) = find_doubts(with_disc(seen, at[0], seen.table.named.ink[card]))
    assert (doubt.kind, doubt.card) == ("dot", None)
    assert doubt.reason == "a white dot that no card explains"
    assert doubt.changes_scores_by == {colour: 1}
    assert doubt.changes_scores_without_illegal_by == {colour: 1}
    assert doubt.at_px == pytest.approx(tuple(at[0] * SCALE))


@pytest.mark.parametrize(("white", "stray"), [(60.0, False), (150.0, True)])
def test_a_disc_far_paler_than_its_card_s_white_is_noise(white: float, stray: bool) -> None:
    seen = scene(GREEN, RED)
    card = card_of(seen, "red")
    at, ink = plain_place(seen, card), seen.table.named.ink[card]
    doubts = find_doubts(with_disc(seen, at[0], ink, white))
    strays = [d for d in doubts if d.reason == "a white dot that no card explains"]
    assert len(strays) == stray


@pytest.mark.parametrize(("part", "stray"), [(0.5, True), (0.1, False)])
def test_a_grain_that_stands_out_from_black_is_no_dot(part: float, stray: bool) -> None:
    seen = scene(GREEN, RED)
    card = card_of(seen, "red")
    at, ink = plain_place(seen, card)[0], seen.table.named.ink[card]
    hazy = replace(seen.table, haze=np.tile([6.0, 0.0, -6.0], (len(seen.table.haze), 1)))
    doubts = find_doubts(with_disc(replace(seen, table=hazy), at, hazy.haze[0] + part * ink))
    strays = [d for d in doubts if d.reason == "a white dot that no card explains"]
    assert len(strays) == stray


def test_a_disc_on_a_symbol_or_a_line_is_explained_by_it() -> None:
    """Of the starting card's the more: its symbol is drawn as a disc."""
    seen = scene(GREEN, RED)
    named = seen.table.named
    half = DECK.card.frame_width_mm / 2
    for card in (GREEN, START):
        i = card_of(seen, card.colour)
        for own in (DECK.symbol_offset_mm, (half, 0.0), (-half, 20.0)):
            at = place(named.poses[i][None], np.array([own]))[0]
            ink = named.ink[card_of(seen, "red")][None]
            assert again(seen, dots=with_dots(seen.table.dots, at, ink)) == ()


def test_a_disc_no_paler_than_what_lies_round_it_is_no_dot() -> None:
    """A lamp's tip, or a speck: it was seen, but the picture shows one colour there."""
    seen = scene(GREEN, RED)
    card = card_of(seen, "red")
    at = plain_place(seen, card)
    dots = with_dots(seen.table.dots, at, seen.table.named.ink[card][None])
    assert again(seen, dots=dots) == ()


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
    # So little of an ink is what a haze leaves by chance.
    ground[first] = seen.table.named.ink[red] / 8
    assert again(seen, dots=replace(dots, ground=ground)) == ()


@pytest.mark.parametrize(("painted_red", "haze", "doubted"), [
    (False, 0.0, False), (False, 0.3, False), (True, 0.0, True), (True, 0.3, True),
])  # fmt: skip
def test_a_haze_s_tint_does_not_tell_what_a_dot_lies_on(
    painted_red: bool, haze: float, doubted: bool
) -> None:
    """Through a blue or a red haze white gives as much more light than the ink round it."""
    seen = scene(GREEN, DrawnCard("circle-4", "red", RED.pose))
    raster, dots = seen.evidence.raster, seen.table.dots
    at = true_dots(GREEN)[0]
    looks, ground = seen.table.named.ink[card_of(seen, "red")], dots.ground.copy()
    first = int(np.linalg.norm(dots.middle_mm - at, axis=1).argmin())
    ground[first] = looks
    image = raster.image_bgr.copy()
    if painted_red:
        x, y = np.rint(raster.to_raster(at)).astype(int).tolist()
        ink = image[_beside(seen, true_dots(replace(GREEN, colour="red", pose=RED.pose))[0])]
        white = image[y, x].tolist()
        cv2.circle(image, (x, y), round(5.0 * SCALE), ink.tolist(), cv2.FILLED)
        cv2.circle(image, (x, y), round(2.1 * SCALE), white, cv2.FILLED)
    light = (image / 255) ** 2.2 * 0.6 + haze * np.array([0.2, 0.2, 1.0])
    image = np.rint(255 * light.clip(0, 1) ** (1 / 2.2)).astype(np.uint8)
    evidence = replace(seen.evidence, raster=replace(raster, image_bgr=image))
    table = replace(seen.table, dots=replace(dots, ground=ground))
    found = [d.reason for d in find_doubts(scene_of(table, evidence)) if "lies on" in d.reason]
    assert found == ["this dot was counted as green but lies on red"] * doubted


def test_a_starting_card_that_lies_on_another_is_a_doubt() -> None:
    """It is laid first: a card that a lamp washes out may look like it."""
    start = DrawnCard("start", "white", (GREEN.pose[0] + 40, GREEN.pose[1] + 35, 0.3))
    reason = "the starting card seems to lie on another: it may be another card"
    for cards, doubted in (((GREEN, start), True), ((start, GREEN), False)):
        evidence = drawn_evidence(*cards, RED)
        table = reconstruct(evidence, DECK)
        assert table is not None
        seen = scene_of(table, evidence)
        assert seen.starting_card_seen
        found = [d for d in find_doubts(seen) if d.reason == reason]
        assert len(found) == doubted
        assert all(set(d.changes_scores_by) == {"green", "red"} for d in found)


def test_a_table_without_its_starting_card() -> None:
    evidence = drawn_evidence(GREEN, RED)
    table = reconstruct(evidence, DECK)
    assert table is not None
    (doubt,) = find_doubts(scene_of(table, evidence))
    assert (doubt.kind, doubt.reason) == ("missing", "the starting card is not seen")
    # More than that card may be unseen.
    assert set(doubt.changes_scores_by) == {"green", "red"}
    assert set(doubt.changes_scores_without_illegal_by) == {"green", "red"}


BESIDE_MM = np.array([[62.0, 150.0]])


def test_a_white_disc_far_from_every_card_is_no_dot() -> None:
    seen = scene(GREEN, RED)
    ink = seen.table.named.ink[card_of(seen, "red")][None]
    assert again(seen, dots=with_dots(seen.table.dots, BESIDE_MM, ink)) == ()


def test_a_white_disc_beside_the_cards_is_one_of_a_card_that_shows_its_lines() -> None:
    """The third card was drawn and not read; its dots lie on no card, but its lines are there."""
    whole, seen = scene(GREEN, RED, THIRD), unread(scene(GREEN, RED, THIRD), THIRD.face)
    strays = [d for d in find_doubts(seen) if d.reason == "a white dot that no card explains"]
    near = [np.hypot(*(np.array(d.at_px) / SCALE - true_dots(THIRD)).T).min() < 0.5 for d in strays]
    assert len(near) >= 3
    assert all(near)
    assert all(d.changes_scores_by == {"green": 1} for d in strays)
    far = with_dots(whole.table.dots, np.array([[150.0, 190.0]]), whole.table.named.ink[:1])
    assert [d.kind for d in again(whole, dots=far)] == ["missing"]


def test_unequal_counts() -> None:
    seen = scene(GREEN, RED, THIRD)
    (doubt,) = find_doubts(seen)
    assert (doubt.kind, doubt.card) == ("missing", None)
    assert doubt.reason == "only 1 red cards are seen where others have 2"
    assert doubt.changes_scores_by == {"red": 1}
    assert find_doubts(replace(seen, rules=Rules(free_for_all=True))) == ()


@pytest.mark.parametrize(("places", "doubted"), [(0, False), (30, True)])
def test_an_order_that_asks_for_chance_is_a_doubt_only_where_the_picture_leans_to_it(
    monkeypatch: pytest.MonkeyPatch, places: int, doubted: bool
) -> None:
    seen = scene(GREEN, OVER)
    below, top = card_of(seen, "green"), card_of(seen, "red")
    pair = sorted((below, top))
    lead = np.array([-0.4 if top == pair[0] else 0.4])
    pairs = PairEvidence(np.array([pair]), lead, np.array([places]), np.array([0]))
    stack = replace(seen.table.stack, pairs=pairs)
    assert "order" in [doubt.kind for doubt in again(seen, stack=stack)]
    monkeypatch.setattr(ChanceFits, "needed_by_order", lambda *_: True)
    assert ("order" in [doubt.kind for doubt in again(seen, stack=stack)]) == doubted


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
    pairs = PairEvidence(np.array([pair]), leads, np.array([200]), np.array([0]))
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


@pytest.mark.parametrize("breaks_more", [False, True])
@pytest.mark.parametrize(("lead", "places"), [(0.45, 200), (0.45, 110), (0.35, 200), (0.6, 90)])
def test_an_order_that_is_nearly_plain_is_believed_where_the_other_breaks_more_rules(
    monkeypatch: pytest.MonkeyPatch, lead: float, places: int, breaks_more: bool
) -> None:
    seen = scene(GREEN, OVER)
    pair = sorted((card_of(seen, "green"), card_of(seen, "red")))
    signed = np.array([lead if card_of(seen, "red") == pair[0] else -lead])
    pairs = PairEvidence(np.array([pair]), signed, np.array([places]), np.array([0]))
    assert not pairs.clear.any()
    monkeypatch.setattr(card_doubts, "_breaks_more", lambda *_: breaks_more)
    doubts = again(seen, stack=replace(seen.table.stack, pairs=pairs))
    believed = breaks_more and (lead, places) == (0.45, 200)
    assert ("order" in [doubt.kind for doubt in doubts]) != believed


@pytest.mark.parametrize(("lead", "doubted"), [(0.05, False), (-0.5, True)])
def test_what_covers_the_starting_card_lies_on_it(lead: float, doubted: bool) -> None:
    """It lay there before all others; unless the picture leans to the contrary."""
    x, y, angle = START.pose
    seen = scene(GREEN, DrawnCard("circle-6", "red", (x + 58.0, y, angle)))
    start, red = card_of(seen, DECK.starting_colour.name), card_of(seen, "red")
    pair = sorted((start, red))
    leads = np.array([lead if red == pair[0] else -lead])
    pairs = PairEvidence(np.array([pair]), leads, np.array([20]), np.array([0]))
    found = again(seen, stack=replace(seen.table.stack, pairs=pairs))
    assert bool([d for d in found if d.kind == "order"]) == doubted


def test_a_pair_that_had_to_give_way_is_in_doubt_however_clear() -> None:
    seen = scene(GREEN, OVER)
    lower, upper = card_of(seen, "green"), card_of(seen, "red")
    stack = replace(seen.table.stack, against=[(lower, upper)])
    assert [d.kind for d in again(seen, stack=stack)] == ["order"]


def beside_a_dot(by_mm: float) -> DrawnCard:
    """A card whose left edge lies so far right of the middle of green's rightmost dots."""
    x = float(true_dots(GREEN)[:, 0].max())
    return DrawnCard("square-2", "red", (x + by_mm + 58.2 / 2, 71.0, 0.0))


HALF_HIDDEN = "this dot is about half hidden"


def halves(seen: Scene) -> list[Doubt]:
    return [d for d in find_doubts(seen) if d.reason == HALF_HIDDEN]


def green_parts(seen: Scene) -> FloatArray:
    return np.array(dot_parts(seen.layout)[card_of(seen, "green")])


def test_a_dot_that_is_half_hidden() -> None:
    """The upper card's edge runs through the middle of a green dot."""
    seen = scene(GREEN, beside_a_dot(0.0))
    parts = green_parts(seen)
    split = int(((parts > 0.38) & (parts <= 0.62)).sum())
    assert split >= 1
    doubts = halves(seen)
    assert len(doubts) == split
    assert all(set(d.changes_scores_by) == {"green"} for d in doubts)


@pytest.mark.parametrize(("by_mm", "shows"), [(0.8, True), (-0.8, False)])
def test_a_dot_that_shows_by_a_third_or_two_thirds_is_sure_where_the_pixels_agree(
    by_mm: float, shows: bool
) -> None:
    seen = scene(GREEN, beside_a_dot(by_mm))
    parts = green_parts(seen)
    partly = (parts > 0.25) & (parts <= 0.75)
    assert partly.any()
    assert ((parts[partly] > 0.5) == shows).all()
    assert halves(seen) == []
    # The same layout, and a picture in which the edge lies on the other side of the middle.
    other = scene(GREEN, beside_a_dot(-by_mm))
    doubts = halves(replace(seen, evidence=other.evidence))
    assert len(doubts) == partly.sum()
    assert all(d.changes_scores_by == {"green": -1 if shows else 1} for d in doubts)


def test_from_aslant_a_card_may_hide_more_of_a_dot_than_its_height_tells() -> None:
    """Three fifths of green's dots show: nearly enough to be sure, seen from straight above."""
    seen = scene(GREEN, beside_a_dot(0.36))
    parts = green_parts(seen)
    assert ((parts > 0.58) & (parts < 0.65)).any()
    assert halves(seen) == []
    x, y, _ = GREEN.pose
    for lens_mm, doubted in (((x, y, 600.0), False), ((x - 700.0, y, 700.0), True)):
        raster = replace(seen.evidence.raster, lens_mm=lens_mm)
        doubts = halves(replace(seen, evidence=replace(seen.evidence, raster=raster)))
        assert bool(doubts) == doubted


def test_a_dot_is_compared_with_the_part_of_it_that_the_camera_sees() -> None:
    """From aslant two thirds of green's dots are seen beside a card that truly hides as much."""
    seen = scene(GREEN, beside_a_dot(0.8))
    red = seen.layout.card(card_of(seen, "red"))
    pose = replace(red.pose, x_mm=red.pose.x_mm - 1.6)
    layout = with_card(seen.layout, replace(red, pose=pose))
    aslant = replace(seen, layout=layout, score=score_of(layout, RULES))
    assert ((green_parts(aslant) > 0.25) & (green_parts(aslant) < 0.43)).any()
    assert halves(aslant) == []


def test_a_dot_is_compared_with_what_is_seen_of_it_beside_a_curled_card() -> None:
    """Red's sides stand up: its edge is seen 1.6 mm beside its place, on more of the dots."""
    seen, other = scene(GREEN, beside_a_dot(0.8)), scene(GREEN, beside_a_dot(-0.8))
    flat = replace(seen, evidence=other.evidence)
    assert halves(flat)
    poses = widened(seen.table.named.poses)
    poses[card_of(seen, "red"), 3] = -1.6 / (DECK.card.width_mm / 2) ** 2
    table = replace(seen.table, named=replace(seen.table.named, poses=poses))
    assert halves(replace(flat, table=table)) == []


@pytest.mark.parametrize(("by_mm", "stray"), [(0.3, False), (5.0, True)])
def test_what_is_left_of_a_partly_hidden_dot_is_no_stray(by_mm: float, stray: bool) -> None:
    """A disc seen on the upper card's band: the lower card's dot that it half hides is at hand,
    where one is near."""
    seen = scene(GREEN, beside_a_dot(by_mm))
    dots = true_dots(GREEN)
    at = dots[dots[:, 0].argmax()] + [by_mm + 1.4, 0.0]
    doubts = find_doubts(with_disc(seen, at, seen.table.named.ink[card_of(seen, "green")]))
    found = [d for d in doubts if d.reason == "a white dot that no card explains"]
    assert len(found) == stray


@pytest.mark.parametrize(("others", "stray"), [((), False), ((LOW,), True)])
def test_a_disc_in_a_narrow_gap_between_cards_is_the_table_s(
    others: tuple[DrawnCard, ...], stray: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless the numbers of cards leave room for one that lies under both."""
    monkeypatch.setattr(
        "vision.doubting.dot_doubts.could_be_dots", lambda _, at, __: np.ones(len(at), np.bool_)
    )
    turn, middle = np.pi / 8, np.array([75.0, 66.0])
    away = (DECK.card.width_mm + 1.8) / 2 * np.array([np.cos(turn), np.sin(turn)])
    faces = ("circle-4", "green"), ("square-2", "red")
    near = [
        DrawnCard(*face, (float(at[0]), float(at[1]), turn))
        for face, at in zip(faces, (middle - away, middle + away), strict=True)
    ]
    seen, at = scene(*near, *others), middle
    found = find_doubts(with_disc(seen, at, seen.table.named.ink[card_of(seen, "green")]))
    assert len([d for d in found if d.reason == "a white dot that no card explains"]) == stray


@pytest.mark.parametrize(("others", "told"), [((), True), ((THIRD,), False)])
def test_a_dot_that_nothing_can_hide_is_seen_in_a_haze_by_less(
    others: tuple[DrawnCard, ...], told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other face is open, and the numbers of cards say that none was missed."""
    seen, dots = scene(GREEN, RED, *others), true_dots(GREEN)
    levels = {1: 180.0, len(dots): 40.0}
    monkeypatch.setattr(
        "vision.doubting.dots_in_haze._levels",
        lambda _, at: np.full((len(at), 8), levels[len(at)]),
    )
    monkeypatch.setattr("vision.doubting.dots_in_haze._paler_by", lambda *_: np.array([2.15]))
    owner = np.array([card_of(seen, "green")])
    assert told_by_colour(seen, dots[:1], owner, dots).tolist() == [told]


def with_choices(seen: Scene, choices: Mapping[int, tuple[Choice, ...]]) -> tuple[Doubt, ...]:
    count = len(seen.table.named)
    return again(seen, choices=tuple(choices.get(i, ()) for i in range(count)))


def front_of(seen: Scene, face: str) -> int:
    return 2 * seen.table.templates.faces.index(face)


def test_a_face_that_may_be_another() -> None:
    """The nearest reading that would change a score is the one that is told."""
    seen = scene(GREEN, RED)
    i = card_of(seen, "green")
    alike = Choice(front_of(seen, "triangle-4"), False)
    others = (Choice(front_of(seen, "circle-1"), False), Choice(front_of(seen, "circle-6"), False))
    (doubt,) = with_choices(seen, {i: (alike, *others)})
    assert (doubt.kind, doubt.card) == ("face", i)
    assert doubt.reason == "this card shows too little to tell circle-4 from circle-1"
    assert doubt.changes_scores_by == {"green": -3}


def test_a_face_that_another_card_of_the_colour_has_is_no_doubt() -> None:
    seen = scene(GREEN, RED, THIRD)
    i = next(card.id for card in seen.layout.cards if card.face == GREEN.face)
    other = Choice(front_of(seen, THIRD.face), False)
    assert [d.kind for d in with_choices(seen, {i: (other,)})] == ["missing"]
    red = card_of(seen, "red")
    assert [d.kind for d in with_choices(seen, {red: (other,)})] == ["face", "missing"]


def test_the_other_side_of_the_same_face_matters_only_where_the_score_does() -> None:
    seen = scene(GREEN, RED)
    rows = seen.table.named.rows
    sides = {i: (Choice(int(rows[i]) ^ 1, False),) for i in range(len(rows))}
    assert with_choices(seen, sides) == ()
    half = scene(GREEN, OVER)
    green = card_of(half, "green")
    side = Choice(int(half.table.named.rows[green]) ^ 1, False)
    (doubt,) = with_choices(half, {green: (side,)})
    assert doubt.reason == "this card shows too little to tell its front from its back"


def unsure_of(seen: Scene, others: Mapping[int, tuple[str, float]]) -> Scene:
    """The scene where some cards may as well be of another colour, this surely of the own."""
    sure, runner = seen.table.naming.confidence.copy(), seen.table.naming.runner_up.copy()
    for card, (rival, confidence) in others.items():
        sure[card] = confidence
        runner[card] = seen.table.templates.colours.index(rival)
    naming = replace(seen.table.naming, confidence=sure, runner_up=runner)
    return scene_of(replace(seen.table, naming=naming), seen.evidence, seen.rules)


@pytest.mark.parametrize(("confidence", "doubted"), [(0.7, True), (0.999, False)])
def test_a_colour_that_is_not_sure(confidence: float, doubted: bool) -> None:
    """Where the numbers of cards say nothing."""
    seen = replace(scene(GREEN, RED), rules=Rules(free_for_all=True))
    i = card_of(seen, "red")
    doubts = [
        d for d in find_doubts(unsure_of(seen, {i: ("pink", confidence)})) if d.kind == "colour"
    ]
    assert len(doubts) == doubted
    for doubt in doubts:
        assert doubt.card == i
        assert doubt.changes_scores_by == {"red": -2, "pink": 2}


def test_a_card_that_shows_no_dot_may_bring_a_colour_into_play() -> None:
    seen = replace(scene(GREEN, RED), rules=FREE_FOR_ALL)
    seen = unsure_of(seen, {card_of(seen, "red"): ("pink", 0.7)})
    by_colour = {card.colour: card for card in seen.layout.cards}
    hidden = replace(by_colour["red"], pose=by_colour["green"].pose)
    start = seen.deck.starting_colour.name
    layout = replace(seen.layout, cards=(by_colour[start], hidden, by_colour["green"]))
    seen = replace(seen, layout=layout, score=score_of(layout, seen.rules))
    (doubt,) = card_doubts.colour_doubts(seen)
    assert seen.score.as_it_lies["red"] == 0
    assert set(doubt.changes_scores_by) == {"red", "pink"}


def test_no_colour_is_doubted_that_the_numbers_of_cards_tell() -> None:
    """One green, one red: were the red one green, too, there would be two green ones."""
    seen = scene(GREEN, RED)
    red, green = card_of(seen, "red"), card_of(seen, "green")

    def doubted(others: Mapping[int, tuple[str, float]], of: Scene = seen) -> set[int | None]:
        return {d.card for d in find_doubts(unsure_of(of, others)) if d.kind == "colour"}

    for rival in ("green", "pink"):
        assert doubted({red: (rival, 0.7)}) == set()
    # Two that could change places, or of which only the numbers tell both.
    assert doubted({red: ("green", 0.7), green: ("red", 0.7)}) == {red, green}
    assert doubted({red: ("pink", 0.5), green: ("blue", 0.5)}) == {red, green}
    assert doubted({red: ("pink", 0.7), green: ("blue", 0.7)}) == set()
    more = scene(GREEN, RED, THIRD)
    assert doubted({card_of(more, "red"): ("pink", 0.7)}, more) == {card_of(more, "red")}


@pytest.mark.parametrize(("green", "doubted"), [("square-2", False), ("circle-4", True)])
def test_no_colour_is_doubted_of_which_the_same_face_is_known(green: str, doubted: bool) -> None:
    seen = replace(scene(replace(GREEN, face=green), RED), rules=Rules(free_for_all=True))
    red = card_of(seen, "red")
    doubts = find_doubts(unsure_of(seen, {red: ("green", 0.7)}))
    assert [d.card for d in doubts if d.kind == "colour"] == [red] * doubted


@pytest.mark.parametrize(
    ("fit", "lines", "blank", "doubted"),
    [
        (0.9, 0.5, True, True),
        (0.9, 0.5, False, False),
        (0.9, 1.0, True, False),
        (0.3, 0.5, True, False),
    ],
)
def test_a_card_that_neither_fits_nor_shows_its_lines(
    fit: float, lines: float, blank: bool, doubted: bool
) -> None:
    """A poor fit alone is a lamp's work; `lines` are a share of what lines usually have. Where a
    card is not `blank`, but draws what its face does, it looks as it should.
    """
    seen = scene(GREEN, RED)
    i = card_of(seen, "red")
    fits, whiteness = seen.table.named.fit.copy(), seen.table.lines.copy()
    fits[i] = fit
    whiteness[i] = lines * np.median(whiteness)
    patches = seen.table.stack.patches
    pixels = patches.pixels.copy()
    if blank:
        pixels[i] = 40
    stack = replace(seen.table.stack, patches=replace(patches, pixels=pixels))
    named = replace(seen.table.named, fit=fits)
    doubts = again(seen, named=named, lines=whiteness, stack=stack)
    assert [(d.kind, d.card) for d in doubts] == [("card", i)] * doubted
    for doubt in doubts:
        assert doubt.changes_scores_by == {"red": -2}


def unread(seen: Scene, face: str) -> Scene:
    """The same picture with one card not read."""
    gone = next(c.id for c in seen.layout.cards if c.face == face)
    keep = np.arange(len(seen.table.named)) != gone
    naming = Naming(*(getattr(seen.table.naming, f.name)[keep] for f in fields(Naming)))
    left = np.flatnonzero(keep).tolist()
    order = [left.index(i) for i in seen.table.stack.order if i != gone]
    table = replace(
        seen.table, named=seen.table.named.take(keep), naming=naming,
        stack=replace(seen.table.stack, order=order, pairs=NO_PAIRS, against=[]),
        lines=seen.table.lines[keep], haze=seen.table.haze[keep], choices=((),) * len(left),
    )  # fmt: skip
    return scene_of(table, seen.evidence, seen.rules)


def test_lines_that_no_card_accounts_for() -> None:
    """A card that was drawn and not read."""
    doubts = find_doubts(unread(scene(GREEN, RED, THIRD), THIRD.face))
    missing = [d for d in doubts if d.kind == "missing"]
    assert missing
    assert all("white lines" in d.reason for d in missing)
    assert all(set(d.changes_scores_by) == {"green", "red"} for d in missing)


ONE_LINE = Segments(np.array([[150.0, 160.0]]), np.array([[150.0, 190.0]]))
A_CORNER = Segments(
    np.array([[150.0, 160.0], [150.0, 160.0]]), np.array([[150.0, 190.0], [180.0, 160.0]])
)
TWO_PLACES = Segments(
    np.array([[150.0, 160.0], [190.0, 30.0]]), np.array([[150.0, 190.0], [190.0, 60.0]])
)
FREE_FOR_ALL = Rules(free_for_all=True)


def much_print(seen: Scene) -> Segments:
    """Lines by the hundred, none on a card."""
    x, y = np.meshgrid(np.arange(0.0, 200.0, 2.0), np.arange(0.0, 200.0, 4.0))
    start = np.stack([x, y], axis=-1).reshape(-1, 2)
    start = start[seen.top.at(start + [4.0, 0.0]) == 0]
    return Segments(start, start + [8.0, 0.0])


@pytest.mark.parametrize(
    ("lines", "cards", "rules", "doubted"),
    [
        (ONE_LINE, (GREEN, RED), RULES, 0),
        (A_CORNER, (GREEN, RED), RULES, 1),
        (TWO_PLACES, (GREEN, RED), RULES, 2),
        (ONE_LINE, (GREEN, RED, THIRD), RULES, 1),
        (ONE_LINE, (GREEN, RED), FREE_FOR_ALL, 1),
    ],
)
def test_a_straight_line_of_print_where_no_card_is_missing(
    monkeypatch: pytest.MonkeyPatch, lines: Segments, cards: tuple[DrawnCard, ...], rules: Rules,
    doubted: int,
) -> None:  # fmt: skip
    """The numbers of cards gainsay that one was missed, unless each colour may have lost one."""
    monkeypatch.setattr(table_doubts, "could_be_lines", lambda _, some: some.length_mm > 0)
    seen = replace(scene(*cards), rules=rules)
    # Print all over the table must tell it, too.
    assert len(list(line_doubts(seen, lines))) == len(
        {place // 40 for place in lines.start_mm[:, 0]}
    )
    monkeypatch.setattr(table_doubts, "unexplained_lines", lambda *_: much_print(seen))
    assert len(list(line_doubts(seen, lines))) == doubted


def test_a_card_whose_face_is_open_counts_for_none() -> None:
    """It may be there only because its colour lacked a card."""
    seen = scene(GREEN, RED)
    assert seen.counted_out
    number = len(seen.table.named)
    choices = ((Choice(0, turned=False),), *((),) * (number - 1))
    assert not scene_of(replace(seen.table, choices=choices), seen.evidence).counted_out
    hazed = np.arange(number) == 0
    assert not scene_of(replace(seen.table, hazed=hazed), seen.evidence).counted_out


def inked(
    seen: Scene, colour: str, corner_mm: tuple[float, float], size_mm: FloatArray,
    share: float = 1.0,
) -> Scene:  # fmt: skip
    """The same reading of a picture with a rectangle of a card's ink painted on the table, at such
    a share of its grey levels.
    """
    raster = seen.evidence.raster
    image = raster.image_bgr.copy()
    pose = seen.table.named.poses[card_of(seen, colour)]
    band = place(pose[None], np.array([[DECK.card.width_mm / 2 - 1.7, 0.0]]))[0]
    x, y = np.rint(raster.to_raster(band)[0]).astype(int)
    low = np.array(corner_mm)
    (left, top), (right, bottom) = np.rint(raster.to_raster(np.array([low, low + size_mm]))).astype(
        int
    )
    image[max(top, 0) : bottom, max(left, 0) : right] = np.rint(share * image[y, x])
    # What lies on the table lies under the cards.
    poses = seen.table.named.poses
    ys, xs = np.indices(image.shape[:2])
    at = raster.to_mm(np.stack([xs, ys], axis=-1).reshape(-1, 2).astype(np.float64))
    on_card = cover(raster, poses, DECK.card, 0.2).count_at(at).reshape(xs.shape) > 0
    image[on_card] = raster.image_bgr[on_card]
    return replace(seen, evidence=observe(replace(raster, image_bgr=image)))


@pytest.mark.parametrize("lines", ["white", "colour"])
def test_a_reading_of_coloured_lines_is_never_sure(lines: Literal["white", "colour"]) -> None:
    seen = scene(GREEN, RED)
    deck = replace(DECK, art=replace(DECK.art, lines=lines))
    doubts = find_doubts(replace(seen, deck=deck))
    assert [doubt.kind for doubt in doubts] == ["table"] * (lines == "colour")
    for doubt in doubts:
        assert "lines are coloured" in doubt.reason
        for changes in (doubt.changes_scores_by, doubt.changes_scores_without_illegal_by):
            assert set(changes) == {"green", "red"}
            assert all(changes.values())


RIM = "a band of ink shows beside this card: another may lie under it"


@pytest.mark.parametrize(("long_mm", "doubted"), [(40.0, True), (14.0, False)])
@pytest.mark.parametrize("colour", ["green", "red"])
def test_a_band_of_ink_beside_a_card(colour: str, long_mm: float, doubted: bool) -> None:
    """What peeks out from under the red card, of another colour or its own."""
    seen = scene(GREEN, RED)
    edge = RED.pose[0] + DECK.card.width_mm / 2
    peeking = inked(seen, colour, (edge, 55.0), np.array([2.5, long_mm]))
    doubts = find_doubts(peeking)
    assert [(d.kind, d.card, d.reason) for d in doubts] == [
        ("missing", card_of(seen, "red"), RIM)
    ] * doubted
    for doubt in doubts:
        assert set(doubt.changes_scores_by) == {"green", "red"}
        assert doubt.at_px == pytest.approx((edge * SCALE, (55 + long_mm / 2) * SCALE), abs=4)


@pytest.mark.parametrize(("colour", "doubted"), [("green", True), ("red", False)])
def test_a_strip_of_ink_beside_a_card(colour: str, doubted: bool) -> None:
    """Narrower than a band, one of another ink is told by its colour; one of its own looks like its
    band.
    """
    seen = scene(GREEN, RED)
    edge = RED.pose[0] + DECK.card.width_mm / 2
    peeking = inked(seen, colour, (edge, 55.0), np.array([1.2, 40.0]))
    doubts = find_doubts(peeking)
    assert [(d.card, d.reason) for d in doubts] == [(card_of(seen, "red"), RIM)] * doubted


def test_ink_that_runs_on_farther_than_a_band_is_wide_is_print() -> None:
    """Unless a card may be missing: two of one colour may lie there."""
    seen, edge = scene(GREEN, RED), RED.pose[0] + DECK.card.width_mm / 2
    boxed = inked(seen, "green", (edge, 55.0), np.array([6.0, 40.0]))
    assert not [d for d in find_doubts(boxed) if d.reason == RIM]
    seen = scene(GREEN, RED, THIRD)
    boxed = inked(seen, "green", (edge, 55.0), np.array([6.0, 40.0]))
    assert [d for d in find_doubts(boxed) if d.reason == RIM]


def test_a_card_s_shadow_that_has_something_of_its_own_ink_is_no_band() -> None:
    """On a table of a kindred colour it looks so; unless a card may be missing, or lies there in
    more light, or of another colour.
    """
    edge, band = RED.pose[0] + DECK.card.width_mm / 2, np.array([2.5, 40.0])

    def doubted(colour: str, share: float, *others: DrawnCard) -> bool:
        seen = inked(scene(GREEN, RED, *others), colour, (edge, 55.0), band, share)
        return RIM in [doubt.reason for doubt in find_doubts(seen)]

    assert not doubted("red", 0.65)
    assert doubted("red", 0.85)
    assert doubted("green", 0.65)
    assert doubted("red", 0.65, THIRD)


@pytest.mark.parametrize("by_mm", [1.6, 2.0])
def test_a_band_beyond_a_line_that_is_shifted_too_is_the_card_s_own(by_mm: float) -> None:
    """A curl does so, and so does a card that lies high."""
    seen = scene(GREEN, RED)
    poses = seen.table.named.poses.copy()
    poses[card_of(seen, "red"), 0] -= by_mm
    shifted = replace(seen.table.named, poses=poses)
    assert not [d for d in again(seen, named=shifted) if d.reason == RIM]


def test_a_table_of_a_card_s_colour_is_no_band() -> None:
    seen = scene(GREEN, RED)
    everywhere = inked(seen, "red", (-30.0, 12.0), np.array([400.0, 400.0]))
    assert not [d for d in find_doubts(everywhere) if d.reason == RIM]


@pytest.mark.parametrize("peeks_mm", [2.0, 4.0, 6.0, 9.0, 12.0])
@pytest.mark.parametrize("face", ["circle-6", "triangle-2"])
def test_a_card_that_peeks_out_is_read_right_or_doubted(peeks_mm: float, face: str) -> None:
    """By the ink of its band, or by its line where that shows: never a sure score without it."""
    x, y, angle = RED.pose
    drawn = (START, GREEN, DrawnCard(face, "green", (x + peeks_mm, y, angle)), RED)
    seen = scene(*drawn[1:])
    true = score_of(Layout(DECK, tuple(laid(i, card) for i, card in enumerate(drawn))), RULES)
    exact = seen.score.without_illegal == true.without_illegal
    told = [set(d.changes_scores_without_illegal_by) for d in find_doubts(seen)]
    assert exact or any("green" in changes for changes in told)


def laid(card: int, drawn: DrawnCard) -> Card:
    x, y, angle = drawn.pose
    return Card(
        card, drawn.colour, drawn.face, Pose(x, y, float(np.rad2deg(angle)), drawn.mirrored)
    )


def test_a_card_under_another_that_was_not_read() -> None:
    """All but three millimetres of it lie under the red one."""
    seen = scene(GREEN, RED)
    x, y, angle = RED.pose
    under = DrawnCard("triangle-5", "green", (x + 3.0, y, angle))
    evidence = drawn_evidence(START, GREEN, under, RED, size_mm=SIZE_MM)
    doubts = find_doubts(replace(seen, evidence=evidence))
    assert [(d.card, d.reason) for d in doubts] == [(card_of(seen, "red"), RIM)]


@pytest.mark.parametrize("gap_mm", [0.8, 1.6, 2.4])
def test_a_strip_of_table_between_two_cards_is_no_line(gap_mm: float) -> None:
    """As pale as a card's line, as straight, and no wider."""
    x, y, angle = RED.pose
    beside = DrawnCard("triangle-3", "green", (x - DECK.card.width_mm - gap_mm, y, angle))
    seen = scene(beside, RED)
    middle = np.array([x - (DECK.card.width_mm + gap_mm) / 2, y])
    strip = on_strip(seen, middle, gap_mm)
    assert not [d for d in find_doubts(strip) if d.kind == "missing"]


def on_strip(seen: Scene, middle: FloatArray, wide_mm: float) -> Scene:
    """The table between two cards as white as paper."""
    raster = seen.evidence.raster
    half = np.array([wide_mm / 2, DECK.card.height_mm / 2])
    (x0, y0), (x1, y1) = np.rint(raster.to_raster(np.array([middle - half, middle + half])))
    picture = raster.image_bgr.copy()
    picture[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1] = 190
    evidence = observe(replace(raster, image_bgr=picture))
    table = reconstruct(evidence, DECK)
    assert table is not None
    assert len(table.named) == len(seen.table.named)
    return scene_of(table, evidence)


ASKEW = DrawnCard("circle-4", "green", (90.0, 215.0, 0.4))
"""It covers part of the starting card, and no equal shapes meet."""


@pytest.mark.parametrize(("shown", "doubts"), [(1.0, 0), (0.02, 1)])
def test_what_is_illegal_on_a_starting_card_that_hardly_shows(shown: float, doubts: int) -> None:
    seen = scene(ASKEW, RED)
    assert seen.score.without_illegal == {"green": 0, "red": 2}
    start = card_of(seen, DECK.starting_colour.name)
    visible = seen.table.visible.copy()
    places = np.flatnonzero(visible[start] > 0.5)
    visible[start, places[int(shown * len(places)) :]] = 0
    reason = "the starting card shows too little to tell where it lies"
    found = [doubt for doubt in again(seen, visible=visible) if doubt.reason == reason]
    assert len(found) == doubts
    assert all(set(doubt.changes_scores_without_illegal_by) == {"green"} for doubt in found)


def test_a_starting_card_that_hardly_shows_and_bears_only_legal_cards_is_no_doubt() -> None:
    seen = scene(GREEN, RED)
    visible = seen.table.visible.copy()
    visible[card_of(seen, DECK.starting_colour.name)] = 0
    assert not any("starting card" in doubt.reason for doubt in again(seen, visible=visible))


@pytest.mark.parametrize(
    ("pale", "as_black", "uncounted", "doubted"),
    [(True, True, True, True), (False, True, True, False), (True, False, True, False),
     (True, True, False, False)],
)  # fmt: skip
def test_a_starting_card_no_liker_to_what_shows_than_plain_black_may_be_another(
    pale: bool, as_black: bool, uncounted: bool, doubted: bool,
) -> None:  # fmt: skip
    """Unless the numbers of cards say that no other was missed."""
    seen = scene(GREEN, RED)
    start, table = card_of(seen, DECK.starting_colour.name), seen.table
    lines, patches = table.lines.copy(), table.stack.patches
    if pale:
        lines[start] *= 0.6
    if as_black:
        pixels = patches.pixels.copy()
        pixels[start, :, 3] = 0
        patches = replace(patches, pixels=pixels)
    stack = replace(table.stack, patches=patches)
    changed = replace(table, lines=lines, stack=stack)
    rules = Rules(free_for_all=uncounted)
    doubts = find_doubts(scene_of(changed, seen.evidence, rules))
    odd = [d for d in doubts if d.reason == "this card does not look as it should"]
    assert [d.card for d in odd] == [start] * doubted
    assert all(set(d.changes_scores_by) == {"green", "red"} for d in odd)


@pytest.mark.parametrize(
    ("size_mm", "uncounted", "doubted"),
    [((12.0, 9.0), True, True), ((12.0, 9.0), False, False), ((4.0, 3.0), True, False)],
)
def test_another_colour_s_ink_on_a_card_may_be_a_missed_one_s(
    size_mm: tuple[float, float], uncounted: bool, doubted: bool
) -> None:
    """With its badge hidden, and its lines on those of the card below, nothing else tells."""
    seen = scene(GREEN, RED)
    table, templates = seen.table, seen.table.templates
    start = card_of(seen, DECK.starting_colour.name)
    red = table.stack.patches.pixels[card_of(seen, "red")]
    ink = np.median(red[templates.ink[table.named.rows[card_of(seen, "red")]] > 0.97], axis=0)
    pixels = table.stack.patches.pixels.copy()
    off = np.abs(templates.grid_mm - [-12.0, 10.0])
    pixels[start, (off < np.array(size_mm) / 2).all(axis=1)] = ink
    stack = replace(table.stack, patches=replace(table.stack.patches, pixels=pixels))
    rules = Rules(free_for_all=uncounted)
    doubts = find_doubts(scene_of(replace(table, stack=stack), seen.evidence, rules))
    odd = [d for d in doubts if d.reason.startswith("another colour's ink")]
    assert [d.card for d in odd] == [start] * doubted
    assert all(set(d.changes_scores_by) == {"green", "red"} for d in odd)


def test_a_card_whose_badge_shows_another_face_is_doubted() -> None:
    seen = scene(GREEN, RED)
    green, red = card_of(seen, "green"), card_of(seen, "red")
    table = seen.table
    assert table.templates.faces[table.named.rows[red] // 2] != "circle-4"
    rows = table.named.rows.copy()
    rows[red] = 2 * table.templates.faces.index("circle-4")
    doubts = again(seen, named=replace(table.named, rows=rows))
    odd = [d for d in doubts if d.reason == "this card does not look as it should"]
    assert [d.card for d in odd] == [red] != [green]
    assert odd[0].changes_scores_by == {"green": 1, "red": 1}


@pytest.mark.parametrize(
    ("badge_shows", "fit", "doubted"), [(False, 0.4, True), (False, 0.2, False), (True, 0.4, False)]
)
def test_a_card_without_its_badge_must_fit_well(
    badge_shows: bool, fit: float, doubted: bool
) -> None:
    """Print and paper may look like a card's edge that peeks out from under others."""
    seen = scene(GREEN, RED)
    red = card_of(seen, "red")
    visible, fits = seen.table.visible.copy(), seen.table.named.fit.copy()
    visible[red, seen.table.templates.badge] = badge_shows
    fits[red] = fit
    doubts = again(seen, visible=visible, named=replace(seen.table.named, fit=fits))
    odd = [d for d in doubts if d.reason == "this card does not look as it should"]
    assert bool(odd) == doubted
    assert all(d.card == red and d.changes_scores_by == {"red": -2} for d in odd)


def test_such_a_card_without_a_dot_in_sight_may_be_one_that_shows_some() -> None:
    """Of square-6, turned so that its bar lies where the upper card does not, five would show."""
    seen = scene(GREEN, OVER)
    green = card_of(seen, "green")
    assert "green" not in {k for k, dots in seen.score.as_it_lies.items() if dots}
    visible, fits = seen.table.visible.copy(), seen.table.named.fit.copy()
    visible[green, seen.table.templates.badge] = 0
    fits[green] = 0.4
    doubts = again(seen, visible=visible, named=replace(seen.table.named, fit=fits))
    (odd,) = [d for d in doubts if d.reason == "this card does not look as it should"]
    assert odd.card == green
    assert odd.changes_scores_by == {"green": 5}
    # A face that shows no dots at all, as other decks may have, brings none.
    blank = replace(seen.deck.faces[0], id="blank", value=0, shapes=())
    table = replace(seen.table, visible=visible, named=replace(seen.table.named, fit=fits))
    other = replace(seen, table=table, deck=replace(seen.deck, faces=(*seen.deck.faces, blank)))
    assert odd in find_doubts(other)


def test_a_card_that_only_its_lines_in_a_haze_tell_is_not_sure_where_nothing_says_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It lies on no other card, and its frame is not seen."""
    monkeypatch.setattr(washed_cards, "_frame_seen", lambda *_: False)
    seen = scene(GREEN, RED)
    red = card_of(seen, "red")
    assert not seen.table.hazed.any()
    hazed = np.arange(len(seen.table.hazed)) == red
    reason = "a lamp washes this card out: it may be misread"
    (doubt,) = (doubt for doubt in again(seen, hazed=hazed) if doubt.reason == reason)
    assert doubt.card == red
    assert set(doubt.changes_scores_by) == set(doubt.changes_scores_without_illegal_by) != set()


def test_what_was_taken_for_none_is_looked_at_by_a_person() -> None:
    whole = scene(GREEN, RED)
    (doubt,) = again(whole, surplus=whole.table.named.poses[:1, :3])
    assert doubt.kind == "missing"
    assert "taken for none" in doubt.reason
    assert doubt.changes_scores_by == {"green": 1, "red": 1}


@pytest.mark.parametrize(
    ("free_for_all", "size_mm", "open_"),
    [(True, 20, True), (True, 8, False), (False, 20, False), (False, 56, True)],
)
def test_a_card_may_lie_unseen_in_a_burnt_out_patch(
    free_for_all: bool, size_mm: float, open_: bool
) -> None:
    """Where cards are counted their numbers tell, unless one of each colour may lie there."""
    seen = scene(GREEN, RED)
    burnt = seen.evidence.burnt.copy()
    x, y = (int(v) for v in seen.evidence.raster.to_raster(np.array([150.0, 225.0])))
    half = round(size_mm / 2 * seen.evidence.raster.density)
    burnt[y - half : y + half, x - half : x + half] = 255
    evidence = replace(seen.evidence, burnt=burnt)
    found = find_doubts(scene_of(seen.table, evidence, Rules(free_for_all=free_for_all)))
    doubts = [d for d in found if "burnt out here beside the cards" in d.reason]
    assert len(doubts) == open_
    if open_:
        assert doubts[0].at_px == pytest.approx((150.0 * SCALE, 225.0 * SCALE), abs=12)
        assert doubts[0].changes_scores_by == {"green": 1, "red": 1}
