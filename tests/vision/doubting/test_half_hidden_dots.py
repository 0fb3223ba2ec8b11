from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.showing import dot_parts
from tests.vision.doubting.doubt_scenes import GREEN, FloatArray, beside_a_dot, card_of, scene
from tests.vision.drawing.drawn_cards import DECK
from vision.doubting.doubt_context import DoubtContext, with_card
from vision.doubting.doubts import find_doubts
from vision.drawing.bend import widened
from vision.reading import Doubt


def halves(seen: DoubtContext) -> list[Doubt]:
    return [d for d in find_doubts(seen) if d.reason.code == "dot-half-hidden"]


def green_parts(seen: DoubtContext) -> FloatArray:
    return np.array(dot_parts(seen.layout)[card_of(seen, "green")])


def test_a_dot_that_is_half_hidden() -> None:
    """The upper card's edge runs through the middle of a green dot."""
    seen = scene(GREEN, beside_a_dot(0.0))
    parts = green_parts(seen)
    split = int(((parts > 0.38) & (parts <= 0.62)).sum())
    assert split >= 1
    doubts = halves(seen)
    assert len(doubts) == split
    assert all(set(d.changes_scores_by) == {"green"} for d in doubts)


@pytest.mark.parametrize(("by_mm", "shows"), [(0.8, True), (-0.8, False)])
def test_a_dot_that_shows_by_a_third_or_two_thirds_is_sure_where_the_pixels_agree(
    by_mm: float, shows: bool
) -> None:
    seen = scene(GREEN, beside_a_dot(by_mm))
    parts = green_parts(seen)
    partly = (parts > 0.25) & (parts <= 0.75)
    assert partly.any()
    assert ((parts[partly] > 0.5) == shows).all()
    assert halves(seen) == []
    # The same layout, and a picture in which the edge lies on the other side of the middle.
    other = scene(GREEN, beside_a_dot(-by_mm))
    doubts = halves(replace(seen, evidence=other.evidence))
    assert len(doubts) == partly.sum()
    assert all(d.changes_scores_by == {"green": -1 if shows else 1} for d in doubts)


def test_from_aslant_a_card_may_hide_more_of_a_dot_than_its_height_tells() -> None:
    """Three fifths of green's dots show: nearly enough to be sure, seen from straight above."""
    seen = scene(GREEN, beside_a_dot(0.36))
    parts = green_parts(seen)
    assert ((parts > 0.58) & (parts < 0.65)).any()
    assert halves(seen) == []
    x, y, _ = GREEN.pose
    for lens_mm, doubted in (((x, y, 600.0), False), ((x - 700.0, y, 700.0), True)):
        raster = replace(seen.evidence.raster, lens_mm=lens_mm)
        doubts = halves(replace(seen, evidence=replace(seen.evidence, raster=raster)))
        assert bool(doubts) == doubted


def test_a_dot_is_compared_with_the_part_of_it_that_the_camera_sees() -> None:
    """From aslant two thirds of green's dots are seen beside a card that truly hides as much."""
    seen = scene(GREEN, beside_a_dot(0.8))
    red = seen.layout.card(card_of(seen, "red"))
    pose = replace(red.pose, x_mm=red.pose.x_mm - 1.6)
    layout = with_card(seen.layout, replace(red, pose=pose))
    aslant = replace(seen, layout=layout)
    assert ((green_parts(aslant) > 0.25) & (green_parts(aslant) < 0.43)).any()
    assert halves(aslant) == []


def test_a_dot_is_compared_with_what_is_seen_of_it_beside_a_curled_card() -> None:
    """Red's sides stand up: its edge is seen 1.6 mm beside its place, on more of the dots."""
    seen, other = scene(GREEN, beside_a_dot(0.8)), scene(GREEN, beside_a_dot(-0.8))
    flat = replace(seen, evidence=other.evidence)
    assert halves(flat)
    poses = widened(seen.table.named.poses)
    poses[card_of(seen, "red"), 3] = -1.6 / (DECK.card.width_mm / 2) ** 2
    table = replace(seen.table, named=replace(seen.table.named, poses=poses))
    assert halves(replace(flat, table=table)) == []
