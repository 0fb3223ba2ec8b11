"""Cards that are likelier not there, and one that is likelier the starting card."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.deck_file import published_deck
from tests.vision.doubting.peeking_tables import GREEN, OTHERS, ROOM_MM, UPPER, table_of
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.finding.start_tables import legally_on
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, named_of
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import draw_templates
from vision.evidence import Evidence
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.odds import inkless_odds
from vision.naming.colours import Naming
from vision.naming.name_cards import Named, top_weight
from vision.ordering.stacking import StackedCards, stack_up
from vision.pace import Pace
from vision.settling.likelier_faces import picture_of
from vision.settling.presence import without_unlikely
from vision.settling.settling import Settled, settle
from vision.settling.start_by_ink import with_start_by_ink

CONFIG = LikelihoodConfig()
RED = DrawnCard("square-1", "red", (205.0, 205.0, 0.0))
CARDS = (*OTHERS, RED, GREEN, UPPER)
BARE = (70.0, 20.0, 0.0)
PUBLISHED = PrintedDeck(published_deck(), draw_templates(published_deck()))
START = DrawnCard(PUBLISHED.deck.starting_face.id, DECK.starting_colour.name, (150.0, 100.0, 0.5))
PLAYERS = (
    DrawnCard("circle-4", "green", (40.0, 60.0, 0.4)),
    DrawnCard("square-2", "red", (40.0, 160.0, -0.3)),
    DrawnCard("circle-5", "green", (260.0, 60.0, 0.1)),
    DrawnCard("square-6", "red", (260.0, 160.0, 0.7)),
)


def settled_with(
    *poses: tuple[float, float, float], cards: tuple[DrawnCard, ...] = CARDS
) -> Settled:
    """The cards, and others of blue at these poses."""
    evidence, table = drawn_evidence(*cards, size_mm=ROOM_MM), table_of(*cards)
    named, naming = table.named, table.naming
    for pose in poses:
        named = named.with_card(np.array(pose), 0, 0.4)
    blue = np.full(len(poses), TEMPLATES.colours.index("blue"))
    sure = np.ones(len(named))
    naming = Naming(np.append(naming.colour, blue), sure, np.append(naming.runner_up, blue))
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    visible = top_weight(named.poses, stack.top, TEMPLATES)
    return settle(evidence, StackedCards(named, stack, visible), naming, PRINTED, True)


def test_a_card_where_the_table_shows_is_none_and_those_that_show_stay() -> None:
    evidence, settled = drawn_evidence(*CARDS, size_mm=ROOM_MM), settled_with(BARE)
    # All are asked about, however well they fit.
    poor = replace(settled, named=replace(settled.named, fit=np.full(len(settled.named), 0.5)))
    left = without_unlikely(evidence, poor, PRINTED, True, CONFIG)
    assert len(left.named) == len(CARDS)
    assert np.hypot(*(left.named.poses[:, :2] - BARE[:2]).T).min() > 10.0


def test_of_cards_that_look_as_they_should_nothing_is_asked() -> None:
    evidence, settled = drawn_evidence(*CARDS, size_mm=ROOM_MM), settled_with()
    assert without_unlikely(evidence, settled, PRINTED, True, CONFIG) is settled


def read_as_players(*cards: DrawnCard, colours: tuple[str, ...]) -> tuple[Evidence, Settled]:
    """Cards drawn, all of them read as players', of these colours."""
    evidence = drawn_evidence(*cards, size_mm=ROOM_MM, deck=PUBLISHED.deck)
    named = named_of(*(c if c is not START else replace(c, face="circle-1") for c in cards))
    return evidence, settled_as(evidence, named, colours)


def settled_as(evidence: Evidence, named: Named, colours: tuple[str, ...]) -> Settled:
    """Cards of the published deck, of these colours, as they are settled."""
    colour = np.array([TEMPLATES.colours.index(name) for name in colours])
    naming = Naming(colour, np.ones(len(colour)), colour)
    stack = stack_up(evidence, named, PUBLISHED.deck, PUBLISHED.templates)
    visible = top_weight(named.poses, stack.top, PUBLISHED.templates)
    return settle(evidence, StackedCards(named, stack, visible), naming, PUBLISHED, True)


@pytest.mark.parametrize("is_one_more", [True, False])
def test_the_one_without_ink_that_is_one_more_than_others_have_is_the_starting_card(
    is_one_more: bool,
) -> None:
    cards = (START, *PLAYERS) if is_one_more else (START, *PLAYERS[1:])
    colours = ("green", *(card.colour for card in cards[1:]))
    evidence, settled = read_as_players(*cards, colours=colours)
    found = with_start_by_ink(evidence, settled, PUBLISHED, CONFIG)
    starts = found.named.rows >= PUBLISHED.start_row
    assert len(found.named) == len(cards)
    assert starts.any() == is_one_more
    assert found is settled or np.allclose(found.named.poses[starts, :2], START.pose[:2], atol=1.0)


@pytest.mark.parametrize("is_one_more", [True, False])
def test_where_the_starting_card_is_known_one_more_without_ink_is_none(is_one_more: bool) -> None:
    players = PLAYERS if is_one_more else PLAYERS[1:]
    evidence = drawn_evidence(START, *players, size_mm=ROOM_MM, deck=PUBLISHED.deck)
    named = named_of(START, *players).with_card(np.array([150.0, 190.0, 0.0]), 0, 0.2)
    colours = (START.colour, *(card.colour for card in players), "green")
    settled = settled_as(evidence, named, colours)
    left = with_start_by_ink(evidence, settled, PUBLISHED, CONFIG)
    assert len(left.named) == 1 + len(PLAYERS)
    assert np.count_nonzero(left.named.rows >= PUBLISHED.start_row) == 1
    assert (left is settled) != is_one_more


def test_one_more_that_plainly_shows_its_badge_is_a_card_however_pale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.settling.start_by_ink.inkless_odds", lambda *_: 1.0)
    players = (*PLAYERS, DrawnCard("triangle-2", "green", (150.0, 190.0, 0.0)))
    evidence = drawn_evidence(START, *players, size_mm=ROOM_MM, deck=PUBLISHED.deck)
    colours = (START.colour, *(card.colour for card in players))
    settled = settled_as(evidence, named_of(START, *players), colours)
    assert with_start_by_ink(evidence, settled, PUBLISHED, CONFIG) is settled


def test_players_cards_have_ink() -> None:
    colours = ("green", *(card.colour for card in PLAYERS))
    evidence, settled = read_as_players(START, *PLAYERS, colours=colours)
    picture = picture_of(evidence, settled, PUBLISHED, CONFIG)
    odds = [inkless_odds(picture, i) for i in range(len(PLAYERS) + 1)]
    assert odds[0] > CONFIG.broken > max(odds[1:])


@pytest.mark.parametrize("is_over", [True, False])
def test_one_that_was_missed_is_found_by_its_frame_unless_time_is_over(is_over: bool) -> None:
    upper = legally_on(START, 2)
    evidence = drawn_evidence(START, *upper, *PLAYERS, size_mm=ROOM_MM, deck=PUBLISHED.deck)
    evidence = replace(evidence, pace=Pace(hurry=lambda: is_over))
    named = named_of(*upper, *PLAYERS)
    colours = ("green", "red", *(card.colour for card in PLAYERS))
    settled = settled_as(evidence, named, colours)
    found = with_start_by_ink(evidence, settled, PUBLISHED, CONFIG)
    starts = found.named.rows >= PUBLISHED.start_row
    assert starts.any() == (not is_over)
    assert is_over or np.allclose(found.named.poses[starts, :2], START.pose[:2], atol=1.0)
