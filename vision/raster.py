"""The table seen straight from above: one remap of the photograph to a millimetre raster."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.view import TableView

FloatArray = NDArray[np.float64]
MAP_STEP = 16
"""The map from raster to photograph is exact on every 16th pixel and bilinear between."""


@dataclass(frozen=True, eq=False)
class Raster:
    """A picture of the table plane. Raster pixel (0, 0)'s centre is `origin_mm`.

    `image_bgr` is uint8 (H, W, 3); one pixel is `1 / density` mm. Black where
    the photograph does not reach; `inside` is False there (H, W bool).
    """

    image_bgr: NDArray[np.uint8]
    origin_mm: tuple[float, float]
    density: float

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height covered, in mm."""
        h, w = self.image_bgr.shape[:2]
        return w / self.density, h / self.density

    def to_raster(self, table_mm: FloatArray) -> FloatArray:
        """Table mm (..., 2) to raster pixels (..., 2)."""
        return np.asarray((table_mm - np.asarray(self.origin_mm)) * self.density)

    def to_mm(self, raster_px: FloatArray) -> FloatArray:
        """Raster pixels (..., 2) to table mm (..., 2)."""
        return np.asarray(raster_px / self.density + np.asarray(self.origin_mm))


def rectify(
    image_bgr: NDArray[np.uint8], view: TableView, box_mm: FloatArray, density: float
) -> Raster:
    """Remap the photograph to the part `box_mm` (x0, y0, x1, y1) of the table."""
    x0, y0, x1, y1 = (float(v) for v in box_mm)
    width = int(np.ceil((x1 - x0) * density)) + 1
    height = int(np.ceil((y1 - y0) * density)) + 1
    columns = -(-width // MAP_STEP) + 1
    rows = -(-height // MAP_STEP) + 1
    gx = x0 + np.arange(columns) * MAP_STEP / density
    gy = y0 + np.arange(rows) * MAP_STEP / density
    grid = np.stack(np.meshgrid(gx, gy), axis=-1).reshape(-1, 2)
    coarse = view.to_px(grid).reshape(rows, columns, 2).astype(np.float32)
    image = np.empty((height, width, 3), np.uint8)
    strip = 256
    for top in range(0, height, strip):
        bottom = min(top + strip, height)
        first = top // MAP_STEP
        last = -(-bottom // MAP_STEP) + 1
        fine = _upsample(coarse[first:last])
        fine = np.ascontiguousarray(fine[: bottom - top, :width])
        image[top:bottom] = cv2.remap(
            image_bgr, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT, borderValue=(0, 0, 0),
        )
    return Raster(image, (x0, y0), density)


def _upsample(coarse: NDArray[np.float32]) -> NDArray[np.float32]:
    """Bilinear values at every raster pixel between the knots of a coarse map."""
    rows, columns = coarse.shape[:2]
    # warpAffine rounds its weights to 1/32 px, far too coarse for a map: built by products.
    size = ((columns - 1) * MAP_STEP + 1, (rows - 1) * MAP_STEP + 1)
    tx = np.arange(size[0], dtype=np.float32) / MAP_STEP
    ix = np.minimum(tx.astype(np.int32), columns - 2)
    fx = (tx - ix)[None, :, None]
    across = coarse[:, ix] * (1 - fx) + coarse[:, ix + 1] * fx
    ty = np.arange(size[1], dtype=np.float32) / MAP_STEP
    iy = np.minimum(ty.astype(np.int32), rows - 2)
    fy = (ty - iy)[:, None, None]
    return np.asarray(across[iy] * (1 - fy) + across[iy + 1] * fy, dtype=np.float32)


def density_for(view: TableView, at_mm: FloatArray) -> float:
    """Raster density in px per mm: about the picture's own, never so high as to waste work."""
    return float(np.clip(view.px_per_mm(at_mm), 2.0, 2.6))
