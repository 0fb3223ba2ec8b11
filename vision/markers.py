"""The four printed markers: where they are in the picture, and what they say of the table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from vision.lens import Lens
from vision.view import (
    TableView,
    rotation_from_vector,
    vector_from_rotation,
    view_from_homography,
)

FloatArray = NDArray[np.float64]

MARKER_MM = 60.0
MARKER_OUTSIDE_MM = 40.0
"""Markers' centres lie this far outside the corners of the play area, in x and in y."""
SQUARE_MM = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * MARKER_MM / 2).astype(np.float64)
CORNER_NOISE_PX = 0.5
SIZE_NOISE = 0.01
"""Blur eats into black squares; corners then lie a little inside (seen: up to 1 % at 2 px/mm)."""


@dataclass(frozen=True, eq=False)
class Marker:
    """One marker found: id 0 to 3 and its corners (4, 2) in px, clockwise from its top left."""

    id: int
    corners_px: FloatArray


@dataclass(frozen=True, eq=False)
class Table:
    """The table as the markers give it: the view in the table frame, and the play area."""

    view: TableView
    play_area_mm: tuple[float, float] | None


def find_markers(grey: NDArray[np.uint8]) -> tuple[Marker, ...]:
    """Find markers 0 to 3 (DICT_4X4_50) in a grey picture; an id seen twice is left out."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters
    )
    corners, ids, _ = detector.detectMarkers(grey)
    if ids is None:
        return ()
    numbers = [int(i) for i in np.asarray(ids).ravel()]
    found = [
        Marker(number, np.asarray(quad, dtype=np.float64).reshape(4, 2))
        for number, quad in zip(numbers, corners, strict=True)
        if 0 <= number <= 3 and numbers.count(number) == 1
    ]
    return tuple(sorted(found, key=lambda marker: marker.id))


def view_from_markers(markers: tuple[Marker, ...], lens: Lens) -> TableView:
    """Solve the plane from the markers' squares, wherever they lie on it.

    The frame is the first marker's: origin in its middle, its own axes. How
    the markers lie to each other is not assumed. ValueError without markers.
    """
    if not markers:
        raise ValueError("no markers")
    rays = [lens.to_rays(marker.corners_px) for marker in markers]
    start = _start_view(rays[0], lens)
    first = np.concatenate([vector_from_rotation(start.rotation), start.translation_mm])
    poses = [_square_pose(start.to_mm(m.corners_px)) for m in markers[1:]]
    guess = np.concatenate([first, *poses, [0.0]])
    px = np.concatenate([marker.corners_px for marker in markers])

    def residuals(p: FloatArray) -> FloatArray:
        view = TableView(lens, rotation_from_vector(p[:3]), p[3:6])
        size = 1.0 + p[-1]
        squares = [SQUARE_MM * size]
        squares += [_turned(SQUARE_MM * size, *p[i : i + 3]) for i in range(6, len(p) - 1, 3)]
        off = (view.to_px(np.concatenate(squares)) - px).ravel() / CORNER_NOISE_PX
        return np.concatenate([off, [p[-1] / SIZE_NOISE]])

    fit = least_squares(residuals, guess, x_scale="jac")
    return TableView(lens, rotation_from_vector(fit.x[:3]), np.asarray(fit.x[3:6]))


def _start_view(rays: FloatArray, lens: Lens) -> TableView:
    matrix, _ = cv2.findHomography(SQUARE_MM, rays)
    return view_from_homography(lens, np.asarray(matrix, dtype=np.float64))


def _square_pose(corners_mm: FloatArray) -> FloatArray:
    middle = corners_mm.mean(axis=0)
    along = corners_mm[1] + corners_mm[2] - corners_mm[0] - corners_mm[3]
    return np.array([middle[0], middle[1], float(np.arctan2(along[1], along[0]))])


def _turned(points: FloatArray, x: float, y: float, angle: float) -> FloatArray:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]) + np.array([x, y]))


def table_from_markers(view: TableView, markers: tuple[Marker, ...]) -> Table | None:
    """The table frame from two or more markers' centres; None where they do not fix it.

    Three or four centres are fitted with the corners of a rectangle; two
    diagonal ones take the direction from the markers' own edges. Two on one
    side fix the frame but leave the play area unknown.
    """
    if len(markers) < 2:
        return None
    centres = {}
    turns = []
    for marker in markers:
        x, y, angle = _square_pose(view.to_mm(marker.corners_px))
        centres[marker.id] = np.array([x, y])
        turns.append(angle)
    turn, width, height, origin = _fit_rectangle(centres, turns)
    framed = view.in_frame(origin, float(np.rad2deg(turn)))
    if width is None or height is None:
        return Table(framed, None)
    return Table(framed, (width, height))


def _fit_rectangle(
    centres: dict[int, FloatArray], turns: list[float]
) -> tuple[float, float | None, float | None, FloatArray]:
    ids = sorted(centres)
    right = np.array([1.0 if i in (1, 2) else 0.0 for i in ids])
    down = np.array([1.0 if i in (2, 3) else 0.0 for i in ids])
    points = np.array([centres[i] for i in ids])
    own = float(np.arctan2(np.mean(np.sin(turns)), np.mean(np.cos(turns))))
    turn = _direction(centres, own)
    axis_x = np.array([np.cos(turn), np.sin(turn)])
    axis_y = np.array([-axis_x[1], axis_x[0]])
    along_x, along_y = points @ axis_x, points @ axis_y
    x0, width = _edge(along_x, right)
    y0, height = _edge(along_y, down)
    gap = MARKER_OUTSIDE_MM
    origin_x = x0 + gap if (right == 0).any() else x0 - gap
    origin_y = y0 + gap if (down == 0).any() else y0 - gap
    origin = axis_x * origin_x + axis_y * origin_y
    shrink = 2 * gap
    return (
        turn,
        None if width is None else width - shrink,
        None if height is None else height - shrink,
        np.asarray(origin),
    )


def _direction(centres: dict[int, FloatArray], own: float) -> float:
    """The x axis' direction from the sides seen, else the markers' own."""
    total = np.zeros(2)
    for first, second, quarter in ((0, 1, 0), (3, 2, 0), (1, 2, 1), (0, 3, 1)):
        if first in centres and second in centres:
            side = centres[second] - centres[first]
            total += side if quarter == 0 else np.array([side[1], -side[0]])
    return float(np.arctan2(total[1], total[0])) if np.any(total) else own


def _edge(values: FloatArray, far: FloatArray) -> tuple[float, float | None]:
    """Mean position of the near markers and the distance to the far ones, where both are seen."""
    near = values[far == 0]
    away = values[far == 1]
    if len(near) and len(away):
        return float(near.mean()), float(away.mean() - near.mean())
    return float(values.mean()), None
