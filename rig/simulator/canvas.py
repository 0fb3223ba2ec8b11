"""The sensor before exposure: what each pixel sees, in linear light, layer by layer.

Flat things (cards, markers, paper) are sheets: a texture, a place on the
table, a height. They are warped twice as fine as the sensor and averaged.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.simulator.camera import Camera, FloatArray

Image = NDArray[np.float32]
GRID_PX = 8
_FINE = 2


@dataclass(frozen=True, eq=False)
class Sheet:
    """A flat thing. `texture` (H, W, 4): linear red green blue times coverage, coverage.

    `x_mm, y_mm, angle_deg` place its middle; `curl_mm` is how far its ends
    (along x, along y) stand up from its middle; `lean` is the slope of its
    surface (rise per mm along the table's x and y), which moves reflections.
    """

    texture: Image
    px_per_mm: float
    x_mm: float
    y_mm: float
    angle_deg: float
    height_mm: float = 0.0
    curl_mm: tuple[float, float] = (0.0, 0.0)
    lean: tuple[float, float] = (0.0, 0.0)
    gloss: float = 0.0
    is_card: bool = False

    @property
    def half_mm(self) -> FloatArray:
        """Half its width and height, mm (2,)."""
        height, width = self.texture.shape[:2]
        return np.array([width, height]) / (2 * self.px_per_mm)

    def to_table(self, sheet_mm: FloatArray) -> FloatArray:
        """Points (N, 2) of the sheet, mm from its middle, on the table."""
        return np.asarray(sheet_mm @ self._turn().T + [self.x_mm, self.y_mm])

    def to_sheet(self, table_mm: FloatArray) -> FloatArray:
        """Inverse of `to_table`."""
        return np.asarray((table_mm - [self.x_mm, self.y_mm]) @ self._turn())

    def _turn(self) -> FloatArray:
        angle = np.deg2rad(self.angle_deg)
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def height_at(self, sheet_mm: FloatArray) -> FloatArray:
        """Height (N,) above the table of points (N, 2) of the sheet."""
        share = np.clip(sheet_mm / self.half_mm, -1.2, 1.2) ** 2
        return np.asarray(self.height_mm + share @ np.asarray(self.curl_mm))

    def border_mm(self) -> FloatArray:
        """Points round its edge (24, 2), mm from its middle."""
        steps = np.linspace(-1, 1, 7)[:-1]
        one = np.ones_like(steps)
        ring = [(steps, -one), (one, steps), (-steps, one), (-one, -steps)]
        return np.concatenate([np.column_stack(side) for side in ring]) * self.half_mm


@dataclass(eq=False)
class Canvas:
    """Layers of (H, W[, 3]) float32: reflectance, how much light arrives, mirror glints."""

    camera: Camera
    reflectance: Image = field(init=False)
    shade: Image = field(init=False)
    glint: Image = field(init=False)
    cards: Image = field(init=False)
    rays: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        width, height = self.camera.lens.size_wh
        self.reflectance = np.zeros((height, width, 3), dtype=np.float32)
        self.shade = np.ones((height, width), dtype=np.float32)
        self.glint = np.zeros((height, width), dtype=np.float32)
        self.cards = np.zeros((height, width), dtype=np.float32)
        self.rays = self._ray_grid(width, height)

    def _ray_grid(self, width: int, height: int) -> FloatArray:
        columns = np.arange(-(-width // GRID_PX) + 1) * GRID_PX
        rows = np.arange(-(-height // GRID_PX) + 1) * GRID_PX
        px = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2).astype(np.float64)
        rays = self.camera.lens.to_rays(px)
        return rays.reshape(len(rows), len(columns), 2)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.camera.lens.size_wh

    def grid_on_table(self) -> FloatArray:
        """Table mm (rows, columns, 2) seen at the grid's nodes, every GRID_PX pixels."""
        flat = self.camera.rays_to_table(self.rays.reshape(-1, 2), 0.0)
        return flat.reshape(self.rays.shape)

    def from_grid(self, values: NDArray[np.floating]) -> Image:
        """Interpolate values (rows, columns) at the grid's nodes to every pixel (H, W)."""
        width, height = self.size_wh
        down = _between(np.arange(height), values.shape[0])
        across = _between(np.arange(width), values.shape[1])
        return np.asarray(down @ values.astype(np.float32) @ across.T)

    def cover(self, texture: Image, px_per_mm: float, origin_mm: FloatArray) -> None:
        """Lay the table itself: texture (h, w, 3) with pixel 0, 0 at `origin_mm`, tiled."""
        grid = (self.grid_on_table() - origin_mm) * px_per_mm
        width, height = self.size_wh
        across = _between(np.arange(width), grid.shape[1])
        for top in range(0, height, 512):
            rows = np.arange(top, min(top + 512, height))
            down = _between(rows, grid.shape[0])
            at_x, at_y = (down @ grid[..., k].astype(np.float32) @ across.T for k in (0, 1))
            strip = cv2.remap(texture, at_x, at_y, cv2.INTER_LINEAR, None, cv2.BORDER_WRAP)
            self.reflectance[top : top + len(rows)] = strip

    def box_px(self, px: FloatArray, pad: int = 2) -> tuple[int, int, int, int] | None:
        """Whole-pixel box x0, y0, x1, y1 round points, on the grid, cut to the picture."""
        width, height = self.size_wh
        low = np.floor(px.min(axis=0) - pad).astype(int)
        high = np.ceil(px.max(axis=0) + pad).astype(int) + 1
        x0, y0 = (max(0, int(v) // GRID_PX * GRID_PX) for v in low)
        x1, y1 = min(width, int(high[0])), min(height, int(high[1]))
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None

    def lay(self, sheet: Sheet, glint_at: GlintField | None = None) -> None:
        """Draw a sheet over what is there."""
        border = sheet.border_mm()
        px = self.camera.to_px(sheet.to_table(border), sheet.height_at(border))
        box = self.box_px(px)
        if box is None:
            return
        x0, y0, x1, y1 = box
        nodes = self._nodes(box)
        on_sheet = self._meet(sheet, nodes.reshape(-1, 2)).reshape(nodes.shape)
        patch = _warp(sheet, on_sheet, (x1 - x0, y1 - y0))
        cover = patch[..., 3]
        keep = 1.0 - cover
        area = (slice(y0, y1), slice(x0, x1))
        self.reflectance[area] = self.reflectance[area] * keep[..., None] + patch[..., :3]
        self.shade[area] = self.shade[area] * keep + cover
        self.cards[area] = self.cards[area] * keep + cover * float(sheet.is_card)
        self.glint[area] *= keep
        if glint_at is not None and sheet.gloss > 0:
            table = sheet.to_table(on_sheet.reshape(-1, 2)).reshape(on_sheet.shape)
            lobe = glint_at(table, sheet.lean) * sheet.gloss
            down = _between(np.arange(y1 - y0), lobe.shape[0])
            across = _between(np.arange(x1 - x0), lobe.shape[1])
            self.glint[area] += (down @ lobe.astype(np.float32) @ across.T) * cover

    def _nodes(self, box: tuple[int, int, int, int]) -> FloatArray:
        x0, y0, x1, y1 = box
        rows = slice(y0 // GRID_PX, -(-y1 // GRID_PX) + 1)
        columns = slice(x0 // GRID_PX, -(-x1 // GRID_PX) + 1)
        return self.rays[rows, columns]

    def _meet(self, sheet: Sheet, rays: FloatArray) -> FloatArray:
        """Where rays meet the sheet, mm from its middle (N, 2)."""
        on_sheet = sheet.to_sheet(self.camera.rays_to_table(rays, sheet.height_mm))
        if sheet.curl_mm != (0.0, 0.0):
            for _ in range(3):
                heights = sheet.height_at(on_sheet)
                on_sheet = sheet.to_sheet(self.camera.rays_to_table(rays, heights))
        return on_sheet


class GlintField:
    """How strongly the lamps mirror at table points; see `light`."""

    def __call__(self, table_mm: FloatArray, lean: tuple[float, float]) -> FloatArray:
        """Strength (rows, columns) at points (rows, columns, 2) of a surface with a lean."""
        raise NotImplementedError


def _between(positions: NDArray[np.integer | np.floating], nodes: int) -> Image:
    """Linear interpolation as a matrix (len(positions), nodes); nodes GRID_PX apart."""
    at = np.asarray(positions, dtype=np.float64) / GRID_PX
    first = np.clip(np.floor(at).astype(int), 0, nodes - 2)
    share = at - first
    matrix = np.zeros((len(at), nodes), dtype=np.float32)
    index = np.arange(len(at))
    matrix[index, first] = 1 - share
    matrix[index, first + 1] = share
    return matrix


def _warp(sheet: Sheet, on_sheet: FloatArray, size_wh: tuple[int, int]) -> Image:
    """The sheet as the pixels of a box see it: (H, W, 4)."""
    height, width = sheet.texture.shape[:2]
    grid = on_sheet * sheet.px_per_mm + [(width - 1) / 2, (height - 1) / 2]
    fine = [(np.arange(n * _FINE) + 0.5) / _FINE - 0.5 for n in size_wh]
    across, down = _between(fine[0], grid.shape[1]), _between(fine[1], grid.shape[0])
    at_x, at_y = (down @ grid[..., k].astype(np.float32) @ across.T for k in (0, 1))
    seen = cv2.remap(sheet.texture, at_x, at_y, cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, 0)
    return np.asarray(cv2.resize(seen, size_wh, interpolation=cv2.INTER_AREA))
