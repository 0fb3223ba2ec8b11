"""The simulated camera: where it stands, and what it sees of points over the table.

Table frame with z into the table: a point at height h above it has z = -h.
Pixel centres are whole numbers.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.lens.lens_data import lens_data
from vision.lens import Lens, LensModel

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PlacedLens:
    """A lens at a place: camera = rotation @ table + translation_mm."""

    lens: Lens
    rotation: FloatArray
    translation_mm: FloatArray

    @property
    def position_mm(self) -> FloatArray:
        """Where the camera is, table frame (3,), z negative above the table."""
        return np.asarray(-self.rotation.T @ self.translation_mm)

    def to_px(self, points_mm: FloatArray, height_mm: float | FloatArray = 0.0) -> FloatArray:
        """Pixels (N, 2) of table points (N, 2) at a height above the table."""
        heights = np.broadcast_to(np.asarray(height_mm, dtype=np.float64), (len(points_mm),))
        points = np.column_stack([points_mm, -heights])
        seen = points @ self.rotation.T + self.translation_mm
        return self.lens.to_px(seen[:, :2] / np.maximum(seen[:, 2:], 1.0))

    def rays_to_table(self, rays: FloatArray, height_mm: float | FloatArray) -> FloatArray:
        """Where rays (N, 2), x / z and y / z, meet the plane at a height: table mm (N, 2)."""
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.rotation
        start = self.position_mm
        reach = (-np.asarray(height_mm) - start[2]) / directions[:, 2]
        return np.asarray(start[:2] + directions[:, :2] * reach[:, None])

    def to_table(self, px: FloatArray, height_mm: float = 0.0) -> FloatArray:
        """Table mm (N, 2) of pixels (N, 2), at a height above the table."""
        return self.rays_to_table(self.lens.to_rays(px), height_mm)

    def scale_px_per_mm(self, points_mm: FloatArray) -> FloatArray:
        """Local scale (N,) at table points (N, 2): root of the area ratio."""
        step = 2.0
        right = self.to_px(points_mm + [step, 0]) - self.to_px(points_mm - [step, 0])
        down = self.to_px(points_mm + [0, step]) - self.to_px(points_mm - [0, step])
        area = right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]
        return np.asarray(np.sqrt(np.abs(area)) / (2 * step))

    def as_json(self) -> dict[str, object]:
        """The `camera` part of a truth; usable as a lens file as it is."""
        place = {"rotation": self.rotation, "translation_mm": self.translation_mm}
        return {**lens_data(self.lens), **{name: value.tolist() for name, value in place.items()}}


@dataclass(frozen=True, slots=True)
class Glass:
    """A lens before a sensor is chosen: focal length over the picture's longer side,
    distortion, and how far its centre lies off the picture's, in picture widths.
    """

    focal_share: float
    distortion: tuple[float, ...]
    fisheye: bool = False
    centre_offset: tuple[float, float] = (0.0, 0.0)

    def on_sensor(self, width: int, height: int) -> Lens:
        """The lens for a picture of width x height pixels."""
        focal_px = self.focal_share * max(width, height)
        cx = (width - 1) / 2 + self.centre_offset[0] * width
        cy = (height - 1) / 2 + self.centre_offset[1] * width
        matrix = np.array([[focal_px, 0, cx], [0, focal_px, cy], [0, 0, 1.0]])
        model: LensModel = "fisheye" if self.fisheye else "plain"
        return Lens((width, height), matrix, np.array(self.distortion, dtype=np.float64), model)


@dataclass(frozen=True, slots=True)
class Stand:
    """How the camera is held: tilt from straight down, towards where, turn of the picture."""

    tilt_deg: float
    heading_deg: float
    turn_deg: float

    def rotation(self) -> FloatArray:
        """Table to camera rotation (3, 3)."""
        heading, turn = np.deg2rad(self.heading_deg), np.deg2rad(self.turn_deg)
        tilt = np.deg2rad(self.tilt_deg)
        axis_turn = _about_z(heading)
        lean = np.array(
            [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]
        )
        return np.asarray(_about_z(turn - heading) @ lean @ axis_turn)


def _about_z(angle: float) -> FloatArray:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])


def place_camera(
    stand: Stand, glass: Glass, wanted_mm: FloatArray, aspect: float, margin: float = 0.04
) -> tuple[FloatArray, FloatArray]:
    """Rotation and translation with which all `wanted_mm` (N, 2) just fit into the picture."""
    rotation = stand.rotation()
    lens = glass.on_sensor(10000, round(10000 / aspect))
    middle = (wanted_mm.min(axis=0) + wanted_mm.max(axis=0)) / 2
    near, far = 150.0, 12000.0
    target = np.array([*middle, 0.0])
    for _ in range(30):
        reach = float(np.sqrt(near * far))
        shift = _centring(rotation, wanted_mm, target, reach)
        if _fits(rotation, lens, wanted_mm, target, reach, shift, margin):
            far = reach
        else:
            near = reach
    shift = _centring(rotation, wanted_mm, target, far)
    return rotation, np.array([shift[0], shift[1], far]) - rotation @ target


def _seen(
    rotation: FloatArray, points_mm: FloatArray, target: FloatArray, offset: FloatArray
) -> FloatArray:
    points = np.column_stack([points_mm, np.zeros(len(points_mm))]) - target
    return np.asarray(points @ rotation.T + offset)


def _centring(
    rotation: FloatArray, points: FloatArray, target: FloatArray, reach: float
) -> FloatArray:
    """Sideways shift (mm, camera frame) that centres the points in the picture."""
    seen = _seen(rotation, points, target, np.array([0, 0, reach]))
    if bool((seen[:, 2] < 0.2 * reach).any()):
        return np.zeros(2)
    rays = seen[:, :2] / seen[:, 2:]
    return np.asarray(-(rays.min(axis=0) + rays.max(axis=0)) / 2 * reach)


def _fits(
    rotation: FloatArray,
    lens: Lens,
    points: FloatArray,
    target: FloatArray,
    reach: float,
    shift: FloatArray,
    margin: float,
) -> bool:
    seen = _seen(rotation, points, target, np.array([shift[0], shift[1], reach]))
    if bool((seen[:, 2] < 0.2 * reach).any()):
        return False
    rays = seen[:, :2] / seen[:, 2:]
    if float(np.hypot(*rays.T).max()) > 1.6:
        return False
    px = lens.to_px(rays)
    width, height = lens.size_wh
    edge = margin * width
    inside = (px >= edge).all() and (px <= np.array([width, height]) - edge).all()
    return bool(inside)
