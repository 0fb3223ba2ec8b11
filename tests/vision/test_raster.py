from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.evidence import observe, sample
from vision.lens import Lens
from vision.raster import LOOK_UP_WIDTH, Raster, density_for, look_up, on_map, rectify, reduced
from vision.view import TableView

LENS = Lens(
    (900, 700),
    np.array([[800.0, 0, 449.5], [0, 800.0, 349.5], [0, 0, 1]]),
    np.array([-0.08, 0.02, 0.0, 0.0]),
)
TILT = np.asarray(cv2.Rodrigues(np.array([0.25, -0.15, 0.1]))[0], np.float64)
VIEW = TableView(LENS, TILT, np.array([-150.0, -110.0, 380.0]))
BOX_MM = np.array([20.0, 15.0, 250.0, 190.0])


def ramps() -> np.ndarray:
    """A photograph whose blue says the column and whose green says the row."""
    x, y = np.meshgrid(np.arange(900), np.arange(700))
    return np.stack([x / 4, y / 4, np.full_like(x, 200)], axis=-1).astype(np.uint8)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_points_are_moved_to_the_map_in_their_own_type(kind: type) -> None:
    spread = np.random.default_rng(3).uniform(-50, 900, (4, 5, 3))
    points: NDArray[Any] = spread.astype(kind)[..., :2]
    moved = on_map(points, (12.5, -7.25), 2.3)
    assert moved.dtype == kind
    np.testing.assert_allclose(moved, (points - [12.5, -7.25]) * 2.3, rtol=1e-5, atol=1e-3)
    assert on_map(points[0, 0], (0.0, 0.0), 1.0).shape == (2,)
    assert on_map(points[:0], (0.0, 0.0), 1.0).shape == (0, 5, 2)


def test_every_raster_pixel_shows_what_the_view_says_lies_there() -> None:
    raster = rectify(ramps(), VIEW, BOX_MM, 2.3)
    height, width = raster.image_bgr.shape[:2]
    pixels = np.random.default_rng(1).uniform([0, 0], [width - 1, height - 1], (4000, 2)).round()
    # The last row and column, the corners and the seams between strips count as well.
    edges = [[0, 0], [width - 1, 0], [0, height - 1], [width - 1, height - 1], [5, 255], [5, 256]]
    pixels = np.vstack([pixels, edges])
    photo = VIEW.to_px(raster.to_mm(pixels))
    inside = ((photo > 1) & (photo < [898, 698])).all(axis=1)
    assert inside.mean() > 0.9
    column, row = pixels[inside].astype(int).T
    seen = raster.image_bgr[row, column].astype(float)
    assert np.abs(seen[:, 0] * 4 - photo[inside, 0]).max() < 8
    assert np.abs((seen[:, :2] * 4 - photo[inside]).mean(axis=0) + 1.5).max() < 0.6
    assert (seen[:, 2] == 200).all()


def test_what_stands_up_seems_shifted_away_from_the_lens() -> None:
    raster = rectify(ramps(), VIEW, BOX_MM, 2.3)
    spots = np.array([[30.0, 20.0], [200.0, 180.0], [120.0, 60.0]])
    for height_mm in (-0.5, 0.5, 2.0):
        seen = VIEW.to_mm(VIEW.to_px(spots, height_mm))
        np.testing.assert_allclose(
            seen - spots, raster.parallax(spots) * height_mm, rtol=0.01, atol=1e-6
        )
    assert np.linalg.norm(raster.parallax(spots), axis=1).max() > 0.3
    assert not Raster(raster.image_bgr, (0.0, 0.0), 2.3).parallax(spots).any()


def test_the_map_between_knots_is_exact() -> None:
    """A checkerboard's edges would move by what the map is off."""
    step = np.zeros((700, 900, 3), np.uint8)
    step[:, 450:] = 240
    raster = rectify(step, VIEW, BOX_MM, 2.3)
    row = raster.image_bgr.shape[0] // 2
    profile = raster.image_bgr[row, :, 0].astype(float)
    right = int(np.argmax(profile > 120))
    edge = right - (profile[right] - 120) / (profile[right] - profile[right - 1])
    assert VIEW.to_px(raster.to_mm(np.array([[edge, row]])))[0, 0] == pytest.approx(449.5, abs=0.05)


def test_black_where_the_photograph_does_not_reach() -> None:
    raster = rectify(ramps(), VIEW, np.array([-900.0, 0.0, -500.0, 100.0]), 2.0)
    assert not raster.image_bgr.any()


def test_only_columns_that_the_photograph_reaches_are_looked_at() -> None:
    noise = np.random.default_rng(2).integers(20, 250, (70, 90, 3), np.uint8)
    photo = cv2.resize(noise, (900, 700), interpolation=cv2.INTER_LINEAR)
    turned = VIEW.in_frame(np.array([150.0, 100.0]), 40.0)
    raster = rectify(photo, turned, np.array([-400.0, -400.0, 400.0, 400.0]), 2.0)
    assert raster.columns is not None
    shown = raster.image_bgr.max(axis=2) > 0
    assert 0.05 < shown.mean() < 0.5
    assert np.diff(raster.columns).sum() < 0.6 * len(raster.columns) * shown.shape[1]
    pixels = np.stack(
        np.meshgrid(*(np.arange(0.0, side, 7) for side in shown.shape[::-1])), axis=-1
    )
    at = turned.to_px(raster.to_mm(pixels.reshape(-1, 2)))
    inside = ((at > 1) & (at < [898, 698])).all(axis=1)
    np.testing.assert_array_equal(shown[::7, ::7].ravel()[inside], True)
    some, every = (observe(replace(raster, columns=c)) for c in (raster.columns, None))
    for name in ("white", "mask", "least", "washed", "with_white"):
        np.testing.assert_array_equal(getattr(some, name), getattr(every, name))
    assert some.noise == pytest.approx(every.noise)


def test_there_and_back() -> None:
    raster = Raster(np.zeros((60, 80, 3), np.uint8), (-12.5, 40.0), 2.4)
    points = np.array([[3.0, 50.0], [-12.5, 40.0]])
    np.testing.assert_allclose(raster.to_mm(raster.to_raster(points)), points)
    np.testing.assert_allclose(raster.to_raster(np.array([-11.5, 42.0])), [2.4, 4.8])
    assert raster.to_raster(points.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("count", [0, 1, 7, LOOK_UP_WIDTH, LOOK_UP_WIDTH + 1, 3 * LOOK_UP_WIDTH])
@pytest.mark.parametrize("channels", [(), (3,)])
def test_looking_up_is_bilinear_and_zero_outside(count: int, channels: tuple[int, ...]) -> None:
    rng = np.random.default_rng(count)
    image = rng.integers(0, 256, (90, 110, *channels)).astype(np.uint8)
    pixels = rng.uniform(-15, 120, (count, 2))
    values = look_up(image, pixels)
    assert values.dtype == np.uint8
    np.testing.assert_array_equal(values, sample(image, pixels))
    assert not values[(pixels < -1).any(axis=1)].any()


def test_the_nearest_value_keeps_its_type() -> None:
    image = np.arange(12, dtype=np.int16).reshape(3, 4) * 300
    at = np.array([[[1.4, 0.6], [2.6, 1.8]], [[0.0, 0.0], [9.0, 9.0]]])
    values = look_up(image, at, cv2.INTER_NEAREST)
    assert values.dtype == np.int16
    np.testing.assert_array_equal(values, [[5 * 300, 11 * 300], [0, 0]])


def test_density_stays_within_its_bounds() -> None:
    near = TableView(LENS, np.eye(3), np.array([0.0, 0.0, 100.0]))
    far = TableView(LENS, np.eye(3), np.array([0.0, 0.0, 2000.0]))
    some = np.array([-500.0, -400.0, 500.0, 400.0])
    assert density_for(near, some) == 2.6
    assert density_for(far, some) == 2.0


def test_a_wide_view_is_looked_at_more_coarsely() -> None:
    """All that is seen of it takes twenty bytes a pixel, and most of it is far off."""
    near = TableView(LENS, np.eye(3), np.array([0.0, 0.0, 100.0]))
    wide = np.array([-1300.0, -1300.0, 1300.0, 1300.0])
    assert 2.0 < density_for(near, wide) < 2.6
    assert density_for(near, 2 * wide) == 2.0


@pytest.mark.parametrize("size_hw", [(1200, 1600), (1201, 1603), (37, 900)])
@pytest.mark.parametrize("longest_px", [1600, 800, 550, 333])
def test_a_reduced_picture_s_scale_is_true(size_hw: tuple[int, int], longest_px: int) -> None:
    """A ramp: what a pixel shows is the place that its scale says."""
    height, width = size_hw
    ramp = np.broadcast_to(np.linspace(0, 250, width)[None], size_hw).round().astype(np.uint8)
    small, scale = reduced(np.ascontiguousarray(ramp), longest_px)
    assert abs(max(small.shape) - min(longest_px, width)) <= 1
    columns = np.arange(3, small.shape[1] - 3)
    meant = ((columns + 0.5) / scale - 0.5) * 250 / (width - 1)
    off = small[small.shape[0] // 2, columns] - meant
    # Every halving rounds; a pixel beside the truth would be four greys off.
    assert np.abs(off).max() < 1.2
    assert abs(off.mean()) < 0.5
    assert height * scale == pytest.approx(small.shape[0], abs=1.5)


def test_a_part_of_the_table_turned_inside_out_is_refused() -> None:
    with pytest.raises(ValueError, match="some size"):
        rectify(ramps(), VIEW, BOX_MM[[2, 3, 0, 1]], 2.3)
