"""The table plane from the cards themselves, where no marker lies beside them.

All cards are the same rectangle; a person states how wide it is.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrolment.card_blobs import CardBlob
from calibration.enrolment.card_edges import fit_edges, rectangle_of
from vision.lens import Lens
from vision.locating.edges import Photo, linear_light
from vision.reason import Reason
from vision.view import TableView, rotation_from_vector

FloatArray = NDArray[np.float64]

WORKING_WIDTH = 1600
LEAST_CARDS = 2
LEAST_DIFFERENCE = 14.0
ALIKE = (0.55, 1.8)
"""Areas of cards in one picture, against their median: perspective makes them differ."""


def view_from_cards(
    image_bgr: NDArray[np.uint8], lens: Lens, card_width_mm: float
) -> TableView | Reason:
    """The plane on which all rectangles have the stated width and one height; or why not.

    The frame's origin is the table point in the middle of the picture.
    """
    quads = card_quads(image_bgr)
    if len(quads) < LEAST_CARDS:
        return Reason("enrol-two-cards")
    view, height_mm = _fit(quads, lens, card_width_mm, 1.5 * card_width_mm)
    looked = Photo(linear_light(image_bgr), view)
    sharp = [_sharpened(looked, quad) for quad in quads]
    view, _ = _fit(sharp, lens, card_width_mm, height_mm)
    return view


def card_quads(image_bgr: NDArray[np.uint8]) -> list[FloatArray]:
    """Corners (4, 2), px, of card-like pieces of about one size; the first side is a short one."""
    scale = min(1.0, WORKING_WIDTH / image_bgr.shape[1])
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    coarse = cv2.resize(lab, (64, 48), interpolation=cv2.INTER_AREA)
    ground = cv2.resize(
        np.stack([_median(coarse[..., c]) for c in range(3)], axis=-1),
        (small.shape[1], small.shape[0]), interpolation=cv2.INTER_CUBIC,
    )  # fmt: skip
    far = (np.linalg.norm(lab - ground, axis=2) > LEAST_DIFFERENCE).astype(np.uint8) * 255
    far = np.asarray(cv2.morphologyEx(far, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(far, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    quads = [q for q in (_quad(c, small.shape[:2]) for c in contours) if q is not None]
    if not quads:
        return []
    areas = np.array([_area(quad) for quad in quads])
    typical = np.median(areas)
    alike = (areas > ALIKE[0] * typical) & (areas < ALIKE[1] * typical)
    return [quad / scale for quad, ok in zip(quads, alike, strict=True) if ok]


def _median(channel: NDArray[np.float32]) -> NDArray[np.float32]:
    """A wide median of a small channel, as the ground without what lies on it."""
    low, high = float(channel.min()), float(channel.max())
    span = max(high - low, 1e-6)
    grey = ((channel - low) / span * 255).astype(np.uint8)
    middle = cv2.medianBlur(grey, 21).astype(np.float32) / 255 * span + low
    return np.asarray(middle, np.float32)


def _quad(contour: NDArray[np.int32], shape: tuple[int, ...]) -> FloatArray | None:
    points = contour.reshape(-1, 2)
    if points.min() <= 1 or (points >= np.array(shape[::-1]) - 2).any():
        return None
    rectangle = cv2.minAreaRect(points)
    a, b = sorted(rectangle[1])
    filled = float(cv2.contourArea(cv2.convexHull(points)))
    if a < 40 or b > 2.4 * a or filled < 0.86 * a * b:
        return None
    corners = np.asarray(cv2.boxPoints(rectangle), np.float64)
    first = np.linalg.norm(corners[1] - corners[0])
    return corners if first < np.linalg.norm(corners[2] - corners[1]) else np.roll(corners, -1, 0)


def _area(quad: FloatArray) -> float:
    x, y = quad.T
    return abs(float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))) / 2


def _sharpened(looked: Photo, quad: FloatArray) -> FloatArray:
    blob = CardBlob(looked.view.to_mm(quad))
    corners = rectangle_of(fit_edges(looked, blob).outer)
    if corners is None or np.abs(corners - blob.corners_mm).max() > 3.0:
        return quad
    return looked.view.to_px(corners)


def _fit(
    quads: list[FloatArray], lens: Lens, width_mm: float, height_mm: float
) -> tuple[TableView, float]:
    """Plane, card height and every card's place, by least squares on the corners in px."""
    from scipy.optimize import least_squares  # starts slowly; a rig does without at first

    px = np.concatenate(quads)
    sides = [np.linalg.norm(q[1] - q[0]) + np.linalg.norm(q[3] - q[2]) for q in quads]
    away = width_mm * float(lens.matrix[0, 0]) / (float(np.mean(sides)) / 2)
    start = TableView(lens, np.eye(3), np.array([0.0, 0.0, away]))
    poses = np.concatenate([_pose(start.to_mm(quad)) for quad in quads])
    guess = np.concatenate([[0.0, 0.0, away, height_mm], poses])

    def residuals(p: FloatArray) -> FloatArray:
        view = _tilted(lens, p)
        unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * [width_mm, p[3]]
        placed = np.concatenate([_at(unit, *p[i : i + 3]) for i in range(4, len(p), 3)])
        return np.asarray((view.to_px(placed) - px).ravel())

    fit = least_squares(residuals, guess, x_scale="jac", loss="soft_l1", f_scale=1.0)
    return _tilted(lens, fit.x), float(fit.x[3])


def _tilted(lens: Lens, p: FloatArray) -> TableView:
    turn = rotation_from_vector(np.array([p[0], p[1], 0.0]))
    return TableView(lens, turn, np.array([0.0, 0.0, p[2]]))


def _pose(corners: FloatArray) -> FloatArray:
    middle = corners.mean(axis=0)
    along = corners[1] - corners[0] + corners[2] - corners[3]
    return np.array([middle[0], middle[1], float(np.arctan2(along[1], along[0]))])


def _at(points: FloatArray, x: float, y: float, angle: float) -> FloatArray:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]) + [x, y])
