"""Lens models as parameter vectors: which numbers each has, and pixels with their derivatives.

The whole vector is fx, fy, cx, cy and the distortion: k1 k2 p1 p2 k3 k4 k5 k6
of OpenCV's plain model, or k1 k2 k3 k4 of its fisheye model. A model leaves
some of them at zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lens import Lens

FloatArray = NDArray[np.float64]

_NAMES = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6")
_FISHEYE_NAMES = ("fx", "fy", "cx", "cy", "k1", "k2", "k3", "k4")


@dataclass(frozen=True, slots=True)
class LensFamily:
    """A lens model: its free distortion coefficients. One focal length unless `two_focals`."""

    name: str
    free: tuple[str, ...]
    fisheye: bool = False
    two_focals: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the whole vector."""
        return _FISHEYE_NAMES if self.fisheye else _NAMES

    @property
    def count(self) -> int:
        """How many numbers are free."""
        return len(self.free) + (4 if self.two_focals else 3)

    def spread(self) -> FloatArray:
        """Matrix (whole, free) that takes free numbers to the whole vector."""
        names = self.names
        columns: list[tuple[str, ...]] = [("fx",), ("fy",)] if self.two_focals else [("fx", "fy")]
        columns += [("cx",), ("cy",), *((name,) for name in self.free)]
        matrix = np.zeros((len(names), len(columns)))
        for column, members in enumerate(columns):
            for name in members:
                matrix[names.index(name), column] = 1.0
        return matrix


def _families() -> tuple[LensFamily, ...]:
    return (
        LensFamily("k1", ("k1",)),
        LensFamily("k1-k2", ("k1", "k2")),
        LensFamily("k1-k2-p", ("k1", "k2", "p1", "p2")),
        LensFamily("fisheye", ("k1", "k2", "k3", "k4"), fisheye=True),
        LensFamily("k1-k3-p", ("k1", "k2", "p1", "p2", "k3")),
        LensFamily("rational", ("k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6")),
    )


FAMILIES = _families()
"""From the fewest numbers to the most."""


def lens_from(family: LensFamily, free: FloatArray, size_wh: tuple[int, int]) -> Lens:
    """The lens with these free numbers."""
    whole = family.spread() @ free
    fx, fy, cx, cy = (float(v) for v in whole[:4])
    matrix = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    tail = whole[4:]
    if family.fisheye:
        return Lens(size_wh, matrix, tail.copy(), "fisheye")
    return Lens(size_wh, matrix, tail.copy() if np.any(tail[5:]) else tail[:5].copy())


def project(
    family: LensFamily, free: FloatArray, pose: FloatArray, points_mm: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Pixels (N, 2) of points (N, 3) at a pose (rotation vector, translation), with derivatives.

    Returns the pixels, their derivatives by the free numbers (N, 2, F) and by
    the pose (N, 2, 6).
    """
    spread = family.spread()
    whole = spread @ free
    matrix = np.array([[whole[0], 0, whole[2]], [0, whole[1], whole[3]], [0, 0, 1.0]])
    turn, shift = pose[:3].reshape(3, 1), pose[3:].reshape(3, 1)
    points = np.ascontiguousarray(points_mm, dtype=np.float64).reshape(-1, 1, 3)
    if family.fisheye:
        px, slopes = cv2.fisheye.projectPoints(points, turn, shift, matrix, whole[4:])
        table = np.asarray(slopes, dtype=np.float64).reshape(len(points_mm), 2, -1)
        by_lens, by_pose = table[:, :, :8], table[:, :, 8:14]
    else:
        px, slopes = cv2.projectPoints(points, turn, shift, matrix, whole[4:])
        table = np.asarray(slopes, dtype=np.float64).reshape(len(points_mm), 2, -1)
        by_lens, by_pose = table[:, :, 6:18], table[:, :, :6]
    return np.asarray(px, dtype=np.float64).reshape(-1, 2), by_lens @ spread, by_pose


def seen_rays(family: LensFamily, free: FloatArray, px: FloatArray) -> FloatArray:
    """Normalised coordinates (N, 2) of pixels (N, 2)."""
    return lens_from(family, free, (1, 1)).to_rays(px)
