"""Straight edges and thin lines in a photograph, to a few hundredths of a pixel.

Everything is measured in linear light: blur moves the middle of an edge
between black and white towards the black in the picture's own (gamma) values,
so that black squares look up to a hundredth too small there.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray
from vision.medians import SIGMA_OF_MEDIAN
from vision.view import TableView

Light = NDArray[np.float32]

LEAST_STEP = 0.02
"""Of full scale in linear light: less is no edge."""
_CODE = np.arange(256) / 255
_KNOTS = np.array([0.0, 1 / 3, 2 / 3, 1.0])
"""Shares of a segment at which the lens is asked."""
_LINEAR = np.where(_CODE <= 0.04045, _CODE / 12.92, ((_CODE + 0.055) / 1.055) ** 2.4)


@dataclass(frozen=True, eq=False)
class Photo:
    """A photo in linear light, (H, W, 3) float32 BGR from 0 to 1, and how it sees the table.

    Or the photo as it is, uint8 in sRGB's curve: it is then undone on the samples alone,
    which is a little less exact and far cheaper where few places are looked at.

    What is looked at lies `height_mm` above the table.
    """

    light: Light | NDArray[np.uint8]
    view: TableView
    height_mm: float = 0.0

    def at(self, table_mm: FloatArray) -> FloatArray:
        """Linear light (..., 3) at table points (..., 2); 0 outside the picture."""
        px = self.view.to_px(table_mm.reshape(-1, 2), self.height_mm)
        return self.at_px(px.reshape(table_mm.shape))

    def at_px(self, spots_px: FloatArray) -> FloatArray:
        """Linear light (..., 3) at pixels (..., 2) of the photo; 0 outside it."""
        px = spots_px.reshape(-1, 2).astype(np.float32)
        width = min(8192, max(1, len(px)))
        padded = np.full((-(-len(px) // width) * width, 2), -10, np.float32)
        padded[: len(px)] = px
        seen = cv2.remap(self.light, padded.reshape(-1, width, 2), None, cv2.INTER_CUBIC)
        if seen.dtype == np.uint8:
            seen = cv2.LUT(seen, _LINEAR)
        return np.asarray(
            seen.reshape(-1, 3)[: len(px)].reshape(*spots_px.shape[:-1], 3), np.float64
        )


def linear_light(image_bgr: NDArray[np.uint8]) -> Light:
    """Undo sRGB's curve (IEC 61966-2-1): (H, W, 3) uint8 to float32 from 0 to 1."""
    return np.asarray(_LINEAR.astype(np.float32)[image_bgr])


def spread_along(count: int, margin: float = 0.08) -> FloatArray:
    """Shares (count,) of a length, evenly spread over all of it but its ends."""
    return np.asarray(margin + (1 - 2 * margin) * (np.arange(count) + 0.5) / count)


def profiles(
    photo: Photo, start: FloatArray, end: FloatArray, across_mm: FloatArray, share: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Light along normals of a segment, at shares (E,) of its length: places (E, 2), the normal
    (2,), light (E, A, 3).

    `across_mm` (A,) are distances along the normal, which points to the right
    of the way from `start` to `end` (y down).
    """
    way = end - start
    length = float(np.linalg.norm(way))
    normal = np.array([-way[1], way[0]]) / length
    places = start + share[:, None] * way
    points = places[:, None, :] + across_mm[None, :, None] * normal
    return places, normal, photo.at(points)


def profiles_of_many(
    photo: Photo, start: FloatArray, end: FloatArray, across_mm: FloatArray, share: FloatArray
) -> FloatArray:
    """Light (S, E, A, 3) along normals of S segments from `start` to `end` (S, 2) each.

    As `profiles`, for all segments at once. The lens is asked for a few places of each
    segment only; a cubic between them is good to a hundredth of a pixel over 100 mm.
    """
    way = end - start
    normal = np.stack([-way[:, 1], way[:, 0]], axis=1)
    normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    far = np.array([across_mm[0], (across_mm[0] + across_mm[-1]) / 2, across_mm[-1]])
    knots = (
        start[:, None, None]
        + _KNOTS[:, None, None] * way[:, None, None]
        + far[:, None] * normal[:, None, None]
    )
    px = photo.view.to_px(knots.reshape(-1, 2), photo.height_mm).reshape(knots.shape)
    along, across = _between(_KNOTS, share), _between(far, across_mm)
    # Many small products: in a tenth of the time that einsum takes to arrange one large one.
    places = (along @ px.reshape(*px.shape[:2], -1)).reshape(len(px), len(share), *px.shape[2:])
    return photo.at_px(across @ places)


def _between(knots: FloatArray, at: FloatArray) -> FloatArray:
    """Weights (A, K) of the polynomial through `knots` (K,) at places (A,)."""
    powers = np.arange(len(knots))
    return np.asarray(np.linalg.solve((knots[:, None] ** powers).T, (at[:, None] ** powers).T).T)


def edge_crossings(
    values: FloatArray, across_mm: FloatArray, rim: int, least_step: float | FloatArray = LEAST_STEP
) -> FloatArray:
    """Where each profile (N, A) crosses the middle between its two ends, mm; nan where none, or
    where the step is less than one for all or one each (N,).

    The levels are the means of the first and the last `rim` values.
    """
    low, high = values[:, :rim].mean(axis=1), values[:, -rim:].mean(axis=1)
    step = high - low
    share = (values - low[:, None]) / np.where(np.abs(step) < 1e-9, 1, step)[:, None]
    over = share >= 0.5
    crosses = ~over[:, :-1] & over[:, 1:]
    # The crossing nearest the middle: speckles further out do not count.
    middle = np.abs(across_mm[:-1] + np.diff(across_mm) / 2)
    index = np.where(crosses, middle, np.inf).argmin(axis=1)
    rows = np.arange(len(values))
    before, after = share[rows, index], share[rows, index + 1]
    part = (0.5 - before) / np.where(after == before, 1, after - before)
    at = across_mm[index] + part * (across_mm[1] - across_mm[0])
    good = crosses.any(axis=1) & (np.abs(step) > least_step)
    return np.where(good, at, np.nan)


def middle_ones(values: FloatArray, least: int) -> FloatArray:
    """Medians of rows (N, K), nan left out: (N,); nan where fewer than `least` are left."""
    count = np.isfinite(values).sum(axis=1)
    ordered = np.sort(values, axis=1)
    rows, last = np.arange(len(values)), values.shape[1] - 1
    low = ordered[rows, np.clip((count - 1) // 2, 0, last)]
    high = ordered[rows, np.clip(count // 2, 0, last)]
    return np.where(count >= max(least, 1), (low + high) / 2, np.nan)


def line_through(
    places: FloatArray, normal: FloatArray, off_mm: FloatArray
) -> tuple[FloatArray, float] | None:
    """A line through `places + off * normal`, robustly: (a, b, c) with a x + b y = c, and scatter.

    None where fewer than six of the points agree.
    """
    good = np.isfinite(off_mm)
    if good.sum() < 6:
        return None
    points = places[good] + off_mm[good, None] * normal
    weight = np.ones(len(points))
    unit, offset, scatter = normal, 0.0, 0.0
    for _ in range(6):
        middle = np.average(points, axis=0, weights=weight)
        spread = (points - middle) * np.sqrt(weight)[:, None]
        unit = np.linalg.svd(spread, full_matrices=False)[2][-1]
        unit = unit if unit @ normal > 0 else -unit
        offset = float(unit @ middle)
        left = points @ unit - offset
        scatter = max(SIGMA_OF_MEDIAN * float(np.median(np.abs(left))), 1e-4)
        weight = np.clip(1 - (left / (4 * scatter)) ** 2, 0, 1) ** 2 + 1e-9
    if (weight > 0.1).sum() < 6:
        return None
    return np.array([unit[0], unit[1], offset]), scatter


def meeting(one: FloatArray, other: FloatArray) -> FloatArray:
    """Where two lines (a, b, c) meet (2,). LinAlgError if they are parallel."""
    return np.linalg.solve(np.stack([one[:2], other[:2]]), np.array([one[2], other[2]]))
