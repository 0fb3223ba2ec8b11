from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.comparing import compare_pairs
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.ordering.ordered_cards import LOWER, TEMPLATES, UPPER, drawing_of
from vision.drawing.coverage import cover, top_map
from vision.drawing.overlap_places import Drawing
from vision.drawing.pose_fit import place
from vision.evidence import Evidence, observe
from vision.naming.name_cards import Named
from vision.ordering.edge_witness import (
    LEAST_STEPS_MM,
    DrawnTable,
    edges_seen,
    told_by_edges,
)
from vision.ordering.order import PairEvidence
from vision.ordering.stacking import stack_up

SILENT = PairEvidence(np.array([[0, 1]]), np.zeros(1), np.zeros(1, np.int64), np.ones(1, np.int64))
AT_MM, WIDE_MM = (58.0, 78.0), 30.0
"""A lamp's glow round the middle of where the two cards overlap."""


def lit(*bottom_up: DrawnCard, glows: tuple[float, ...]) -> Evidence:
    """The cards under a lamp, which every card mirrors as its own glow has it: levels added."""
    raster = drawn_evidence(*bottom_up).raster
    height, width = raster.image_bgr.shape[:2]
    row, column = np.mgrid[:height, :width]
    at = raster.to_mm(np.stack([column, row], axis=-1).astype(np.float64))
    glow = np.exp(-((np.hypot(*np.moveaxis(at - AT_MM, -1, 0)) / WIDE_MM) ** 2))
    level = np.zeros((height, width))
    for card, most in zip(bottom_up, glows, strict=True):
        outline = place(np.array([card.pose]), np.array(DECK.card.corners_mm))[0]
        body = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(body, np.rint(raster.to_raster(outline) * 16).astype(np.int32), 1, 8, 4)
        level = np.where(body > 0, most * glow, level)
    soft = cv2.GaussianBlur(level, (0, 0), 0.25 * raster.density)
    image = np.clip(np.rint(raster.image_bgr + soft[..., None]), 0, 255).astype(np.uint8)
    return observe(replace(raster, image_bgr=image))


def told(evidence: Evidence, *cards: DrawnCard, pairs: PairEvidence = SILENT) -> PairEvidence:
    """What the edges of the first two cards say, whichever was thought to lie on top."""
    drawing, _ = drawing_of(evidence, *cards)
    bodies = cover(evidence.raster, drawing.poses, DECK.card)
    found = [
        told_by_edges(
            pairs,
            DrawnTable(
                evidence, drawing, bodies,
                top_map(evidence.raster, drawing.poses, order, DECK.card), DECK.card, TEMPLATES,
            ),
        )
        for order in (list(range(len(cards))), list(range(len(cards)))[::-1])
    ]  # fmt: skip
    assert found[0].lead.tolist() == found[1].lead.tolist()
    return found[0]


@pytest.mark.parametrize("glows", [(400.0, 40.0), (40.0, 400.0)])
@pytest.mark.parametrize("cards", [(LOWER, UPPER), (UPPER, LOWER)])
def test_the_card_whose_edge_shows_in_the_glare_lies_on_top(
    glows: tuple[float, float], cards: tuple[DrawnCard, DrawnCard]
) -> None:
    evidence = lit(*cards, glows=glows)
    for listed, lead in ((cards, -1.0), (cards[::-1], 1.0)):
        found = told(evidence, *listed)
        assert found.lead.tolist() == [lead]
        assert found.clear.tolist() == [True]
        assert found.lost.tolist() == [0]


@pytest.mark.parametrize("most", [900.0, 9000.0])
def test_one_glow_over_both_cards_that_leaves_nothing_says_nothing(most: float) -> None:
    found = told(lit(LOWER, UPPER, glows=(most, most)), LOWER, UPPER)
    assert found.lead.tolist() == [0]
    assert found.clear.tolist() == [False]


def test_what_the_drawings_gainsay_stays_open() -> None:
    evidence = lit(LOWER, UPPER, glows=(40.0, 400.0))
    burnt = replace(SILENT, lead=np.array([0.45]), places=np.array([400]), lost=np.array([9000]))
    assert not burnt.clear.any()
    found = told(evidence, LOWER, UPPER, pairs=burnt)
    assert found.lead.tolist() == [0.45]
    assert found.clear.tolist() == [False]
    few = replace(burnt, places=np.array([40]))
    assert told(evidence, LOWER, UPPER, pairs=few).lead.tolist() == [-1]


def test_where_more_is_burnt_than_tells_neither_edge_nor_drawing_is_believed_alone() -> None:
    evidence = lit(LOWER, UPPER, glows=(40.0, 400.0))
    burnt = replace(SILENT, lead=np.array([0.64]), places=np.array([1000]), lost=np.array([4900]))
    assert burnt.clear.all()
    assert told(evidence, LOWER, UPPER, pairs=burnt).clear.tolist() == [False]
    agreed = replace(burnt, lead=-burnt.lead)
    assert told(evidence, LOWER, UPPER, pairs=agreed).clear.tolist() == [True]


def test_clear_pairs_stay_as_they_are() -> None:
    evidence = lit(LOWER, UPPER, glows=(40.0, 400.0))
    clear = replace(SILENT, lead=np.array([0.9]), places=np.array([400]))
    assert told(evidence, LOWER, UPPER, pairs=clear).lead.tolist() == [0.9]


def test_an_edge_that_could_be_a_third_cards_is_not_heeded() -> None:
    """A third card lies just as the upper one does, read or not as lying above it or below."""
    evidence = lit(LOWER, UPPER, glows=(40.0, 400.0))
    assert told(evidence, LOWER, UPPER).clear.tolist() == [True]
    assert told(evidence, LOWER, UPPER, UPPER).clear.tolist() == [False]


@pytest.mark.parametrize("listed", [[0, 1], [1, 0]])
def test_the_stack_heeds_what_edges_tell(listed: list[int]) -> None:
    evidence = lit(LOWER, UPPER, glows=(40.0, 1500.0))
    cards = [(LOWER, UPPER)[k] for k in listed]
    drawing, patches = drawing_of(evidence, *cards)
    bodies = cover(evidence.raster, drawing.poses, DECK.card)
    assert not compare_pairs(drawing, patches, bodies, TEMPLATES).clear.any()
    named = Named(drawing.poses, drawing.rows, np.full(2, 0.2), np.ones(2), drawing.ink)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    assert stack.pairs.clear.all()
    assert [listed[k] for k in stack.order] == [0, 1]


def seen_and_steps(drawing: Drawing, evidence: Evidence) -> tuple[list[float], list[float]]:
    bodies = cover(evidence.raster, drawing.poses, DECK.card)
    top = top_map(evidence.raster, drawing.poses, [0, 1], DECK.card)
    own, other = np.array([0, 1]), np.array([1, 0])
    seen, steps = edges_seen(
        own, other, DrawnTable(evidence, drawing, bodies, top, DECK.card, TEMPLATES)
    )
    return seen.tolist(), steps.tolist()


def test_only_the_upper_cards_edge_steps() -> None:
    evidence = lit(LOWER, UPPER, glows=(40.0, 400.0))
    drawing, _ = drawing_of(evidence, LOWER, UPPER)
    seen, steps = seen_and_steps(drawing, evidence)
    assert min(seen) > LEAST_STEPS_MM
    assert steps[0] == 0
    assert steps[1] > 0.9 * seen[1]


def test_a_millimetre_off_its_place_an_edge_is_none() -> None:
    evidence = lit(LOWER, UPPER, glows=(40.0, 400.0))
    drawing, _ = drawing_of(evidence, LOWER, UPPER)
    away = drawing.poses.copy()
    away[1, :2] += 1.2
    _, steps = seen_and_steps(replace(drawing, poses=away), evidence)
    assert max(steps) < LEAST_STEPS_MM
