from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_haze import under_a_lamp
from tests.vision.test_name_cards import TEMPLATES, named_of
from tests.vision.test_neighbour_search import KNOWN, ROOM_MM, beside
from tests.vision.test_pose_fit import DECK, DrawnCard, drawn_evidence, off
from vision.evidence import Evidence, observe
from vision.haze import with_hazed
from vision.name_cards import Named
from vision.raster import Raster
from vision.reconstruct import reconstruct
from vision.stacking import stack_up
from vision.washed_search import with_washed

NOISE = 6.0
"""Grey levels; a lamp leaves lines no more of them."""


def burnt_out(evidence: Evidence, card: DrawnCard, seed: int = 1) -> Evidence:
    """The same with a broad stripe across the card, its badge in it, burnt out for good, haze on
    either side of it, and noise.
    """
    hazy = under_a_lamp(evidence, card).raster
    half = np.array([[-40.0, -28.0], [40.0, -28.0], [40.0, 26.0], [-40.0, 26.0]])
    cos, sin = np.cos(card.pose[2]), np.sin(card.pose[2])
    outline = half @ np.array([[cos, sin], [-sin, cos]]) + card.pose[:2]
    noise = np.random.default_rng(seed).normal(0, NOISE, hazy.image_bgr.shape)
    image = np.clip(hazy.image_bgr + noise, 0, 255).astype(np.uint8)
    cv2.fillConvexPoly(image, np.rint(hazy.to_raster(outline)).astype(np.int32), (255, 255, 255))
    return observe(Raster(image, hazy.origin_mm, hazy.density))


def found(evidence: Evidence, named: Named) -> Named | None:
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    return with_washed(evidence, named, stack, DECK, TEMPLATES)


@pytest.mark.parametrize("which", [1, 2, 4])
def test_a_card_is_found_by_what_a_lamp_has_left_of_its_frame(which: int) -> None:
    card = beside(which, 0.6)
    evidence = burnt_out(drawn_evidence(KNOWN, card, size_mm=ROOM_MM), card)
    named = named_of(KNOWN)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    assert with_hazed(evidence, named, stack, DECK, TEMPLATES) is None
    more = found(evidence, named)
    assert more is not None
    assert off(more.poses[1], card)[0] < 1.0


def test_no_card_is_made_of_what_a_lamp_does_to_the_table() -> None:
    for seed in range(3):
        table = drawn_evidence(KNOWN, size_mm=ROOM_MM)
        assert found(burnt_out(table, beside(0), seed), named_of(KNOWN)) is None


def test_nothing_is_sought_where_nothing_is_washed_out() -> None:
    assert found(drawn_evidence(KNOWN, beside(0), size_mm=ROOM_MM), named_of(KNOWN)) is None


def test_a_burnt_out_card_is_read_where_one_is_missing_and_stays_in_doubt() -> None:
    card = DrawnCard(beside(0).face, "green", beside(0).pose)
    others = [
        KNOWN,
        DrawnCard("circle-1", "red", (230.0, 70.0, 0.1)),
        DrawnCard("triangle-5", "red", (230.0, 200.0, 1.4)),
    ]
    table = reconstruct(burnt_out(drawn_evidence(*others, card, size_mm=ROOM_MM), card), DECK)
    assert table is not None
    gaps = np.array([off(pose, card)[0] for pose in table.named.poses])
    assert table.hazed.tolist() == (gaps < 1.0).tolist()
    assert table.hazed.sum() == 1
    assert table.naming.confidence[int(gaps.argmin())] <= 0.5
