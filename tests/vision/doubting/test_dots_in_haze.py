from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from tests.vision.doubting.doubt_scenes import (
    GREEN,
    NO_DOTS,
    RED,
    SCALE,
    THIRD,
    card_of,
    place_beside,
    scene,
    scene_of,
)
from tests.vision.drawing.drawn_cards import DECK, DrawnCard
from tests.vision.observing.painted_dots import painted, true_dots
from vision.doubting.dot_doubts import LEAST_WHITE
from vision.doubting.dots_in_haze import in_glare, told_by_colour, too_faint
from vision.doubting.doubts import find_doubts
from vision.evidence import observe
from vision.observing.dots import dot_whiteness


@pytest.mark.parametrize(("off_mm", "covered", "lost", "told"), [
    (0.0, False, True, False), (0.0, True, True, False),
    (4.0, False, False, True), (4.0, True, False, False),
])  # fmt: skip
def test_a_dot_in_a_streak_of_glare(off_mm: float, covered: bool, lost: bool, told: bool) -> None:
    """A streak may be narrower than what counts as burnt out: a dot in it is lost, and of one
    beside it the rest tells.
    """
    seen = scene(GREEN, RED)
    at = true_dots(GREEN)[1]
    ink = tuple(int(v) for v in seen.evidence.raster.image_bgr[place_beside(seen, at)])
    raster = painted(seen.evidence, at, 2.8, ink).raster if covered else seen.evidence.raster
    row = np.arange(len(raster.image_bgr)) - raster.to_raster(at)[1]
    lamp = 0.74 * np.exp(-(((row / raster.density - off_mm) / 3.4) ** 4))
    light = (raster.image_bgr / 255) ** 2.2 * 0.4 + lamp[:, None, None]
    image = np.rint(255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)
    streaked = scene_of(seen.table, observe(replace(raster, image_bgr=image)))
    assert not streaked.evidence.burnt.any()
    assert in_glare(streaked, at[None]).tolist() == [lost]
    owner = np.array([card_of(seen, "green")])
    dots = np.concatenate([true_dots(GREEN), true_dots(RED)])
    assert told_by_colour(streaked, at[None], owner, dots).tolist() == [told]


@pytest.mark.parametrize(("ground", "doubted"), [(115, False), (143, True)])
def test_a_dot_in_a_haze_is_seen_as_long_as_it_stands_out(ground: int, doubted: bool) -> None:
    """Against the clear lines near by it is hardly white."""
    seen = scene(GREEN, RED)
    at = true_dots(GREEN)[0]
    raster = seen.evidence.raster
    y, x = np.indices(raster.image_bgr.shape[:2])
    middle = raster.to_raster(at)
    away = np.hypot(x - middle[0], y - middle[1]) / raster.density
    least, white = seen.evidence.least.copy(), seen.evidence.white.copy()
    white[away < 5] = white[away < 5] // 3
    least[away < 5] = ground
    least[away < DECK.dot_diameter_mm / 2] = 150
    # As grey as such a haze leaves everything: colour tells nothing, either.
    grey = raster.image_bgr.copy()
    grey[away < 5] = least[away < 5][:, None]
    hazy = replace(seen.evidence, raster=replace(raster, image_bgr=grey), least=least, white=white)
    assert dot_whiteness(hazy, at[None], DECK)[0][0] < LEAST_WHITE
    doubts = find_doubts(scene_of(replace(seen.table, dots=NO_DOTS), hazy))
    here = [d for d in doubts if np.hypot(*(np.array(d.at_px) / SCALE - at)) < 1]
    assert [d.reason.code for d in here] == ["dot-not-seen"] * doubted


@pytest.mark.parametrize(("others", "told"), [((), True), ((THIRD,), False)])
def test_a_dot_that_nothing_can_hide_is_seen_in_a_haze_by_less(
    others: tuple[DrawnCard, ...], told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other face is open, and the numbers of cards say that none was missed."""
    seen, dots = scene(GREEN, RED, *others), true_dots(GREEN)
    levels = {1: 180.0, len(dots): 40.0}
    monkeypatch.setattr(
        "vision.doubting.dots_in_haze._levels",
        lambda _, at: np.full((len(at), 8), levels[len(at)]),
    )
    monkeypatch.setattr("vision.doubting.dots_in_haze._paler_by", lambda *_: np.array([2.15]))
    owner = np.array([card_of(seen, "green")])
    assert told_by_colour(seen, dots[:1], owner, dots).tolist() == [told]


@pytest.mark.parametrize(("dots", "faint"), [("white", True), ("colour", False)])
def test_a_disc_of_ink_is_too_faint_only_where_dots_are_white(
    dots: Literal["white", "colour"], faint: bool
) -> None:
    seen = scene(GREEN, RED)
    at = true_dots(GREEN)[0]
    raster = painted(seen.evidence, at, 2.8, (90, 60, 20)).raster
    inked = scene_of(seen.table, observe(raster))
    art = replace(inked.deck.art, dots=dots)
    inked = replace(inked, deck=replace(inked.deck, art=art))
    assert too_faint(inked, at[None]).tolist() == [faint]
