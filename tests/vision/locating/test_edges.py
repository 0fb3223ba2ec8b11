from __future__ import annotations

import numpy as np
import pytest

from tests.vision.lenses import LENSES, tilted
from vision.locating.edges import Photo, linear_light, profiles, profiles_of_many, spread_along


@pytest.mark.parametrize("kind", LENSES)
def test_many_segments_at_once_are_as_each_alone(kind: str) -> None:
    """A smooth picture: light tells where it was taken."""
    view = tilted(LENSES[kind])
    width, height = view.lens.size_wh
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    ramps = np.stack([x / width, y / height, (x + y) / (width + height)], axis=2)
    photo = Photo((ramps * 255).astype(np.float32), view)
    start = np.array([[120.0, 60.0], [200.0, 90.0], [150.0, 140.0]])
    end = start + np.array([[90.0, 0.0], [-30.0, 60.0], [2.0, -9.0]])
    across = np.arange(-3.0, 3.01, 0.25)
    many = profiles_of_many(photo, start, end, across, spread_along(7, 0.1))
    assert many.shape == (3, 7, len(across), 3)
    for k in range(3):
        _, _, one = profiles(photo, start[k], end[k], across, spread_along(7, 0.1))
        assert np.ptp(one) > 0
        # In units of a pixel along x and along y.
        off = np.abs(many[k] - one)[..., :2] / 255 * [width, height]
        assert off.max() < 0.06


def test_a_photo_as_it_is_and_in_linear_light() -> None:
    view = tilted(LENSES["plain"])
    width, height = view.lens.size_wh
    grey = np.full((height, width, 3), 128, np.uint8)
    spots = view.to_px(np.array([[10.0, 10.0], [50.0, 20.0]]))
    raw, light = Photo(grey, view).at_px(spots), Photo(linear_light(grey), view).at_px(spots)
    np.testing.assert_allclose(raw, light, atol=1e-6)
    assert raw[0, 0] == pytest.approx(0.2158, abs=1e-3)
    outside = Photo(grey, view).at_px(np.array([[-50.0, -50.0]]))
    np.testing.assert_array_equal(outside, 0)
