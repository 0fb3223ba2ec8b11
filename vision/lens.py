"""The lens: what turns a pixel into a ray. OpenCV's two camera models, as a plain value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray

LensModel = Literal["plain", "fisheye"]
MANY = 64
"""Points from which on OpenCV takes longer to project them than numpy."""
UNTILTED = 12
"""Coefficients of the plain model without a tilted sensor."""
_ONE = np.eye(3)
_NOWHERE = np.zeros(3)
_CRITERIA = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 40, 1e-10)


@dataclass(frozen=True, eq=False)
class Lens:
    """Intrinsics for pictures of `size_wh` pixels; pixel centres are whole numbers.

    `matrix` is 3 x 3, `distortion` has 4, 5, 8, 12 or 14 coefficients of
    OpenCV's plain model, or the 4 of its fisheye model.
    """

    size_wh: tuple[int, int]
    matrix: FloatArray
    distortion: FloatArray
    model: LensModel = "plain"

    def __post_init__(self) -> None:
        if self.matrix.shape != (3, 3):
            raise ValueError(f"matrix must be 3 x 3, not {self.matrix.shape}")
        allowed = (4,) if self.model == "fisheye" else (4, 5, 8, 12, 14)
        if self.distortion.shape not in [(n,) for n in allowed]:
            raise ValueError(f"distortion must have {allowed} values, not {self.distortion.shape}")
        self.matrix.setflags(write=False)
        self.distortion.setflags(write=False)

    def to_rays(self, points_px: FloatArray) -> FloatArray:
        """Undistort (N, 2) pixels to normalised image coordinates (N, 2): x / z, y / z."""
        pts = np.ascontiguousarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        if len(pts) == 0:
            return np.empty((0, 2))
        if self.model == "fisheye":
            return np.asarray(
                cv2.fisheye.undistortPoints(pts, self.matrix, self.distortion), dtype=np.float64
            ).reshape(-1, 2)
        rays = cv2.undistortPoints(
            pts, self.matrix, self.distortion, R=_ONE, P=_ONE, criteria=_CRITERIA
        )
        return np.asarray(rays, dtype=np.float64).reshape(-1, 2)

    def to_px(self, rays: FloatArray) -> FloatArray:
        """Distort (N, 2) normalised coordinates to pixels (N, 2); inverse of `to_rays`."""
        if len(rays) == 0:
            return np.empty((0, 2))
        if self.model == "plain" and len(rays) >= MANY and len(self.distortion) <= UNTILTED:
            return self._distorted(rays)
        pts = np.ones((len(rays), 3))
        pts[:, :2] = rays
        if self.model == "fisheye":
            px, _ = cv2.fisheye.projectPoints(
                pts.reshape(-1, 1, 3), _NOWHERE, _NOWHERE, self.matrix, self.distortion
            )
        else:
            px, _ = cv2.projectPoints(pts, _NOWHERE, _NOWHERE, self.matrix, self.distortion)
        return np.asarray(px, dtype=np.float64).reshape(-1, 2)

    def _distorted(self, rays: FloatArray) -> FloatArray:
        """As `to_px`, written out: OpenCV works out a matrix of derivatives for every point.

        Step by step as OpenCV does it, so that both give the same to the last digit.
        """
        numbers = np.zeros(UNTILTED)
        numbers[: len(self.distortion)] = self.distortion
        k1, k2, p1, p2, k3, k4, k5, k6, s1, s2, s3, s4 = (float(number) for number in numbers)
        x, y = np.ascontiguousarray(rays.T)
        r2 = x * x + y * y
        r4 = r2 * r2
        r6 = r4 * r2
        both = 2 * x * y
        radial = 1 + k1 * r2 + k2 * r4 + k3 * r6
        inverse = 1 / (1 + k4 * r2 + k5 * r4 + k6 * r6)
        x_off = x * radial * inverse + p1 * both + p2 * (r2 + 2 * x * x) + s1 * r2 + s2 * r4
        y_off = y * radial * inverse + p1 * (r2 + 2 * y * y) + p2 * both + s3 * r2 + s4 * r4
        (fx, _, cx), (_, fy, cy) = self.matrix[:2].tolist()
        return np.stack([x_off * fx + cx, y_off * fy + cy], axis=1)

    def grid_px(self, to_rays: FloatArray, columns_rows: tuple[int, int]) -> NDArray[np.float32]:
        """Pixels (rows, columns, 2), float32, of a whole grid of rays at once.

        `to_rays` is the homography (3 x 3) from column and row to normalised coordinates. As
        `to_px` has it, which works out a matrix of derivatives as well, in twenty times as long.
        """
        inverse = np.linalg.inv(to_rays)
        if self.model == "fisheye":
            both = cv2.fisheye.initUndistortRectifyMap(
                self.matrix, self.distortion, inverse, _ONE, columns_rows, cv2.CV_32F
            )
            return np.asarray(np.dstack(both), np.float32)
        px, _ = cv2.initUndistortRectifyMap(
            self.matrix, self.distortion, inverse, _ONE, columns_rows, cv2.CV_32FC2
        )
        return np.asarray(px, np.float32)


@dataclass(frozen=True, slots=True)
class FocalLength:
    """What a picture tells of a lens that was not measured: its focal length in pixels, mostly
    right within a few percent, and wrong where the picture was cropped.
    """

    px: float


LensKnown = Lens | FocalLength | None
