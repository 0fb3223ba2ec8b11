from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest

from geometry.neighbours import neighbour_places
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from tests.vision.finding.neighbour_tables import FACE, KNOWN, ROOM_MM, beside, without_badge
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, named_of
from vision.drawing.pose_fit import place
from vision.evidence import Evidence, observe
from vision.finding.beside import about_the_same, poses_beside
from vision.finding.hidden_search import fits_with_and_without, shown_fit
from vision.finding.neighbour_search import with_neighbours
from vision.naming.name_cards import Named
from vision.ordering.stacking import meeting, stack_up
from vision.raster import Raster


def found(evidence: Evidence, named: Named) -> Named | None:
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    return with_neighbours(evidence, named, stack, PRINTED)


@pytest.mark.parametrize("which", range(len(neighbour_places(DECK)[FACE])))
@pytest.mark.parametrize("over", [True, False])
def test_a_neighbour_without_a_badge_is_found(which: int, over: bool) -> None:
    card = beside(which, 0.8)
    both = (KNOWN, card) if over else (card, KNOWN)
    more = found(without_badge(drawn_evidence(*both, size_mm=ROOM_MM), card), named_of(KNOWN))
    assert more is not None
    assert len(more) == 2
    gap_mm, _ = off(more.poses[1], card)
    assert gap_mm < 0.5


def test_neighbours_that_do_not_meet_are_found_together() -> None:
    cards = [beside(which) for which in range(len(neighbour_places(DECK)[FACE]))]
    one, other = next(
        (one, other) for one, other in combinations(cards, 2)
        if not meeting(np.array([one.pose]), np.array([other.pose]), DECK).any()
    )  # fmt: skip
    other = replace(other, face="square-4")
    evidence = drawn_evidence(KNOWN, one, other, size_mm=ROOM_MM)
    for card in (one, other):
        evidence = without_badge(evidence, card)
    more = found(evidence, named_of(KNOWN))
    assert more is not None
    assert len(more) == 3
    for card in (one, other):
        assert min(off(pose, card)[0] for pose in more.poses[1:]) < 0.5


@pytest.mark.parametrize("which", [0, 2])
def test_where_one_is_missing_a_neighbour_is_found_that_a_curl_shows_astray(which: int) -> None:
    card = beside(which, 2.7)
    evidence = without_badge(drawn_evidence(card, KNOWN, size_mm=ROOM_MM), card)
    named = named_of(KNOWN)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    more = with_neighbours(evidence, named, stack, PRINTED, overhanging=True)
    assert more is not None
    assert off(more.poses[1], card)[0] < 0.5


@pytest.mark.parametrize("which", [0, 2])
def test_a_neighbour_that_slipped_along_its_sides_is_found_by_its_end_on_the_known_card(
    which: int,
) -> None:
    """Its other end lies under a third card."""
    card = beside(which)
    way = np.array(card.pose[:2]) - KNOWN.pose[:2]
    way /= np.linalg.norm(way)
    x, y = np.array(KNOWN.pose[:2]) + way * 80.0
    cover = DrawnCard("circle-6", "blue", (float(x), float(y), float(np.arctan2(*way[::-1]))))
    x, y = np.array(card.pose[:2]) + way * 2.4
    slipped = replace(card, pose=(float(x), float(y), card.pose[2]))
    more = found(drawn_evidence(KNOWN, slipped, cover, size_mm=ROOM_MM), named_of(KNOWN, cover))
    assert more is not None
    assert off(more.poses[2], slipped)[0] < 0.5


def on_newspaper(evidence: Evidence) -> Evidence:
    """The same with close print on the bare table."""
    raster = evidence.raster
    image, rng = raster.image_bgr.copy(), np.random.default_rng(5)
    bare = (np.ptp(image, axis=2) < 3) & (np.abs(image[..., 0].astype(int) - 129) < 3)
    printed = np.full((len(image), image.shape[1]), 129, np.uint8)
    for y in range(0, len(image), 7):
        for x in range(0, image.shape[1], 12):
            start = (x + int(rng.integers(5)), y + int(rng.integers(3)))
            cv2.line(printed, start, (start[0] + 8, start[1]), 235, 2)
    image[bare] = printed[bare, None]
    return observe(Raster(image, raster.origin_mm, raster.density))


@pytest.mark.parametrize("drawn", [True, False])
def test_among_print_a_neighbour_is_found_whose_face_plainly_fits(drawn: bool) -> None:
    """Any frame is seen there in part, and so no share of it says enough."""
    card = beside(0, 0.8)
    cards = (KNOWN, card) if drawn else (KNOWN,)
    evidence = on_newspaper(without_badge(drawn_evidence(*cards, size_mm=ROOM_MM), card))
    named = named_of(KNOWN)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    more = with_neighbours(evidence, named, stack, PRINTED, overhanging=True)
    assert (more is not None) is drawn
    assert more is None or off(more.poses[1], card)[0] < 0.5


def test_only_cards_that_meet_a_further_one_are_asked_what_it_changes() -> None:
    known = (KNOWN, DrawnCard("square-1", "blue", (230.0, 230.0, 0.0)))
    evidence = drawn_evidence(*known, size_mm=ROOM_MM)
    named, trial = named_of(*known), named_of(*known, beside(0))
    old, new = (stack_up(evidence, cards, DECK, TEMPLATES) for cards in (named, trial))
    without, with_it = fits_with_and_without(trial, new, old, PRINTED)
    assert len(without) == len(with_it) - 1 == 1
    before = shown_fit(named, old, TEMPLATES, np.arange(2))
    after = shown_fit(trial, new, TEMPLATES, np.arange(3))
    assert with_it == pytest.approx(after[[0, 2]], rel=1e-4)
    assert (after[:2] - before).sum() == pytest.approx((with_it[:1] - without).sum(), abs=1e-5)


def overhanging() -> DrawnCard:
    """A card one of whose shapes lies on one of the known card's, and which covers more of it."""
    legal, either = neighbour_places(DECK)[FACE], neighbour_places(DECK, True)[FACE]
    gaps = np.linalg.norm(either[:, None, :2] - legal[None, :, :2], axis=2).min(axis=1)
    x, y, angle = either[int(np.argmax(np.where(gaps > 15.0, np.hypot(*either[:, :2].T), 0.0)))]
    middle = place(np.array([KNOWN.pose]), np.array([[x, y]]))[0, 0]
    turn = KNOWN.pose[2] + float(np.deg2rad(angle))
    return DrawnCard("square-2", "red", (float(middle[0]), float(middle[1]), turn))


def test_a_neighbour_that_overhangs_is_found_when_it_is_asked_for() -> None:
    card = overhanging()
    evidence = without_badge(drawn_evidence(card, KNOWN, size_mm=ROOM_MM), card)
    named = named_of(KNOWN)
    assert found(evidence, named) is None
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    more = with_neighbours(evidence, named, stack, PRINTED, overhanging=True)
    assert more is not None
    assert off(more.poses[1], card)[0] < 0.5


def test_where_one_is_missing_a_little_bare_table_is_enough_for_a_frame_without_a_gap() -> None:
    """One end of it on the known card, whose shape it covers, the other under a third card."""
    card = beside(4)
    way = np.array(card.pose[:2]) - KNOWN.pose[:2]
    x, y = np.array(KNOWN.pose[:2]) + way / np.linalg.norm(way) * 70.0
    cover = DrawnCard("circle-6", "blue", (float(x), float(y), float(np.arctan2(*way[::-1]))))
    named = named_of(KNOWN, cover)
    for cards in ((KNOWN, card, cover), (KNOWN, cover)):
        evidence = drawn_evidence(*cards, size_mm=ROOM_MM)
        stack = stack_up(evidence, named, DECK, TEMPLATES)
        assert with_neighbours(evidence, named, stack, PRINTED) is None
        more = with_neighbours(evidence, named, stack, PRINTED, overhanging=True)
        assert (more is not None) == (card in cards)
        assert more is None or off(more.poses[2], card)[0] < 0.5


@pytest.mark.parametrize(
    ("moved", "same"),
    [((3.0, 0, 0), True), ((0, 0, np.pi), True), ((5.0, 0, 0), False), ((0, 0, 0.1), False)],
)
def test_as_cards_are_laid_by_hand(moved: tuple[float, float, float], same: bool) -> None:
    pose = np.array([[30.0, -20.0, 0.4]])
    assert about_the_same(pose + np.array(moved), pose).tolist() == [same]


def test_beside_a_card_that_may_be_misread_lie_the_neighbours_of_any_face() -> None:
    named = named_of(KNOWN)
    doubtful = replace(named, fit=np.array([0.5]))
    assert len(poses_beside(doubtful, DECK)) > 2 * len(poses_beside(named, DECK))


def test_what_fits_no_card_is_not_sought() -> None:
    stray = replace(beside(0), pose=(beside(0).pose[0] + 9.0, *beside(0).pose[1:]))
    assert (
        found(without_badge(drawn_evidence(KNOWN, stray, size_mm=ROOM_MM), stray), named_of(KNOWN))
        is None
    )


def test_known_cards_are_not_found_again_and_nothing_is_invented() -> None:
    card = beside(0)
    assert found(drawn_evidence(KNOWN, card, size_mm=ROOM_MM), named_of(KNOWN, card)) is None
    assert found(drawn_evidence(KNOWN, size_mm=ROOM_MM), named_of(KNOWN)) is None
