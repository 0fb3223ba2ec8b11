from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.rules import Rules
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from tests.vision.finding.lamp_light import under_a_lamp
from tests.vision.finding.neighbour_tables import KNOWN, ROOM_MM, beside
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, named_of
from vision.evidence import Evidence, observe
from vision.finding.washed_search import _stands_out, with_washed
from vision.naming.name_cards import Named
from vision.ordering.stacking import stack_up
from vision.raster import Raster
from vision.reconstruct import reconstruct

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


def mirroring(card: DrawnCard, noise: float) -> Evidence:
    """A card that mirrors a lamp from edge to edge on a dark table, and a camera's fringe along its
    edge, brighter than its lines.
    """
    raster = drawn_evidence(KNOWN, card, size_mm=ROOM_MM).raster
    image = raster.image_bgr.astype(np.float32)
    body, fringe = np.zeros(image.shape[:2], np.float32), np.zeros(image.shape[:2], np.float32)
    cv2.fillConvexPoly(body, _outline(card, raster, 0.0), 1.0)
    cv2.polylines(fringe, [_outline(card, raster, -0.6)], True, 30.0, 2)
    body = cv2.GaussianBlur(body, (0, 0), 1.0)[..., None]
    image = image * (1 - body) + body * (210 + 0.05 * image)
    image += cv2.GaussianBlur(fringe, (0, 0), 0.8)[..., None]
    image += np.random.default_rng(1).normal(0, noise, image.shape)
    return observe(
        Raster(np.clip(image, 0, 255).astype(np.uint8), raster.origin_mm, raster.density)
    )


def _outline(card: DrawnCard, raster: Raster, beyond_mm: float) -> NDArray[np.int32]:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (np.array([29.1, 44.5]) + beyond_mm)
    cos, sin = np.cos(card.pose[2]), np.sin(card.pose[2])
    corners = half @ np.array([[cos, sin], [-sin, cos]]) + card.pose[:2]
    return np.asarray(np.rint(raster.to_raster(corners)), np.int32)


def found(evidence: Evidence, named: Named) -> Named | None:
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    return with_washed(evidence, named, stack, PRINTED)


@pytest.mark.parametrize("which", [1, 2, 4])
def test_a_card_is_found_by_what_a_lamp_has_left_of_its_frame(which: int) -> None:
    card = beside(which, 0.6)
    evidence = burnt_out(drawn_evidence(KNOWN, card, size_mm=ROOM_MM), card)
    named = named_of(KNOWN)
    more = found(evidence, named)
    assert more is not None
    assert off(more.poses[1], card)[0] < 1.0


def test_a_fringe_along_a_bright_card_s_edge_is_no_line_of_it() -> None:
    card = beside(2, 0.6)
    more = found(mirroring(card, 3.0), named_of(KNOWN))
    assert more is not None
    assert off(more.poses[1], card)[0] < 0.6


@pytest.mark.parametrize(
    ("worth", "rival", "stands"),
    [
        (0.44, 0.385, False),
        (0.44, 0.13, True),
        (0.31, 0.12, True),
        (0.31, 0.16, False),
        (0.26, 0.0, False),
    ],
)
def test_the_fainter_lines_are_the_farther_any_rival_lags(
    worth: float, rival: float, stands: bool
) -> None:
    assert _stands_out(worth, rival) == stands


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


def test_in_a_free_for_all_too_a_card_that_glows_from_edge_to_edge_is_read_in_doubt() -> None:
    card = DrawnCard(beside(2, 0.6).face, "green", beside(2, 0.6).pose)
    rules = Rules(free_for_all=True)
    evidence = mirroring(card, 3.0)
    table = reconstruct(evidence, DECK, rules)
    assert table is not None
    gaps = np.array([off(pose, card)[0] for pose in table.named.poses])
    assert gaps.min() < 0.6
    assert table.hazed[int(gaps.argmin())]
