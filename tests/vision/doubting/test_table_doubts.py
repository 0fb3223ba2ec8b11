from __future__ import annotations

from dataclasses import replace
from typing import Literal

import cv2
import numpy as np
import pytest

from geometry.rules import Rules
from tests.vision.doubting.doubt_scenes import (
    FREE_FOR_ALL,
    GREEN,
    NO_DOTS,
    RED,
    RULES,
    SCALE,
    THIRD,
    again,
    card_of,
    much_print,
    scene,
    scene_of,
    unread,
)
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.observing.painted_dots import painted, true_dots
from vision.doubting import start_doubts, table_doubts
from vision.doubting.doubts import find_doubts
from vision.doubting.table_doubts import line_doubts
from vision.doubting.unseen_cards import could_hide
from vision.finding.white_lines import Segments
from vision.naming.unique_faces import Choice
from vision.ordering.order import PairEvidence
from vision.reason import Reason
from vision.reconstruct import reconstruct


def test_a_clear_table_has_no_doubts() -> None:
    assert find_doubts(scene(GREEN, RED)) == ()
    assert scene(GREEN, RED).score.as_it_lies == {"green": 4, "red": 2}


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


def test_a_starting_card_that_lies_on_another_is_a_doubt() -> None:
    """It is laid first: a card that a lamp washes out may look like it."""
    start = DrawnCard("start", "white", (GREEN.pose[0] + 40, GREEN.pose[1] + 35, 0.3))
    for cards, doubted in (((GREEN, start), True), ((start, GREEN), False)):
        evidence = drawn_evidence(*cards, RED)
        table = reconstruct(evidence, DECK)
        assert table is not None
        seen = scene_of(table, evidence)
        assert seen.starting_card_seen
        found = [d for d in find_doubts(seen) if d.reason.code == "start-on-another"]
        assert len(found) == doubted
        assert all(set(d.changes_scores_by) == {"green", "red"} for d in found)


def test_a_table_without_its_starting_card() -> None:
    evidence = drawn_evidence(GREEN, RED)
    table = reconstruct(evidence, DECK)
    assert table is not None
    (doubt,) = find_doubts(scene_of(table, evidence))
    assert (doubt.kind, doubt.reason.code) == ("missing", "start-not-seen")
    # More than that card may be unseen.
    assert set(doubt.changes_scores_by) == {"green", "red"}
    assert set(doubt.changes_scores_without_illegal_by) == {"green", "red"}


def test_unequal_counts() -> None:
    seen = scene(GREEN, RED, THIRD)
    (doubt,) = find_doubts(seen)
    assert (doubt.kind, doubt.card) == ("missing", None)
    assert doubt.reason == Reason("cards-too-few", {"count": 1, "colour": "red", "most": 2})
    assert doubt.changes_scores_by == {"red": 1}
    assert find_doubts(replace(seen, rules=Rules(free_for_all=True))) == ()


def test_lines_that_no_card_accounts_for() -> None:
    """A card that was drawn and not read."""
    doubts = find_doubts(unread(scene(GREEN, RED, THIRD), THIRD.face))
    missing = [d for d in doubts if d.kind == "missing"]
    assert missing
    assert all(d.reason.code == "lines-unexplained" for d in missing)
    assert all(set(d.changes_scores_by) == {"green", "red"} for d in missing)


ONE_LINE = Segments(np.array([[150.0, 160.0]]), np.array([[150.0, 190.0]]))
A_CORNER = Segments(
    np.array([[150.0, 160.0], [150.0, 160.0]]), np.array([[150.0, 190.0], [180.0, 160.0]])
)
TWO_PLACES = Segments(
    np.array([[150.0, 160.0], [190.0, 30.0]]), np.array([[150.0, 190.0], [190.0, 60.0]])
)


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


@pytest.mark.parametrize(("long_mm", "rules", "doubted"), [
    (17.0, RULES, 0), (17.0, FREE_FOR_ALL, 1), (13.0, FREE_FOR_ALL, 0), (22.0, RULES, 1),
])  # fmt: skip
def test_a_line_beside_the_cards_may_be_shorter_where_cards_are_not_counted(
    monkeypatch: pytest.MonkeyPatch, long_mm: float, rules: Rules, doubted: int
) -> None:
    """Grain breaks the lines of a missed card, and no numbers tell of it."""
    monkeypatch.setattr(table_doubts, "could_be_lines", lambda _, some: some.length_mm > 0)
    seen = replace(scene(GREEN, RED), rules=rules)
    line = Segments(np.array([[150.0, 160.0]]), np.array([[150.0, 160.0 + long_mm]]))
    assert len(list(line_doubts(seen, line))) == doubted


def test_a_card_whose_face_is_open_counts_for_none() -> None:
    """It may be there only because its colour lacked a card."""
    seen = scene(GREEN, RED)
    assert seen.counted_out
    number = len(seen.table.named)
    choices = ((Choice(0, turned=False),), *((),) * (number - 1))
    assert not scene_of(replace(seen.table, choices=choices), seen.evidence).counted_out
    hazed = np.arange(number) == 0
    assert not scene_of(replace(seen.table, hazed=hazed), seen.evidence).counted_out


@pytest.mark.parametrize("lines", ["white", "colour"])
def test_a_reading_of_coloured_lines_is_never_sure(lines: Literal["white", "colour"]) -> None:
    seen = scene(GREEN, RED)
    deck = replace(DECK, art=replace(DECK.art, lines=lines))
    doubts = find_doubts(replace(seen, deck=deck))
    assert [doubt.kind for doubt in doubts] == ["table"] * (lines == "colour")
    for doubt in doubts:
        assert doubt.reason.code == "lines-coloured"
        for changes in (doubt.changes_scores_by, doubt.changes_scores_without_illegal_by):
            assert set(changes) == {"green", "red"}
            assert all(changes.values())


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
    found = [d for d in again(seen, visible=visible) if d.reason.code == "start-place-unclear"]
    assert len(found) == doubts
    assert all(set(doubt.changes_scores_without_illegal_by) == {"green"} for doubt in found)


@pytest.mark.parametrize(("framed", "doubts"), [(True, 0), (False, 1)])
def test_pale_lines_are_no_doubt_where_its_frame_shows_and_cards_lie_on_it(
    framed: bool, doubts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = scene(ASKEW, RED)
    lines = seen.table.lines.copy()
    lines[card_of(seen, DECK.starting_colour.name)] *= 0.6
    monkeypatch.setattr(start_doubts, "cards_by_side", lambda *_: (2, 2))
    monkeypatch.setattr(start_doubts, "frame_shows", lambda *_: framed)
    found = [d for d in again(seen, lines=lines) if d.reason.code == "start-place-unclear"]
    assert len(found) == doubts


@pytest.mark.parametrize(("cards", "doubted"), [(2, True), (3, False)])
def test_on_what_is_no_starting_card_many_cards_do_not_lie(
    cards: int, doubted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though its lines are pale, and what shows is as like plain black as like its drawing."""
    seen = replace(scene(ASKEW, RED), rules=FREE_FOR_ALL)
    lines = seen.table.lines.copy()
    lines[card_of(seen, DECK.starting_colour.name)] *= 0.6
    monkeypatch.setattr(start_doubts, "cards_by_side", lambda *_: (cards, cards))
    monkeypatch.setattr(start_doubts, "frame_shows", lambda *_: False)
    monkeypatch.setattr(start_doubts, "shown_fit", lambda *_: np.array([1.5]))
    found = [d for d in again(seen, lines=lines) if d.reason.code == "looks-wrong"]
    assert bool(found) is doubted


def test_a_starting_card_that_hardly_shows_and_bears_only_legal_cards_is_no_doubt() -> None:
    seen = scene(GREEN, RED)
    visible = seen.table.visible.copy()
    visible[card_of(seen, DECK.starting_colour.name)] = 0
    assert not any(doubt.reason.code.startswith("start-") for doubt in again(seen, visible=visible))


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
    odd = [d for d in doubts if d.reason.code == "looks-wrong"]
    assert [d.card for d in odd] == [start] * doubted
    assert all(set(d.changes_scores_by) == {"green", "red"} for d in odd)


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
    doubts = [d for d in found if d.reason.code == "burnt-out-beside"]
    assert len(doubts) == open_
    if open_:
        assert doubts[0].at_px == pytest.approx((150.0 * SCALE, 225.0 * SCALE), abs=12)
        assert doubts[0].changes_scores_by == {"green": 1, "red": 1}


@pytest.mark.parametrize(
    ("inside_mm", "patch", "lit"), [(0.8, True, True), (0.8, False, False), (3.5, True, False)]
)
def test_a_lamp_s_tail_along_a_card_s_edge_is_that_card_s_band(
    inside_mm: float, patch: bool, lit: bool
) -> None:
    seen = scene(GREEN, RED)
    x, y = seen.table.named.poses[card_of(seen, "red"), :2]
    x += DECK.card.width_mm / 2 - inside_mm
    line = Segments(np.array([[x, y - 10.0]]), np.array([[x, y + 10.0]]))
    washed = seen.evidence.washed.copy()
    if patch:
        at = seen.evidence.raster.to_raster(np.array([x, y + 14.0]))
        spot = (int(at[0]), int(at[1]))
        cv2.circle(washed, spot, round(5 * seen.evidence.raster.density), 255, cv2.FILLED)
    glare = replace(seen, evidence=replace(seen.evidence, washed=washed))
    assert len(list(line_doubts(glare, line))) == (0 if lit else 1)
