"""Features of each place of a table, from one straightened picture of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Map32
from vision.observe.discs import eroded
from vision.raster import Raster, rectify
from vision.reading_config import ReadingConfig
from vision.strips import Part, in_strips
from vision.view import TableView

FULL_WHITE = 200
"""Of `Observation.white`: some lines are whiter than those near by."""


@dataclass(frozen=True, eq=False)
class Observation:
    """What places look like, on a grid on the table plane.

    `cell` (H, W) int32 numbers the features of a place: chroma along two axes, whiteness, and the
    whitest near by, each over how white the white near by is (`ReadingConfig`). `level` (H, W)
    uint8 numbers how far it rises over the black near by, lines and dots aside. `white` (H, W)
    uint8 is the whiteness itself, `FULL_WHITE` as white as the white near by: lines are sought and
    fitted in it; `whitest` (H, W) uint8 is how white the white near by is, grey levels over black.
    `image` (H, W, 3) uint8 BGR is what all this was seen in: the picture in white light. `says`
    (H, W) is False where a place says nothing: burnt, or outside the photograph. Place (0, 0) lies
    at `origin_mm`, `density` places to a mm. `lens_mm`: x, y of the lens in table mm, and its
    height.
    """

    cell: NDArray[np.int32]
    level: NDArray[np.uint8]
    white: NDArray[np.uint8]
    whitest: NDArray[np.uint8]
    image: NDArray[np.uint8]
    says: Bools
    origin_mm: tuple[float, float]
    density: float
    lens_mm: tuple[float, float, float]


def part_of(seen: Observation, top: int, bottom: int, left: int, right: int) -> Observation:
    """The rows from `top` and the columns from `left` on, up to those given, of an observation."""
    x, y = seen.origin_mm
    part = slice(top, bottom), slice(left, right)
    return replace(
        seen,
        cell=seen.cell[part],
        level=seen.level[part],
        white=seen.white[part],
        whitest=seen.whitest[part],
        image=seen.image[part],
        says=seen.says[part],
        origin_mm=(x + left / seen.density, y + top / seen.density),
    )


def observe_table(
    image_bgr: NDArray[np.uint8], view: TableView, box_mm: FloatArray, config: ReadingConfig
) -> Observation:
    """Observe the part `box_mm` (x0, y0, x1, y1) of the table in a photograph (h, w, 3)."""
    raster = rectify(image_bgr, view, box_mm, config.density)
    return observe(raster, _in_picture(raster, view, image_bgr.shape[1::-1]), view.lens_mm, config)


def observe(
    raster: Raster, shown: Bools, lens_mm: tuple[float, float, float], config: ReadingConfig
) -> Observation:
    """Observe a straightened picture; `shown` (H, W) is where the photograph reaches."""
    lit = cv2.morphologyEx(
        _middle(raster.image_bgr), cv2.MORPH_OPEN, _disc(config.opening_mm, config)
    )
    says = np.asarray(shown & (lit < config.burnt))
    image = _balanced(raster.image_bgr, config)
    return observe_balanced(image, says, raster.origin_mm, lens_mm, config)


def observe_balanced(
    image: NDArray[np.uint8], says: Bools, origin_mm: tuple[float, float],
    lens_mm: tuple[float, float, float], config: ReadingConfig,
) -> Observation:  # fmt: skip
    """Observe a straightened picture (H, W, 3) in white light."""
    dark = _darkest(image)
    beside = cv2.morphologyEx(dark, cv2.MORPH_OPEN, _disc(config.opening_mm, config))
    risen = cv2.subtract(dark, beside)
    near_px = int(config.near_mm * config.density)
    about = cv2.blur(cv2.dilate(risen, _disc(config.near_mm, config)), (near_px, near_px))
    whitest = cv2.dilate(risen, _disc(2 * config.line_reach_mm, config))
    level = cv2.subtract(beside, eroded(beside, _disc(config.black_near_mm, config)))
    smooth = cv2.GaussianBlur(image, (3, 3), 0)
    cell = np.empty(dark.shape, np.int32)
    white_at = np.empty(dark.shape, np.uint8)

    def features(rows: Part, _around: Part, _inner: Part) -> None:
        """What is a share of how white the white near by is, a strip of the maps at a time."""
        white = np.maximum(about[rows].astype(np.float32), config.least_white)
        whiteness = risen[rows] / white
        chroma = _chroma(smooth[rows])
        chroma /= white[..., None]
        cell[rows] = cell_of(chroma, whiteness, whitest[rows] / white, config)
        np.minimum(whiteness * FULL_WHITE, 255, out=white_at[rows], casting="unsafe")
        levels = level[rows] / white * config.level_cells
        np.clip(levels, 0, config.level_cells - 1, out=level[rows], casting="unsafe")

    in_strips(features, len(dark))
    return Observation(
        cell, level, white_at, about, image, says, origin_mm, config.density, lens_mm
    )


def cell_of(
    chroma: Map32, whiteness: Map32, whitest: Map32, config: ReadingConfig
) -> NDArray[np.int32]:
    """The number (...) of the cell of features: chroma (..., 2), both whitenesses (...)."""
    side, reach = config.chroma_cells, config.chroma_reach
    across = np.clip((chroma / reach + 1) * (side / 2), 0, side - 1).astype(np.int32)
    cell = across[..., 0] * side + across[..., 1]
    for value, cells in ((whiteness, config.white_cells), (whitest, config.whitest_cells)):
        cell = cell * cells + np.clip(value * cells, 0, cells - 1).astype(np.int32)
    return np.asarray(cell, np.int32)


def cells_of(config: ReadingConfig) -> tuple[int, int, int, int]:
    """How many cells there are along each axis."""
    return config.chroma_cells, config.chroma_cells, config.white_cells, config.whitest_cells


def _balanced(image: NDArray[np.uint8], config: ReadingConfig) -> NDArray[np.uint8]:
    """The picture (H, W, 3) in white light, no channel brighter than it was.

    The light's colour is what lines rise by over their surroundings in each channel: a veil adds
    the same to both. Of all lines those count that have least colour beside them.
    """
    dark = _darkest(image)
    disc = _disc(config.opening_mm, config)
    risen = cv2.subtract(dark, cv2.morphologyEx(dark, cv2.MORPH_OPEN, disc))
    lines = risen >= max(quantile(risen, 1 - config.line_share), config.least_white)
    if not lines.any():
        return image
    rises = image[lines].astype(np.float32) - cv2.erode(image, disc)[lines]
    beside = cv2.blur(image, disc.shape[::-1])[lines].astype(np.float32)
    colour = np.ptp(beside, axis=1) / np.maximum(rises.mean(axis=1), 1.0)
    light = np.maximum(rises[colour <= np.median(colour)].mean(axis=0), 1.0)
    levels = np.arange(256)[:, None] * (light.min() / light)
    table = np.rint(levels).astype(np.uint8)[:, None]
    return np.asarray(cv2.LUT(image, table), np.uint8)


def _chroma(smooth: NDArray[np.uint8]) -> Map32:
    """By what (H, W, 2) the channels of a smoothed picture (H, W, 3) differ, grey levels: red from
    green, and blue from both.
    """
    blue, green, red = (smooth[..., k].astype(np.float32) for k in range(3))
    out = np.empty((*smooth.shape[:2], 2), np.float32)
    np.divide(red - green, np.sqrt(2.0), out=out[..., 0], casting="same_kind")
    np.divide(2 * blue - red - green, np.sqrt(6.0), out=out[..., 1], casting="same_kind")
    return out


def _darkest(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The least (H, W) of a picture's channels."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def _middle(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The channel (H, W) that is neither the least nor the most."""
    blue, green, red = cv2.split(image)
    low, high = cv2.min(blue, green), cv2.max(blue, green)
    return np.asarray(cv2.max(low, cv2.min(high, red)), np.uint8)


def quantile(grey: NDArray[np.uint8], share: float) -> float:
    """The grey level that such a share of a map lies below, as `np.quantile` says."""
    up_to = np.bincount(grey.reshape(-1), minlength=256).cumsum()
    at = (grey.size - 1) * share
    low, high = np.searchsorted(up_to, [np.floor(at), np.ceil(at)], side="right").tolist()
    return float(low + (high - low) * (at - np.floor(at)))


def _disc(diameter_mm: float, config: ReadingConfig) -> NDArray[np.uint8]:
    """A disc of so many mm, an odd number of places wide."""
    side = int(diameter_mm * config.density) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _in_picture(raster: Raster, view: TableView, size_wh: tuple[int, ...]) -> Bools:
    """Where (H, W) the photograph of so many pixels shows a raster."""
    height, width = raster.image_bgr.shape[:2]
    step = 8
    columns_rows = -(-width // step) + 1, -(-height // step) + 1
    px = view.grid_px(raster.origin_mm, step / raster.density, columns_rows)
    inside = (px >= 1) & (px <= np.array(size_wh) - 2)
    coarse = (inside[..., 0] & inside[..., 1]).astype(np.uint8)
    fine = cv2.resize(coarse, None, fx=step, fy=step, interpolation=cv2.INTER_NEAREST)
    return np.asarray(fine[:height, :width] > 0)
