"""How the camera sees the table: pixels to table millimetres and back.

One plane (z = 0, z into the table, so things on the table have negative z),
one camera. Millimetres are minted here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray
from vision.lens import Lens


@dataclass(frozen=True, eq=False)
class TableView:
    """A lens and the pose of the table before it.

    `rotation` (3 x 3) and `translation_mm` (3,) take table points (x, y, z) to
    the camera's frame, OpenCV's convention.
    """

    lens: Lens
    rotation: FloatArray
    translation_mm: FloatArray

    def to_px(self, table_mm: FloatArray, height_mm: float | FloatArray = 0.0) -> FloatArray:
        """Project (N, 2) table points lying `height_mm` above the table to pixels (N, 2).

        `height_mm` is one for all of them or each one's own (N,).
        """
        pts = np.asarray(table_mm, dtype=np.float64).reshape(-1, 2)
        lifted = self.translation_mm - np.multiply.outer(height_mm, self.rotation[:, 2])
        camera = pts @ self.rotation[:, :2].T + lifted
        return self.lens.to_px(camera[:, :2] / camera[:, 2:3])

    def grid_px(
        self, origin_mm: tuple[float, float], step_mm: float, columns_rows: tuple[int, int]
    ) -> NDArray[np.float32]:
        """Pixels (rows, columns, 2) of a grid of table points, the first at `origin_mm`."""
        x, y = origin_mm
        grid = np.array([[step_mm, 0.0, x], [0.0, step_mm, y], [0.0, 0.0, 1.0]])
        return self.lens.grid_px(self.homography() @ grid, columns_rows)

    def to_mm(self, points_px: FloatArray, height_mm: float | FloatArray = 0.0) -> FloatArray:
        """Where (N, 2) pixels meet the plane `height_mm` above the table, in table mm (N, 2).

        `height_mm` is one for all of them or each one's own (N,).
        """
        rays = self.lens.to_rays(points_px)
        ways = rays @ self.rotation[:2] + self.rotation[2]
        lens_mm = -self.rotation.T @ self.translation_mm
        share = (-np.asarray(height_mm) - lens_mm[2]) / ways[:, 2]
        return np.asarray(lens_mm[:2] + share[:, None] * ways[:, :2])

    def homography(self, height_mm: float = 0.0) -> FloatArray:
        """The 3 x 3 matrix from table millimetres to normalised image coordinates."""
        lifted = self.translation_mm - height_mm * self.rotation[:, 2]
        return np.column_stack([self.rotation[:, 0], self.rotation[:, 1], lifted])

    def px_per_mm(self, at_mm: FloatArray) -> float:
        """Picture scale at one table point: the geometric mean over both directions."""
        return float(self.scales_px_per_mm(np.asarray(at_mm, np.float64)[None])[0])

    def scales_px_per_mm(self, at_mm: FloatArray) -> FloatArray:
        """As `px_per_mm`, at many table points (N, 2): (N,)."""
        steps = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        px = self.to_px((at_mm[:, None] + steps).reshape(-1, 2)).reshape(-1, 3, 2)
        one, other = px[:, 1] - px[:, 0], px[:, 2] - px[:, 0]
        return np.sqrt(np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]))

    @property
    def lens_mm(self) -> tuple[float, float, float]:
        """Where the lens stands: x and y in table mm, and its height above the table."""
        x, y, z = (float(v) for v in -self.rotation.T @ self.translation_mm)
        return x, y, -z

    def in_frame(self, origin_mm: FloatArray, turn_deg: float) -> TableView:
        """The same view in a table frame moved to `origin_mm` and turned by `turn_deg`.

        Both are given in the present frame: the new x axis points along `turn_deg`.
        """
        angle = np.deg2rad(turn_deg)
        turn = np.array(
            [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
        )
        shift = self.rotation @ np.array([origin_mm[0], origin_mm[1], 0.0])
        return TableView(self.lens, self.rotation @ turn, self.translation_mm + shift)

    @property
    def tilt_deg(self) -> float:
        """Angle between the viewing axis and the table's normal."""
        return float(np.rad2deg(np.arccos(np.clip(abs(self.rotation[2, 2]), 0, 1))))


def view_from_homography(lens: Lens, matrix: FloatArray) -> TableView:
    """The view whose `homography()` is nearest to `matrix` (table mm to rays, any scale)."""
    scale = np.sqrt(np.linalg.norm(matrix[:, 0]) * np.linalg.norm(matrix[:, 1]))
    h = matrix / scale
    if h[2, 2] < 0:
        h = -h
    third = np.cross(h[:, 0], h[:, 1])
    u, _, vt = np.linalg.svd(np.column_stack([h[:, 0], h[:, 1], third]))
    rotation = u @ np.diag([1.0, 1.0, np.linalg.det(u @ vt)]) @ vt
    return TableView(lens, rotation, h[:, 2])


def rotation_from_vector(vector: FloatArray) -> FloatArray:
    """Rodrigues: (3,) axis times angle to a 3 x 3 rotation."""
    return np.asarray(cv2.Rodrigues(np.asarray(vector, dtype=np.float64))[0])


def vector_from_rotation(rotation: FloatArray) -> FloatArray:
    """Rodrigues' inverse: a 3 x 3 rotation to (3,) axis times angle."""
    return np.asarray(cv2.Rodrigues(rotation)[0]).ravel()
