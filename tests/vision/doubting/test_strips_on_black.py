from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from geometry.rules import Rules
from tests.vision.doubting.doubt_scenes import scene_of
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.edge_doubts import peeking_doubts
from vision.doubting.strips_on_black import cards_at_a_glance, strip_on_black
from vision.drawing.pose_fit import place
from vision.evidence import observe
from vision.reconstruct import reconstruct

UPPER = DrawnCard("triangle-5", "blue", (150.0, 130.0, 0.0))
UNDER_IT = DrawnCard("square-1", "red", (185.0, 120.0, np.pi / 2))
GREEN = DrawnCard("square-4", "green", (40.0, 60.0, 0.2))
FREE_FOR_ALL = Rules(free_for_all=True)


@cache
def scene(*peeking: DrawnCard) -> DoubtContext:
    """Two cards of which the upper one hides others, and one apart from them."""
    evidence = drawn_evidence(GREEN, UNDER_IT, *peeking, UPPER, size_mm=(300, 260))
    table = reconstruct(evidence, DECK, FREE_FOR_ALL)
    assert table is not None
    assert len(table.named) == 3
    return scene_of(table, evidence, FREE_FOR_ALL)


def peeking(colour: str, move_mm: tuple[float, float]) -> DrawnCard:
    x, y, angle = UPPER.pose
    return DrawnCard("square-6", colour, (x + move_mm[0], y + move_mm[1], angle))


@pytest.mark.parametrize(
    "move_mm",
    [(0.9, 0.0), *(pytest.param(m, marks=pytest.mark.thorough) for m in ((1.4, 0.3), (2.0, -0.5)))],
)
def test_a_strip_of_another_ink_on_the_black_of_the_card_below_is_told(
    move_mm: tuple[float, float],
) -> None:
    seen = scene(peeking("green", move_mm))
    upper = strip_on_black(seen)
    assert upper is not None
    assert off(seen.table.named.poses[upper], UPPER)[0] < 1.0
    assert upper in {doubt.card for doubt in peeking_doubts(seen)}


@pytest.mark.parametrize(
    "move_mm",
    [(0.9, 0.0), *(pytest.param(m, marks=pytest.mark.thorough) for m in ((1.4, 0.3), (2.0, -0.5)))],
)
def test_where_numbers_of_cards_are_equal_a_glance_tells_which_cards_to_ask(
    move_mm: tuple[float, float],
) -> None:
    """One of each colour is read: each may have lost a card."""
    seen = scene(peeking("green", move_mm))
    upper = strip_on_black(seen)
    asked = cards_at_a_glance(seen)
    assert upper in asked
    assert len(asked) < 3
    counted = replace(seen, rules=Rules())
    assert counted.equally_many
    assert [doubt.card for doubt in peeking_doubts(counted)] == [upper]


def test_where_no_card_peeks_out_there_is_no_strip() -> None:
    assert strip_on_black(scene()) is None


@pytest.mark.parametrize(("beside", "told"), [(255.0, False), (20.0, True)])
def test_what_is_darker_than_a_streak_of_glare_beside_it_is_no_ink(
    beside: float, told: bool
) -> None:
    """Coloured like green's, and darker in all colours than what lies farther out, or not."""
    seen = scene()
    raster = seen.evidence.raster
    image = raster.image_bgr.copy()
    ink = seen.inks["green"]
    pose = np.array([UPPER.pose])
    edge = seen.deck.card.width_mm / 2
    level = min(beside, 100.0)
    for inner, outer, colour in ((0.4, 1.3, level + ink), (2.4, 4.6, np.full(3, beside))):
        strip = np.array([[inner, -35.0], [outer, -35], [outer, 35], [inner, 35]]) + [edge, 0]
        corners = np.rint(raster.to_raster(place(pose, strip)[0])).astype(np.int32)
        cv2.fillConvexPoly(image, corners, np.clip(colour, 0, 255).tolist())
    evidence = observe(replace(raster, image_bgr=image))
    lit = replace(evidence, washed=seen.evidence.washed)
    found = strip_on_black(scene_of(seen.table, lit, FREE_FOR_ALL))
    assert (found is not None) == told


def test_the_upper_card_s_own_ink_may_be_its_own_band() -> None:
    assert strip_on_black(scene(peeking("blue", (1.4, 0.3)))) is None


def test_on_the_other_side_it_lies_over_the_table() -> None:
    """There the table's strips are asked, not the black of cards."""
    assert strip_on_black(scene(peeking("green", (-1.4, 0.0)))) is None
