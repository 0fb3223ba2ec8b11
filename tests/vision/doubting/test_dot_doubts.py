from __future__ import annotations

from dataclasses import replace

import pytest

from geometry.rules import Rules
from tests.vision.doubting.doubt_scenes import (
    GREEN,
    NO_DOTS,
    RED,
    RULES,
    SCALE,
    again,
    card_of,
    place_beside,
    scene,
    scene_of,
)
from tests.vision.doubting.doubted_cards import unsure_of
from tests.vision.drawing.drawn_cards import DECK
from tests.vision.observing.painted_dots import painted, true_dots
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.doubts import find_doubts
from vision.observing.dots import SeenDots
from vision.reading import Doubt
from vision.reconstruct import reconstruct


@pytest.mark.parametrize("count", range(4))
def test_a_dot_that_should_show_and_does_not(count: int) -> None:
    seen = scene(GREEN, RED)
    at = true_dots(GREEN)[count]
    ink = tuple(int(v) for v in seen.evidence.raster.image_bgr[place_beside(seen, at)])
    evidence = painted(seen.evidence, at, 2.8, ink)
    table = reconstruct(evidence, DECK)
    assert table is not None
    (doubt,) = find_doubts(scene_of(table, evidence))
    assert doubt.kind == "dot"
    assert doubt.reason.code == "dot-not-seen"
    assert doubt.changes_scores_by == {"green": -1}
    assert doubt.at_px == pytest.approx(tuple(at * SCALE), abs=1)


def test_a_dot_that_the_second_look_finds_is_no_doubt() -> None:
    """Not among the discs found, but white on ink where it should be."""
    seen = scene(GREEN, RED)
    dots = seen.table.dots
    fewer = SeenDots(dots.middle_mm[1:], dots.ground[1:])
    assert again(seen, dots=fewer) == ()


@pytest.mark.parametrize(("radius_mm", "doubted"), [(7.0, False), (23.0, False), (52.0, True)])
def test_a_dot_in_a_burnt_out_patch(radius_mm: float, doubted: bool) -> None:
    """A known face tells of a dot in a patch that a card would look out of, and in any where the
    numbers of cards say that none is missing.
    """
    seen = scene(GREEN, RED)
    red = card_of(seen, "red")
    evidence = painted(seen.evidence, true_dots(RED)[0], radius_mm, (255, 255, 255))

    def burnt(read: DoubtContext, rules: Rules) -> list[Doubt]:
        table = replace(read.table, dots=NO_DOTS)
        doubts = [d for d in find_doubts(scene_of(table, evidence, rules)) if d.card == red]
        return [d for d in doubts if d.reason.code == "dot-burnt-out"]

    found = burnt(seen, Rules(free_for_all=True))
    assert bool(found) == doubted
    assert all(d.changes_scores_by == {"red": -1} for d in found)
    assert burnt(seen, RULES) == []
    assert bool(burnt(unsure_of(seen, {red: ("pink", 0.7)}), RULES)) == doubted
