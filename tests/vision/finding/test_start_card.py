from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from tests.vision.finding.start_tables import legally_on
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, named_of
from vision.drawing.coverage import cover
from vision.drawing.pose_fit import frame_samples, place
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import draw_templates
from vision.evidence import Evidence, observe, sample
from vision.finding.look_again import seen_again
from vision.finding.start_card import (
    LEAST_AGREEMENT,
    FoundStart,
    StartHints,
    find_start,
    side_by_cards,
    start_by_symbol,
    start_under,
)
from vision.naming.faces import cut_out
from vision.observing.marks import find_marks
from vision.raster import Raster

FloatArray = NDArray[np.float64]
SPOILT = 0.84
"""Share of a picture whose white is lost."""
GREEN = DrawnCard("circle-4", "green", (40.0, 81.0, 0.3))


def start_at(x_mm: float, y_mm: float, angle: float, mirrored: bool = False) -> DrawnCard:
    return DrawnCard(
        DECK.starting_face.id, DECK.starting_colour.name, (x_mm, y_mm, angle), mirrored
    )


def found(
    evidence: Evidence, known: tuple[DrawnCard, ...] = (), symbol_seen: bool = True
) -> FoundStart | None:
    named = named_of(*known)
    coverage = cover(evidence.raster, named.poses, DECK.card, 0.3)
    seen = by_its_symbol(evidence, known) if symbol_seen else None
    return find_start(evidence, named, coverage, StartHints(seen), PRINTED)


def by_its_symbol(evidence: Evidence, known: tuple[DrawnCard, ...] = ()) -> FoundStart | None:
    return start_by_symbol(evidence, find_marks(evidence), named_of(*known).poses, PRINTED)


@pytest.mark.parametrize("angle", [0.0, 0.77, 2.0, -2.3])
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_starting_card_is_found_by_its_symbol(angle: float, mirrored: bool) -> None:
    card = start_at(70.0, 90.0, angle, mirrored)
    seen = found(drawn_evidence(card))
    assert seen is not None
    pose, row, agreement, _ = seen
    assert np.hypot(*(pose[:2] - card.pose[:2])) < 1.0
    assert np.cos(pose[2] - angle) > np.cos(np.deg2rad(2))
    assert row in (2 * len(DECK.faces), 2 * len(DECK.faces) + 1)
    assert agreement > LEAST_AGREEMENT + 0.1


def test_beside_and_under_other_cards() -> None:
    card, upper = start_at(70.0, 90.0, 0.5), DrawnCard("square-2", "red", (112.0, 120.0, 0.5))
    seen = found(drawn_evidence(card, upper), (upper,))
    assert seen is not None
    assert np.hypot(*(seen[0][:2] - card.pose[:2])) < 1.0


def test_a_player_s_card_is_no_starting_card() -> None:
    assert found(drawn_evidence(GREEN), (GREEN,)) is None


def test_what_known_cards_account_for_is_not_its_symbol() -> None:
    card = start_at(70.0, 90.0, 0.5)
    assert found(drawn_evidence(card), symbol_seen=False) is None


def test_an_empty_table_has_none() -> None:
    assert found(drawn_evidence()) is None


def test_a_die_with_one_pip_on_a_table_as_bright_as_white_is_none() -> None:
    raster = drawn_evidence().raster
    image = np.full_like(raster.image_bgr, 235)
    x, y = (round(at) for at in raster.to_raster(np.array([70.0, 90.0])))
    half, pip = round(12 * raster.density), round(2 * raster.density)
    cv2.rectangle(image, (x - half, y - half), (x + half, y + half), (12, 8, 60), -1)
    with_die = replace(raster, image_bgr=cv2.circle(image, (x, y), pip, (225, 225, 225), -1))
    seen = observe(with_die)
    pale = replace(seen, washed=np.where(seen.least > 150, np.uint8(255), np.uint8(0)))
    pale.washed[y - half : y + half, x - half : x + half] = 0
    assert found(pale) is None


def on_ground(evidence: Evidence, level: int, *cards: DrawnCard) -> Evidence:
    """The same cards on another table."""
    raster = evidence.raster
    poses = np.array([card.pose for card in cards])
    y, x = np.indices(raster.image_bgr.shape[:2])
    at = raster.to_mm(np.stack([x, y], axis=-1).reshape(-1, 2).astype(np.float64))
    bare = cover(raster, poses, DECK.card, 0.6).count_at(at).reshape(x.shape) == 0
    image = raster.image_bgr.copy()
    image[bare] = level
    return observe(Raster(image, raster.origin_mm, raster.density))


@pytest.mark.parametrize("level", [20, 90, 160, 225])
def test_the_white_band_is_seen_on_any_table(level: int) -> None:
    """Dark ones end it, on pale ones it runs on in the table; black begins inside it either way."""
    card = start_at(70.0, 90.0, 0.77)
    evidence = on_ground(drawn_evidence(card), level, card)
    half = np.array([DECK.card.width_mm, DECK.card.height_mm]) / 2
    inside = place(np.array([card.pose]), np.array([[half[0] - 8, 10.0], [10.0, half[1] - 8]]))[0]
    assert (sample(evidence.white, evidence.raster.to_raster(inside)) < 60).all()
    seen = found(evidence)
    assert seen is not None
    assert np.hypot(*(seen[0][:2] - card.pose[:2])) < 1.0
    assert np.cos(seen[0][2] - 0.77) > np.cos(np.deg2rad(2))


@pytest.mark.parametrize("face", ["circle-4", "square-2", "triangle-1", "circle-6"])
def test_without_its_symbol_it_is_found_where_a_card_laid_on_it_would_have_it(face: str) -> None:
    card = start_at(70.0, 90.0, 0.5)
    degrees = float(np.rad2deg(0.5))
    below = Card(0, DECK.starting_colour.name, DECK.starting_face.id, Pose(70.0, 90.0, degrees))
    way = legal_placements(Layout(DECK, (below,)), "green", face, Rules())[0]
    pose = (way.pose.x_mm, way.pose.y_mm, float(np.deg2rad(way.pose.angle_deg)))
    upper = DrawnCard(face, "green", pose, way.pose.mirrored)
    evidence = drawn_evidence(card, upper, size_mm=(220, 200))
    seen = found(evidence, (upper,), symbol_seen=False)
    assert seen is not None
    assert np.hypot(*(seen[0][:2] - card.pose[:2])) < 1.0
    assert abs(np.sin(seen[0][2] - 0.5)) < np.sin(np.deg2rad(2))
    apart = replace(upper, pose=(pose[0] + 6.0, pose[1] - 5.0, pose[2] + 0.4))
    assert found(evidence, (apart,), symbol_seen=False) is None


def test_a_likely_symbol_gives_way_to_where_a_card_on_it_clearly_has_it() -> None:
    """Its own symbol is covered, and another spot between white lines looks much like one."""
    card = start_at(110.0, 100.0, 0.5)
    upper = legally_on(card, 1)
    evidence = drawn_evidence(card, *upper, size_mm=(240, 220))
    named = named_of(*upper)
    coverage = cover(evidence.raster, named.poses, DECK.card, 0.3)
    row = 2 * len(DECK.faces)
    for agreement, right in ((0.8, True), (0.95, False)):
        likely = FoundStart(np.array([60.0, 150.0, 2.0]), row, agreement)
        seen = find_start(evidence, named, coverage, StartHints(likely), PRINTED)
        assert seen is not None
        assert bool(np.hypot(*(seen[0][:2] - card.pose[:2])) < 1.0) is right


@pytest.mark.parametrize(("seen_share", "right"), [(0.7, True), (0.95, False)])
def test_a_frame_gives_way_to_one_of_which_more_is_seen(seen_share: float, right: bool) -> None:
    """A symbol beside the middle looks like a badge: a frame is sought round it, too."""
    card = start_at(110.0, 100.0, 0.5)
    upper = legally_on(card, 1)
    evidence = drawn_evidence(card, *upper, size_mm=(240, 220), deck=OTHER_PRINTING)
    named = named_of(*upper)
    coverage = cover(evidence.raster, named.poses, DECK.card, 0.3)
    beside = np.array([*(np.array(card.pose[:2]) + [9.0, 9.0]), card.pose[2]])
    known = FoundStart(beside, 2 * len(DECK.faces), seen_share, True)
    seen = find_start(evidence, named, coverage, StartHints(known), PRINTED)
    assert seen is not None
    assert bool(np.hypot(*(seen.pose[:2] - card.pose[:2])) < 1.0) is right


OTHER_PRINTING = replace(
    DECK,
    starting_colour=replace(DECK.starting_colour, hex="#171717"),
    starting_face=replace(DECK.starting_face, shapes=()),
)
"""Its starting card is black to the edge, and draws nothing but its frame and its symbol."""


@pytest.mark.parametrize(("count", "angle"), [(1, 0.5), (3, 0.5), (3, 0.5 + np.pi)])
def test_of_another_printing_it_is_found_by_its_frame(count: int, angle: float) -> None:
    """A frame looks the same turned half round; which shapes lie where, cards on it tell."""
    card = start_at(110.0, 100.0, angle)
    upper = legally_on(card, count)
    evidence = drawn_evidence(card, *upper, size_mm=(240, 220), deck=OTHER_PRINTING)
    seen = found(evidence, upper, symbol_seen=False)
    assert seen is not None
    assert max(off(seen[0], card)) < 0.2
    if count == 3:
        assert np.cos(seen[0][2] - angle) > 0.9
        assert seen[1] == 2 * len(DECK.faces)
    assert found(drawn_evidence(*upper, size_mm=(240, 220)), upper, symbol_seen=False) is None


@pytest.mark.parametrize(("of_players", "is_one"), [(50.0, True), (10.0, False)])
def test_a_band_into_which_the_table_s_colour_runs_is_pale_beside_inked_ones(
    monkeypatch: pytest.MonkeyPatch, of_players: float, is_one: bool
) -> None:
    card = start_at(110.0, 100.0, 0.5)
    upper = legally_on(card, 3)
    players = named_of(*upper).poses

    def tint(_: Evidence, poses: FloatArray, *__: object) -> FloatArray:
        return np.full(len(poses), of_players if np.array_equal(poses, players) else 5.0)

    monkeypatch.setattr("vision.finding.start_card.band_tint", tint)
    seen = found(drawn_evidence(card, *upper, size_mm=(240, 220)), upper, symbol_seen=False)
    assert (seen is not None) is is_one


@pytest.mark.parametrize(("cards", "seen_share", "is_found"), [
    (1, 0.7, False), (2, 0.7, True), (2, 0.3, False),
])  # fmt: skip
def test_of_a_frame_less_need_be_seen_where_two_cards_would_have_it(
    cards: int, seen_share: float, is_found: bool
) -> None:
    """One printed a little smaller than the others' lies on its line here and there."""
    card = start_at(110.0, 100.0, 0.5)
    upper = legally_on(card, cards)
    evidence = drawn_evidence(card, *upper, size_mm=(240, 220), deck=OTHER_PRINTING)
    image = evidence.raster.image_bgr.copy()
    lines = place(np.array([card.pose]), frame_samples(DECK.card, 3.0).places_mm)[0]
    covered = cover(evidence.raster, named_of(*upper).poses, DECK.card, 2.0).count_at(lines[None])
    shown = np.random.default_rng(0).permutation(lines[covered[0] == 0])
    at = evidence.raster.to_raster(shown[round(seen_share * len(shown)) :])
    for x, y in np.rint(at).astype(int).tolist():
        cv2.circle(image, (x, y), 4, (23, 23, 23), -1)
    pale = observe(replace(evidence.raster, image_bgr=image))
    seen = found(pale, upper, symbol_seen=False)
    assert (seen is not None) is is_found
    if seen is not None:
        assert max(off(seen[0], card)) < 0.5


def test_a_frame_with_ink_round_it_is_a_player_s_card() -> None:
    card = start_at(110.0, 100.0, 0.5)
    upper = legally_on(card, 1)
    black = replace(GREEN, face="circle-1", pose=card.pose)
    evidence = drawn_evidence(black, *upper, size_mm=(240, 220))
    assert found(evidence, upper, symbol_seen=False) is None


def test_where_three_cards_would_have_it_less_need_be_seen_of_it() -> None:
    card = start_at(110.0, 100.0, 0.5)
    upper = legally_on(card, 3)
    evidence = drawn_evidence(card, *upper, size_mm=(240, 220))
    spoilt = np.random.default_rng(3).random((160, 160)) < SPOILT
    height, width = evidence.white.shape
    mask = np.kron(spoilt, np.ones((height // 160 + 1, width // 160 + 1)))[:height, :width] > 0
    white, least = (np.where(mask, np.uint8(0), one) for one in (evidence.white, evidence.least))
    poor = replace(evidence, white=white, least=least)
    seen = found(poor, upper, symbol_seen=False)
    assert seen is not None
    assert seen[2] < LEAST_AGREEMENT
    assert np.hypot(*(seen[0][:2] - card.pose[:2])) < 1.5
    assert found(poor, upper[:1], symbol_seen=False) is None


@pytest.mark.parametrize(("by_mm", "is_found"), [(0.5, True), (8.0, False)])
def test_a_symbol_tells_of_its_place_as_a_card_laid_on_it_does(
    by_mm: float, is_found: bool
) -> None:
    """Two cards would have it where a symbol that is not clear has it, too."""
    card = start_at(110.0, 100.0, 0.5)
    upper = legally_on(card, 2)
    evidence = drawn_evidence(card, *upper, size_mm=(240, 220))
    rows = np.arange(len(evidence.white))[:, None] // 6
    white = np.where(rows % 4 < 3, np.uint8(0), evidence.white)
    poor = replace(evidence, white=white, least=np.where(rows % 4 < 3, np.uint8(0), evidence.least))
    named = named_of(*upper)
    coverage = cover(evidence.raster, named.poses, DECK.card, 0.3)
    pose = np.array(card.pose) + [by_mm, 0.0, 0.0]
    known = FoundStart(pose, 2 * len(DECK.faces), 0.4)
    seen = find_start(poor, named, coverage, StartHints(known), PRINTED)
    assert find_start(poor, named, coverage, StartHints(), PRINTED) is None
    assert (seen is not None) is is_found


def test_what_looks_like_a_symbol_in_a_card_whose_band_has_ink_is_none() -> None:
    """A player's card that is not known yet."""
    others = (
        DrawnCard("circle-3", "red", (130.0, 75.0, 0.0)),
        DrawnCard("square-2", "blue", (195.0, 75.0, 0.0)),
    )
    evidence = drawn_evidence(GREEN, *others, size_mm=(260, 160))
    named = named_of(*others)
    coverage = cover(evidence.raster, named.poses, DECK.card, 0.3)
    known = FoundStart(np.array(GREEN.pose), 2 * len(DECK.faces), 0.6)
    assert find_start(evidence, named, coverage, StartHints(known), PRINTED) is None


def test_what_is_washed_out_says_nothing_against_it() -> None:
    card = start_at(70.0, 90.0, 0.5)
    evidence = drawn_evidence(card)
    height, width = evidence.white.shape
    right = np.broadcast_to(np.arange(width) > width * 0.4, (height, width))
    blank = np.where(right, np.uint8(0), evidence.white)
    washed = np.where(right, np.uint8(255), np.uint8(0))
    unread = by_its_symbol(replace(evidence, white=blank))
    seen = by_its_symbol(replace(evidence, white=blank, washed=washed))
    assert seen is not None
    assert unread is None or seen[2] > unread[2] + 0.1
    assert np.hypot(*(seen[0][:2] - card.pose[:2])) < 1.5


@pytest.mark.parametrize("mirrored", [False, True])
def test_its_side_is_that_on_which_most_cards_lie(mirrored: bool) -> None:
    card = start_at(110.0, 100.0, 0.5, mirrored)
    upper = legally_on(card, 3)
    front = 2 * len(DECK.faces)
    for read in (False, True):
        named = named_of(*upper, replace(card, mirrored=read))
        assert named.rows[3] == front + read
        assert side_by_cards(named, 3, PRINTED) == mirrored
        # Nothing of it shows in this picture: its pixels cannot tell.
        evidence = drawn_evidence(*upper, size_mm=(240, 220))
        blank = replace(evidence, washed=np.full_like(evidence.washed, 255))
        patches = cut_out(blank, named.poses, TEMPLATES)
        again = seen_again(blank, named, patches, PRINTED).named
        assert again.rows[3] == front + mirrored
    alone = named_of(replace(card, mirrored=mirrored))
    assert side_by_cards(alone, 0, PRINTED) == mirrored


@pytest.mark.parametrize(("seen", "right"), [(True, True), (False, False)])
def test_a_badge_that_no_card_has_tells_of_its_place_as_a_card_laid_on_it_does(
    seen: bool, right: bool
) -> None:
    """Two cards would have it where such a badge is, and two elsewhere, of which more frame is
    seen.
    """
    deck = published_deck()
    printed = PrintedDeck(deck, draw_templates(deck))
    card = replace(start_at(70.0, 80.0, 0.4), face=deck.starting_face.id)
    other = replace(card, pose=(190.0, 80.0, 0.4))
    upper = (*legally_on(card, 2), *legally_on(other, 2))
    shows = drawn_evidence(card, other, *upper, size_mm=(260, 170), deck=deck)
    named = named_of(*upper)
    coverage = cover(shows.raster, named.poses, deck.card, 0.3)
    # Of the first one a third of what shows is hidden by something else.
    white = shows.white.copy()
    at = shows.raster.to_raster(np.array([[card.pose[0], card.pose[1]]]))[0].astype(int)
    white[at[1] + 10 : at[1] + 60, at[0] - 80 : at[0] + 80] = 0
    poor = replace(shows, white=white)
    badges = np.array([card.pose]) if seen else np.empty((0, 3))
    start = find_start(poor, named, coverage, StartHints(badges=badges), printed)
    assert start is not None
    assert bool(np.hypot(*(start.pose[:2] - card.pose[:2])) < 2.0) is right


@pytest.mark.parametrize("glows", [False, True])
@pytest.mark.parametrize(("count", "found_"), [(3, True), (2, False)])
def test_cards_that_would_lie_exactly_on_it_tell_though_a_lamp_leaves_nothing_of_it(
    count: int, glows: bool, found_: bool
) -> None:
    card = start_at(110.0, 100.0, 0.5)
    upper = legally_on(card, count)
    evidence = drawn_evidence(*upper, size_mm=(240, 220))
    if glows:
        evidence = replace(evidence, washed=np.full_like(evidence.washed, 255))
    named = named_of(*upper)
    coverage = cover(evidence.raster, named.poses, DECK.card, 0.3)
    start = start_under(evidence, named, coverage, PRINTED)
    assert (start is not None) is found_
    assert start is None or np.hypot(*(start.pose[:2] - card.pose[:2])) < 1.0
