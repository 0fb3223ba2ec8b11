"""Where reading ends."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from tests.vision.doubting.doubt_scenes import GREEN, RED, VIEW, scene
from vision.doubting.limits import shortcomings, too_dark, too_poor
from vision.view import TableView


def seen_at(scale: float) -> TableView:
    """A view with so many pixels a millimetre everywhere."""
    return cast(
        TableView, SimpleNamespace(scales_px_per_mm=lambda at_mm: np.full(len(at_mm), scale))
    )


@pytest.mark.parametrize(("scale", "trusted"), [(1.2, True), (1.17, True), (1.1, False)])
def test_a_picture_of_1_2_pixels_a_millimetre_is_trusted(scale: float, trusted: bool) -> None:
    table, evidence = scene(GREEN, RED).table, scene(GREEN, RED).evidence
    short = [reason.code for reason in shortcomings(table, evidence, seen_at(scale))]
    assert ("smallest-card-too-small" in short) != trusted
    assert shortcomings(table, evidence, VIEW) == []


@pytest.mark.parametrize(("scale", "refused"), [(0.8, False), (0.79, True)])
def test_below_0_8_dots_are_too_small_to_be_counted_at_all(scale: float, refused: bool) -> None:
    refusal = too_poor(scene(GREEN, RED).table, seen_at(scale))
    assert (refusal is not None) == refused
    assert refusal is None or refusal.reason.facts["needed"] == 1.2


def test_white_of_15_percent_is_enough_light_however_blurred() -> None:
    assert not too_dark(0.15 * 0.95, 0.95)
    assert not too_dark(0.15 * 0.65, 0.65)


def test_white_of_13_percent_is_too_dark_however_sharp() -> None:
    assert too_dark(0.13 * 0.95, 0.95)
    assert too_dark(0.13 * 0.65, 0.65)


def test_a_line_that_hardly_shows_is_too_dark_however_bright_dots_are() -> None:
    assert too_dark(0.08, 0.4)


def test_lines_alone_tell_where_hardly_any_dot_shows() -> None:
    assert too_dark(0.11, None)
    assert not too_dark(0.13, None)
