from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from vision.evidence import Evidence, observe
from vision.finding.find_cards import badge_centres
from vision.finding.likely_badges import _badge_looks, _most_like, likely_badges
from vision.observing.marks import find_holes, find_marks
from vision.raster import Raster
from vision.reconstruct import reconstruct

FloatArray = NDArray[np.float64]
NONE = np.empty((0, 2))
CARDS = (
    DrawnCard("circle-4", "green", (20.0, 60.0, 0.3)),
    DrawnCard("square-2", "red", (90.0, 62.0, 1.9), mirrored=True),
    DrawnCard("triangle-5", "blue", (60.0, 135.0, -1.5)),
)
GRAZED = DrawnCard("triangle-1", "green", (135.0, 110.0, 0.2))


def grazed(evidence: Evidence, card: DrawnCard) -> Evidence:
    """The same table with two scratches through the card's badge: its rim is in pieces."""
    raster = evidence.raster
    image = raster.image_bgr.copy()
    x, y = card.pose[:2]
    for slope in (-1.0, 1.0):
        way = np.array([7.0, 7.0 * slope])
        ends = np.rint(raster.to_raster(np.array([[x, y] - way, [x, y] + way]))).astype(int)
        first, last = (tuple(end.tolist()) for end in ends)
        cv2.line(image, first, last, (12, 12, 12), 4)
    return observe(Raster(image, raster.origin_mm, raster.density))


def nearest_mm(spots: FloatArray, card: DrawnCard) -> float:
    return float(np.hypot(*(spots - card.pose[:2]).T).min()) if len(spots) else np.inf


def test_the_likeliest_are_the_badges() -> None:
    spots = likely_badges(drawn_evidence(*CARDS), DECK, NONE, len(CARDS))
    assert len(spots) == len(CARDS)
    assert max(nearest_mm(spots, card) for card in CARDS) < 2.5


@pytest.mark.parametrize("angle", [0.0, 0.5, 1.0, 2.2])
def test_a_badge_may_lie_at_any_angle(angle: float) -> None:
    card = DrawnCard("triangle-3", "purple", (62.0, 81.0, angle))
    assert nearest_mm(likely_badges(drawn_evidence(card), DECK, NONE, 1), card) < 3


def test_a_rim_in_pieces_is_a_badge_all_the_same() -> None:
    evidence = grazed(drawn_evidence(*CARDS, GRAZED), GRAZED)
    assert nearest_mm(badge_centres(find_marks(evidence), find_holes(evidence), DECK), GRAZED) > 4
    assert nearest_mm(likely_badges(evidence, DECK, NONE, 8), GRAZED) < 3


def test_known_cards_badges_are_left_out() -> None:
    known = np.array([card.pose[:2] for card in CARDS[1:]])
    spots = likely_badges(drawn_evidence(*CARDS), DECK, known, 20)
    assert nearest_mm(spots, CARDS[0]) < 2
    assert min(nearest_mm(spots, card) for card in CARDS[1:]) > 6


def test_where_nothing_is_white_for_sure_no_badge_is_sought() -> None:
    """Not in the next tile of the table either: a card's lines would be white there."""
    near, far = CARDS[0], DrawnCard("circle-4", "green", (420.0, 60.0, 0.3))
    evidence = drawn_evidence(near, far, size_mm=(500, 180))
    both = likely_badges(evidence, DECK, NONE, 20)
    assert max(nearest_mm(both, card) for card in (near, far)) < 2.5
    mask = evidence.mask.copy()
    mask[:, int(evidence.raster.to_raster(np.array([300.0, 0.0]))[0]) :] = 0
    left = likely_badges(replace(evidence, mask=mask), DECK, NONE, 20)
    assert nearest_mm(left, near) < 2.5
    assert nearest_mm(left, far) > 100


def test_a_table_without_cards_looks_like_nothing() -> None:
    assert likely_badges(drawn_evidence(), DECK, NONE, 20).shape == (0, 2)


def test_the_card_that_a_colour_lacks_is_sought_by_its_badge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where its lines do not lead to it."""
    for module in ("finding.explain", "settling.lacking"):
        monkeypatch.setattr(f"vision.{module}.with_hidden", lambda *_: None)
    cards = (*CARDS, DrawnCard("square-3", "blue", (185.0, 60.0, 0.4)))
    more = (DrawnCard("circle-1", "red", (190.0, 140.0, 1.2)), GRAZED)
    evidence = grazed(drawn_evidence(*cards, *more, size_mm=(280, 180)), GRAZED)
    table = reconstruct(evidence, DECK)
    assert table is not None
    assert len(table.named) == 6
    assert min(off(pose, GRAZED)[0] for pose in table.named.poses) < 0.3


def test_likeness_is_the_correlation_of_what_differs_from_the_mean() -> None:
    rng = np.random.default_rng(3)
    seen = rng.integers(0, 256, (40, 50), dtype=np.uint8)
    seen[:, 30:] = 7
    looks = _badge_looks(DECK)
    like = _most_like(seen, looks)
    side = len(looks[0])
    assert like.shape == (41 - side, 51 - side)
    for y, x in ((0, 0), (5, 12), (20, 25)):
        place = seen[y : y + side, x : x + side].ravel()
        each = [np.corrcoef(place, look.ravel())[0, 1] for look in looks]
        assert like[y, x] == pytest.approx(max(each), abs=1e-4)
    assert (like[:, 30:] == 0).all()
