from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.doubting.doubt_scenes import (
    GREEN,
    LOW,
    RED,
    SCALE,
    START,
    THIRD,
    FloatArray,
    again,
    beside_a_dot,
    card_of,
    much_print,
    scene,
    scene_of,
    unread,
    with_dots,
)
from tests.vision.drawing.drawn_cards import DECK, DrawnCard
from tests.vision.observing.painted_dots import true_dots
from vision.doubting import dot_doubts, table_doubts
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.doubts import find_doubts
from vision.drawing.pose_fit import place
from vision.evidence import observe
from vision.raster import Raster
from vision.reason import Reason


def plain_place(seen: DoubtContext, card: int) -> FloatArray:
    """Where on a card the most room is round about without anything white, table mm (1, 2)."""
    templates, pose = seen.table.templates, seen.table.named.poses[card]
    white = templates.white[seen.table.named.rows[card]].reshape(templates.shape_hw) > 0.2
    room = cv2.distanceTransform(np.pad(~white, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    return np.asarray(place(pose[None], templates.grid_mm[[int(room.argmax())]])[0])


def with_disc(
    seen: DoubtContext, at_mm: FloatArray, ground: FloatArray, white: float = 220
) -> DoubtContext:
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
    assert doubt.reason == STRAY
    assert doubt.changes_scores_by == {colour: 1}
    assert doubt.changes_scores_without_illegal_by == {colour: 1}
    assert doubt.at_px == pytest.approx(tuple(at[0] * SCALE))


@pytest.mark.parametrize(("white", "stray"), [(60.0, False), (150.0, True)])
def test_a_disc_far_paler_than_its_card_s_white_is_noise(white: float, stray: bool) -> None:
    seen = scene(GREEN, RED)
    card = card_of(seen, "red")
    at, ink = plain_place(seen, card), seen.table.named.ink[card]
    doubts = find_doubts(with_disc(seen, at[0], ink, white))
    strays = [d for d in doubts if d.reason == STRAY]
    assert len(strays) == stray


@pytest.mark.parametrize(("part", "stray"), [(0.5, True), (0.1, False)])
def test_a_grain_that_stands_out_from_black_is_no_dot(part: float, stray: bool) -> None:
    seen = scene(GREEN, RED)
    card = card_of(seen, "red")
    at, ink = plain_place(seen, card)[0], seen.table.named.ink[card]
    hazy = replace(seen.table, haze=np.tile([6.0, 0.0, -6.0], (len(seen.table.haze), 1)))
    doubts = find_doubts(with_disc(replace(seen, table=hazy), at, hazy.haze[0] + part * ink))
    strays = [d for d in doubts if d.reason == STRAY]
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
    assert doubt.reason == ON_RED
    assert doubt.changes_scores_by["green"] == -1
    # So little of an ink is what a haze leaves by chance.
    ground[first] = seen.table.named.ink[red] / 8
    assert again(seen, dots=replace(dots, ground=ground)) == ()


def at_corner(seen: DoubtContext, card: int, inwards_mm: float) -> FloatArray:
    """A place (2,) so far inside a card's rounded corner."""
    size, pose = DECK.card, seen.table.named.poses[card]
    inset = size.corner_radius_mm * (1 - np.sqrt(0.5)) + inwards_mm * np.sqrt(0.5)
    own = np.array([size.width_mm / 2 - inset, size.height_mm / 2 - inset])
    return np.asarray(place(pose[None], own[None])[0, 0])


@pytest.mark.parametrize(("inwards_mm", "worn"), [(0.0, True), (2.0, True), (9.0, False)])
def test_paper_that_looks_out_of_a_worn_corner_is_no_dot(inwards_mm: float, worn: bool) -> None:
    """No dot lies on a band."""
    seen = scene(GREEN, RED)
    card = card_of(seen, "red")
    at = at_corner(seen, card, inwards_mm)
    assert dot_doubts._worn_corner(seen, at[None]).tolist() == [worn]


def test_a_corner_that_another_card_covers_does_not_look_out() -> None:
    """What is white there lies on the card above."""
    seen = scene(GREEN, DrawnCard("square-2", "red", (40.0, 95.0, 0.3)))
    corner = at_corner(seen, card_of(seen, "green"), 0.0)
    assert seen.top.at(corner[None]).tolist() == [card_of(seen, "red") + 1]
    assert dot_doubts._worn_corner(seen, corner[None]).tolist() == [False]


def test_a_white_disc_on_a_worn_corner_is_no_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = scene(GREEN, RED)
    card = card_of(seen, "red")
    at = at_corner(seen, card, 1.0)
    monkeypatch.setattr(
        "vision.doubting.dot_doubts.could_be_dots", lambda _, at, __: np.ones(len(at), np.bool_)
    )
    corner = with_disc(seen, at, seen.table.named.ink[card])
    assert STRAY not in [doubt.reason for doubt in find_doubts(corner)]
    monkeypatch.setattr(dot_doubts, "_worn_corner", lambda _, at: np.zeros(len(at), np.bool_))
    assert STRAY in [doubt.reason for doubt in find_doubts(corner)]


BESIDE_MM = np.array([[62.0, 150.0]])


def test_a_white_disc_far_from_every_card_is_no_dot() -> None:
    seen = scene(GREEN, RED)
    ink = seen.table.named.ink[card_of(seen, "red")][None]
    assert again(seen, dots=with_dots(seen.table.dots, BESIDE_MM, ink)) == ()


def test_a_white_disc_beside_the_cards_is_one_of_a_card_that_shows_its_lines() -> None:
    """The third card was drawn and not read; its dots lie on no card, but its lines are there."""
    whole, seen = scene(GREEN, RED, THIRD), unread(scene(GREEN, RED, THIRD), THIRD.face)
    strays = [d for d in find_doubts(seen) if d.reason == STRAY]
    near = [np.hypot(*(np.array(d.at_px) / SCALE - true_dots(THIRD)).T).min() < 0.5 for d in strays]
    assert len(near) >= 3
    assert all(near)
    assert all(d.changes_scores_by == {"green": 1} for d in strays)
    far = with_dots(whole.table.dots, np.array([[150.0, 190.0]]), whole.table.named.ink[:1])
    assert [d.kind for d in again(whole, dots=far)] == ["missing"]


@pytest.mark.parametrize(("by_mm", "stray"), [(0.3, False), (5.0, True)])
def test_what_is_left_of_a_partly_hidden_dot_is_no_stray(by_mm: float, stray: bool) -> None:
    """A disc seen on the upper card's band: the lower card's dot that it half hides is at hand,
    where one is near."""
    seen = scene(GREEN, beside_a_dot(by_mm))
    dots = true_dots(GREEN)
    at = dots[dots[:, 0].argmax()] + [by_mm + 1.4, 0.0]
    doubts = find_doubts(with_disc(seen, at, seen.table.named.ink[card_of(seen, "green")]))
    found = [d for d in doubts if d.reason == STRAY]
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
    assert len([d for d in found if d.reason == STRAY]) == stray


STRAY = Reason("dot-unexplained")
ON_RED = Reason("dot-on-another-colour", {"colour": "green", "rival": "red"})


@pytest.mark.parametrize(("more", "stray"), [((), 0), ((THIRD,), 1)])
def test_a_disc_that_a_card_hides_in_part_is_the_gap_s_beside_it(
    more: tuple[DrawnCard, ...], stray: int
) -> None:
    """Where the numbers of cards say that none was missed."""
    gap_mm = 1.6
    x, y, angle = GREEN.pose
    beside = replace(RED, pose=(x + DECK.card.width_mm + gap_mm, y, angle))
    seen = scene(GREEN, beside, *more)
    card = card_of(seen, "red")
    left = seen.table.named.poses[card, 0] - DECK.card.width_mm / 2
    at = np.array([left + 0.1, seen.table.named.poses[card, 1]])
    assert seen.top.at(at[None]).tolist() == [card + 1]
    doubts = find_doubts(with_disc(seen, at, seen.table.named.ink[card]))
    assert len([doubt for doubt in doubts if doubt.reason == STRAY]) == stray


@pytest.mark.parametrize(("checked", "cut"), [(False, False), (True, True)])
def test_at_the_picture_s_edge_a_dot_lies_on_one_ink(checked: bool, cut: bool) -> None:
    """Beyond the edge all is black: there a square of cloth ends like a disc."""
    seen = scene(GREEN, RED)
    raster, at = seen.evidence.raster, np.array([[2.5, 150.0]])
    image = raster.image_bgr.copy()
    x, y = (int(v) for v in np.rint(raster.to_raster(at[0])))
    high, left = round(6 * raster.density), max(0, x - 20)
    image[y - high : y + high, left : x + high] = (140, 40, 60)
    if checked:
        image[y : y + high, left : x + high] = (150, 150, 150)
    evidence = observe(Raster(image, raster.origin_mm, raster.density))
    assert dot_doubts._cut_off(replace(seen, evidence=evidence), at).tolist() == [cut]


def test_a_disc_beside_the_cards_is_print_where_the_table_is_full_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = scene(GREEN, RED)
    monkeypatch.setattr(dot_doubts, "could_be_dots", lambda _, at, __: np.ones(len(at), np.bool_))
    disc = with_disc(seen, np.array([110.0, 132.0]), seen.table.named.ink[card_of(seen, "red")])

    def strays() -> int:
        return len([doubt for doubt in find_doubts(disc) if doubt.reason == STRAY])

    assert strays() == 1
    monkeypatch.setattr(table_doubts, "unexplained_lines", lambda *_: much_print(seen))
    assert strays() == 0
