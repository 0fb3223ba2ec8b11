"""Tables that end in the picture: round and oval tops with a rim and a seam, over a floor."""

from dataclasses import dataclass

import cv2
import numpy as np

from simulator.camera.camera import FloatArray
from simulator.camera.canvas import Canvas, Image
from simulator.tabletop.tables import table_ground

TABLE_SHAPES = ("endless", "round", "oval")
_FLOORS = ("oak", "slate", "walnut", "white")


@dataclass(frozen=True, eq=False)
class TableTop:
    """A table top: its middle, half its length and width, mm, its turn, how square it is (2 an
    ellipse, more: fuller corners), the width of its rim and whether a seam runs across it.
    """

    middle_mm: FloatArray
    half_mm: FloatArray
    angle_rad: float
    squareness: float
    rim_mm: float
    seam: bool

    def inwards_mm(self, table_mm: FloatArray) -> FloatArray:
        """About how far points (..., 2) lie inside its edge; negative outside."""
        share = np.abs(self._own(table_mm)) / self.half_mm
        radius = (share**self.squareness).sum(axis=-1) ** (1 / self.squareness)
        return np.asarray((1 - radius) * float(self.half_mm.mean()))

    def from_seam_mm(self, table_mm: FloatArray) -> FloatArray:
        """How far points (..., 2) lie from the line across its middle, signed."""
        return np.asarray(self._own(table_mm)[..., 0])

    def _own(self, table_mm: FloatArray) -> FloatArray:
        cos, sin = np.cos(self.angle_rad), np.sin(self.angle_rad)
        return np.asarray((table_mm - self.middle_mm) @ np.array([[cos, -sin], [sin, cos]]))


def choose_table_top(
    rng: np.random.Generator, corners_mm: FloatArray, shape: str, seam: bool
) -> TableTop:
    """A top of a shape on which all the cards, whose corners (N, 2) these are, have room."""
    if shape not in TABLE_SHAPES:
        raise ValueError(f"no such table shape: {shape}; there are {', '.join(TABLE_SHAPES)}")
    low, high = corners_mm.min(axis=0), corners_mm.max(axis=0)
    middle, half = (low + high) / 2 + rng.normal(0, 10, 2), (high - low) / 2
    if shape == "round":
        half = np.full(2, float(half.max()))
    angle = 0.0 if shape == "oval" else float(rng.uniform(0, np.pi))
    squareness = 2.0 if shape == "round" else float(rng.uniform(2.0, 3.5))
    bare = TableTop(middle, half, angle, squareness, float(rng.uniform(4, 25)), seam)
    widest = 1 - float(bare.inwards_mm(corners_mm).min()) / float(half.mean())
    room = half * widest + rng.uniform(20, 120)
    return TableTop(middle, room, angle, squareness, bare.rim_mm, seam)


def cut_table(rng: np.random.Generator, canvas: Canvas, top: TableTop) -> None:
    """Turn the table that was laid into this top, over a floor in the dark."""
    laid = canvas.reflectance.copy()
    at = canvas.grid_on_table()
    floor = table_ground(rng, str(rng.choice(_FLOORS)))
    blurred = np.asarray(cv2.blur(floor.texture, (5, 5)))
    canvas.cover(blurred, floor.px_per_mm, rng.uniform(-500, 0, 2))
    inwards = canvas.from_grid(top.inwards_mm(at))
    cover = np.clip(inwards * 1.5 + 0.5, 0, 1)
    _draw_rim(laid, inwards, top.rim_mm)
    if top.seam:
        _draw_seam(rng, laid, canvas.from_grid(top.from_seam_mm(at)))
    canvas.reflectance *= (1 - cover)[..., None]
    canvas.reflectance += laid * cover[..., None]
    # The top keeps light off the floor beside it.
    canvas.shade *= np.clip(0.45 - inwards / 900, 0.45, 0.8) * (1 - cover) + cover
    canvas.glint *= cover
    canvas.floor[:] = cover < 0.5


def _draw_rim(laid: Image, inwards_mm: Image, rim_mm: float) -> None:
    on_rim = np.clip((rim_mm - inwards_mm) / 2, 0, 1)
    groove = np.exp(-(((inwards_mm - rim_mm) / 1.2) ** 2))
    laid *= (1 - 0.25 * on_rim - 0.4 * groove)[..., None]


def _draw_seam(rng: np.random.Generator, laid: Image, across_mm: Image) -> None:
    """A dark line, and wood of another tone behind it."""
    half = float(rng.uniform(0.5, 1.2))
    gap = np.clip((half - np.abs(across_mm)) / 0.5 + 0.5, 0, 1)
    tone = float(np.exp(rng.normal(0, 0.08)))
    behind = np.clip(across_mm / 0.5, 0, 1)
    laid *= ((1 - 0.8 * gap) * (1 + (tone - 1) * behind))[..., None]
