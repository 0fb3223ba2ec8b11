"""Frames are found where cards lie, and fitted on their lines."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.model.drawn_table import CONFIG, DECK, DrawnTable, drawn_table, relit
from vision.arrays import FloatArray
from vision.model.table import Place
from vision.observe.observation import FULL_WHITE, Observation
from vision.propose.frames import rough_frames
from vision.propose.line_fit import fitted_frames
from vision.propose.places import Proposal, given_places, proposed_places

BARE = Place(20.0, 210.0, 30.0)


@pytest.fixture(scope="module")
def drawn() -> DrawnTable:
    return relit(drawn_table(), 0.8, 20.0)


@pytest.fixture(scope="module")
def seen(drawn: DrawnTable) -> Observation:
    return drawn.seen()


@pytest.fixture(scope="module")
def proposed(seen: Observation) -> tuple[Proposal, ...]:
    return proposed_places(seen, DECK.card, CONFIG)


def lies_at(proposal: Proposal, place: Place) -> bool:
    """Whether a place is proposed to a millimetre and a degree."""
    at = proposal.place
    away, turned = off_nearest(np.array([[at.x_mm, at.y_mm, at.angle_deg]]), place)
    return away < 1.0 and turned < 1.0


def off_nearest(places: FloatArray, place: Place) -> tuple[float, float]:
    """How far the nearest of some places (N, 3) is off another: mm, and degrees either way up."""
    away = np.hypot(*(places[:, :2] - [place.x_mm, place.y_mm]).T)
    near = int(away.argmin())
    return float(away[near]), float(abs((places[near, 2] - place.angle_deg + 90) % 180 - 90))


def test_each_card_is_proposed_roughly_where_it_lies(seen: Observation, drawn: DrawnTable) -> None:
    found = rough_frames(seen, DECK.card, CONFIG)
    for card in drawn.table.cards:
        away, turned = off_nearest(found.places, card.place)
        assert away < 3.0
        assert turned <= 2.0
    assert (np.diff(found.shares) <= 0).all()


def test_fitted_places_are_exact(proposed: tuple[Proposal, ...], drawn: DrawnTable) -> None:
    places = np.array([[p.place.x_mm, p.place.y_mm, p.place.angle_deg] for p in proposed])
    for card in drawn.table.cards[1:]:
        away, turned = off_nearest(places, card.place)
        assert away < 0.15
        assert turned < 0.2
    # Of the starting card, the lowest, less than half shows.
    assert off_nearest(places, drawn.table.cards[0].place)[0] < 0.5


def test_each_is_proposed_once(proposed: tuple[Proposal, ...], drawn: DrawnTable) -> None:
    for card in drawn.table.cards:
        near = [
            p
            for p in proposed
            if np.hypot(p.place.x_mm - card.place.x_mm, p.place.y_mm - card.place.y_mm)
            < CONFIG.same_mm
        ]
        assert len(near) == 1


def test_a_fit_finds_its_way_from_two_millimetres_off(seen: Observation, drawn: DrawnTable) -> None:
    places = [card.place for card in drawn.table.cards[2:]]
    shaken = np.array([[p.x_mm + 1.2, p.y_mm - 1.0, p.angle_deg + 1.0] for p in places])
    fitted = fitted_frames(seen, shaken, DECK.card, CONFIG)
    for place in places:
        away, turned = off_nearest(fitted.places, place)
        assert away < 0.15
        assert turned < 0.2


def test_given_places_stay_and_show_as_much_as_there_is(
    seen: Observation, drawn: DrawnTable
) -> None:
    top = drawn.table.cards[-1].place
    lain, bare = given_places(seen, [top, BARE], DECK.card, CONFIG)
    assert (lain.place, bare.place) == (top, BARE)
    assert lain.share > 0.95
    assert bare.share < CONFIG.pool_share


def test_a_frame_beside_an_ink_nearly_as_white_is_proposed(
    seen: Observation, drawn: DrawnTable
) -> None:
    top = drawn.table.cards[-1].place
    y, x = np.indices(seen.white.shape) / seen.density
    angle = np.deg2rad(top.angle_deg)
    off = np.stack([x + seen.origin_mm[0] - top.x_mm, y + seen.origin_mm[1] - top.y_mm], axis=-1)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    size = DECK.card
    halves = np.array(
        [[size.width_mm, size.height_mm], [size.frame_width_mm, size.frame_height_mm]]
    )
    in_card, in_frame = ((np.abs(off @ turn) <= half).all(axis=-1) for half in halves / 2)
    band = (FULL_WHITE * (CONFIG.frame_white + 0.15) * (in_card & ~in_frame)).astype(np.uint8)
    pale = replace(seen, white=np.maximum(seen.white, band))
    found = rough_frames(pale, DECK.card, CONFIG)
    away, turned = off_nearest(found.places, top)
    assert away < 3.0
    assert turned <= 2.0


def test_a_blurred_frame_that_shows_plainly_is_proposed(
    seen: Observation, drawn: DrawnTable
) -> None:
    """Within the reach of its fit a blurred line rises little over what is beside it."""
    white = 2.4 * cv2.GaussianBlur(seen.white.astype(np.float32), (0, 0), 2.6)
    blurred = replace(seen, white=np.minimum(white, 255).astype(np.uint8))
    top = drawn.table.cards[-1].place
    rough = rough_frames(blurred, DECK.card, CONFIG)
    fitted = fitted_frames(blurred, rough.places, DECK.card, CONFIG)
    near = np.hypot(*(fitted.places[:, :2] - [top.x_mm, top.y_mm]).T) < 0.5
    number = int(np.where(near, rough.shares, 0.0).argmax())
    assert fitted.shares[number] < CONFIG.pool_share
    assert rough.shares[number] > CONFIG.pool_rough_share
    for least, there in ((CONFIG.pool_rough_share, True), (1.01, False)):
        some = proposed_places(blurred, DECK.card, replace(CONFIG, pool_rough_share=least))
        places = np.array([[p.place.x_mm, p.place.y_mm, p.place.angle_deg] for p in some])
        assert (len(some) > 0 and off_nearest(places, top)[0] < 0.5) == there


def test_a_frame_in_paper_is_proposed_where_that_is_on_a_white_table(seen: Observation) -> None:
    """As some printings of the starting card have it: no line rises over what is round it."""
    y, x = np.indices(seen.white.shape) / seen.density
    x, y = x + seen.origin_mm[0] - 130.0, y + seen.origin_mm[1] - 110.0
    turn = np.deg2rad(31.0)
    x, y = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    half_w, half_h = DECK.card.frame_width_mm / 2, DECK.card.frame_height_mm / 2
    black = (np.abs(x) < half_w) & (np.abs(y) < half_h)
    paper = replace(seen, white=np.where(black, 0, FULL_WHITE).astype(np.uint8))
    found = rough_frames(paper, DECK.card, CONFIG)
    away, turned = off_nearest(found.places, Place(130.0, 110.0, 31.0))
    assert away < 3.0
    assert turned <= CONFIG.paper_step_deg
    none = rough_frames(
        replace(seen, white=np.full_like(seen.white, FULL_WHITE)), DECK.card, CONFIG
    )
    assert len(none.places) == 0


def test_what_is_burnt_of_a_frame_counts_neither_way(seen: Observation, drawn: DrawnTable) -> None:
    """A card of which half a frame shows is proposed if the rest is burnt; it does not lie plainly
    there, as another frame that shares a line would lie as plainly.
    """
    top = drawn.table.cards[-1].place
    y, x = np.indices(seen.white.shape) / seen.density
    x, y = x + seen.origin_mm[0] - top.x_mm, y + seen.origin_mm[1] - top.y_mm
    turn = np.deg2rad(top.angle_deg)
    burnt = y * np.cos(turn) - x * np.sin(turn) > 2.0
    lit = replace(seen, white=np.where(burnt, 0, seen.white).astype(np.uint8))
    half = replace(lit, says=seen.says & ~burnt)
    none = replace(seen, white=np.zeros_like(seen.white), says=np.zeros_like(seen.says))
    whole, dark, left, nothing = (
        next((p.share for p in proposed_places(some, DECK.card, CONFIG) if lies_at(p, top)), None)
        for some in (seen, lit, half, none)
    )
    assert whole is not None
    assert whole > 0.95
    assert dark is None
    assert nothing is None
    assert left is not None
    assert left < CONFIG.plain_share


def test_frames_that_share_three_sides_are_both_proposed(seen: Observation) -> None:
    """As where another card's line runs beside one that is covered."""
    beside = 3.7
    white = np.zeros_like(seen.white)
    y, x = np.indices(white.shape) / seen.density
    x, y = x + seen.origin_mm[0] - 130.0, y + seen.origin_mm[1] - 110.0
    half_w, half_h = DECK.card.frame_width_mm / 2, DECK.card.frame_height_mm / 2
    across = (np.abs(np.abs(y) - half_h) < 0.5) & (x > -half_w) & (x < half_w + beside)
    along = (np.abs(x - half_w) < 0.5) | (np.abs(x + half_w - beside) < 0.5)
    white[across | (along & (np.abs(y) < half_h))] = FULL_WHITE
    found = rough_frames(replace(seen, white=white), DECK.card, CONFIG)
    for off in (0.0, beside):
        away, turned = off_nearest(found.places, Place(130.0 + off, 110.0, 0.0))
        assert away < 1.0
        assert turned == 0.0


def test_on_a_bare_table_nothing_is_proposed() -> None:
    seen = drawn_table(cards=()).seen()
    assert proposed_places(seen, DECK.card, CONFIG) == ()
    assert given_places(seen, [], DECK.card, CONFIG) == ()


def test_on_a_crowded_table_cards_are_proposed_of_which_little_shows_roughly(
    seen: Observation,
) -> None:
    half = np.array([DECK.card.frame_width_mm, DECK.card.frame_height_mm]) / 2
    corners = half * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    white = np.zeros((780, 900), np.uint8)
    middles = [(90.0 + 30 * (k % 10), 90.0 + 30 * (k // 10)) for k in range(80)]
    for k, middle in enumerate(middles):
        angle = np.deg2rad(75 + 7 * k)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        at = np.rint((corners @ turn.T + middle) * seen.density).astype(np.int32)
        cv2.polylines(white, [at], True, FULL_WHITE, 2)
    crowd = replace(seen, white=white, origin_mm=(0.0, 0.0))

    def lacking(most_frames: int) -> int:
        config = replace(CONFIG, most_frames=most_frames)
        found = proposed_places(crowd, DECK.card, config)
        places = np.array([[p.place.x_mm, p.place.y_mm] for p in found])
        return sum(bool(np.hypot(*(places - middle).T).min() > 1.0) for middle in middles)

    assert lacking(CONFIG.most_frames) == 0
    assert lacking(CONFIG.most_frames * 3 // 10) > 0  # only a crowd fills it
