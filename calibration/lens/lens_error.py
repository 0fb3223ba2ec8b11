"""How far two lenses differ in the picture, once what a pose or a distance absorbs is taken off."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lens import Lens

FloatArray = NDArray[np.float64]


def picture_grid(size_wh: tuple[int, int], across: int = 17) -> FloatArray:
    """Pixels (N, 2) on a regular grid over the whole picture, edges and corners included."""
    width, height = size_wh
    down = max(2, round(across * height / width))
    xs, ys = np.linspace(0, width - 1, across), np.linspace(0, height - 1, down)
    return np.asarray(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2))


def distortion_difference_px(true: Lens, other: Lens, px: FloatArray) -> FloatArray:
    """Where `other` puts what `true` sees at `px` (N, 2), less `px`: (N, 2) pixels.

    The rotation and the change of focal length that make the two agree best
    are taken off first: the table's pose and the focal length, which is judged
    by itself, answer for those.
    """
    rays = np.column_stack([true.to_rays(px), np.ones(len(px))])
    turn, zoom = np.zeros(3), 1.0
    off = np.zeros_like(px)
    for _ in range(4):
        seen = _seen(other, rays, turn, zoom)
        off = seen - px
        step = 1e-6
        slopes = np.stack(
            [(_seen(other, rays, turn + step * axis, zoom) - seen) / step for axis in np.eye(3)]
            + [(_seen(other, rays, turn, zoom + step) - seen) / step],
            axis=-1,
        )
        change = np.linalg.lstsq(slopes.reshape(-1, 4), -off.ravel(), rcond=None)[0]
        turn, zoom = turn + change[:3], zoom + float(change[3])
    return np.asarray(_seen(other, rays, turn, zoom) - px)


def _seen(lens: Lens, rays: FloatArray, turn: FloatArray, zoom: float) -> FloatArray:
    """Pixels of rays (N, 3) through a turned lens whose focal length is `zoom` times longer."""
    turned = rays @ np.asarray(cv2.Rodrigues(turn)[0]).T
    centre = lens.matrix[:2, 2]
    return np.asarray((lens.to_px(turned[:, :2] / turned[:, 2:]) - centre) * zoom + centre)


def one_to_one(lens: Lens) -> bool:
    """Whether every pixel of the picture has one ray: a wild polynomial folds the picture."""
    grid = picture_grid(lens.size_wh)
    try:
        back = lens.to_px(lens.to_rays(grid))
    except cv2.error:
        return False
    if not np.all(np.isfinite(back)) or float(np.abs(back - grid).max()) > 0.05:
        return False
    rays = lens.to_rays(grid)
    nudged = lens.to_rays(grid + 0.5)
    return bool(np.all((nudged - rays) > 0))
