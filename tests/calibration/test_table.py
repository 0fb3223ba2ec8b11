from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table.table_fit import CardFrame, fit_table
from calibration.table.table_look import TableLook, look_at_table
from calibration.table.table_watch import TableWatch, after_frame, begin
from geometry.deck_file import published_deck
from tests.calibration.board_simulator import lens_of
from tests.scenes import scene
from vision.locating.markers import SQUARE_MM, Marker
from vision.view import TableView, rotation_from_vector

AREA = (830.0, 520.0)
LENS = lens_of((2592, 1944), 0.83, (-0.1, 0.03, 0.0004, -0.0003, 0.0), False)
FloatArray = NDArray[np.float64]


def view(tilt: tuple[float, float, float] = (0.06, -0.03, 0.01)) -> TableView:
    turn = rotation_from_vector(np.array(tilt))
    middle = turn @ np.array([AREA[0] / 2, AREA[1] / 2, 0.0])
    return TableView(LENS, turn, np.array([0, 0, 880.0]) - middle)


def markers(
    seen: TableView, rng: np.random.Generator, noise_px: float = 0.25, size: float = 1.0
) -> tuple[Marker, ...]:
    width, height = AREA
    centres = [(-40, -40), (width + 40, -40), (width + 40, height + 40), (-40, height + 40)]
    return tuple(
        Marker(i, seen.to_px(SQUARE_MM * size + c) + rng.normal(0, noise_px, (4, 2)))
        for i, c in enumerate(centres)
    )


def cards(seen: TableView, rng: np.random.Generator, count: int = 10) -> tuple[CardFrame, ...]:
    corners = np.array([[-25.6, -41], [25.6, -41], [25.6, 41], [-25.6, 41]])
    found = []
    for x, y in rng.uniform([60, 60], [AREA[0] - 60, AREA[1] - 60], (count, 2)):
        px = seen.to_px(corners + [x, y], 0.33) + rng.normal(0, 0.1, (4, 2))
        found.append(CardFrame(px, 51.2, 82.0, 0.33))
    return tuple(found)


def error_mm(fitted: TableView, true: TableView) -> FloatArray:
    grid = np.stack(np.meshgrid(np.linspace(0, AREA[0], 9), np.linspace(0, AREA[1], 7)), -1)
    points = grid.reshape(-1, 2)
    return np.asarray(np.linalg.norm(fitted.to_mm(true.to_px(points)) - points, axis=1))


def test_cards_make_up_for_markers_that_look_small() -> None:
    rng, true = np.random.default_rng(3), view()
    seen = markers(true, rng, size=0.996)
    alone, both = fit_table(LENS, seen), fit_table(LENS, seen, cards(true, rng))
    assert alone is not None
    assert both is not None
    assert np.sqrt(np.mean(error_mm(alone.table.view, true) ** 2)) > 0.5
    assert np.sqrt(np.mean(error_mm(both.table.view, true) ** 2)) < 0.2
    assert both.marker_scale == pytest.approx(0.996, abs=0.0015)
    assert both.table.play_area_mm == pytest.approx(AREA, abs=0.4)


def test_markers_printed_at_the_wrong_scale_are_told() -> None:
    rng, true = np.random.default_rng(3), view()
    for size, told in ((1.0, False), (0.95, True), (1.03, True)):
        fit = fit_table(LENS, seen := markers(true, rng, size=size), cards(true, rng))
        assert fit is not None
        assert fit.marker_scale == pytest.approx(size, abs=0.005)
        warning = TableLook(fit, seen, 10).warning()
        assert (warning is not None) == told
        if warning is not None:
            assert warning.facts["share"] == fit.marker_scale


def test_a_photo_shows_that_markers_were_printed_too_large() -> None:
    photo = scene("spread-white")
    assert photo.truth.lens is not None
    size = published_deck().card
    same = look_at_table(photo.image_bgr, photo.truth.lens, size)
    assert isinstance(same, TableLook)
    assert same.warning() is None
    larger = dataclasses.replace(
        size, width_mm=1.04 * size.width_mm, height_mm=1.04 * size.height_mm,
        frame_inset_mm=1.04 * size.frame_inset_mm,
    )  # fmt: skip
    look = look_at_table(photo.image_bgr, photo.truth.lens, larger)
    assert isinstance(look, TableLook)
    assert look.cards >= 10
    assert look.fit.marker_scale == pytest.approx(1.04, abs=0.006)
    assert look.warning() is not None


def test_one_marker_is_no_table() -> None:
    rng = np.random.default_rng(3)
    assert fit_table(LENS, markers(view(), rng)[:1]) is None


def watched(frames: int, rng: np.random.Generator) -> TableWatch:
    true = view()
    watch = begin(true)
    for number in range(frames):
        seen = markers(true, rng)
        hidden = rng.random() < 0.1
        watch = after_frame(watch, seen[1:] if hidden else seen, float(number))
    return watch


def test_what_has_not_moved_is_not_accused() -> None:
    rng = np.random.default_rng(7)
    watch = begin(view())
    for number in range(1000):
        watch = after_frame(watch, markers(view(), rng), float(number))
        assert watch.moved is None


def moved_view(kind: str) -> TableView:
    was = view()
    if kind == "tilt":
        turn = rotation_from_vector(np.array([np.deg2rad(0.2), 0, 0]))
    elif kind == "roll":
        turn = rotation_from_vector(np.array([0, 0, np.deg2rad(0.2)]))
    else:
        turn = np.eye(3)
    shift = {"x": [2.0, 0, 0], "y": [0, 2.0, 0], "z": [0, 0, 2.0]}.get(kind, [0, 0, 0])
    return TableView(LENS, turn @ was.rotation, turn @ was.translation_mm + shift)


@pytest.mark.parametrize("kind", ["x", "y", "z", "tilt", "roll"])
def test_a_move_of_2_mm_or_a_fifth_of_a_degree_is_noticed(kind: str) -> None:
    rng = np.random.default_rng(11)
    watch = watched(30, rng)
    assert watch.moved is None
    after = moved_view(kind)
    for number in range(30, 36):
        watch = after_frame(watch, markers(after, rng), float(number))
    assert watch.moved is not None
    assert watch.moved.what == "camera-or-table"
    assert watch.moved.since_s == 30.0
    if kind in ("x", "y"):
        assert watch.moved.by_mm == pytest.approx(2.0, abs=0.3)
    if kind == "roll":
        assert abs(watch.moved.by_deg) == pytest.approx(0.2, abs=0.05)


def test_one_pushed_marker_is_not_a_moved_camera() -> None:
    rng, true = np.random.default_rng(5), view()
    watch = watched(20, rng)
    for number in range(20, 26):
        seen = list(markers(true, rng))
        seen[2] = Marker(2, seen[2].corners_px + [10.0, 0.0])
        watch = after_frame(watch, tuple(seen), float(number))
    assert watch.moved is not None
    assert (watch.moved.what, watch.moved.markers) == ("marker", (2,))


def test_a_bump_that_passes_is_forgotten() -> None:
    rng = np.random.default_rng(6)
    watch = watched(20, rng)
    watch = after_frame(watch, markers(moved_view("x"), rng), 20.0)
    assert watch.moved is None
    watch = after_frame(watch, markers(view(), rng), 21.0)
    assert watch.suspects == 0
