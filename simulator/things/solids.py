"""Things that stand up from the table: upright prisms with marks on top."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.camera.camera import FloatArray
from simulator.camera.canvas import Canvas
from simulator.lighting.light import Lamp

Rgb = tuple[float, float, float]
_SHIFT = 4


@dataclass(frozen=True, eq=False)
class Solid:
    """A convex base (N, 2) in table mm, drawn up from `low_mm` to `high_mm`.

    Colours are linear reflectances. `marks` are polygons on the top.
    """

    base_mm: FloatArray
    low_mm: float
    high_mm: float
    top: Rgb
    side: Rgb
    marks: tuple[tuple[FloatArray, Rgb], ...] = ()
    taper: float = 1.0
    """Size of the top over the base."""

    @property
    def top_mm(self) -> FloatArray:
        """The outline of the top, table mm."""
        middle = self.base_mm.mean(axis=0)
        return np.asarray(middle + (self.base_mm - middle) * self.taper)

    def hull_px(self, canvas: Canvas) -> FloatArray:
        """Its outline in the picture (M, 2)."""
        low = canvas.camera.to_px(self.base_mm, self.low_mm)
        high = canvas.camera.to_px(self.top_mm, self.high_mm)
        points = np.concatenate([low, high]).astype(np.float32)
        return np.asarray(cv2.convexHull(points), dtype=np.float64).reshape(-1, 2)


def disc(middle_mm: ArrayLike, radius_mm: float, corners: int = 48) -> FloatArray:
    """A circle as a polygon (N, 2)."""
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * radius_mm
    return np.asarray(ring + np.asarray(middle_mm, dtype=np.float64))


def block(middle_mm: ArrayLike, width_mm: float, height_mm: float, angle_deg: float) -> FloatArray:
    """A turned rectangle as a polygon (4, 2)."""
    half = np.array([width_mm, height_mm]) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return turned(corners, middle_mm, angle_deg)


def turned(points: FloatArray, middle_mm: ArrayLike, angle_deg: float) -> FloatArray:
    """Points (N, 2) turned about the origin and moved to a middle."""
    angle = np.deg2rad(angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(points @ turn.T + np.asarray(middle_mm, dtype=np.float64))


def capsule(start_mm: FloatArray, end_mm: FloatArray, from_mm: float, to_mm: float) -> FloatArray:
    """The hull of two circles: a finger, an arm, a pencil seen from above."""
    points = np.concatenate([disc(start_mm, from_mm, 24), disc(end_mm, to_mm, 24)])
    hull = cv2.convexHull(points.astype(np.float32))
    return np.asarray(hull, dtype=np.float64).reshape(-1, 2)


def shadow_mm(solid: Solid, lamp: Lamp) -> FloatArray:
    """The outline of its shadow on the table (M, 2)."""
    rise = min(solid.high_mm / lamp.height_mm, 0.8)
    away = (solid.top_mm - [lamp.x_mm, lamp.y_mm]) * rise / (1 - rise)
    points = np.concatenate([solid.base_mm, solid.top_mm + away]).astype(np.float32)
    return np.asarray(cv2.convexHull(points), dtype=np.float64).reshape(-1, 2)


def darken(canvas: Canvas, outline_mm: FloatArray, depth: float, blur_mm: float) -> None:
    """Lay a shadow over everything drawn so far, as an outline (N, 2) on the table."""
    px = canvas.camera.to_px(outline_mm)
    if not np.isfinite(px).all():
        return
    scale = float(canvas.camera.scale_px_per_mm(outline_mm.mean(axis=0)[None])[0])
    sigma = max(0.6, blur_mm * scale)
    if not sigma < max(canvas.size_wh):  # so soft, seen at a grazing angle, that nothing is left
        return
    pad = int(3 * sigma) + 3
    box = canvas.box_px(px, pad)
    if box is None:
        return
    shrink = max(1, int(sigma / 3))
    width, height = -(-(box[2] - box[0]) // shrink), -(-(box[3] - box[1]) // shrink)
    margin = pad // shrink + 1
    mask = np.zeros((height + 2 * margin, width + 2 * margin), dtype=np.float32)
    local = (px - [box[0], box[1]]) / shrink + margin
    cv2.fillPoly(mask, [_fixed(local)], 1.0, cv2.LINE_AA, _SHIFT)
    mask = cv2.GaussianBlur(mask, (0, 0), sigma / shrink)
    mask = mask[margin : margin + height, margin : margin + width]
    full = cv2.resize(mask, (width * shrink, height * shrink), interpolation=cv2.INTER_LINEAR)
    area = canvas.shade[box[1] : box[3], box[0] : box[2]]
    area *= 1 - np.float32(depth) * full[: area.shape[0], : area.shape[1]]


def stand(canvas: Canvas, solid: Solid, lamp: Lamp) -> None:
    """Draw a solid over everything: its sides that face the camera, then its top."""
    low = canvas.camera.to_px(solid.base_mm, solid.low_mm)
    high = canvas.camera.to_px(solid.top_mm, solid.high_mm)
    light = np.array([lamp.x_mm, lamp.y_mm]) - solid.base_mm.mean(axis=0)
    light = light / max(float(np.hypot(*light)), 1.0)
    fill(canvas, solid.hull_px(canvas), tuple(0.5 * c for c in solid.side))
    around = float(np.sign(_area(solid.base_mm)))
    for i in range(len(low)):
        j = (i + 1) % len(low)
        quad = np.array([low[i], low[j], high[j], high[i]])
        if _area(quad) * around >= 0:
            continue
        edge = solid.base_mm[j] - solid.base_mm[i]
        normal = around * np.array([edge[1], -edge[0]]) / max(float(np.hypot(*edge)), 1e-6)
        tone = 0.55 + 0.35 * max(0.0, float(normal @ light))
        fill(canvas, quad, tuple(tone * c for c in solid.side))
    fill(canvas, high, solid.top)
    for outline, colour in solid.marks:
        fill(canvas, canvas.camera.to_px(outline, solid.high_mm), colour)


def _area(points: FloatArray) -> float:
    following = np.roll(points, -1, axis=0)
    return float((points[:, 0] * following[:, 1] - points[:, 1] * following[:, 0]).sum() / 2)


def _fixed(px: FloatArray) -> NDArray[np.int32]:
    return np.round(np.clip(px, -1e5, 1e5) * (1 << _SHIFT)).astype(np.int32)


def fill(canvas: Canvas, px: FloatArray, colour: Sequence[float], strength: float = 1.0) -> None:
    """Fill a polygon (N, 2) of pixels with a reflectance; strength under 1: seen through."""
    box = canvas.box_px(px) if np.isfinite(px).all() else None
    if box is None:
        return
    mask = np.zeros((box[3] - box[1], box[2] - box[0]), dtype=np.uint8)
    cv2.fillPoly(mask, [_fixed(px - [box[0], box[1]])], 255, cv2.LINE_AA, _SHIFT)
    cover = mask.astype(np.float32) / 255 * np.float32(strength)
    tint = np.array([*colour, 1.0], dtype=np.float32)
    patch = np.asarray(cover[..., None] * tint, dtype=np.float32)
    canvas.paint(box, patch)


def free_of(canvas: Canvas, px: FloatArray) -> bool:
    """Whether a polygon (N, 2) of pixels is in the picture and off all cards and markers."""
    if not np.isfinite(px).all():
        return False
    box = canvas.box_px(px, 6)
    if box is None:
        return False
    mask = np.zeros((box[3] - box[1], box[2] - box[0]), dtype=np.uint8)
    cv2.fillPoly(mask, [_fixed(px - [box[0], box[1]])], 1, cv2.LINE_8, _SHIFT)
    mask = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    return not bool((mask & canvas.taken[box[1] : box[3], box[0] : box[2]]).any())
