"""Round things that reach over the table: fingers, forearms, sleeves, as lit surfaces."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.camera.camera import FloatArray
from simulator.camera.canvas import Canvas
from simulator.lighting.light import Lamp
from simulator.things.solids import Rgb, Solid, capsule

_ROUND = 14
_END, _ALONG = 5, 24
_SHIFT = 4
_SHADE = 0.42
"""Light that reaches a side turned away from the lamp, of that on the table."""
_BRIGHTEST = 1.3


@dataclass(frozen=True, slots=True)
class Cloth:
    """Linear reflectance of a surface. `stripe_mm`: width of its stripes; 0 for a plain one."""

    colour: Rgb
    stripe: Rgb = (0.0, 0.0, 0.0)
    stripe_mm: float = 0.0
    lengthwise: bool = False
    folds: float = 0.0
    """How much the light on it varies from fold to fold, share of 1."""


@dataclass(frozen=True, eq=False)
class Limb:
    """A round bar with round ends, from one point of the table to another, mm; `high` is its
    height over its half width.
    """

    start_mm: FloatArray
    end_mm: FloatArray
    from_radius_mm: float
    to_radius_mm: float
    low_mm: float
    cloth: Cloth
    high: float = 1.0

    @property
    def solid(self) -> Solid:
        """An upright solid of its outline: what it hides, and what throws its shadow."""
        outline = capsule(self.start_mm, self.end_mm, self.from_radius_mm, self.to_radius_mm)
        top = self.low_mm + self.high * max(self.from_radius_mm, self.to_radius_mm)
        return Solid(outline, self.low_mm, top, self.cloth.colour, self.cloth.colour)

    def hull_px(self, canvas: Canvas) -> FloatArray:
        """Its outline in the picture (M, 2)."""
        points = self._surface()[0].reshape(-1, 3)
        hull = cv2.convexHull(_seen(canvas, points).astype(np.float32))
        return np.asarray(hull, dtype=np.float64).reshape(-1, 2)

    def _surface(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Points (A, R, 3) of its upper half, x, y, height; how far along and across they lie."""
        way = self.end_mm - self.start_mm
        length = max(float(np.hypot(*way)), 1e-6)
        way = way / length
        turn = np.linspace(0, np.pi / 2, _END, endpoint=False)
        start, end = self.from_radius_mm, self.to_radius_mm
        middle = np.linspace(0, length, _ALONG)
        along = np.concatenate([-start * np.cos(turn), middle, (length + end * np.sin(turn))[1:]])
        radius = np.concatenate(
            [start * np.sin(turn), start + (end - start) * middle / length, end * np.cos(turn)[1:]]
        )
        round_it = np.linspace(-np.pi / 2, np.pi / 2, _ROUND)
        across = radius[:, None] * np.sin(round_it)
        height = self.low_mm + self.high * radius[:, None] * np.cos(round_it)
        flat = self.start_mm + along[:, None, None] * way + across[..., None] * [-way[1], way[0]]
        return np.dstack([flat, height]), along, round_it


def draw_limb(rng: np.random.Generator, canvas: Canvas, limb: Limb, lamp: Lamp) -> None:
    """Draw its lit surface over what is there."""
    points, along, round_it = limb._surface()
    hull = limb.hull_px(canvas)
    box = canvas.box_px(hull, 3)
    if box is None:
        return
    size = (box[3] - box[1], box[2] - box[0])
    corners = np.stack([points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]], axis=2)
    tones = _light(corners, lamp) * _folds(rng, corners.shape[:2], limb.cloth.folds)
    colours = _colours(limb.cloth, along, round_it, limb) * tones[..., None]
    picture = np.zeros((*size, 3), dtype=np.float32)
    picture[:] = np.median(colours.reshape(-1, 3), axis=0)
    px = _seen(canvas, corners.reshape(-1, 3)).reshape(*corners.shape[:3], 2) - [box[0], box[1]]
    area = _signed_area(px)
    top = np.unravel_index(int(corners[..., 2].mean(axis=2).argmax()), area.shape)
    faces = area * np.sign(area[top]) > 0
    for place in zip(*np.nonzero(faces), strict=True):
        # A hair wider than it is, so that no gap shows between two pieces.
        own = px[place]
        wider = own + 0.6 * np.sign(own - own.mean(axis=0))
        cv2.fillConvexPoly(picture, _fixed(wider), colours[place].tolist(), cv2.LINE_8, _SHIFT)
    mask = np.zeros(size, dtype=np.uint8)
    cv2.fillConvexPoly(mask, _fixed(hull - [box[0], box[1]]), 255, cv2.LINE_AA, _SHIFT)
    cover = mask.astype(np.float32) / 255
    canvas.paint(box, np.dstack([picture * cover[..., None], cover]))


def _seen(canvas: Canvas, points: FloatArray) -> FloatArray:
    return canvas.camera.to_px(points[:, :2], points[:, 2])


def _light(corners: FloatArray, lamp: Lamp) -> FloatArray:
    """Light on each piece (A, R) of a surface (A, R, 4, 3), of that on the table beside it."""
    normal = np.cross(
        corners[..., 2, :] - corners[..., 0, :], corners[..., 3, :] - corners[..., 1, :]
    )
    normal *= np.where(normal[..., 2:] < 0, -1, 1)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
    way = np.array([lamp.x_mm, lamp.y_mm, lamp.height_mm]) - corners.mean(axis=(0, 1, 2))
    way /= max(float(np.linalg.norm(way)), 1e-6)
    direct = np.maximum(normal @ way, 0) / max(float(way[2]), 0.3)
    return np.asarray(np.minimum(_SHADE + (1 - _SHADE) * direct, _BRIGHTEST))


def _folds(rng: np.random.Generator, shape: tuple[int, ...], depth: float) -> FloatArray:
    rough = rng.normal(0, 1, shape)
    soft = cv2.GaussianBlur(rough, (0, 0), 1.2)
    return np.asarray(np.clip(1 + 2.0 * depth * soft, 0.3, 1.6))


def _colours(
    cloth: Cloth, along: FloatArray, round_it: FloatArray, limb: Limb
) -> NDArray[np.float64]:
    """Colour of each piece (A, R, 3)."""
    pieces = (len(along) - 1, len(round_it) - 1)
    colours = np.broadcast_to(np.array(cloth.colour), (*pieces, 3)).copy()
    if cloth.stripe_mm <= 0:
        return colours
    if cloth.lengthwise:
        place = round_it[:-1] * max(limb.from_radius_mm, limb.to_radius_mm)
        striped = np.broadcast_to((place // cloth.stripe_mm) % 2 == 0, pieces)
    else:
        striped = np.broadcast_to(((along[:-1] // cloth.stripe_mm) % 2 == 0)[:, None], pieces)
    colours[striped] = cloth.stripe
    return colours


def _signed_area(px: FloatArray) -> FloatArray:
    following = np.roll(px, -1, axis=-2)
    return np.asarray((px[..., 0] * following[..., 1] - px[..., 1] * following[..., 0]).sum(-1) / 2)


def _fixed(px: FloatArray) -> NDArray[np.int32]:
    return np.round(np.clip(px, -1e5, 1e5) * (1 << _SHIFT)).astype(np.int32)
