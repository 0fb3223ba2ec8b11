"""The plane, the scale and the lens from wholly seen cards alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from geometry.deck import CardSize
from vision.lens import Lens
from vision.quads import Quads
from vision.view import TableView, rotation_from_vector

FloatArray = NDArray[np.float64]
FOCAL_SHARE = 0.8
"""Focal length over the picture's longer side of usual cameras: a field of view of 64 degrees."""
FOCAL_SPREAD = 0.35
"""Standard deviation of the focal length's logarithm over cameras."""
CORNER_MM = 0.6
WORST_QUAD_MM = 2.0


@dataclass(frozen=True, eq=False)
class CameraGuess:
    """Free parameters: tilt (2,) of the table's normal as a rotation vector without turn,
    log of the distance in mm, and where no lens is known log focal length, k1 and k2.
    """

    values: FloatArray

    def view(self, lens: Lens | None, size_wh: tuple[int, int]) -> TableView:
        """The view with these parameters; its origin lies on the optical axis."""
        tilt_x, tilt_y, log_distance = self.values[:3]
        rotation = rotation_from_vector(np.array([tilt_x, tilt_y, 0.0]))
        used = lens or lens_from(self.values[3:], size_wh)
        return TableView(used, rotation, np.array([0.0, 0.0, float(np.exp(log_distance))]))


def lens_from(values: FloatArray, size_wh: tuple[int, int]) -> Lens:
    """A lens with square pixels and its axis in the picture's middle: log f, k1, k2."""
    focal = float(np.exp(values[0]))
    width, height = size_wh
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    distortion = np.array([values[1], values[2], 0.0, 0.0])
    return Lens(size_wh, matrix, distortion)


def view_from_quads(
    quads: Quads, lens: Lens | None, size_wh: tuple[int, int], card: CardSize
) -> tuple[TableView, Quads] | None:
    """Fit one camera to all outlines, as cards of known size in one plane.

    Returns the view and the outlines that agree; None where fewer than two do.
    Outlines that disagree (other rectangles) are left out one by one.
    """
    corners = quads.corners_px
    if len(corners) < 2:
        return None
    best: tuple[float, FloatArray] | None = None
    for tilt in ((0.0, 0.0), (0.35, 0.0), (-0.35, 0.0), (0.0, 0.35), (0.0, -0.35)):
        guess = _start(corners, lens, size_wh, card, tilt)
        cost, values = _fit(corners, guess, lens, size_wh, card)
        if best is None or cost < best[0]:
            best = (cost, values)
    assert best is not None
    values = best[1]
    while True:
        off = np.sqrt((_misfit_mm(corners, values, lens, size_wh, card) ** 2).mean(axis=(1, 2)))
        if off.max() < WORST_QUAD_MM:
            break
        corners = corners[off < max(WORST_QUAD_MM, float(off.max()) * 0.999)]
        if len(corners) < 2:
            return None
        _, values = _fit(corners, values, lens, size_wh, card)
    view = CameraGuess(values).view(lens, size_wh)
    return view, Quads(corners)


def _start(
    corners: FloatArray,
    lens: Lens | None,
    size_wh: tuple[int, int],
    card: CardSize,
    tilt: tuple[float, float],
) -> FloatArray:
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    size_px = float(np.median(np.sqrt(sides[:, 0] * sides[:, 1])))
    focal = float(lens.matrix[0, 0]) if lens else FOCAL_SHARE * max(size_wh)
    size_mm = float(np.sqrt(card.frame_width_mm * card.frame_height_mm))
    distance = focal * size_mm / max(size_px, 1.0)
    start = [tilt[0], tilt[1], np.log(distance)]
    return np.array(start if lens else [*start, np.log(focal), 0.0, 0.0])


def _fit(
    corners: FloatArray,
    start: FloatArray,
    lens: Lens | None,
    size_wh: tuple[int, int],
    card: CardSize,
) -> tuple[float, FloatArray]:
    prior_focal = np.log(FOCAL_SHARE * max(size_wh))

    def residuals(values: FloatArray) -> FloatArray:
        off = _misfit_mm(corners, values, lens, size_wh, card).ravel() / CORNER_MM
        soft = np.sign(off) * np.sqrt(2 * (np.sqrt(1 + np.minimum(off**2, 1e8)) - 1))
        if lens is not None:
            return np.asarray(soft)
        prior = np.array(
            [(values[3] - prior_focal) / FOCAL_SPREAD, values[4] / 0.15, values[5] / 0.08]
        )
        return np.concatenate([soft, prior])

    scale = [0.1, 0.1, 0.05] if lens else [0.1, 0.1, 0.05, 0.1, 0.05, 0.05]
    fit = least_squares(residuals, start, x_scale=scale, max_nfev=40)
    return float(fit.cost), np.asarray(fit.x)


def _misfit_mm(
    corners_px: FloatArray,
    values: FloatArray,
    lens: Lens | None,
    size_wh: tuple[int, int],
    card: CardSize,
) -> FloatArray:
    """Corners (Q, 4, 2) in table mm less the best fitting card's, lying or standing."""
    view = CameraGuess(values).view(lens, size_wh)
    mm = view.to_mm(corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
    mm = np.clip(np.nan_to_num(mm, nan=1e4, posinf=1e4, neginf=-1e4), -1e4, 1e4)
    half_w = (card.frame_width_mm + card.line_mm) / 2
    half_h = (card.frame_height_mm + card.line_mm) / 2
    lying = np.array([[-half_h, -half_w], [half_h, -half_w], [half_h, half_w], [-half_h, half_w]])
    standing = lying[:, ::-1][[0, 3, 2, 1]]
    return np.asarray(_smaller(_rigid_left(mm, lying), _rigid_left(mm, standing)))


def _rigid_left(mm: FloatArray, shape: FloatArray) -> FloatArray:
    """What is left of (Q, 4, 2) after the best shift and turn of a shape (4, 2)."""
    middle = mm.mean(axis=1, keepdims=True)
    off = mm - middle
    dot = np.einsum("qki,ki->q", off, shape)
    cross = np.einsum("qk,k->q", off[:, :, 1], shape[:, 0]) - np.einsum(
        "qk,k->q", off[:, :, 0], shape[:, 1]
    )
    angle = np.arctan2(cross, dot)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = np.stack(
        [
            cos[:, None] * shape[:, 0] - sin[:, None] * shape[:, 1],
            sin[:, None] * shape[:, 0] + cos[:, None] * shape[:, 1],
        ],
        axis=2,
    )
    return np.asarray(off - turned)


def _smaller(first: FloatArray, second: FloatArray) -> FloatArray:
    pick = (first**2).sum(axis=(1, 2)) <= (second**2).sum(axis=(1, 2))
    return np.where(pick[:, None, None], first, second)
