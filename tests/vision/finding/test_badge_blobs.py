"""Badges are found in pictures too coarse for their outlines, by the black round them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import DECK, DENSITY, DrawnCard, drawn_evidence
from vision.evidence import Evidence, observe
from vision.finding.likely_badges import badge_blobs
from vision.raster import Raster

CARDS = (
    DrawnCard("circle-4", "green", (20.0, 70.0, 0.3)),
    DrawnCard("square-2", "red", (95.0, 72.0, 1.9)),
    DrawnCard("triangle-5", "blue", (150.0, 130.0, -1.5)),
)
CLOSE_MM = 2.5
"""A triangle's middle lies above the card's."""


def coarse(evidence: Evidence, density: float, veil: float = 0.0) -> Evidence:
    """What a camera with so few pixels a millimetre sees."""
    raster, share = evidence.raster, density / DENSITY
    soft = cv2.GaussianBlur(raster.image_bgr, (0, 0), 0.45 / share)
    image = cv2.resize(soft, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    image = np.rint(image * (1 - veil) + 255 * veil * 0.6).astype(np.uint8)
    return observe(Raster(image, raster.origin_mm, density))


@pytest.mark.parametrize(("density", "veil"), [(1.2, 0.0), (1.0, 0.0), (1.2, 0.3)])
def test_the_plainest_places_are_the_badges(density: float, veil: float) -> None:
    evidence = coarse(drawn_evidence(*CARDS, size_mm=(230, 190)), density, veil)
    spots = badge_blobs(evidence, DECK, 12)
    for card in CARDS:
        assert np.hypot(*(spots - card.pose[:2]).T).min() < CLOSE_MM


def test_no_more_are_given_than_are_asked_for() -> None:
    evidence = coarse(drawn_evidence(*CARDS, size_mm=(230, 190)), 1.2)
    every = badge_blobs(evidence, DECK, 50)
    assert len(badge_blobs(evidence, DECK, 2)) == 2
    np.testing.assert_array_equal(badge_blobs(evidence, DECK, 2), every[:2])


def test_a_plain_table_has_none() -> None:
    assert len(badge_blobs(coarse(drawn_evidence(), 1.2), DECK, 10)) == 0
