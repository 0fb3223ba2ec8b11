"""The middle of cards' white frame lines in the photograph, to a few hundredths of a millimetre.

An outline's outer edge lies further out the more the picture is blurred; the
middle of the line stays where it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray
from vision.locating.edges import Light, Photo, profiles_of_many, spread_along
from vision.medians import SIGMA_OF_MEDIAN
from vision.view import TableView

REACH_MM = 3.0
"""The band outside the line is 3.5 mm wide: nothing else white lies so near along a side."""
STEP_MM = 0.15
RIDGE_MM = 1.9
"""The line's middle is sought this far on both sides of where it should be."""
FOOT_MM = 1.5
WIDEST_MM = 2.6
PLACES = 14
MARGIN = 0.1
LEAST_SHARE = 0.5
WORST_SCATTER_MM = 0.25


def sharpen_frames(
    light: Light | NDArray[np.uint8], view: TableView, corners_px: FloatArray
) -> FloatArray:
    """Corners (Q, 4, 2) px of quadrilaterals where the middles of their white lines meet.

    `corners_px` may be two millimetres off. nan where a side shows no clear straight line.
    """
    count = len(corners_px)
    if count == 0:
        return corners_px
    start = view.to_mm(corners_px.reshape(-1, 2))
    end = np.roll(start.reshape(-1, 4, 2), -1, axis=1).reshape(-1, 2)
    across = np.arange(-REACH_MM, REACH_MM + STEP_MM / 2, STEP_MM)
    light_along = profiles_of_many(
        Photo(light, view), start, end, across, spread_along(PLACES, MARGIN)
    )
    # White has every channel, ink lacks one.
    middles = ridge_middles(light_along.min(axis=-1).reshape(-1, len(across)), across)
    share = MARGIN + (1 - 2 * MARGIN) * (np.arange(PLACES) + 0.5) / PLACES
    ends = _straight(share, middles.reshape(-1, PLACES))
    way = end - start
    normal = np.stack([-way[:, 1], way[:, 0]], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    from_, to = start + ends[:, :1] * normal, end + ends[:, 1:] * normal
    corners = meetings(from_.reshape(-1, 4, 2), to.reshape(-1, 4, 2))
    seen = np.isfinite(corners).all(axis=(1, 2))
    out = np.full((count, 4, 2), np.nan)
    if seen.any():
        out[seen] = view.to_px(corners[seen].reshape(-1, 2)).reshape(-1, 4, 2)
    return out


def ridge_middles(values: FloatArray, across_mm: FloatArray) -> FloatArray:
    """The middle (N,) of the bright ridge in each profile (N, A), mm; nan where none is clear.

    Half way up on both sides, each from its own foot: what lies beside the line differs.
    """
    step = float(across_mm[1] - across_mm[0])
    rows, places = np.arange(len(values)), np.arange(len(across_mm))
    smooth = values.copy()
    smooth[:, 1:-1] = (values[:, :-2] + 2 * values[:, 1:-1] + values[:, 2:]) / 4
    top = np.where(np.abs(across_mm) <= RIDGE_MM, smooth, -1).argmax(axis=1)
    peak = smooth[rows, top]
    foot = round(FOOT_MM / step)
    at, rises = [], []
    for side in (-1, 1):
        beside = np.clip(top[:, None] + side * np.arange(foot + 1), 0, len(across_mm) - 1)
        low = smooth[rows[:, None], beside].min(axis=1)
        half = (peak + low) / 2
        under = smooth[rows[:, None], beside] < half[:, None]
        first = under.argmax(axis=1)
        outer = beside[rows, first]
        inner = beside[rows, np.maximum(first - 1, 0)]
        rise = smooth[rows, inner] - smooth[rows, outer]
        part = (half - smooth[rows, outer]) / np.where(rise > 0, rise, 1)
        at.append(np.interp(outer, places, across_mm) - side * step * part)
        rises.append(np.where(under.any(axis=1) & (rise > 0), peak - low, 0))
    least = 0.35 * float(np.median(np.maximum(*rises))) if len(values) else 0.0
    clear = (np.minimum(*rises) > max(least, 1e-6)) & (at[1] - at[0] < WIDEST_MM)
    return np.where(clear, (at[0] + at[1]) / 2, np.nan)


def _straight(share: FloatArray, off_mm: FloatArray) -> FloatArray:
    """Offsets (S, 2) at both ends of straight lines through (S, P), robustly; nan: not straight."""
    good = np.isfinite(off_mm)
    middle = np.nanmedian(np.where(good.any(axis=1, keepdims=True), off_mm, 0), axis=1)
    value = np.where(good, off_mm, 0)
    weight = np.where(good & (np.abs(off_mm - middle[:, None]) < 1.0), 1.0, 0.0)
    ends = np.zeros((len(off_mm), 2))
    scatter = np.zeros(len(off_mm))
    for _ in range(5):
        total = np.maximum(weight.sum(axis=1), 1e-9)
        mean_x, mean_y = (weight @ share) / total, (weight * value).sum(axis=1) / total
        x, y = share - mean_x[:, None], value - mean_y[:, None]
        slope = (weight * x * y).sum(axis=1) / np.maximum((weight * x * x).sum(axis=1), 1e-9)
        ends = np.stack([mean_y - slope * mean_x, mean_y + slope * (1 - mean_x)], axis=1)
        left = np.where(good, np.abs(y - slope[:, None] * x), np.inf)
        scatter = SIGMA_OF_MEDIAN * np.median(np.where(good, left, 9.0), axis=1)
        limit = 4 * np.maximum(scatter, 0.02)[:, None]
        weight = np.where(left < limit, (1 - np.minimum(left / limit, 1) ** 2) ** 2, 0)
    enough = (weight > 0.1).sum(axis=1) >= LEAST_SHARE * len(share)
    return np.where((enough & (scatter < WORST_SCATTER_MM))[:, None], ends, np.nan)


def meetings(start: FloatArray, end: FloatArray) -> FloatArray:
    """Corners (Q, 4, 2) where each side, from `start` to `end` (Q, 4, 2), meets the one before."""
    way = end - start
    before, way_before = np.roll(start, 1, axis=1), np.roll(way, 1, axis=1)
    cross = way_before[..., 0] * way[..., 1] - way_before[..., 1] * way[..., 0]
    gap = start - before
    along = gap[..., 0] * way[..., 1] - gap[..., 1] * way[..., 0]
    return np.asarray(
        before + (along / np.where(cross == 0, np.nan, cross))[..., None] * way_before
    )
