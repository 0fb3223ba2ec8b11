"""Which bodies lie where: a coarse map of the table that counts the cards over each place."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.pose_fit import place
from vision.raster import Raster

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int32]
COVER_DENSITY = 2.0
"""Map pixels per mm: half a millimetre is finer than any decision made on it."""


@dataclass(frozen=True, eq=False)
class Coverage:
    """`count` (H, W) bodies over each place and `index_sum` the sum of their indices plus 1."""

    count: Ints
    index_sum: Ints
    origin_mm: tuple[float, float]

    def at(self, table_mm: FloatArray) -> tuple[Ints, Ints]:
        """Count and index sum at table mm (..., 2); 0 outside the map."""
        return _look_up(self.count, self, table_mm), _look_up(self.index_sum, self, table_mm)


@dataclass(frozen=True, eq=False)
class TopMap:
    """`top` (H, W): index plus 1 of the card that shows at each place, 0 for the table."""

    top: Ints
    origin_mm: tuple[float, float]

    def at(self, table_mm: FloatArray) -> Ints:
        """Index plus 1 of the card that shows at table mm (..., 2); 0 outside the map."""
        return _look_up(self.top, self, table_mm)


def _look_up(values: Ints, grid: Coverage | TopMap, table_mm: FloatArray) -> Ints:
    px = np.rint((table_mm - np.asarray(grid.origin_mm)) * COVER_DENSITY).astype(np.int32)
    height, width = values.shape
    inside = (px[..., 0] >= 0) & (px[..., 0] < width) & (px[..., 1] >= 0) & (px[..., 1] < height)
    column = np.clip(px[..., 0], 0, width - 1)
    row = np.clip(px[..., 1], 0, height - 1)
    return np.asarray(np.where(inside, values[row, column], 0), np.int32)


def bodies_px(
    raster: Raster, poses: FloatArray, card: CardSize, grow_mm: float
) -> NDArray[np.int32]:
    """Corners (N, 4, 2) of every body, grown by `grow_mm`, in map pixels with 4 more bits."""
    half = np.array([card.width_mm / 2 + grow_mm, card.height_mm / 2 + grow_mm])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    table = place(poses, corners)
    return np.asarray(
        np.rint((table - np.asarray(raster.origin_mm)) * COVER_DENSITY * 16), np.int32
    )


def cover(raster: Raster, poses: FloatArray, card: CardSize, grow_mm: float = 0.0) -> Coverage:
    """Count the bodies over each place of the raster's area."""
    height, width = _map_size(raster)
    count = np.zeros((height, width), np.int32)
    index_sum = np.zeros((height, width), np.int32)
    for index, outline in enumerate(bodies_px(raster, poses, card, grow_mm)):
        box, mask = _stencil(outline, width, height)
        if mask is None:
            continue
        count[box] += mask
        index_sum[box] += mask * (index + 1)
    return Coverage(count, index_sum, raster.origin_mm)


def top_map(
    raster: Raster, poses: FloatArray, bottom_up: list[int], card: CardSize, grow_mm: float = 0.0
) -> TopMap:
    """Paint the bodies in their order, the lowest first."""
    top = np.zeros(_map_size(raster), np.int32)
    outlines = bodies_px(raster, poses, card, grow_mm)
    for index in bottom_up:
        cv2.fillConvexPoly(top, outlines[index], index + 1, shift=4)
    return TopMap(top, raster.origin_mm)


def _map_size(raster: Raster) -> tuple[int, int]:
    width_mm, height_mm = raster.size_mm
    return int(height_mm * COVER_DENSITY) + 1, int(width_mm * COVER_DENSITY) + 1


def _stencil(
    outline: NDArray[np.int32], width: int, height: int
) -> tuple[tuple[slice, slice], Ints | None]:
    low = np.maximum(outline.min(axis=0) // 16 - 1, 0)
    high = np.minimum(outline.max(axis=0) // 16 + 2, [width, height])
    box = (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])))
    if (high <= low).any():
        return box, None
    mask = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.uint8)
    cv2.fillConvexPoly(mask, outline - (low * 16).astype(np.int32), 1, shift=4)
    return box, mask.astype(np.int32)
