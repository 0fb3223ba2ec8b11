"""The sensor before exposure: what each pixel sees, in linear light, layer by layer.

Flat things (cards, markers, paper) are sheets: a texture, a place on the
table, a height. They are warped twice as fine as the sensor and averaged.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.camera.camera import FloatArray, PlacedLens

Image = NDArray[np.float32]
Box = tuple[int, int, int, int]
Glint = Callable[[FloatArray, FloatArray], FloatArray]
"""Mirrored light (...) at table points (..., 2) of a surface with a lean (..., 2)."""

GRID_PX = 8
_FINE = 2
_STRIP_PX = 512


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
    reserved: bool = False
    """Whether clutter must stay off it."""

    @property
    def half_mm(self) -> FloatArray:
        """Half its width and height, mm (2,)."""
        height, width = self.texture.shape[:2]
        return np.array([width, height]) / (2 * self.px_per_mm)

    def to_table(self, sheet_mm: FloatArray) -> FloatArray:
        """Points (..., 2) of the sheet, mm from its middle, on the table."""
        return np.asarray(sheet_mm @ self._turn().T + [self.x_mm, self.y_mm])

    def to_sheet(self, table_mm: FloatArray) -> FloatArray:
        """Inverse of `to_table`."""
        return np.asarray((table_mm - [self.x_mm, self.y_mm]) @ self._turn())

    def _turn(self) -> FloatArray:
        angle = np.deg2rad(self.angle_deg)
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def height_at(self, sheet_mm: FloatArray) -> FloatArray:
        """Height (...) above the table of points (..., 2) of the sheet."""
        share = np.clip(sheet_mm / self.half_mm, -1.2, 1.2) ** 2
        return np.asarray(self.height_mm + share @ np.asarray(self.curl_mm))

    def lean_at(self, sheet_mm: FloatArray) -> FloatArray:
        """Slope (..., 2) along the table's x and y at points (..., 2) of the sheet."""
        bent = 2 * np.asarray(self.curl_mm) * sheet_mm / self.half_mm**2
        return np.asarray(bent @ self._turn().T + self.lean)

    def met_by(self, camera: PlacedLens, rays: FloatArray) -> FloatArray:
        """Where rays (N, 2) of a camera meet the sheet, mm from its middle (N, 2)."""
        on_sheet = self.to_sheet(camera.rays_to_table(rays, self.height_mm))
        if self.curl_mm != (0.0, 0.0):
            for _ in range(3):
                heights = self.height_at(on_sheet)
                on_sheet = self.to_sheet(camera.rays_to_table(rays, heights))
        return on_sheet

    def border_mm(self) -> FloatArray:
        """Points round its edge (24, 2), mm from its middle."""
        steps = np.linspace(-1, 1, 7)[:-1]
        one = np.ones_like(steps)
        ring = [(steps, -one), (one, steps), (-steps, one), (-one, -steps)]
        return np.concatenate([np.column_stack(side) for side in ring]) * self.half_mm

    def border_px(self, camera: PlacedLens) -> FloatArray:
        """Where a camera sees these points, pixels (24, 2)."""
        border = self.border_mm()
        return camera.to_px(self.to_table(border), self.height_at(border))


@dataclass(frozen=True, slots=True)
class EdgeShadow:
    """The shadow at the edge of a thing that lies on others: how far it falls, blur, depth."""

    offset_mm: tuple[float, float]
    blur_mm: float
    depth: float


@dataclass(eq=False)
class Canvas:
    """Layers of (H, W[, 3]) float32: reflectance, share of light that arrives, mirrored light,
    cards (1 where a card is seen) and, uint8, taken (1 where clutter must stay away) and
    floor (1 beside the table).
    """

    camera: PlacedLens
    reflectance: Image = field(init=False)
    shade: Image = field(init=False)
    glint: Image = field(init=False)
    cards: Image = field(init=False)
    taken: NDArray[np.uint8] = field(init=False)
    floor: NDArray[np.uint8] = field(init=False)
    rays: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        width, height = self.camera.lens.size_wh
        self.reflectance = np.zeros((height, width, 3), dtype=np.float32)
        self.shade = np.ones((height, width), dtype=np.float32)
        self.glint = np.zeros((height, width), dtype=np.float32)
        self.cards = np.zeros((height, width), dtype=np.float32)
        self.taken = np.zeros((height, width), dtype=np.uint8)
        self.floor = np.zeros((height, width), dtype=np.uint8)
        self.rays = self._ray_grid(width, height)

    def _ray_grid(self, width: int, height: int) -> FloatArray:
        # Nodes lie on pixel edges: there the enlarging of `_enlarged` is exact.
        columns = np.arange(-(-width // GRID_PX) + 1) * GRID_PX - 0.5
        rows = np.arange(-(-height // GRID_PX) + 1) * GRID_PX - 0.5
        px = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2).astype(np.float64)
        rays = self.camera.lens.to_rays(px)
        return rays.reshape(len(rows), len(columns), 2)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.camera.lens.size_wh

    def grid_on_table(self) -> FloatArray:
        """Table mm (rows, columns, 2) seen at the grid's nodes: pixel edges, GRID_PX apart."""
        flat = self.camera.rays_to_table(self.rays.reshape(-1, 2), 0.0)
        return flat.reshape(self.rays.shape)

    def from_grid(self, values: NDArray[np.floating]) -> Image:
        """Interpolate values (rows, columns) at the grid's nodes to every pixel (H, W)."""
        return _enlarged(values, self.size_wh, GRID_PX)

    def cover(self, texture: Image, px_per_mm: float, origin_mm: FloatArray) -> None:
        """Lay the table itself: texture (h, w, 3) with pixel 0, 0 at `origin_mm`, tiled."""
        grid = (self.grid_on_table() - origin_mm) * px_per_mm
        width, height = self.size_wh
        for top in range(0, height, _STRIP_PX):
            tall = min(_STRIP_PX, height - top)
            part = grid[top // GRID_PX : -(-(top + tall) // GRID_PX) + 1]
            at_x, at_y = (_enlarged(part[..., k], (width, tall), GRID_PX) for k in (0, 1))
            strip = cv2.remap(texture, at_x, at_y, cv2.INTER_LINEAR, None, cv2.BORDER_WRAP)
            self.reflectance[top : top + tall] = strip

    def box_px(self, px: FloatArray, pad: int = 2) -> Box | None:
        """Whole-pixel box x0, y0, x1, y1 round points, on the grid, cut to the picture."""
        if not np.isfinite(px).all():
            return None
        width, height = self.size_wh
        near = np.clip(px, -1e6, 1e6)
        low = np.floor(near.min(axis=0) - pad).astype(int)
        high = np.ceil(near.max(axis=0) + pad).astype(int) + 1
        x0, y0 = (max(0, int(v) // GRID_PX * GRID_PX) for v in low)
        x1, y1 = min(width, int(high[0])), min(height, int(high[1]))
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None

    def lay(
        self, sheet: Sheet, glint: Glint | None = None, shadow: EdgeShadow | None = None
    ) -> None:
        """Draw a sheet over what is there, with the shadow at its edge."""
        border, px = sheet.border_mm(), sheet.border_px(self.camera)
        box = self.box_px(px, pad=2 if shadow is None else 10)
        if box is None:
            return
        nodes = self._nodes(box)
        on_sheet = sheet.met_by(self.camera, nodes.reshape(-1, 2)).reshape(nodes.shape)
        size = (box[2] - box[0], box[3] - box[1])
        patch = _warp(sheet, on_sheet, size)
        if shadow is not None:
            scale = float(np.hypot(*(px[12] - px[0])) / np.hypot(*(border[12] - border[0])))
            self._cast(box, patch[..., 3], shadow, scale)
        light = None
        if glint is not None and sheet.gloss > 0:
            values = glint(sheet.to_table(on_sheet), sheet.lean_at(on_sheet)) * sheet.gloss
            light = _enlarged(values, size, GRID_PX)
        self.paint(box, patch, sheet.is_card, light)
        if sheet.reserved:
            self.taken[box[1] : box[3], box[0] : box[2]] |= (patch[..., 3] > 0.05).astype(np.uint8)

    def paint(
        self, box: Box, patch: Image, is_card: bool = False, glint: Image | None = None
    ) -> None:
        """Put a patch (H, W, 4), colour times coverage and coverage, over a box."""
        area = (slice(box[1], box[3]), slice(box[0], box[2]))
        cover = patch[..., 3]
        keep = 1.0 - cover
        self.reflectance[area] *= keep[..., None]
        self.reflectance[area] += patch[..., :3]
        for layer, value in ((self.shade, 1.0), (self.cards, float(is_card)), (self.glint, 0.0)):
            layer[area] *= keep
            if value:
                layer[area] += cover * np.float32(value)
        if glint is not None:
            self.glint[area] += glint * cover

    def _cast(self, box: Box, cover: Image, shadow: EdgeShadow, scale: float) -> None:
        """Darken round the edge of a thing before it is drawn; `scale` in px per mm."""
        area = (slice(box[1], box[3]), slice(box[0], box[2]))
        ahead = self.camera.to_px(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        dx, dy = np.asarray(shadow.offset_mm) @ (ahead[1:] - ahead[0])
        move = np.array([[1, 0, dx], [0, 1, dy]], dtype=np.float64)
        size = (cover.shape[1], cover.shape[0])
        moved = cv2.warpAffine(cover, move, size, flags=cv2.INTER_LINEAR)
        blurred = cv2.GaussianBlur(moved, (0, 0), max(0.5, shadow.blur_mm * scale))
        self.shade[area] *= 1 - np.float32(shadow.depth) * blurred

    def _nodes(self, box: Box) -> FloatArray:
        x0, y0, x1, y1 = box
        rows = slice(y0 // GRID_PX, -(-y1 // GRID_PX) + 1)
        columns = slice(x0 // GRID_PX, -(-x1 // GRID_PX) + 1)
        return self.rays[rows, columns]


def _enlarged(values: NDArray[np.floating], size_wh: tuple[int, int], by: int) -> Image:
    """Values at the corners of cells, interpolated to `by` x `by` points a cell (H, W)."""
    rows, columns = values.shape
    full = cv2.resize(
        values.astype(np.float32), (columns * by, rows * by), interpolation=cv2.INTER_LINEAR
    )
    start = by // 2
    return np.ascontiguousarray(full[start : start + size_wh[1], start : start + size_wh[0]])


def _warp(sheet: Sheet, on_sheet: FloatArray, size_wh: tuple[int, int]) -> Image:
    """The sheet as the pixels of a box see it: (H, W, 4)."""
    height, width = sheet.texture.shape[:2]
    grid = on_sheet * sheet.px_per_mm + [(width - 1) / 2, (height - 1) / 2]
    fine_wh = (size_wh[0] * _FINE, size_wh[1] * _FINE)
    at_x, at_y = (_enlarged(grid[..., k], fine_wh, GRID_PX * _FINE) for k in (0, 1))
    seen = cv2.remap(sheet.texture, at_x, at_y, cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, 0)
    return np.asarray(cv2.resize(seen, size_wh, interpolation=cv2.INTER_AREA))
