from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawing.test_pose_fit import DECK, DrawnCard, drawn_evidence, off
from tests.vision.finding.test_neighbour_search import KNOWN, ROOM_MM
from tests.vision.finding.test_washed_search import _outline
from tests.vision.naming.test_name_cards import PRINTED, TEMPLATES, named_of
from vision.evidence import Evidence, observe
from vision.finding.glowing_bodies import glowing_bodies
from vision.finding.washed_search import with_washed
from vision.ordering.stacking import stack_up
from vision.raster import Raster

FREE = (205.0, 205.0, 0.7)


def shining(card: DrawnCard) -> Evidence:
    """A card beside a known one that mirrors a lamp from edge to edge on a dark table."""
    raster = drawn_evidence(KNOWN, card, size_mm=ROOM_MM).raster
    image = raster.image_bgr.astype(np.float32)
    body = np.zeros(image.shape[:2], np.float32)
    cv2.fillConvexPoly(body, _outline(card, raster, 0.0), 1.0)
    body = cv2.GaussianBlur(body, (0, 0), 1.0)[..., None]
    image = image * (1 - body) * 0.5 + body * (200 + 0.1 * image)
    image += np.random.default_rng(1).normal(0, 2.0, image.shape)
    image = np.clip(image, 0, 255)
    return observe(Raster(image.astype(np.uint8), raster.origin_mm, raster.density))


@pytest.mark.parametrize("face", ["square-2", "circle-4"])
def test_a_card_that_glows_from_edge_to_edge_and_fits_none_is_found_by_its_outline(
    face: str,
) -> None:
    card = DrawnCard(face, "red", FREE)
    evidence, named = shining(card), named_of(KNOWN)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    (pose,) = glowing_bodies(evidence, stack.top, DECK)
    gap_mm, turn_deg = off(pose, card)
    assert gap_mm < 0.5
    assert turn_deg < 0.5
    more = with_washed(evidence, named, stack, PRINTED)
    assert more is not None
    assert off(more.poses[1], card)[0] < 0.5
    assert TEMPLATES.faces[more.rows[1] // 2] == face


def test_a_card_that_is_read_and_what_has_another_size_is_none() -> None:
    card = DrawnCard("square-2", "red", FREE)
    evidence = shining(card)
    stack = stack_up(evidence, named_of(KNOWN, card), DECK, TEMPLATES)
    assert len(glowing_bodies(evidence, stack.top, DECK)) == 0
    wider = replace(DECK, card=replace(DECK.card, width_mm=DECK.card.width_mm + 5.0))
    stack = stack_up(evidence, named_of(KNOWN), DECK, TEMPLATES)
    assert len(glowing_bodies(evidence, stack.top, wider)) == 0
