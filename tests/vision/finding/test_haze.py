from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.rules import Rules
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from tests.vision.finding.lamp_light import under_a_lamp
from tests.vision.finding.neighbour_tables import KNOWN, ROOM_MM, beside, without_badge
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, named_of
from vision.finding.belief import hardly_told
from vision.finding.haze import (
    LEAST_RISE,
    NOISES,
    _lines_in_haze,
    by_what_is_lit,
    heeding_haze,
    lost_in_light,
    plainly_lit,
    seen_in_haze,
    through_haze,
    washed_share,
)
from vision.finding.reseat import reseated
from vision.naming.faces import cut_out, differences_mm2, score_faces
from vision.naming.name_cards import top_weight, weighed
from vision.naming.unique_faces import LEAST_APART_MM2
from vision.ordering.stacking import StackedCards, stack_up
from vision.reconstruct import reconstruct


def test_what_is_nowhere_washed_out_is_not_looked_at_through_haze(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And what is, is seen as if all were looked at."""
    far = DrawnCard("circle-4", "green", (60.0, 900.0, 0.3))
    evidence = under_a_lamp(drawn_evidence(KNOWN, far, size_mm=(240, 1000)), far, size_mm=30.0)
    asked: list[int] = []

    def looked_at(least: NDArray[np.uint8], density: float, rise: float) -> NDArray[np.uint8]:
        asked.append(len(least))
        return _lines_in_haze(least, density, rise)

    monkeypatch.setattr("vision.finding.haze._lines_in_haze", looked_at)
    seen = through_haze(evidence).white
    assert 0 < sum(asked) < 0.5 * len(seen)
    rise = max(LEAST_RISE, NOISES * evidence.noise)
    whole = _lines_in_haze(evidence.least, evidence.raster.density, rise)
    whole = np.where(evidence.washed > 0, whole, evidence.white)
    np.testing.assert_array_equal(seen, np.where(evidence.burnt > 0, 0, whole))


def test_lines_stand_out_through_haze() -> None:
    card = beside(0)
    lamp = under_a_lamp(drawn_evidence(KNOWN, card, size_mm=ROOM_MM), card)
    seen = through_haze(lamp)
    at = named_of(card)
    stack = stack_up(seen, at, DECK, TEMPLATES)
    lines = (TEMPLATES.white[int(at.rows[0])] > 0.7) & ~TEMPLATES.badge
    assert stack.patches.white[0, lines].mean() > 150
    assert stack.patches.white[0, TEMPLATES.white[int(at.rows[0])] < 0.05].mean() < 40


def test_lines_tell_the_face_of_a_washed_out_card() -> None:
    card = beside(0)
    evidence = under_a_lamp(drawn_evidence(KNOWN, card, size_mm=ROOM_MM), card)
    misread = named_of(DrawnCard("triangle-3", "red", card.pose))
    stack = stack_up(evidence, misread, DECK, TEMPLATES)
    visible = top_weight(misread.poses, stack.top, TEMPLATES)
    scores = score_faces(weighed(stack.patches, visible, TEMPLATES), TEMPLATES)
    heeded = heeding_haze(scores, stack.patches, visible, TEMPLATES)
    assert heeded.misfit[0, :-4].argmin() // 4 == TEMPLATES.faces.index(card.face)


def test_lines_tell_the_face_of_a_card_that_is_washed_out_in_part() -> None:
    """Circle-3's back draws no square in the corner that the lamp washes out."""
    card = DrawnCard("square-5", "red", (130.0, 90.0, 0.0))
    evidence = under_a_lamp(drawn_evidence(card), card, (-12.0, -15.0), 26.0)
    named = named_of(card)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    visible = top_weight(named.poses, stack.top, TEMPLATES)
    assert 0 < washed_share(stack.patches, visible)[0] < 0.6
    scores = score_faces(stack.patches, TEMPLATES, visible)
    heeded = heeding_haze(scores, stack.patches, visible, TEMPLATES)
    own, other = (
        4 * TEMPLATES.faces.index(face) + k for face, k in (("square-5", 0), ("circle-3", 2))
    )
    more = (heeded.misfit - scores.misfit)[0] * scores.area_mm2[0]
    assert more[own] < more[other] - 10


@pytest.mark.parametrize("there", [True, False])
def test_a_washed_out_card_is_seen_by_its_lines(there: bool) -> None:
    card = beside(0)
    drawn = (KNOWN, card) if there else (KNOWN,)
    evidence = under_a_lamp(drawn_evidence(*drawn, size_mm=ROOM_MM), card)
    named = named_of(KNOWN, card)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    visible = top_weight(named.poses, stack.top, TEMPLATES)
    assert seen_in_haze(named, stack.patches, visible, TEMPLATES).tolist() == [False, there]


def test_faces_that_differ_in_the_light_alone_are_not_told_apart_by_its_rim() -> None:
    """Square-4 has an inked triangle and a dot where triangle-3 has a black one, and its badge."""
    card = DrawnCard("square-4", "red", (130.0, 90.0, 0.0), True)
    own = np.array([4 * TEMPLATES.faces.index("square-4") + 2])
    others = 4 * TEMPLATES.faces.index("triangle-3") + np.arange(4)
    clear = drawn_evidence(card)
    named = named_of(card)
    for lamp_mm, size_mm, lost in (
        ((0.0, -24.0), 40.0, True),
        ((0.0, 16.0), 34.0, False),
        ((0.0, -30.0), 26.0, False),
    ):
        evidence = under_a_lamp(clear, card, lamp_mm, size_mm)
        stack = stack_up(evidence, named, DECK, TEMPLATES)
        visible = top_weight(named.poses, stack.top, TEMPLATES)
        scores = score_faces(stack.patches, TEMPLATES, visible)
        lit = by_what_is_lit(scores, stack.patches, TEMPLATES, visible)
        apart = differences_mm2(lit, own, TEMPLATES)
        found = lost_in_light(apart, own, stack.patches, visible, TEMPLATES)
        assert washed_share(stack.patches, visible)[0] > 0
        assert found[0, others].tolist() == [False, False, False, lost]
        assert not lost or apart[0, others[3]] > LEAST_APART_MM2  # by which it was told before


def test_what_fits_poorly_beside_the_light_and_shows_no_badge_is_hardly_told() -> None:
    """Wherever it was found: that something lies there does not say which card."""
    card = beside(0)
    drawn = drawn_evidence(KNOWN, card, size_mm=ROOM_MM)
    for lamp, fit, smudged, told in (
        (True, 0.7, True, False),
        (True, 0.7, False, True),
        (True, 0.3, True, True),
        (False, 0.7, True, True),
    ):
        evidence = without_badge(drawn, card) if smudged else drawn
        evidence = under_a_lamp(evidence, card, (-14.0, -22.0), 26.0) if lamp else evidence
        named = replace(named_of(KNOWN, card), fit=np.array([0.1, fit]))
        stack = stack_up(evidence, named, DECK, TEMPLATES)
        visible = top_weight(named.poses, stack.top, TEMPLATES)
        found = hardly_told(evidence, StackedCards(named, stack, visible), PRINTED)
        assert found.tolist() == [False, not told], (lamp, fit, smudged)


@pytest.mark.parametrize("smudged", [True, False])
def test_a_washed_out_card_is_read_and_in_doubt(smudged: bool) -> None:
    """By its badge, or where a colour lacks a card."""
    card = replace(beside(0), colour="green")
    others = [
        KNOWN,
        DrawnCard("circle-1", "red", (230.0, 70.0, 0.1)),
        DrawnCard("triangle-5", "red", (230.0, 200.0, 1.4)),
    ]
    evidence = drawn_evidence(*others, card, size_mm=ROOM_MM)
    evidence = under_a_lamp(without_badge(evidence, card) if smudged else evidence, card)
    table = reconstruct(evidence, DECK)
    assert table is not None
    assert len(table.named) == 4
    gaps = np.array([off(pose, card)[0] for pose in table.named.poses])
    assert table.hazed.tolist() == (gaps < 1.0).tolist()
    i = int(gaps.argmin())
    assert table.templates.faces[int(table.named.rows[i]) // 2] == card.face
    assert table.templates.colours[int(table.naming.colour[i])] == card.colour
    assert table.naming.confidence[i] <= 0.5


def test_a_card_whose_lines_are_seen_in_haze_is_not_moved() -> None:
    """Though a card a few millimetres beside it would fit better."""
    card = beside(0)
    x, y, angle = card.pose
    other = replace(card, pose=(x - 4.0 * np.sin(angle), y + 4.0 * np.cos(angle), angle))
    lamp = under_a_lamp(drawn_evidence(KNOWN, card, size_mm=ROOM_MM), card)
    named = replace(named_of(KNOWN, card), fit=np.array([0.1, 0.7]))
    stack = stack_up(lamp, named, DECK, TEMPLATES)
    visible = top_weight(named.poses, stack.top, TEMPLATES)
    beside_it = drawn_evidence(KNOWN, other, size_mm=ROOM_MM)
    stacked = StackedCards(named, stack, visible)
    assert reseated(beside_it, stacked, PRINTED) is None
    assert reseated(beside_it, replace(stacked, visible=0 * visible), PRINTED) is not None


@pytest.mark.parametrize("there", [True, False])
def test_where_cards_are_not_counted_a_washed_out_card_is_read_too(there: bool) -> None:
    """In doubt; and none where a lamp shines on the table."""
    card = beside(0)
    drawn = (KNOWN, DrawnCard("circle-1", "red", (230.0, 70.0, 0.1)), *([card] if there else []))
    evidence = drawn_evidence(*drawn, size_mm=ROOM_MM)
    evidence = under_a_lamp(without_badge(evidence, card) if there else evidence, card)
    table = reconstruct(evidence, DECK, Rules(free_for_all=True))
    assert table is not None
    assert len(table.named) == len(drawn)
    gaps = np.array([off(pose, card)[0] for pose in table.named.poses])
    assert table.hazed.tolist() == (gaps < 1.0).tolist()
    assert table.hazed.sum() == there
    if there:
        faces = [TEMPLATES.faces[row // 2] for row in table.named.rows[table.hazed].tolist()]
        assert faces == [card.face]


@pytest.mark.parametrize(
    ("lamp", "fit", "told"), [(False, 0.1, True), (False, 0.4, False), (True, 0.1, False)]
)
def test_a_card_is_told_by_what_is_lit_of_it(lamp: bool, fit: float, told: bool) -> None:
    card = beside(0)
    evidence = drawn_evidence(KNOWN, card, size_mm=ROOM_MM)
    evidence = under_a_lamp(evidence, card) if lamp else evidence
    named = replace(named_of(card), fit=np.array([fit]))
    patches = cut_out(evidence, named.poses, TEMPLATES)
    visible = np.ones(patches.white.shape, np.float32)
    assert plainly_lit(named, patches, visible).tolist() == [told]
