from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.doubting.chance_pairs import LOWER, UPPER
from tests.vision.doubting.doubt_scenes import GREEN, RED, THIRD, card_of, scene, scene_of, unread
from tests.vision.observing.painted_dots import true_dots
from vision.doubting import missed_cards
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.missed_cards import (
    could_be_dots,
    could_be_lines,
    plainly_legal,
    wrongly_covered,
)
from vision.evidence import observe
from vision.finding.line_looks import printed_lines
from vision.finding.white_lines import Segments
from vision.naming.unique_faces import Choice
from vision.observing.dots import match
from vision.raster import Raster

FloatArray = NDArray[np.float64]
AT_MM = np.array([140.0, 150.0])


def with_bar(
    seen: DoubtContext,
    dots_mm: FloatArray,
    gap_mm: float = 0.0,
    burnt: bool = False,
    high_mm: float = 13.0,
) -> tuple[DoubtContext, FloatArray]:
    """A bar of print on the table in a card's ink, with white dots, and another one beyond a white
    gap; and the ink, away from grey.
    """
    raster = seen.evidence.raster
    image = raster.image_bgr.copy()
    x, y = np.rint(raster.to_raster(true_dots(GREEN)[0] + [3.4, 0.0])).astype(int).tolist()
    ink = tuple(int(v) for v in image[y, x])

    def corner(at: FloatArray) -> tuple[int, int]:
        column, row = np.rint(raster.to_raster(at)).astype(int).tolist()
        return int(column), int(row)

    half = np.array([28.0, high_mm / 2])
    shift = np.array([0.0, high_mm + gap_mm])
    cv2.rectangle(image, corner(AT_MM - half - 1), corner(AT_MM + half + shift + 1), (235,) * 3, -1)
    for off in (0 * shift, shift):
        cv2.rectangle(image, corner(AT_MM - half + off), corner(AT_MM + half + off), ink, -1)
    for dot in dots_mm:
        cv2.circle(image, corner(AT_MM + dot), round(2.1 * raster.density), (235,) * 3, -1)
    if burnt:
        cv2.circle(image, corner(AT_MM + [16, 0]), round(9 * raster.density), (255,) * 3, -1)
    evidence = observe(Raster(image, raster.origin_mm, raster.density))
    return replace(seen, evidence=evidence), np.array(ink) - np.mean(ink)


def test_the_dots_and_lines_of_a_card_that_was_not_read_could_be_a_card_s() -> None:
    whole = scene(GREEN, RED, THIRD)
    seen = unread(whole, THIRD.face)
    dots, true = whole.table.dots, true_dots(THIRD)
    found = match(true, dots.middle_mm)[0]
    assert (found >= 0).all()
    assert could_be_dots(seen, dots.middle_mm[found], dots.ground[found]).all()
    table = seen.table
    order, templates = table.stack.order, table.templates
    lines = printed_lines(seen.evidence, table.named, order, seen.top, templates)
    assert len(lines.start_mm) >= 4
    assert could_be_lines(seen, lines).all()


@pytest.mark.parametrize("dots_mm", [[[0.0, 0.0]], [[-8.0, 0.0], [0.0, 0.0], [8.0, 0.0]]])
def test_dots_of_print_are_no_card_s(dots_mm: list[list[float]]) -> None:
    seen, ink = with_bar(scene(GREEN, RED), np.array(dots_mm))
    at = AT_MM + np.array(dots_mm)
    assert not could_be_dots(seen, at, np.tile(ink, (len(at), 1))).any()


def test_beside_a_burnt_out_patch_nothing_is_contradicted() -> None:
    seen, ink = with_bar(scene(GREEN, RED), np.zeros((1, 2)), burnt=True)
    assert could_be_dots(seen, AT_MM[None], ink[None]).all()


def test_what_lies_on_a_known_card_may_be_that_card_s_own() -> None:
    seen = scene(GREEN, RED)
    at = seen.table.named.poses[[card_of(seen, "red")], :2] + [0.0, 25.0]
    assert could_be_dots(seen, at, seen.table.named.ink[[card_of(seen, "red")]]).all()


def test_another_printing_s_dots_are_not_judged() -> None:
    seen, ink = with_bar(scene(GREEN, RED), np.zeros((1, 2)))
    plain = replace(seen, deck=replace(seen.deck, art=replace(seen.deck.art, band=False)))
    assert could_be_dots(plain, AT_MM[None], ink[None]).all()


def test_the_gap_between_two_bars_of_print_is_no_card_s_line() -> None:
    seen, _ = with_bar(scene(GREEN, RED), np.empty((0, 2)), gap_mm=1.0, high_mm=30.0)
    y = AT_MM[1] + 15.5
    line = Segments(np.array([[AT_MM[0] - 20.0, y]]), np.array([[AT_MM[0] + 20.0, y]]))
    assert not could_be_lines(seen, line).any()


def with_half_a_card(seen: DoubtContext) -> tuple[DoubtContext, Segments]:
    """Print on the table that looks as a card does on either side of the middle of a line: ink, a
    white line, black; and nothing round it.
    """
    raster = seen.evidence.raster
    image = raster.image_bgr.copy()
    x, y = np.rint(raster.to_raster(true_dots(GREEN)[0] + [3.4, 0.0])).astype(int).tolist()
    ink = tuple(int(v) for v in image[y, x])
    low, high = AT_MM[0] - 24.0, AT_MM[0] + 24.0
    for top_mm, end_mm, colour in (
        (-3.0, 0.0, ink),
        (0.0, 0.9, (235,) * 3),
        (0.9, 24.0, (18,) * 3),
    ):
        corners = np.array([[low, AT_MM[1] + top_mm], [high, AT_MM[1] + end_mm]])
        (left, top), (right, end) = np.rint(raster.to_raster(corners)).astype(int).tolist()
        cv2.rectangle(image, (left, top), (right, end - 1), colour, -1)
    evidence = observe(Raster(image, raster.origin_mm, raster.density))
    at = AT_MM + [0.0, 0.45]
    line = Segments((at - [18.0, 0.0])[None], (at + [18.0, 0.0])[None])
    return replace(seen, evidence=evidence), line


def test_a_card_s_band_runs_all_round_it() -> None:
    seen, line = with_half_a_card(scene(GREEN, RED))
    assert not could_be_lines(seen, line).any()


def test_a_missed_card_would_lie_under_cards_that_lie_exactly_elsewhere() -> None:
    """Under two of them nobody would have laid it: both would be illegal, and fit by chance."""
    seen = scene(LOWER, UPPER)
    upper = card_of(seen, "red")
    x, y, angle = (float(v) for v in seen.table.named.poses[upper])
    under = np.array([[x, y, angle], [x + 20.0, y, angle], [x + 30.0, y + 90.0, angle]])
    assert np.flatnonzero(plainly_legal(seen)).tolist() == [upper]
    # Green lies on nothing, and counts for nothing.
    assert wrongly_covered(seen, under).tolist() == [1, 1, 0]
    # Bands over bands are fine.
    beside = np.array([[x, y + 84.0, angle], [x, y + 76.0, angle]])
    assert wrongly_covered(seen, beside).tolist() == [0, 1]
    number = len(seen.table.named)
    open_ = tuple((Choice(0, turned=False),) if i == upper else () for i in range(number))
    unsure = scene_of(replace(seen.table, choices=open_), seen.evidence)
    assert not plainly_legal(unsure).any()
    assert wrongly_covered(unsure, under).tolist() == [0, 0, 0]


@pytest.mark.parametrize("wrong", [1, 2])
def test_a_dot_that_only_a_card_under_two_such_could_have_is_print(
    monkeypatch: pytest.MonkeyPatch, wrong: int
) -> None:
    whole = scene(GREEN, RED, THIRD)
    seen = unread(whole, THIRD.face)
    dots = whole.table.dots
    found = match(true_dots(THIRD), dots.middle_mm)[0]
    monkeypatch.setattr(
        missed_cards, "wrongly_covered", lambda _, poses: np.full(len(poses), wrong)
    )
    could = could_be_dots(seen, dots.middle_mm[found], dots.ground[found])
    assert could.all() == could.any() == (wrong == 1)
