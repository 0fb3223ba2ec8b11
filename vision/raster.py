"""The table seen straight from above: one remap of the photograph to a millimetre raster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray, Ints
from vision.cores import shared_out
from vision.strips import STRIP, to_be_filled
from vision.view import TableView

MAP_STEP = 16
"""The map from raster to photograph is exact on every 16th pixel and bilinear between."""
ROOM_KNOTS = 2
"""Beyond the outermost that a photograph reaches, so many are looked at: what blurs stays in."""
NOWHERE_PX = -1e5
"""Where a point is said to lie that the camera cannot see."""
LOOK_UP_WIDTH = 8192
LEAST_DENSITY, MOST_DENSITY = 2.0, 2.6
"""Pixels per mm."""
MOST_PIXELS = 36e6
"""Of a raster that need not be as coarse as is allowed: of a view three metres wide most is far off
or bare, and each pixel takes twenty bytes."""


@dataclass(frozen=True, eq=False)
class Raster:
    """A picture of the table plane. Raster pixel (0, 0)'s centre is `origin_mm`.

    `image_bgr` is uint8 (H, W, 3); one pixel is `1 / density` mm. Black where
    the photograph does not reach. `lens_mm` is where the camera's lens stands: table mm and
    how high above the table; None where that is not known. `columns` (strips, 2): where in
    each strip of rows (vision/strips.py) the photograph reaches, the first column and the one
    beyond the last; None: everywhere.
    """

    image_bgr: NDArray[np.uint8]
    origin_mm: tuple[float, float]
    density: float
    lens_mm: tuple[float, float, float] | None = None
    columns: Ints | None = None

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height covered, in mm."""
        h, w = self.image_bgr.shape[:2]
        return w / self.density, h / self.density

    def to_raster(self, table_mm: NDArray[Any]) -> NDArray[Any]:
        """Table mm (..., 2) to raster pixels (..., 2); float32 stays float32."""
        return on_map(table_mm, self.origin_mm, self.density)

    def to_mm(self, raster_px: FloatArray) -> FloatArray:
        """Raster pixels (..., 2) to table mm (..., 2)."""
        return np.asarray(raster_px / self.density + np.asarray(self.origin_mm))

    def parallax(self, table_mm: FloatArray) -> FloatArray:
        """By how much (..., 2) things seen at table mm (..., 2) seem shifted per mm of height.

        0 where it is not known where the lens stands.
        """
        if self.lens_mm is None:
            return np.zeros_like(table_mm)
        x, y, height = self.lens_mm
        return np.asarray((table_mm - [x, y]) / height)

    def nearer(self, table_mm: FloatArray) -> FloatArray:
        """By which share (..., 2) of its size a thing at table mm (..., 2) grows for each mm that
        its height seems to shift it: away from the lens, over how far the lens stands aside.

        0 where it is not known where the lens stands, or straight under it.
        """
        if self.lens_mm is None:
            return np.zeros_like(table_mm)
        away = table_mm - np.asarray(self.lens_mm[:2])
        return np.asarray(away / np.maximum(np.square(away).sum(axis=-1, keepdims=True), 1.0))


def on_map(table_mm: NDArray[Any], origin_mm: tuple[float, float], density: float) -> NDArray[Any]:
    """Table mm (..., 2), float32 or float64, to pixels (..., 2) of a map that begins there.

    As complex numbers points are moved ten times as fast as by pairs of columns.
    """
    kind = np.complex64 if table_mm.dtype == np.float32 else np.complex128
    points = np.ascontiguousarray(table_mm).view(kind) - np.array(complex(*origin_mm), kind)
    points *= np.array(density, kind)
    pixels: NDArray[Any] = points.view(table_mm.dtype)
    return pixels


def rectify(
    image_bgr: NDArray[np.uint8], view: TableView, box_mm: FloatArray, density: float
) -> Raster:
    """Remap the photograph to the part `box_mm` (x0, y0, x1, y1) of the table."""
    x0, y0, x1, y1 = (float(v) for v in box_mm)
    width = int(np.ceil((x1 - x0) * density)) + 1
    height = int(np.ceil((y1 - y0) * density)) + 1
    if width < 2 or height < 2:  # OpenCV would read beyond its own memory
        raise ValueError(f"expected a part of the table with some size, found {box_mm}")
    knots = _knots_px(view, (x0, y0), (width, height), density)
    columns = _columns_shown(knots, image_bgr.shape[1::-1], (width, height))
    image = to_be_filled((height, width, 3), columns)

    def remap(strips: slice) -> None:
        for strip in range(strips.start, strips.stop):
            top = strip * STRIP
            left, right = (0, width) if columns is None else columns[strip].tolist()
            row, column, beyond = top // MAP_STEP, left // MAP_STEP, -(-right // MAP_STEP)
            around = knots[row : row + STRIP // MAP_STEP + 2, column : beyond + 2]
            if left < right:
                _remap_strip(image_bgr, around, image[top : top + STRIP, left:right])

    shared_out(remap, -(-height // STRIP), 1)
    return Raster(image, (x0, y0), density, view.lens_mm, columns)


def _columns_shown(
    knots: NDArray[np.float32], photo_wh: tuple[int, ...], size_wh: tuple[int, int]
) -> Ints | None:
    """`Raster.columns` of a raster of so many pixels, by knots (rows, columns, 2) that lie in a
    photograph of so many.
    """
    beside = (knots > -1) & (knots < np.array(photo_wh))
    inside = beside[..., 0] & beside[..., 1]
    step = STRIP // MAP_STEP
    columns = []
    for strip in range(-(-size_wh[1] // STRIP)):
        around = slice(max(0, strip * step - ROOM_KNOTS), (strip + 1) * step + 2 + ROOM_KNOTS)
        some = np.flatnonzero(inside[around].any(axis=0))
        ends = (some[0] - 1 - ROOM_KNOTS, some[-1] + 1 + ROOM_KNOTS) if len(some) else (0, 0)
        columns.append(np.clip(np.array(ends) * MAP_STEP, 0, size_wh[0]))
    shown = np.array(columns, np.int64)
    return None if (shown == (0, size_wh[0])).all() else shown


def _remap_strip(
    image_bgr: NDArray[np.uint8], knots: NDArray[np.float32], strip: NDArray[np.uint8]
) -> None:
    """Write a strip (h, W, 3) of the raster; `knots` are those around it."""
    size = image_bgr.shape[1::-1]
    ends = [(knots[..., k].min(), knots[..., k].max()) for k in (0, 1)]
    low, high = np.array(ends).T
    left, top = np.clip(np.floor(low) - 1, 0, size).astype(int).tolist()
    right, bottom = np.clip(np.ceil(high) + 2, 0, size).astype(int).tolist()
    if right <= left or bottom <= top:
        strip[:] = 0
        return
    # Four channels are remapped in half the time of three, and by a map of single numbers in half
    # the time of a fixed-point one. No more of the photo is turned into four channels than the
    # strip shows.
    four = cv2.cvtColor(image_bgr[top:bottom, left:right], cv2.COLOR_BGR2BGRA)
    maps = _between_knots(knots - np.array([left, top], np.float32), strip.shape[:2])
    shown = cv2.remap(
        four, maps, None, cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=(0, 0, 0),
    )  # fmt: skip
    cv2.cvtColor(shown, cv2.COLOR_BGRA2BGR, dst=strip)


def _knots_px(
    view: TableView, origin_mm: tuple[float, float], size_wh: tuple[int, int], density: float
) -> NDArray[np.float32]:
    """Photograph pixels (rows, columns, 2) float32 of a coarse grid of raster pixels.

    The knots lie at raster pixels `MAP_STEP` * k - `MAP_STEP` / 2 - 0.5, which is
    where `cv2.resize` takes the samples of a picture reduced by `MAP_STEP` to be,
    shifted by one knot, so that knots lie on both sides of every raster pixel.
    """
    columns, rows = (-(-side // MAP_STEP) + 2 for side in size_wh)
    shift_mm = (MAP_STEP / 2 + 0.5) / density
    first = origin_mm[0] - shift_mm, origin_mm[1] - shift_mm
    px = view.grid_px(first, MAP_STEP / density, (columns, rows))
    return np.nan_to_num(px, nan=NOWHERE_PX, posinf=NOWHERE_PX, neginf=NOWHERE_PX)


def _between_knots(knots: NDArray[np.float32], size_hw: tuple[int, int]) -> NDArray[np.float32]:
    """Bilinear values (height, width, 2) between the knots around a strip of the raster."""
    rows, columns = knots.shape[:2]
    # warpAffine would round its weights to 1/32 px, far too coarse for a map; resize does not.
    fine = cv2.resize(knots, (columns * MAP_STEP, rows * MAP_STEP), interpolation=cv2.INTER_LINEAR)
    height, width = size_hw
    return np.asarray(fine[MAP_STEP:, MAP_STEP:][:height, :width], np.float32)


def look_up(
    image: NDArray[Any], raster_px: NDArray[Any], interpolation: int = cv2.INTER_LINEAR
) -> NDArray[Any]:
    """Values (...) or (..., C) of a map (H, W) or (H, W, C) at its pixels (..., 2); 0 outside.

    The values keep the map's type: uint8, int16, uint16 or float32.
    """
    flat = np.ascontiguousarray(raster_px, dtype=np.float32).reshape(-1, 2)
    out = np.empty((len(flat), *image.shape[2:]), image.dtype)
    whole = len(flat) // LOOK_UP_WIDTH * LOOK_UP_WIDTH
    # OpenCV remaps pictures of less than 32768 pixels a side: a long list becomes a wide one.
    for begin, end, width in ((0, whole, LOOK_UP_WIDTH), (whole, len(flat), len(flat) - whole)):
        if end > begin:
            cv2.remap(
                image, flat[begin:end].reshape(-1, width, 2), None, interpolation,
                dst=out[begin:end].reshape(-1, width, *image.shape[2:]),
                borderMode=cv2.BORDER_CONSTANT, borderValue=0,
            )  # fmt: skip
    return out.reshape(*raster_px.shape[:-1], *image.shape[2:])


def reduced(image: NDArray[np.uint8], longest_px: float) -> tuple[NDArray[np.uint8], float]:
    """A picture (H, W) or (H, W, 3) whose longer side has so many pixels, and its scale.

    Pixel x of it lies at (x + 0.5) / scale - 0.5 of the picture; one that is not larger stays
    as it is, with scale 1. Halved as often as that goes: the cheapest mean of all pixels.
    """
    scale = 1.0
    while max(image.shape[:2]) >= 2 * longest_px:
        height, width = (side // 2 for side in image.shape[:2])
        even = image[: 2 * height, : 2 * width]
        image = np.asarray(
            cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8
        )
        scale /= 2
    rest = longest_px / max(image.shape[:2])
    if rest >= 1:
        return image, scale
    small = cv2.resize(image, None, fx=rest, fy=rest, interpolation=cv2.INTER_LINEAR)
    return np.asarray(small, np.uint8), scale * rest


def density_for(view: TableView, box_mm: FloatArray) -> float:
    """Raster density in px per mm for the part `box_mm` (x0, y0, x1, y1) of the table: about the
    picture's own in its middle, never so high as to waste work, nor memory on a wide view.
    """
    low, high = box_mm.reshape(2, 2)
    own = np.clip(view.px_per_mm((low + high) / 2), LEAST_DENSITY, MOST_DENSITY)
    afforded = np.sqrt(MOST_PIXELS / max(float(np.prod(high - low)), 1.0))
    return float(max(LEAST_DENSITY, min(own, afforded)))
