"""The lens: what turns a pixel into a ray. OpenCV's two camera models, as a plain value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

LensModel = Literal["plain", "fisheye"]


@dataclass(frozen=True, eq=False)
class Lens:
    """Intrinsics for pictures of `size_wh` pixels; pixel centres are whole numbers.

    `matrix` is 3 x 3, `distortion` has 4, 5, 8, 12 or 14 coefficients of
    OpenCV's plain model, or the 4 of its fisheye model.
    """

    size_wh: tuple[int, int]
    matrix: NDArray[np.float64]
    distortion: NDArray[np.float64]
    model: LensModel = "plain"

    def __post_init__(self) -> None:
        if self.matrix.shape != (3, 3):
            raise ValueError(f"matrix must be 3 x 3, not {self.matrix.shape}")
        allowed = (4,) if self.model == "fisheye" else (4, 5, 8, 12, 14)
        if self.distortion.shape not in [(n,) for n in allowed]:
            raise ValueError(f"distortion must have {allowed} values, not {self.distortion.shape}")
        self.matrix.setflags(write=False)
        self.distortion.setflags(write=False)

    def to_rays(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Undistort (N, 2) pixels to normalised image coordinates (N, 2): x / z, y / z."""
        pts = np.ascontiguousarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        if len(pts) == 0:
            return np.empty((0, 2))
        if self.model == "fisheye":
            return np.asarray(
                cv2.fisheye.undistortPoints(pts, self.matrix, self.distortion), dtype=np.float64
            ).reshape(-1, 2)
        criteria = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 40, 1e-10)
        rays = cv2.undistortPoints(
            pts, self.matrix, self.distortion, R=np.eye(3), P=np.eye(3), criteria=criteria
        )
        return np.asarray(rays, dtype=np.float64).reshape(-1, 2)

    def to_px(self, rays: NDArray[np.float64]) -> NDArray[np.float64]:
        """Distort (N, 2) normalised coordinates to pixels (N, 2); inverse of `to_rays`."""
        pts = np.column_stack([np.asarray(rays, dtype=np.float64), np.ones(len(rays))])
        if len(pts) == 0:
            return np.empty((0, 2))
        zero = np.zeros(3)
        if self.model == "fisheye":
            px, _ = cv2.fisheye.projectPoints(
                pts.reshape(-1, 1, 3), zero, zero, self.matrix, self.distortion
            )
        else:
            px, _ = cv2.projectPoints(pts, zero, zero, self.matrix, self.distortion)
        return np.asarray(px, dtype=np.float64).reshape(-1, 2)

    def grid_px(
        self, to_rays: NDArray[np.float64], columns_rows: tuple[int, int]
    ) -> NDArray[np.float32]:
        """Pixels (rows, columns, 2), float32, of a whole grid of rays at once.

        `to_rays` is the homography (3 x 3) from column and row to normalised coordinates. As
        `to_px` has it, which works out a matrix of derivatives as well, in twenty times as long.
        """
        inverse, one = np.linalg.inv(to_rays), np.eye(3)
        if self.model == "fisheye":
            both = cv2.fisheye.initUndistortRectifyMap(
                self.matrix, self.distortion, inverse, one, columns_rows, cv2.CV_32F
            )
            return np.asarray(np.dstack(both), np.float32)
        px, _ = cv2.initUndistortRectifyMap(
            self.matrix, self.distortion, inverse, one, columns_rows, cv2.CV_32FC2
        )
        return np.asarray(px, np.float32)
