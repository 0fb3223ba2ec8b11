"""Fine alignment of whole faces: Gauss-Newton of the drawn white on the seen white."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.evidence import Evidence, sample
from vision.pose_fit import place
from vision.templates import Templates

FloatArray = NDArray[np.float64]
Map32 = NDArray[np.float32]
STEEP = 0.12
"""Only template places whose white changes by this much per mm say where a card lies."""


def align(
    evidence: Evidence,
    poses: FloatArray,
    rows: NDArray[np.int64],
    weights: Map32,
    templates: Templates,
    passes: int = 3,
) -> tuple[FloatArray, FloatArray]:
    """Shift and turn each pose (N, 3) so that its template's white fits the white seen.

    `rows` (N,) are template rows; `weights` (N, P) leave out what is covered.
    Returns the poses and each fit's root mean square misfit (N,). A card with
    too little to hold on to keeps its pose.
    """
    out = poses.copy()
    misfit = np.full(len(poses), np.inf)
    for i, row in enumerate(rows):
        out[i], misfit[i] = _align_one(evidence, poses[i], int(row), weights[i], templates, passes)
    return out, misfit


def _align_one(
    evidence: Evidence,
    pose: FloatArray,
    row: int,
    weight: Map32,
    templates: Templates,
    passes: int,
) -> tuple[FloatArray, float]:
    slope_x, slope_y = _slopes(templates, row)
    keep = (np.hypot(slope_x, slope_y) > STEEP) & (weight > 0) & ~templates.badge
    if keep.sum() < 60:
        return pose, float("inf")
    grid = templates.grid_mm[keep]
    drawn = templates.white[row][keep].astype(np.float64)
    gx, gy = slope_x[keep], slope_y[keep]
    # A turn by a small angle moves the place (x, y) by (-y, x).
    jacobian = np.stack([gx, gy, -gx * grid[:, 1] + gy * grid[:, 0]], axis=1)
    left = np.zeros(1)
    current = pose.copy()
    for _ in range(passes):
        at = evidence.raster.to_raster(place(current[None], grid)[0])
        seen = sample(evidence.white, at).astype(np.float64) / 255
        left = seen - drawn
        robust = weight[keep] / (1 + (left / 0.3) ** 2)
        normal = (jacobian * robust[:, None]).T @ jacobian + np.diag([1e-3, 1e-3, 1.0])
        step = np.linalg.solve(normal, (jacobian * robust[:, None]).T @ left)
        cos, sin = np.cos(current[2]), np.sin(current[2])
        # The template must move against the slope: the picture is later where it is brighter.
        move = -step
        current = current + np.array(
            [cos * move[0] - sin * move[1], sin * move[0] + cos * move[1], move[2]]
        )
    return current, float(np.sqrt(np.mean(left**2)))


def _slopes(templates: Templates, row: int) -> tuple[FloatArray, FloatArray]:
    rows, columns = templates.shape_hw
    image = templates.white[row].reshape(rows, columns).astype(np.float64)
    step = templates.grid_mm[1, 0] - templates.grid_mm[0, 0]
    slope_y, slope_x = np.gradient(image, step)
    return slope_x.ravel(), slope_y.ravel()
