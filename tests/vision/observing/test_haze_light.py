from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.observing.painted_dots import true_dots
from vision.evidence import Evidence
from vision.observing.haze_light import GAMMA, InkedDiscs, paler_by, tint_kept

FloatArray = NDArray[np.float64]
CARD = DrawnCard("square-2", "red", (62.0, 81.0, 0.3))
SIZE_MM = DECK.dot_diameter_mm
LAMPS = [(1.0, 1.0, 1.0), (1.0, 0.9, 0.7), (0.6, 0.8, 1.0)]
"""Tints, blue green red: white, cold and warm."""


def hazed(evidence: Evidence, at_mm: FloatArray, tint: tuple[float, ...], most: float) -> Evidence:
    """The same with a lamp's light on it, `most` of full scale 4 mm beside the place."""
    raster = evidence.raster
    y, x = np.indices(raster.image_bgr.shape[:2])
    middle = raster.to_raster(at_mm + [4.0, 0.0])
    away = np.hypot(x - middle[0], y - middle[1]) / raster.density
    light = (raster.image_bgr / 255) ** GAMMA
    light += most * np.exp(-((away / 6.0) ** 2))[..., None] * np.array(tint)
    image = np.rint(255 * np.clip(light, 0, 1) ** (1 / GAMMA)).astype(np.uint8)
    return replace(evidence, raster=replace(raster, image_bgr=image))


def paler(evidence: Evidence, at_mm: FloatArray) -> float:
    ink = np.array([[-60.0, -50.0, 110.0]])
    away = SIZE_MM / 2 + 1.4
    return float(
        paler_by(
            evidence, InkedDiscs(at_mm[None], ink, SIZE_MM),
            lambda places: np.ones(places.shape[:2], np.bool_),
            lambda places: np.hypot(*(places - at_mm).transpose(2, 0, 1)) < away,
        )[0]
    )  # fmt: skip


@pytest.mark.parametrize("tint", LAMPS)
@pytest.mark.parametrize("most", [0.0, 0.3, 0.6])
def test_a_dot_is_paler_than_its_ink_under_any_lamp(tint: tuple[float, ...], most: float) -> None:
    evidence = drawn_evidence(CARD)
    for at in true_dots(CARD):
        assert paler(hazed(evidence, at, tint, most), at) > 2.5


@pytest.mark.parametrize("tint", LAMPS)
@pytest.mark.parametrize("most", [0.0, 0.3, 0.6])
def test_ink_is_no_paler_than_ink_however_a_lamp_lies_on_it(
    tint: tuple[float, ...], most: float
) -> None:
    """Beside a square's two dots there is room for a third."""
    evidence = drawn_evidence(CARD)
    first, second = true_dots(CARD)
    across = (second - first)[::-1] * [-1.0, 1.0]
    at = (first + second) / 2 + 0.55 * across
    assert abs(paler(hazed(evidence, at, tint, most), at)) < 1.8


def test_what_is_burnt_out_tells_nothing() -> None:
    evidence = drawn_evidence(CARD)
    at = true_dots(CARD)[0]
    assert np.isnan(paler(hazed(evidence, at, (1.0, 1.0, 1.0), 3.0), at))


@pytest.mark.parametrize("tint", LAMPS)
def test_a_lamp_s_tip_keeps_its_tint_and_a_dot_does_not(tint: tuple[float, ...]) -> None:
    evidence = drawn_evidence(CARD)
    dots = true_dots(CARD)
    assert (tint_kept(evidence, dots, SIZE_MM) < 0.3).all()
    # On plain ink or black beside the dots: what shines there is the lamp alone.
    at = np.array([62.0, 81.0]) + [0.0, 14.0]
    tip = hazed(evidence, at - [4.0, 0.0], tint, 0.5)
    if tint != LAMPS[0]:
        assert tint_kept(tip, at[None], SIZE_MM)[0] > 0.8
