"""Which bodies lie where: a coarse map of the table that counts the cards over each place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.pose_fit import place
from vision.raster import Raster, look_up
from vision.templates import Templates, on_grid

FloatArray = NDArray[np.float64]
COVER_DENSITY = 2.0
"""Map pixels per mm: half a millimetre is finer than any decision made on it."""


@dataclass(frozen=True, eq=False)
class Coverage:
    """`count` (H, W) uint8: bodies over each place; `index_sum` (H, W) uint16: the sum of
    their indices plus 1.
    """

    count: NDArray[np.uint8]
    index_sum: NDArray[np.uint16]
    origin_mm: tuple[float, float]

    def at(self, table_mm: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
        """Count and index sum at table mm (..., 2); 0 outside the map."""
        px = _to_map(table_mm, self.origin_mm)
        return _nearest(self.count, px), _nearest(self.index_sum, px)

    def count_at(self, table_mm: NDArray[Any]) -> NDArray[np.uint8]:
        """Bodies over table mm (..., 2); 0 outside the map."""
        return _nearest(self.count, _to_map(table_mm, self.origin_mm))

    def counts_on(self, poses: FloatArray, templates: Templates) -> NDArray[np.uint8]:
        """Bodies (N, P) over the templates' places of cards at poses (N, 3)."""
        return _nearest_on(self.count, self.origin_mm, poses, templates)

    def pairs_on(self, poses: FloatArray, templates: Templates) -> NDArray[np.uint16]:
        """Index sums (N, P) over the templates' places of cards at poses (N, 3), where just two
        bodies lie; 0 elsewhere.
        """
        two = np.where(self.count == 2, self.index_sum, np.uint16(0))
        return _nearest_on(two, self.origin_mm, poses, templates)


@dataclass(frozen=True, eq=False)
class TopMap:
    """`top` (H, W) int16: index plus 1 of the card that shows at each place, 0 for the table."""

    top: NDArray[np.int16]
    origin_mm: tuple[float, float]

    def at(self, table_mm: NDArray[Any]) -> NDArray[np.int16]:
        """Index plus 1 of the card that shows at table mm (..., 2); 0 outside the map."""
        return _nearest(self.top, _to_map(table_mm, self.origin_mm))

    def on(self, poses: FloatArray, templates: Templates) -> NDArray[np.int16]:
        """The same (N, P) at the templates' places of cards at poses (N, 3)."""
        return _nearest_on(self.top, self.origin_mm, poses, templates)


def _to_map(table_mm: NDArray[Any], origin_mm: tuple[float, float]) -> NDArray[np.float32]:
    flat = np.asarray(table_mm, dtype=np.float32)
    return (flat - np.asarray(origin_mm, np.float32)) * np.float32(COVER_DENSITY)


def _nearest(values: NDArray[Any], map_px: NDArray[np.float32]) -> NDArray[Any]:
    return look_up(values, map_px, cv2.INTER_NEAREST)


def _nearest_on(
    values: NDArray[Any], origin_mm: tuple[float, float], poses: FloatArray, templates: Templates
) -> NDArray[Any]:
    return on_grid(values, origin_mm, COVER_DENSITY, poses, templates, cv2.INTER_NEAREST)


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
    count = np.zeros((height, width), np.uint8)
    index_sum = np.zeros((height, width), np.uint16)
    for index, outline in enumerate(bodies_px(raster, poses, card, grow_mm)):
        box, mask = _stencil(outline, width, height)
        if mask is None:
            continue
        count[box] += mask
        index_sum[box] += mask * np.uint16(index + 1)
    return Coverage(count, index_sum, raster.origin_mm)


def top_map(
    raster: Raster, poses: FloatArray, bottom_up: list[int], card: CardSize, grow_mm: float = 0.0
) -> TopMap:
    """Paint the bodies in their order, the lowest first."""
    top = np.zeros(_map_size(raster), np.int16)
    outlines = bodies_px(raster, poses, card, grow_mm)
    for index in bottom_up:
        cv2.fillConvexPoly(top, outlines[index], index + 1, shift=4)
    return TopMap(top, raster.origin_mm)


def _map_size(raster: Raster) -> tuple[int, int]:
    width_mm, height_mm = raster.size_mm
    return int(height_mm * COVER_DENSITY) + 1, int(width_mm * COVER_DENSITY) + 1


def _stencil(
    outline: NDArray[np.int32], width: int, height: int
) -> tuple[tuple[slice, slice], NDArray[np.uint8] | None]:
    low = np.maximum(outline.min(axis=0) // 16 - 1, 0)
    high = np.minimum(outline.max(axis=0) // 16 + 2, [width, height])
    box = (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])))
    if (high <= low).any():
        return box, None
    mask = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.uint8)
    cv2.fillConvexPoly(mask, outline - (low * 16).astype(np.int32), 1, shift=4)
    return box, mask
