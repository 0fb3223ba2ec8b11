"""The four printed markers: where they are in the picture, and what they say of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatArray
from vision.lens import Lens
from vision.raster import reduced
from vision.small_fits import fit_least_squares, rotations
from vision.view import TableView, rotation_from_vector, vector_from_rotation, view_from_homography

MARKER_MM = 60.0
MARKER_OUTSIDE_MM = 40.0
"""Markers' centres lie this far outside the corners of the play area, in x and in y."""
SQUARE_MM = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * MARKER_MM / 2).astype(np.float64)
SOUGHT_PX = (800, 1100, 2200)
"""The longer sides of the pictures in which markers are sought, one after the other."""
WINDOW_PX = 13
REFINED_SHARE = 0.1
LEAST_AREA_MM = 100.0
MOST_CROOKED_MM = 20.0
"""A marker further than this from its corner of the rectangle lies somewhere else."""
CORNER_NOISE_PX = 0.5
SIZE_NOISE = 0.01
"""Blur eats into black squares; corners then lie a little inside (seen: up to 1 % at 2 px/mm)."""


@dataclass(frozen=True, eq=False)
class Marker:
    """One marker found: id 0 to 3 and its corners (4, 2) in px, clockwise from its top left."""

    id: int
    corners_px: FloatArray


@dataclass(frozen=True, eq=False)
class MarkedTable:
    """The table as the markers give it: the view in the table frame, and the play area."""

    view: TableView
    play_area_mm: tuple[float, float] | None


def find_markers(grey: NDArray[np.uint8]) -> tuple[Marker, ...]:
    """Find markers 0 to 3 (DICT_4X4_50) in a grey picture; an id seen twice is left out.

    They are sought in a smaller picture, and where it does not show all four once more in a
    larger one. Their corners are then refined in the picture itself.
    """
    found: tuple[Marker, ...] = ()
    for longest_px in SOUGHT_PX:
        small, scale = reduced(grey, longest_px)
        now = _found_in(small, scale)
        found = now if len(now) >= len(found) else found
        if len(found) == 4 or scale == 1:
            break
    return tuple(Marker(marker.id, _refined(grey, marker.corners_px)) for marker in found)


def _refined(grey: NDArray[np.uint8], corners_px: FloatArray) -> FloatArray:
    """Corners (4, 2) refined within a tenth of the marker's side, where they stay near by."""
    side = float(np.sqrt(_areas(corners_px[None])[0]))
    reach = max(2, round(REFINED_SHARE * side))
    criteria = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 20, 0.02)
    moved = corners_px.astype(np.float32).reshape(-1, 1, 2)
    moved = cv2.cornerSubPix(grey, moved, (reach, reach), (-1, -1), criteria)
    out = np.asarray(moved, dtype=np.float64).reshape(4, 2)
    near = np.linalg.norm(out - corners_px, axis=1) <= reach
    return np.where(near[:, None], out, corners_px)


def _found_in(small: NDArray[np.uint8], scale: float) -> tuple[Marker, ...]:
    parameters = cv2.aruco.DetectorParameters()
    # One window: thresholds are half the work, and markers are far larger than it.
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = WINDOW_PX
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters
    )
    corners, ids, _ = detector.detectMarkers(small)
    if ids is None:
        return ()
    numbers = [int(i) for i in np.asarray(ids).ravel()]
    found = [
        Marker(number, (np.asarray(quad, dtype=np.float64).reshape(4, 2) + 0.5) / scale - 0.5)
        for number, quad in zip(numbers, corners, strict=True)
        if 0 <= number <= 3 and numbers.count(number) == 1
    ]
    return tuple(sorted(found, key=lambda marker: marker.id))


def view_from_markers(
    markers: tuple[Marker, ...], lens: Lens, near: TableView | None = None
) -> TableView:
    """Solve the plane from the markers' squares, wherever they lie on it.

    The frame is the first marker's: origin in its middle, its own axes. How
    the markers lie to each other is not assumed. `near`: a view that is known to be
    about right, in any frame on the table. ValueError without markers.
    """
    return fit_markers(markers, lens, near)[0]


def fit_markers(
    markers: tuple[Marker, ...], lens: Lens, near: TableView | None = None
) -> tuple[TableView, FloatArray]:
    """As `view_from_markers`, and how far each marker's corners are off (M,), px (rms)."""
    if not markers:
        raise ValueError("no markers")
    px = np.stack([marker.corners_px for marker in markers])
    rays = lens.to_rays(px.reshape(-1, 2)).reshape(px.shape)
    # Corners are compared as rays, which need no lens; this much is a pixel there.
    per_px = np.sqrt(_areas(rays) / np.maximum(_areas(px), 1e-9))[:, None, None]
    starts = [near] if near is not None else [_rough_view(own, lens) for own in rays]
    guesses = np.stack([_guess(markers, view) for view in starts])
    poses = len(markers) - 1
    far = float(np.median(np.abs(guesses[:, 5])))
    scale = np.array([0.1, 0.1, 0.1, *[0.1 * far] * 3, *[50.0, 50.0, 0.1] * poses, 0.01])

    def residuals(sets: FloatArray) -> FloatArray:
        count = len(sets)
        own = np.zeros((count, 1, 3))
        placed = np.concatenate([own, sets[:, 6:-1].reshape(count, -1, 3)], axis=1)
        squares = _turned(SQUARE_MM * (1 + sets[:, -1])[:, None, None, None], placed)
        turn = rotations(sets[:, :3])[:, None, :, :2]
        camera = squares @ np.swapaxes(turn, -1, -2) + sets[:, None, None, 3:6]
        off = (camera[..., :2] / camera[..., 2:] - rays) / per_px / CORNER_NOISE_PX
        return np.concatenate([off.reshape(count, -1), sets[:, -1:] / SIZE_NOISE], axis=1)

    costs = np.nan_to_num((residuals(guesses) ** 2).sum(axis=1), nan=np.inf)
    values, _ = fit_least_squares(residuals, guesses[costs.argmin()], scale)
    off = residuals(values[None])[0, :-1].reshape(len(markers), -1) * CORNER_NOISE_PX
    view = TableView(lens, rotation_from_vector(values[:3]), np.asarray(values[3:6]))
    return view, np.sqrt((off**2).mean(axis=1) * 2)


def agreeing_markers(
    markers: tuple[Marker, ...], lens: Lens, worst_mm: float, near: TableView | None = None
) -> tuple[tuple[Marker, ...], TableView] | None:
    """Those that can be squares of one size on one plane, corners within `worst_mm` (rms), and
    the view they give (`view_from_markers`, `near` as there).

    One after the other is left out, the one whose loss makes the others agree best. None
    where fewer than two are left: two that do not agree contradict each other.
    """
    if len(markers) < 2:
        return None
    worst, view = _worst_mm(markers, lens, near)
    while worst > worst_mm:
        if len(markers) == 2:
            return None
        rest = [markers[:k] + markers[k + 1 :] for k in range(len(markers))]
        fits = [_worst_mm(some, lens, near) for some in rest]
        best = min(range(len(rest)), key=lambda k: fits[k][0])
        markers, (worst, view) = rest[best], fits[best]
    return markers, view


def _worst_mm(
    markers: tuple[Marker, ...], lens: Lens, near: TableView | None
) -> tuple[float, TableView]:
    view, off_px = fit_markers(markers, lens, near)
    sides = np.sqrt(_areas(np.stack([marker.corners_px for marker in markers])))
    return float((off_px / np.maximum(sides, 1e-9)).max()) * MARKER_MM, view


def _areas(quads: FloatArray) -> FloatArray:
    """Areas (Q,) of quadrilaterals (Q, 4, 2)."""
    one, other = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2


def _rough_view(rays: FloatArray, lens: Lens) -> TableView:
    """The plane as one marker's rays (4, 2) have it, in that marker's frame."""
    matrix, _ = cv2.findHomography(SQUARE_MM, rays)
    return view_from_homography(lens, np.asarray(matrix, dtype=np.float64))


def _guess(markers: tuple[Marker, ...], view: TableView) -> FloatArray:
    """Parameters (6 + 3 (M - 1) + 1,) to begin from, by a view of the plane."""
    x, y, angle = _square_poses(view, markers[:1])[0]
    view = view.in_frame(np.array([x, y]), float(np.rad2deg(angle)))
    poses = _square_poses(view, markers[1:]).ravel()
    plane = [vector_from_rotation(view.rotation), view.translation_mm]
    return np.concatenate([*plane, poses, [0.0]])


def _square_poses(view: TableView, markers: Sequence[Marker]) -> FloatArray:
    """Where the markers' middles lie and how they are turned (M, 3): mm and radians."""
    px = np.array([marker.corners_px for marker in markers]).reshape(-1, 2)
    corners = view.to_mm(px).reshape(-1, 4, 2)
    along = corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]
    angles = np.arctan2(along[:, 1], along[:, 0])
    return np.concatenate([corners.mean(axis=1), angles[:, None]], axis=1)


def _turned(points: FloatArray, places: FloatArray) -> FloatArray:
    """Points (..., 4, 2) turned and moved to places (..., 3): x, y, angle; -> (..., M, 4, 2)."""
    cos, sin = np.cos(places[..., 2]), np.sin(places[..., 2])
    turn = np.stack([cos, sin, -sin, cos], axis=-1).reshape(*places.shape[:-1], 2, 2)
    return np.asarray(points @ turn + places[..., None, :2])


def table_from_markers(view: TableView, markers: tuple[Marker, ...]) -> MarkedTable | None:
    """The table frame from two or more markers' centres; None where they do not fix it, or
    do not lie clockwise at the corners of a rectangle.

    Three or four centres are fitted with the corners of a rectangle; two
    diagonal ones take the direction from the markers' own edges. Two on one
    side fix the frame but leave the play area unknown.
    """
    if len(markers) < 2:
        return None
    centres = {}
    turns = []
    for marker, (x, y, angle) in zip(markers, _square_poses(view, markers).tolist(), strict=True):
        centres[marker.id] = np.array([x, y])
        turns.append(angle)
    turn, width, height, origin = _fit_rectangle(centres, turns)
    framed = view.in_frame(origin, float(np.rad2deg(turn)))
    if not _stands(framed, markers, width, height):
        return None
    if width is None or height is None:
        return MarkedTable(framed, None)
    return MarkedTable(framed, (width, height))


def _stands(
    framed: TableView, markers: tuple[Marker, ...], width: float | None, height: float | None
) -> bool:
    """Whether the markers lie as 0 to 3 clockwise round a play area do, however crookedly."""
    if min(width or LEAST_AREA_MM, height or LEAST_AREA_MM) < LEAST_AREA_MM:
        return False
    for marker, centre in zip(markers, _square_poses(framed, markers)[:, :2], strict=True):
        far = np.array([marker.id in (1, 2), marker.id in (2, 3)])
        size = np.array([width or 0.0, height or 0.0])
        wanted = np.where(far, size + MARKER_OUTSIDE_MM, -MARKER_OUTSIDE_MM)
        known = np.array([width is not None, height is not None])
        if (np.abs(centre - wanted)[known] > MOST_CROOKED_MM).any():
            return False
    return True


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
