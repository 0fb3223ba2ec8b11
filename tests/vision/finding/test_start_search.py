"""The starting card among cards of which one, found across another, is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.deck import Deck
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.finding.start_players import CARDS, PLAYERS, PUBLISHED, SIZE_MM, START
from tests.vision.finding.start_tables import legally_on
from tests.vision.naming.named_tables import PRINTED, named_of
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import draw_templates
from vision.finding.bandless import palest
from vision.finding.start_card import StartHints
from vision.finding.start_search import (
    framed_start,
    with_found_start,
    with_start_among_cards,
    with_start_under,
)
from vision.naming.name_cards import top_weight
from vision.ordering.stacking import StackedCards, stack_up

ACROSS = DrawnCard("square-1", "red", (60.0, 70.0, np.pi / 2))
"""Where a card may have been found across the starting card: its band lies on the grey table."""
FRAMED = drawn_evidence(*CARDS, size_mm=SIZE_MM, deck=PUBLISHED.deck)
"""Cards whose starting card has a frame; that of the older deck has none."""


def poses_of(*cards: DrawnCard) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([card.pose for card in cards])


def pale(poses: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> set[int]:
    shows = np.ones((len(poses), len(PUBLISHED.templates.grid_mm)), np.bool_)
    return set(palest(FRAMED, poses, shows, PUBLISHED)[0].tolist())


def test_it_is_the_one_whose_frame_is_seen() -> None:
    poses = poses_of(ACROSS, *CARDS)
    assert pale(poses) == {1}, "what lies across it on a pale table is more coloured than its band"
    assert pale(poses[:1]) == set()
    found, others = framed_start(FRAMED, poses, PUBLISHED)
    assert found is not None
    assert found.pose.tolist() == list(START.pose)
    assert found.agreement > 0.8
    assert others.tolist() == poses_of(*PLAYERS).tolist()


def test_of_several_with_a_frame_it_is_the_palest_however_little_is_seen_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lamp may pale a player's card of which all is seen."""
    top = DrawnCard("triangle-2", "red", (80.0, 70.0, 0.0))
    evidence = drawn_evidence(START, top, *PLAYERS, size_mm=SIZE_MM, deck=PUBLISHED.deck)
    pale_ones = np.array([0, 2]), np.array([1.0, 4.0])
    monkeypatch.setattr("vision.finding.start_search.palest", lambda *_: pale_ones)
    found, _ = framed_start(evidence, poses_of(START, top, *PLAYERS), PUBLISHED)
    assert found is not None
    assert found.pose.tolist() == list(START.pose)


def test_shifted_along_its_frame_it_is_placed_by_cards_on_it_that_show_more_of_that() -> None:
    """A frame was fitted to another of its lines: the long sides lie on one another either way."""
    x, y, angle = START.pose
    start = replace(START, pose=(x + 20.0, y + 20.0, angle))
    upper = legally_on(start, 2)
    evidence = drawn_evidence(start, *upper, *PLAYERS, size_mm=SIZE_MM, deck=PUBLISHED.deck)
    shifted = replace(start, pose=(x + 20.0, y + 32.0, angle))
    named = named_of(*upper, *PLAYERS, replace(shifted, face="circle-1", colour="green"))
    found = with_found_start(evidence, named, StartHints(), PUBLISHED)
    assert len(found) == len(named)
    assert found.rows[-1] >= PUBLISHED.start_row
    assert np.hypot(*(found.poses[-1, :2] - start.pose[:2])) < 1.0


def test_a_band_on_a_grey_table_round_which_no_frame_is_seen_is_no_card() -> None:
    poses = poses_of(ACROSS, *PLAYERS)
    assert pale(poses) == {0}
    found, others = framed_start(FRAMED, poses, PUBLISHED)
    assert found is None
    assert others.tolist() == poses.tolist()


def test_where_it_has_no_frame_it_is_the_one_on_which_its_lines_are_seen() -> None:
    evidence = drawn_evidence(*CARDS, size_mm=SIZE_MM)
    as_a_player_s = DrawnCard("square-6", "red", START.pose)
    for cards in ((ACROSS, as_a_player_s, *PLAYERS), (as_a_player_s, ACROSS, *PLAYERS)):
        named = with_found_start(evidence, named_of(*cards), StartHints(), PRINTED)
        start = named.rows >= PRINTED.start_row
        assert np.count_nonzero(start) == 1
        assert np.allclose(named.poses[start, :3], START.pose, atol=0.1)


def test_a_card_across_it_is_not_taken_for_it() -> None:
    evidence = drawn_evidence(*CARDS, size_mm=SIZE_MM)
    named = with_found_start(evidence, named_of(ACROSS, *PLAYERS), StartHints(), PRINTED)
    starts = named.poses[named.rows >= PRINTED.start_row, :3]
    assert starts.tolist() == []


def test_under_cards_that_lie_alone_it_is_sought_unless_it_is_known_there() -> None:
    below = DrawnCard(START.face, START.colour, (110.0, 100.0, 0.5))
    upper = legally_on(below, 3)
    evidence = drawn_evidence(below, *upper, size_mm=(240, 220))
    elsewhere = DrawnCard(START.face, START.colour, (40.0, 40.0, 0.5))
    for known, sought in (((), True), ((elsewhere,), True), ((below,), False)):
        named = named_of(*upper, *known)
        alone = np.arange(len(named)) < len(upper)
        found = with_start_under(evidence, named, alone, PRINTED)
        assert (found is not None) == sought
        if found is not None:
            assert len(found) == len(upper) + 1
            assert np.hypot(*(found.poses[-1, :2] - below.pose[:2])) < 1
            assert found.rows[-1] >= PRINTED.start_row
        assert (
            with_start_under(evidence, named, alone & (np.arange(len(named)) < 2), PRINTED) is None
        )


def laid_astray(below: DrawnCard) -> list[DrawnCard]:
    """Three cards on a starting card, each 0.9 mm off, all of them together hardly."""
    slips_mm = (0.9, 0.0), (-0.9, 0.0), (0.0, 0.9)
    return [
        replace(card, pose=(card.pose[0] + x_mm, card.pose[1] + y_mm, card.pose[2]))
        for card, (x_mm, y_mm) in zip(legally_on(below, 3), slips_mm, strict=True)
    ]


def test_it_lies_in_the_middle_of_where_the_cards_on_it_have_it() -> None:
    below = DrawnCard(START.face, START.colour, (110.0, 100.0, 0.5))
    upper = laid_astray(below)
    evidence = drawn_evidence(below, *upper, size_mm=(240, 220))
    found = with_start_under(evidence, named_of(*upper), np.ones(3, np.bool_), PRINTED)
    assert found is not None
    assert np.hypot(*(found.poses[-1, :2] - below.pose[:2])) < 0.3


@pytest.mark.parametrize(("deck", "frame_shows"), [(DECK, False), (PUBLISHED.deck, True)])
@pytest.mark.parametrize("count", [2, 3])
def test_one_whose_frame_does_not_show_lies_where_three_cards_have_it(
    deck: Deck, frame_shows: bool, count: int
) -> None:
    below = DrawnCard(START.face, START.colour, (110.0, 100.0, 0.5))
    upper = laid_astray(below)[:count]
    evidence = drawn_evidence(below, *upper, size_mm=(240, 220), deck=deck)
    found = below if frame_shows else replace(below, pose=(111.5, 98.5, 0.5))
    printed = PrintedDeck(deck, draw_templates(deck))
    named = named_of(found, *upper)
    assert printed.start_row == PRINTED.start_row
    stack = stack_up(evidence, named, deck, printed.templates)
    visible = top_weight(named.poses, stack.top, printed.templates)
    stacked = StackedCards(named, stack, visible)
    assert with_start_among_cards(evidence, stacked, printed, lambda _: False) is stacked
    moved = with_start_among_cards(evidence, stacked, printed, lambda _: True)
    off_mm = float(np.hypot(*(moved.named.poses[0, :2] - below.pose[:2])))
    if frame_shows or count < 3:
        assert moved.named is named
    else:
        assert off_mm < 0.5
        assert moved.stack.order == stack.order
        assert not np.array_equal(moved.visible, visible)
